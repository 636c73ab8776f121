package editor

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/admin/places"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/public"
)

// look previews the page of an event from its form, in a separate window. It stores nothing.
func (w *Pages) look(v *frame.Visit, ed *eventEditor, now *frame.Form) (*frame.Reply, error) {
	if frame.IDIn(ed.form.Get("image")) == 0 { // a URL is fetched only when the event is saved
		ed.form.Set("image", "")
	}
	ed.form.Set("image_alt_was", ed.form.Get("image_alt"))
	fields, err := w.readEvent(v, ed, now)
	if err != nil {
		return w.lookless(v, ed, err)
	}
	key := calendar.Key{}
	if ed.event != nil {
		key.ID = ed.event.ID
		if ed.event.Series != nil {
			fields.Recurrence = args.Opt[args.TextOrObject]{} // a single date has no rule
		}
	}
	e, err := w.calendar.Events().Draft(v.Ctx, key, fields)
	if err != nil {
		return w.lookless(v, ed, err)
	}
	if err := w.fillLook(v.Ctx, ed, e); err != nil {
		return nil, err
	}
	taken, err := w.editing.Bookings(v.Ctx, e, venueIDs(e))
	if err != nil {
		return nil, err
	}
	note := strings.TrimSpace(frame.Tell(v.Ctx, "look.note") + " " + takenText(v.Ctx, taken))
	return &frame.Reply{Write: func(c *fiber.Ctx) error {
		return public.New(w.calendar, nil, nil, nil, nil, nil).ShowPreview(c, e, note)
	}}, nil
}

// lookless shows the problems of a form that cannot be previewed.
func (w *Pages) lookless(v *frame.Visit, ed *eventEditor, err error) (*frame.Reply, error) {
	if !refuseEvent(v.Ctx, ed.form, err) {
		return nil, err
	}
	return &frame.Reply{Status: http.StatusUnprocessableEntity, Title: frame.Tell(v.Ctx, "look.title"), Section: "events",
		Body: looklessPage(ed.form), Bare: true}, nil
}

// fillLook adds the venues, organizers, terms and image to an event that is not stored.
func (w *Pages) fillLook(ctx context.Context, ed *eventEditor, e *calendar.Event) (err error) {
	f := ed.form
	if err := w.fillPlaces(ctx, ed, e); err != nil {
		return err
	}
	if eventFields.Sent(f, "organizer") {
		e.Organizers = nil
		for _, typed := range f.All("organizer") {
			if e.Organizers, err = appendFound(ctx, e.Organizers, typed, ed.organizers, w.places.FindOrganizer,
				w.calendar.Organizers().Get); err != nil {
				return err
			}
		}
		for _, name := range newNames(f, "organizer") {
			e.Organizers = append(e.Organizers, calendar.Organizer{Name: name})
		}
	}
	fillTerms(f, ed, e)
	if e.Image, err = w.pictures.Named(ctx, f); e.Image != nil {
		e.Image.Alt = f.Get("image_alt")
	}
	return err
}

// fillPlaces adds the venues of the form.
func (w *Pages) fillPlaces(ctx context.Context, ed *eventEditor, e *calendar.Event) (err error) {
	f := ed.form
	if eventFields.Sent(f, "venue") {
		e.Venues = nil
		for _, typed := range f.All("venue") {
			if e.Venues, err = appendFound(ctx, e.Venues, typed, ed.venues, w.places.FindVenue, w.calendar.Venues().Get); err != nil {
				return err
			}
		}
		for row := range newShown(f, "venue") {
			if part := newPart(f, "venue", row); len(part) > 0 {
				e.Venues = append(e.Venues, calendar.Venue{Name: f.Get(newName("venue", row, "venue")),
					Address: f.Get(newName("venue", row, "address")),
					Zip:     f.Get(newName("venue", row, "zip")), City: f.Get(newName("venue", row, "city")),
					Country: f.Get(newName("venue", row, "country"))})
			}
		}
	}
	return nil
}

// appendFound appends the entry with a typed name, if there is one.
func appendFound[T any](ctx context.Context, list []T, typed string, choices []frame.Pair,
	find func(context.Context, string) (int64, error), get func(context.Context, calendar.Key) (*T, error)) ([]T, error) {
	id, err := places.IDOf(ctx, typed, choices, find)
	if errors.Is(err, places.ErrSeveral) {
		return list, nil
	}
	if err != nil || id == "" {
		return list, err
	}
	one, err := get(ctx, calendar.Key{ID: frame.IDIn(id)})
	if errors.Is(err, calendar.ErrNotFound) {
		return list, nil
	}
	if err != nil {
		return list, err
	}
	return append(list, *one), nil
}

// fillTerms adds the categories and tags of the form.
func fillTerms(f *frame.Form, ed *eventEditor, e *calendar.Event) {
	if f.Has("categories") {
		e.Categories = nil
		for _, c := range ed.categories {
			if f.Among("categories", frame.IDText(c.ID)) {
				e.Categories = append(e.Categories, *c.Term)
			}
		}
	}
	if f.Has("tags") {
		e.Tags = nil
		for _, name := range SplitTags(f.Get("tags")) {
			e.Tags = append(e.Tags, calendar.Term{Taxonomy: calendar.Tags, Name: name, Slug: wording.Slug(name)})
		}
	}
}
