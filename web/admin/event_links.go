package admin

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/texts"
	"github.com/kalends/kalends/web/history"
)

// newPlaceFields are the fields of a venue or organizer that is created with the event.
var newPlaceFields = map[string][]string{
	"venue":     {"venue", "address", "zip", "city", "country", "phone", "website"},
	"organizer": {"organizer", "phone", "email", "website"},
}

// mostNew is how many of a kind one form can create.
var mostNew = map[string]int{"venue": 1, "organizer": 20}

// newName is the name of a field of a new venue or organizer.
func newName(kind string, row int, field string) string {
	if row == 0 {
		return "new_" + kind + "." + field
	}
	return "new_" + kind + "." + strconv.Itoa(row) + "." + field
}

// newLegend is the legend of the fields of a new venue or organizer.
func newLegend(ctx context.Context, kind string, row int) string {
	if mostNew[kind] == 1 {
		return frame.Tell(ctx, "new."+kind)
	}
	return frame.Tell(ctx, "new."+kind) + " " + frame.Number(ctx, row+1)
}

// labelsOf returns a function with the labels of a form's fields, including those of its parts.
func labelsOf(f *frame.Form) func(ctx context.Context, name string) string {
	return func(ctx context.Context, name string) string {
		return cmp.Or(partLabel(ctx, f, name), addedLabel(ctx, name), texts.Label(ctx, f, name), f.Label(ctx, name))
	}
}

// partLabel is the label of a field of a part of the form, such as a ticket: the part and the field. It is "" for other
// fields.
func partLabel(ctx context.Context, f *frame.Form, name string) string {
	for kind, fields := range newPlaceFields {
		for row := range mostNew[kind] {
			for _, field := range fields {
				if name == newName(kind, row, field) {
					return newLegend(ctx, kind, row) + frame.Tell(ctx, "comma") + " " + newLabel(ctx, kind, field)
				}
			}
		}
	}
	for row := range mostTickets {
		for _, field := range history.TicketFields {
			if name == ticketName(row, field) {
				return f.Label(ctx, "tickets") + " " + frame.Number(ctx, row+1) + frame.Tell(ctx, "comma") + " " +
					frame.Tell(ctx, "ticket."+field)
			}
		}
	}
	return ""
}

// newShown is how many new entries of a kind the form has fields for.
func newShown(f *frame.Form, kind string) int {
	shown := 1
	for row := range mostNew[kind] {
		if f.Has(newName(kind, row, kind)) {
			shown = row + 1
		}
	}
	return shown
}

// newPart is what was typed into the fields of a new venue or organizer.
func newPart(f *frame.Form, kind string, row int) map[string]any {
	return partIn(f, newPlaceFields[kind], func(field string) string { return newName(kind, row, field) })
}

// newNames are the names of the new venues or organizers.
func newNames(f *frame.Form, kind string) []string {
	var list []string
	for row := range newShown(f, kind) {
		list = append(list, f.All(newName(kind, row, kind))...)
	}
	return list
}

// newUsed reports whether the fields of new entries have content, or whether more of them were added.
func newUsed(f *frame.Form, kind string) bool {
	used := newShown(f, kind) > 1
	for row := range newShown(f, kind) {
		used = used || len(newPart(f, kind, row)) > 0
	}
	return used
}

// offerNew moves an unknown name into the fields of a new entry, if there are free ones.
func offerNew(f *frame.Form, kind, typed string) {
	for row := range mostNew[kind] {
		if f.Get(newName(kind, row, kind)) == "" {
			f.Set(newName(kind, row, kind), typed)
			f.Set(kind, without(f.Values[kind], typed)...)
			return
		}
	}
}

// readLinks reads the venues or organizers of the form: the IDs of those named, and the fields of new ones. It offers to
// create an entry for an unknown name.
func (w *Pages) readLinks(ctx context.Context, f *frame.Form, k *placeKind, choices []frame.Pair, values args.Values) error {
	if !eventFields.Sent(f, k.kind) {
		return nil
	}
	links := []any{}
	for _, typed := range f.All(k.kind) {
		id, err := idOf(ctx, typed, choices, k.find)
		if err != nil {
			return err
		}
		if id == "" {
			f.Wrong(k.kind, frame.TellWith(ctx, k.kind+".unknown", "Name", typed))
			offerNew(f, k.kind, typed)
			continue
		}
		links = append(links, id)
	}
	for row := range newShown(f, k.kind) {
		fresh := newPart(f, k.kind, row)
		if len(fresh) == 0 {
			continue
		}
		err := k.check(ctx, 0, fresh)
		switch {
		case err == nil:
			links = append(links, fresh)
		case !f.RefuseAs(ctx, err, func(field string) string { return newName(k.kind, row, field) }):
			return err
		}
	}
	values[k.kind] = links
	return nil
}

func without(list []string, one string) []string {
	var rest []string
	for _, text := range list {
		if strings.TrimSpace(text) != one {
			rest = append(rest, text)
		}
	}
	return rest
}

// idOf returns the ID that a typed name stands for, "" for none.
func idOf(ctx context.Context, typed string, choices []frame.Pair, find func(context.Context, string) (int64, error)) (string, error) {
	for _, p := range choices {
		if folded := wording.Fold(typed); wording.Fold(p.Value) == folded || wording.Fold(p.Value+" (#"+p.Name+")") == folded {
			return p.Name, nil
		}
	}
	for _, p := range choices {
		if wording.Fold(strings.TrimSuffix(p.Value, " (#"+p.Name+")")) == wording.Fold(typed) {
			return p.Name, nil
		}
	}
	if len(choices) < offers.Longest {
		return "", nil
	}
	id, err := find(ctx, typed)
	return someID(id), err
}

// findVenue finds a venue by its name, or by name and ID, if there are too many for a list.
func (w *Pages) findVenue(ctx context.Context, typed string) (int64, error) {
	name, id := nameAndID(typed)
	if id != 0 {
		v, err := w.calendar.Venues().Get(ctx, calendar.Key{ID: id})
		return sameName(id, err, name, func() string { return v.Name })
	}
	page, err := w.calendar.Venues().ListLong(ctx, &calendar.PlaceFilter{Search: args.Some(quoted(name))}, 50)
	for _, v := range page.Items {
		if wording.Fold(v.Name) == wording.Fold(name) {
			return v.ID, err
		}
	}
	return 0, err
}

// findOrganizer is findVenue for organizers.
func (w *Pages) findOrganizer(ctx context.Context, typed string) (int64, error) {
	name, id := nameAndID(typed)
	if id != 0 {
		o, err := w.calendar.Organizers().Get(ctx, calendar.Key{ID: id})
		return sameName(id, err, name, func() string { return o.Name })
	}
	page, err := w.calendar.Organizers().ListLong(ctx, &calendar.PlaceFilter{Search: args.Some(quoted(name))}, 50)
	for _, o := range page.Items {
		if wording.Fold(o.Name) == wording.Fold(name) {
			return o.ID, err
		}
	}
	return 0, err
}

// sameName returns id if the entry exists and has the name, otherwise 0.
func sameName(id int64, err error, name string, of func() string) (int64, error) {
	switch {
	case errors.Is(err, calendar.ErrNotFound), errors.Is(err, calendar.ErrNotReadable), errors.Is(err, calendar.ErrWrongType):
		return 0, nil
	case err != nil:
		return 0, err
	case wording.Fold(of()) != wording.Fold(name):
		return 0, nil
	}
	return id, nil
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, " ") + `"` }
