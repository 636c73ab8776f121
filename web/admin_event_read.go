package web

import (
	"context"
	"errors"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// eventPublish is the right to publish.
const eventPublish = tenancy.EditOwn | tenancy.Publish

// readEvent reads the form as the API would: all of it for a new event, else
// what differs from the event as it stands. It returns errWrong when the form
// says what is wrong with it.
func (w *admin) readEvent(v *visit, ed *eventEditor, now *form) (*calendar.EventFields, error) {
	f := ed.form
	if err := w.describeImage(v, f); err != nil {
		return nil, err
	}
	mode := args.Creating
	values := args.Values{}
	for i := range eventTable.Fields {
		field := &eventTable.Fields[i]
		if now != nil && (!f.sent(field.Name) || f.canonical(field.Name) == now.canonical(field.Name)) {
			continue
		}
		if err := w.readEventField(v.ctx, ed, field, values); err != nil {
			return nil, err
		}
	}
	if now != nil {
		mode = args.Updating
	}
	fields := &calendar.EventFields{}
	if err := eventTable.Parse(values, mode, fields); err != nil && !f.refuse(v.ctx, err) {
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
		if _, err := w.calendar.Events().Draft(v.ctx, key, fields); err != nil && !f.refuse(v.ctx, err) {
			return nil, err
		}
		return nil, errWrong
	}
	return fields, nil
}

// sent reports whether the form has the field at all.
func (f *form) sent(name string) bool {
	switch name {
	case "tickets":
		return f.has(ticketName(0, "name"))
	case "venue", "organizer":
		return f.has(name) || f.has("new_"+name+"."+name)
	}
	return f.has(name)
}

func (w *admin) readEventField(ctx context.Context, ed *eventEditor, field *args.Field, values args.Values) error {
	f, name := ed.form, field.Name
	switch name {
	case "venue":
		return w.readLinks(ctx, f, name, ed.venues, w.findVenue, values)
	case "organizer":
		return w.readLinks(ctx, f, name, ed.organizers, w.findOrganizer, values)
	case "categories":
		if f.has(name) {
			values[name] = anyOf(f.all(name))
		}
	case "tickets":
		if list := f.tickets(); len(list) > 0 || f.sent(name) {
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
		ticket := map[string]any{}
		for _, name := range ticketFields {
			if text := strings.TrimSpace(f.get(ticketName(row, name))); text != "" {
				ticket[name] = text
			}
		}
		list = append(list, ticket)
	}
	return list
}

// readLinks turns names into ids, and the fields of a new entry into one. A name
// nobody has is offered as a new one.
func (w *admin) readLinks(ctx context.Context, f *form, name string, choices []pair,
	find func(context.Context, string) (int64, error), values args.Values) error {
	if !f.sent(name) {
		return nil
	}
	links := []any{}
	for _, typed := range f.all(name) {
		id, err := idOf(ctx, typed, choices, find)
		if err != nil {
			return err
		}
		if id == "" {
			f.wrong(name, tellWith(ctx, name+".unknown", "Name", typed))
			if f.get("new_"+name+"."+name) == "" {
				f.set("new_"+name+"."+name, typed)
				f.set(name, without(f.values[name], typed)...)
			}
			continue
		}
		links = append(links, id)
	}
	fresh := map[string]any{}
	for _, field := range newPlaceFields[name] {
		if text := strings.TrimSpace(f.get("new_" + name + "." + field)); text != "" {
			fresh[field] = text
		}
	}
	if len(fresh) > 0 {
		links = append(links, fresh)
	}
	values[name] = links
	return nil
}

// newPlaceFields are the fields of a venue or organizer made on the spot.
var newPlaceFields = map[string][]string{
	"venue":     {"venue", "address", "zip", "city", "country", "phone", "website"},
	"organizer": {"organizer", "phone", "email", "website"},
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

// idOf finds what a name typed stands for, "" for nothing.
func idOf(ctx context.Context, typed string, choices []pair, find func(context.Context, string) (int64, error)) (string, error) {
	for _, p := range choices {
		if folded := calendar.Fold(typed); calendar.Fold(p.Value) == folded || calendar.Fold(p.Value+" (#"+p.Name+")") == folded {
			return p.Name, nil
		}
	}
	for _, p := range choices {
		if calendar.Fold(strings.TrimSuffix(p.Value, " (#"+p.Name+")")) == calendar.Fold(typed) {
			return p.Name, nil
		}
	}
	if len(choices) < longestChoice {
		return "", nil
	}
	id, err := find(ctx, typed)
	return someID(id), err
}

// findVenue looks for a venue by name, or by name and id, where there are too
// many to offer.
func (w *admin) findVenue(ctx context.Context, typed string) (int64, error) {
	name, id := nameAndID(typed)
	if id != 0 {
		v, err := w.calendar.Venues().Get(ctx, calendar.Key{ID: id})
		return sameName(id, err, name, func() string { return v.Name })
	}
	page, err := w.calendar.Venues().ListLong(ctx, &calendar.PlaceFilter{Search: args.Some(quoted(name))}, 50)
	for _, v := range page.Items {
		if calendar.Fold(v.Name) == calendar.Fold(name) {
			return v.ID, err
		}
	}
	return 0, err
}

// findOrganizer is findVenue for organizers.
func (w *admin) findOrganizer(ctx context.Context, typed string) (int64, error) {
	name, id := nameAndID(typed)
	if id != 0 {
		o, err := w.calendar.Organizers().Get(ctx, calendar.Key{ID: id})
		return sameName(id, err, name, func() string { return o.Name })
	}
	page, err := w.calendar.Organizers().ListLong(ctx, &calendar.PlaceFilter{Search: args.Some(quoted(name))}, 50)
	for _, o := range page.Items {
		if calendar.Fold(o.Name) == calendar.Fold(name) {
			return o.ID, err
		}
	}
	return 0, err
}

// sameName is the id when what it belongs to is there and has the name, 0 when
// not.
func sameName(id int64, err error, name string, of func() string) (int64, error) {
	switch {
	case errors.Is(err, calendar.ErrNotFound), errors.Is(err, calendar.ErrNotReadable), errors.Is(err, calendar.ErrWrongType):
		return 0, nil
	case err != nil:
		return 0, err
	case calendar.Fold(of()) != calendar.Fold(name):
		return 0, nil
	}
	return id, nil
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, " ") + `"` }

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
	return do == "show" || strings.HasPrefix(do, "row_")
}
