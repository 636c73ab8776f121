package web

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// eventPublish is the right to publish.
const eventPublish = tenancy.EditOwn | tenancy.Publish

// readEvent reads the form as the API would: all of it for a new event, else
// what differs from the event as it stands. It returns errWrong when the form
// says what is wrong with it.
func (w *admin) readEvent(v *visit, ed *eventEditor, now *form) (*calendar.EventFields, error) {
	f := ed.form
	if err := w.settleImage(v, f, now); err != nil {
		return nil, err
	}
	mode := args.Creating
	values := args.Values{}
	for i := range eventTable.Fields {
		field := &eventTable.Fields[i]
		if field.Name == appliesTo || now != nil && !f.changed(v.ctx, field.Name, now) {
			continue
		}
		if field.Name == translations {
			f.readTexts(now, values)
			continue
		}
		if err := w.readEventField(v.ctx, ed, field, values); err != nil {
			return nil, err
		}
	}
	if now != nil {
		mode = args.Updating
	}
	fields, err := parsed[calendar.EventFields](eventTable, values, mode)
	if err != nil && !f.refuse(v.ctx, err) {
		return nil, err
	}
	fields.Follow = now != nil && fields.Start.Given()
	f.knowAuthor(v.ctx, ed.authors, now)
	f.knowCategories(v.ctx, ed.categories)
	if err := w.knowParent(v.ctx, f, fields); err != nil {
		return nil, err
	}
	if fields.Tags.Given() {
		fields.Tags = args.Some(tagRefs(f.get("tags")))
	}
	if len(f.problems) > 0 { // then what only the rules know as well
		key := calendar.Key{}
		if now != nil {
			key.ID = ed.event.ID
		}
		draft := *fields
		if ed.event != nil && ed.event.Series != nil {
			draft.Recurrence = args.Opt[args.TextOrObject]{} // which isn't one date's
		}
		if _, err := w.calendar.Events().Draft(v.ctx, key, &draft); err != nil && !f.refuseEvent(v.ctx, err) {
			return nil, err
		}
		return nil, errWrong
	}
	return fields, nil
}

// knowCategories notes a category that is gone by now.
func (f *form) knowCategories(ctx context.Context, there []branch) {
	for _, id := range f.all("categories") {
		if idIn(id) != 0 && len(there) < mostTerms && !slices.ContainsFunc(there, func(b branch) bool { return idText(b.ID) == id }) {
			f.wrong("categories", i18n.T(ctx, "problem.category.unknown", nil))
		}
	}
}

// knowParent notes an event above this one that the site doesn't have.
func (w *admin) knowParent(ctx context.Context, f *form, fields *calendar.EventFields) error {
	id := fields.Parent.Or(0)
	if id == 0 {
		return nil
	}
	_, err := w.calendar.Events().Get(ctx, calendar.Key{ID: id}, "")
	if errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrWrongType) {
		f.wrong("post_parent", i18n.T(ctx, "problem.event.unknown", nil))
		return nil
	}
	return gone(err) // one that is there and can't be read can be named
}

// sent reports whether the form has the field at all.
func (f *form) sent(name string) bool {
	switch name {
	case "tickets":
		return f.has(ticketName(0, "name"))
	case translations:
		return len(f.textLanguages()) > 0
	case "recurrence":
		return f.has(repeatChoice)
	case "venue", "organizer":
		return f.has(name) || f.has("new_"+name+"."+name)
	}
	return f.has(name)
}

func (w *admin) readEventField(ctx context.Context, ed *eventEditor, field *args.Field, values args.Values) error {
	f, name := ed.form, field.Name
	switch name {
	case "venue":
		return w.readLinks(ctx, f, w.venueKind(), ed.venues, values)
	case "organizer":
		return w.readLinks(ctx, f, w.organizerKind(), ed.organizers, values)
	case "recurrence":
		f.readRepeat(ctx, ed, values)
	case "categories":
		if f.has(name) {
			values[name] = anyOf(f.all(name))
		}
	case "tickets":
		wrong := len(f.problems)
		if err := f.checkTickets(ctx); err != nil {
			return err
		}
		if list := f.tickets(); (len(list) > 0 || f.sent(name)) && len(f.problems) == wrong {
			values[name] = list
		}
	case "post_password":
		switch {
		case f.ticked(name + "_clear"):
			values[name] = nil
		case f.get(name) != "":
			values[name] = f.get(name)
		}
	default:
		f.read(field, values)
	}
	return nil
}

// readRepeat reads how the event repeats. Of one date of a series that is how it goes
// on from there, unless all of it is to be changed.
func (f *form) readRepeat(ctx context.Context, ed *eventEditor, values args.Values) {
	r := f.repeats(ctx)
	if !r.timed || r.wrong {
		return
	}
	if e := ed.event; e != nil && e.Series != nil && ed.series != nil && f.get(appliesTo) == calendar.AppliesToAll {
		r.set = ed.series.Whole(r.set, e.Start, r.clock.Start)
	}
	if argument := r.argument(); argument != nil || ed.event != nil {
		values["recurrence"] = argument
	}
}

// refuseEvent is refuse, with plain words for a start that the rule misses: the days
// that would do stand beside the rule.
func (f *form) refuseEvent(ctx context.Context, err error) bool {
	if len(nearestOf(err)) > 0 {
		f.wrong("start_date", tell(ctx, "repeat.missed.start"))
	}
	return f.refuse(ctx, err)
}

// read reads a field of text: an empty one clears what may be cleared, and says
// nothing of what may not.
func (f *form) read(field *args.Field, values args.Values) {
	if !f.has(field.Name) {
		return
	}
	text := strings.ReplaceAll(f.get(field.Name), "\r\n", "\n")
	switch {
	case text != "" || field.Required:
		values[field.Name] = text
	case !field.NoNull:
		values[field.Name] = nil
	}
}

func anyOf(list []string) []any {
	all := make([]any, 0, len(list))
	for _, text := range list {
		all = append(all, text)
	}
	return all
}

// tagRefs names tags by their texts, those that look like numbers too.
func tagRefs(text string) args.Refs {
	tags := splitTags(text)
	refs := make(args.Refs, 0, len(tags))
	for _, tag := range tags {
		refs = append(refs, args.Ref{Text: tag})
	}
	return refs
}

func (f *form) tickets() []any {
	rows := f.ticketRows()
	list := make([]any, 0, len(rows))
	for _, row := range rows {
		list = append(list, f.part(ticketFields, func(field string) string { return ticketName(row, field) }))
	}
	return list
}

// part is what stands in the fields of something within the form, by their names
// there.
func (f *form) part(fields []string, nameOf func(field string) string) map[string]any {
	values := map[string]any{}
	for _, field := range fields {
		if text := strings.TrimSpace(f.get(nameOf(field))); text != "" {
			values[field] = text
		}
	}
	return values
}

// checkTickets notes what is wrong with each of the tickets beside its field.
func (f *form) checkTickets(ctx context.Context) error {
	for _, row := range f.ticketRows() {
		nameOf := func(field string) string { return ticketName(row, field) }
		_, err := parsed[calendar.TicketFields](ticketTable, f.part(ticketFields, nameOf), args.Creating)
		if err != nil && !f.refuseAs(ctx, err, nameOf) {
			return err
		}
	}
	return nil
}

// upload stores a picture sent with the form; from then on the form names it by
// its id, so that nothing is sent twice.
func (w *admin) upload(v *visit, f *form) error {
	header := f.files["image_file"]
	if header == nil {
		return nil
	}
	r, err := header.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	image, err := w.calendar.Images().Upload(v.ctx, header.Filename, r)
	if err != nil {
		within := &form{}
		if !within.refuse(v.ctx, err) {
			return err
		}
		for _, text := range within.problems {
			f.wrong("image", text)
		}
		return nil
	}
	f.set("image", idText(image.ID))
	f.set("image_alt_was", "")
	f.files = nil
	return nil
}

// reshape reports whether the form was sent only to be shown again: with a row
// more, or after a sign-in.
func (f *form) reshape() bool {
	do := f.get("do")
	if do == "row_venue" || do == "row_organizer" {
		name := strings.TrimPrefix(do, "row_")
		f.set(name, append(f.all(name), "", "")...)
	}
	if kind, found := strings.CutPrefix(do, "row_new_"); found && f.newShown(kind) < mostNew[kind] {
		f.set(newName(kind, f.newShown(kind), kind), "")
	}
	return do == "show" || strings.HasPrefix(do, "row_")
}
