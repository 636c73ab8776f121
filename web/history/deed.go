package history

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// Single returns a deed for each entry, for histories that do not group their entries.
func Single(list []tenancy.Entry) []tenancy.Deed {
	deeds := make([]tenancy.Deed, 0, len(list))
	for i := range list {
		deeds = append(deeds, tenancy.Deed{Position: list[i].Position, Parts: []tenancy.DeedPart{{Entries: list[i : i+1], Count: 1}}})
	}
	return deeds
}

// opened reports whether a deed is shown field by field.
func (a *Page) opened(e *tenancy.Entry) bool { return a.Open != nil && a.Open.Position == e.Position }

// writes returns the form action that undoes the deed, or "" if it cannot be undone.
func (a *Page) writes(ctx context.Context, d *tenancy.Deed) string {
	if !a.Desk || !frame.May(ctx, tenancy.EditOwn) {
		return ""
	}
	all, one := editing.Undoable(d)
	switch {
	case all:
		return frame.UndoAllOf(d.Position.Version)
	case one != nil:
		return frame.UndoOf(*one)
	}
	return ""
}

// details returns the address of a page with all changes of the deed. For a deed about one object, it shows the
// differences. It returns "" if no more is known.
func (a *Page) details(d *tenancy.Deed) string {
	e := d.First()
	switch {
	case d.Import != 0 && a.Desk:
		return frame.Address("import", d.Import)
	case d.Count() > 1:
		return a.address("", deedField, d.Position.String(), "after", "", "open", "")
	}
	return a.differences(e)
}

// differences returns the address of the differences of an entry, or "" if they are not known.
func (a *Page) differences(e *tenancy.Entry) string {
	switch {
	case len(e.Before) == 0 && e.Action != "create":
		return ""
	case !a.Own:
		return a.address("", "open", e.Position.String()) + "#e-" + e.Position.String()
	case a.Link(e) != "" && slices.Contains([]string{"event", "venue", "organizer"}, e.Position.Kind):
		return a.Link(e) + "/revisions"
	}
	return ""
}

// partText returns in words what a part of a deed did.
func partText(ctx context.Context, d *tenancy.Deed, p *tenancy.DeedPart) string {
	e := &p.Entries[0]
	if e.Action == "update" && e.Position.Kind == d.Merged() {
		return ActionText(ctx, "merge")
	}
	return EntryText(ctx, e)
}

// amountText returns the number of objects in a part of a deed, as text.
func amountText(ctx context.Context, p *tenancy.DeedPart) string {
	kind := p.Entries[0].Position.Kind
	if kind == "event" {
		return frame.Counted(ctx, "term.count", p.Count)
	}
	return frame.TellWith(ctx, "history.amount", "Kind", frame.Tell(ctx, "history.kind."+kind), "Number", frame.Number(ctx, p.Count))
}

// nameText returns the name of an object, or its kind and number if it has none.
func nameText(ctx context.Context, e *tenancy.Entry) string {
	if title := entryTitle(e); title != "" {
		return title
	}
	return ObjectText(ctx, e.Position)
}

// changedText returns the names of the fields that a part of a deed changed.
func changedText(ctx context.Context, p *tenancy.DeedPart) string {
	e := &p.Entries[0]
	if e.Action != "update" {
		return ""
	}
	fields := map[string]any{}
	for _, name := range p.Fields {
		fields[name] = nil
	}
	if len(p.Fields) == 0 {
		maps.Copy(fields, e.Before)
	}
	return strings.TrimSpace(FieldList(ctx, e.Position.Kind, fields))
}

// after returns the text that follows the name of an object in a list of names.
func after(ctx context.Context, p *tenancy.DeedPart, i int) string {
	switch {
	case i+1 < len(p.Entries):
		return frame.Tell(ctx, "comma") + " "
	case p.Count > len(p.Entries):
		return " …"
	}
	return ""
}
