package editor

import (
	"context"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/repeats"
)

// offers reads the choices for the fields.
func (w *Pages) offers(ctx context.Context, ed *eventEditor) (err error) {
	o, err := offers.Of(ctx, w.calendar, calendar.OfferQuery{Venues: offers.Longest, Organizers: offers.Longest,
		Categories: offers.MostTerms, Authors: calendar.MostAuthors, Writing: true})
	if err != nil {
		return err
	}
	ed.venues, ed.organizers = offers.Named(ctx, o.Venues), offers.Named(ctx, o.Organizers)
	ed.categories, ed.authors = offers.Tree(o.Categories), offers.Named(ctx, o.Authors)
	if e := ed.event; e != nil {
		if ed.series, err = repeats.SeriesOf(ctx, w.calendar.Events(), e); err != nil {
			return err
		}
		ed.offerOwn(ctx, e)
	}
	ed.venues, ed.organizers = distinct(ed.venues), distinct(ed.organizers)
	return nil
}

// offerOwn adds the venues, organizers and categories of an event to the choices.
func (ed *eventEditor) offerOwn(ctx context.Context, e *calendar.Event) {
	for i := range e.Venues {
		ed.venues = offers.With(ed.venues, frame.Pair{Name: frame.IDText(e.Venues[i].ID), Value: offers.Label(ctx, e.Venues[i].Names())})
	}
	for i := range e.Organizers {
		ed.organizers = offers.With(
			ed.organizers,
			frame.Pair{Name: frame.IDText(e.Organizers[i].ID), Value: offers.Label(ctx, e.Organizers[i].Names())},
		)
	}
	for i := range e.Categories {
		if c := &e.Categories[i]; !slices.ContainsFunc(ed.categories, func(b offers.Branch) bool { return b.ID == c.ID }) {
			ed.categories = append(ed.categories, offers.Branch{Term: c})
		}
	}
}

// only fills in the venue, organizer or category of a new event if the user's area has just one.
func (ed *eventEditor) only(ctx context.Context) {
	area := tenancy.Current(ctx).Principal.Area
	if len(area.Venues) == 1 && len(ed.venues) == 1 {
		ed.form.Set("venue", ed.venues[0].Value)
	}
	if len(area.Organizers) == 1 && len(ed.organizers) == 1 {
		ed.form.Set("organizer", ed.organizers[0].Value)
	}
	if len(area.Categories) == 1 && len(ed.categories) > 0 {
		ed.form.Set("categories", frame.IDText(area.Categories[0]))
	}
}

// distinct adds the IDs to names that occur more than once.
func distinct(list []frame.Pair) []frame.Pair {
	times := map[string]int{}
	for _, p := range list {
		times[wording.Fold(p.Value)]++
	}
	for i, p := range list {
		if times[wording.Fold(p.Value)] > 1 {
			list[i].Value = p.Value + " (#" + p.Name + ")"
		}
	}
	return list
}
