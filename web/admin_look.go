package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// look shows what is in the form of an event as its page would show it, and stores
// nothing. It comes in a window of its own.
func (w *admin) look(v *visit, ed *eventEditor, now *form) (*reply, error) {
	if idIn(ed.form.get("image")) == 0 { // an address is fetched when the event is saved
		ed.form.set("image", "")
	}
	ed.form.set("image_alt_was", ed.form.get("image_alt"))
	fields, err := w.readEvent(v, ed, now)
	if err != nil {
		return w.lookless(v, ed, err)
	}
	key := calendar.Key{}
	if ed.event != nil {
		key.ID = ed.event.ID
		if ed.event.Series != nil {
			fields.Recurrence = args.Opt[args.TextOrObject]{} // which isn't one date's
		}
	}
	e, err := w.calendar.Events().Draft(v.ctx, key, fields)
	if err != nil {
		return w.lookless(v, ed, err)
	}
	if err := w.fillLook(v.ctx, ed, e); err != nil {
		return nil, err
	}
	return &reply{look: e}, nil
}

// lookless says what is wrong with a form that can't be shown.
func (w *admin) lookless(v *visit, ed *eventEditor, err error) (*reply, error) {
	if !ed.form.refuseEvent(v.ctx, err) {
		return nil, err
	}
	return &reply{status: http.StatusUnprocessableEntity, title: tell(v.ctx, "look.title"), section: "events",
		body: looklessPage(ed.form), bare: true}, nil
}

// fillLook adds what an event that isn't stored is linked with.
func (w *admin) fillLook(ctx context.Context, ed *eventEditor, e *calendar.Event) (err error) {
	f := ed.form
	if f.sent("venue") {
		e.Venues = nil
		for _, typed := range f.all("venue") {
			if e.Venues, err = appendFound(e.Venues, ctx, typed, ed.venues, w.findVenue, w.calendar.Venues().Get); err != nil {
				return err
			}
		}
		for row := range f.newShown("venue") {
			if part := f.newPart("venue", row); len(part) > 0 {
				e.Venues = append(e.Venues, calendar.Venue{Name: f.get(newName("venue", row, "venue")),
					Address: f.get(newName("venue", row, "address")),
					Zip:     f.get(newName("venue", row, "zip")), City: f.get(newName("venue", row, "city")),
					Country: f.get(newName("venue", row, "country"))})
			}
		}
	}
	if f.sent("organizer") {
		e.Organizers = nil
		for _, typed := range f.all("organizer") {
			if e.Organizers, err = appendFound(e.Organizers, ctx, typed, ed.organizers, w.findOrganizer,
				w.calendar.Organizers().Get); err != nil {
				return err
			}
		}
		for _, name := range f.newNames("organizer") {
			e.Organizers = append(e.Organizers, calendar.Organizer{Name: name})
		}
	}
	f.fillTerms(ed, e)
	if e.Image, err = w.formImage(ctx, f); e.Image != nil {
		e.Image.Alt = f.get("image_alt")
	}
	return err
}

// appendFound adds what a name typed stands for, if anything.
func appendFound[T any](list []T, ctx context.Context, typed string, choices []pair,
	find func(context.Context, string) (int64, error), get func(context.Context, calendar.Key) (*T, error)) ([]T, error) {
	id, err := idOf(ctx, typed, choices, find)
	if err != nil || id == "" {
		return list, err
	}
	one, err := get(ctx, calendar.Key{ID: idIn(id)})
	if errors.Is(err, calendar.ErrNotFound) {
		return list, nil
	}
	if err != nil {
		return list, err
	}
	return append(list, *one), nil
}

// fillTerms adds the categories and tags of the form.
func (f *form) fillTerms(ed *eventEditor, e *calendar.Event) {
	if f.has("categories") {
		e.Categories = nil
		for _, c := range ed.categories {
			if f.among("categories", idText(c.ID)) {
				e.Categories = append(e.Categories, *c.Term)
			}
		}
	}
	if f.has("tags") {
		e.Tags = nil
		for _, name := range splitTags(f.get("tags")) {
			e.Tags = append(e.Tags, calendar.Term{Taxonomy: calendar.Tags, Name: name, Slug: calendar.Slug(name)})
		}
	}
}
