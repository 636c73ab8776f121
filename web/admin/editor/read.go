package editor

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/forms/texts"
)

// readEvent reads the form into arguments, as if for the API: the whole form for a new event, otherwise the fields
// that differ from the stored event. It returns frame.ErrWrong if the form has problems.
func (w *Pages) readEvent(v *frame.Visit, ed *eventEditor, now *frame.Form) (*calendar.EventFields, error) {
	f := ed.form
	if err := w.pictures.Settle(v, f, now); err != nil {
		return nil, err
	}
	mode := args.Creating
	values := args.Values{}
	for i := range Table.Fields {
		field := &Table.Fields[i]
		if field.Name == repeats.AppliesTo || now != nil && !hasChanged(v.Ctx, f, field.Name, now) {
			continue
		}
		if field.Name == texts.Field {
			texts.Read(f, now, values)
			continue
		}
		if err := w.readEventField(v.Ctx, ed, field, values); err != nil {
			return nil, err
		}
	}
	if now != nil {
		mode = args.Updating
	}
	fields, err := frame.Parsed[calendar.EventFields](Table, values, mode)
	if err != nil && !f.Refuse(v.Ctx, err) {
		return nil, err
	}
	offers.KnowAuthor(v.Ctx, f, ed.authors, now)
	wantNote(v.Ctx, f)
	knowCategories(v.Ctx, f, ed.categories)
	if err := w.knowParent(v.Ctx, f, fields); err != nil {
		return nil, err
	}
	if name := f.Text(offers.NewCategory); name != "" && fields.Categories.Given() {
		fields.Categories = args.Some(append(fields.Categories.Or(nil), args.Ref{Text: name}))
	}
	if fields.Tags.Given() {
		fields.Tags = args.Some(TagRefs(f.Get("tags")))
	}
	if len(f.Problems) > 0 { // adds problems that only the rules for events find
		key := calendar.Key{}
		if now != nil {
			key.ID = ed.event.ID
		}
		draft := *fields
		if ed.event != nil && ed.event.Series != nil {
			draft.Recurrence = args.Opt[args.TextOrObject]{} // a single date has no rule
		}
		if _, err := w.calendar.Events().Draft(v.Ctx, key, &draft); err != nil && !refuseEvent(v.Ctx, f, err) {
			return nil, err
		}
		return nil, frame.ErrWrong
	}
	return fields, nil
}

// knowCategories adds a problem for a category that no longer exists.
func knowCategories(ctx context.Context, f *frame.Form, there []offers.Branch) {
	for _, id := range f.All("categories") {
		if frame.IDIn(id) != 0 && len(there) < offers.MostTerms &&
			!slices.ContainsFunc(there, func(b offers.Branch) bool { return frame.IDText(b.ID) == id }) {
			f.Wrong("categories", frame.Tell(ctx, "problem.category.unknown"))
		}
	}
}

// knowParent adds a problem for a parent event that the site does not have.
func (w *Pages) knowParent(ctx context.Context, f *frame.Form, fields *calendar.EventFields) error {
	id := fields.Parent.Or(0)
	if id == 0 {
		return nil
	}
	_, err := w.calendar.Events().Get(ctx, calendar.Key{ID: id}, "")
	if errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrWrongType) {
		f.Wrong("post_parent", frame.Tell(ctx, "problem.event.unknown"))
		return nil
	}
	if frame.Unseen(err) {
		return nil // an event that the user cannot read may still be a parent
	}
	return err
}

func (w *Pages) readEventField(ctx context.Context, ed *eventEditor, field *args.Field, values args.Values) error {
	f, name := ed.form, field.Name
	switch name {
	case "venue":
		return w.readLinks(ctx, f, w.places.Venues(), ed.venues, values)
	case "organizer":
		return w.readLinks(ctx, f, w.places.Organizers(), ed.organizers, values)
	case "recurrence":
		readRepeat(ctx, f, ed, values)
	case "categories":
		f.ReadAll(name, values)
	case "fields":
		added.Read(ctx, f, values)
	case "tickets":
		wrong := len(f.Problems)
		if err := checkTickets(ctx, f); err != nil {
			return err
		}
		if list := ticketsIn(ctx, f); (len(list) > 0 || eventFields.Sent(f, name)) && len(f.Problems) == wrong {
			values[name] = list
		}
	case "post_password":
		switch {
		case f.Ticked(name + "_clear"):
			values[name] = nil
		case f.Get(name) != "":
			values[name] = f.Get(name)
		}
	default:
		f.Read(field, values)
	}
	return nil
}

// readRepeat reads how the event repeats. For one date of a series, the rule applies from that date on, unless the
// form changes the whole series.
func readRepeat(ctx context.Context, f *frame.Form, ed *eventEditor, values args.Values) {
	r := repeats.In(ctx, f)
	if !r.Timed || r.Wrong {
		return
	}
	if e := ed.event; e != nil && e.Series != nil && ed.series != nil && f.Get(repeats.AppliesTo) == services.AppliesToAll {
		r.Set = ed.series.Whole(r.Set, e.Start, r.Clock.Start)
	}
	if argument := r.Argument(); argument != nil || ed.event != nil {
		values["recurrence"] = argument
	}
}

// refuseEvent adds the problems of an error to the form. If the start does not fit the rule, the problem is shown
// at the start, and the nearest days that fit are shown at the rule.
func refuseEvent(ctx context.Context, f *frame.Form, err error) bool {
	if len(repeats.NearestOf(err)) > 0 {
		f.Wrong("start_date", frame.Tell(ctx, "repeat.missed.start"))
	}
	return f.Refuse(ctx, err)
}

// TagRefs returns references to tags by name, even if a name looks like a number.
func TagRefs(text string) args.Refs {
	tags := SplitTags(text)
	refs := make(args.Refs, 0, len(tags))
	for _, tag := range tags {
		refs = append(refs, args.Ref{Text: tag})
	}
	return refs
}

// partIn returns the filled-in fields of a part of the form, such as a ticket, by their names in that part.
func partIn(f *frame.Form, fields []string, nameOf func(field string) string) map[string]any {
	values := map[string]any{}
	for _, field := range fields {
		if text := strings.TrimSpace(f.Get(nameOf(field))); text != "" {
			values[field] = text
		}
	}
	return values
}
