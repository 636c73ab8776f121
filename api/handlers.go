package api

import (
	"context"

	"github.com/kalends/kalends/calendar"
)

// The handlers map arguments to answers. The work is done in package calendar, the output by the views.

func (a *API) listEvents(ctx context.Context, _ call, in *calendar.EventFilter) (*Answer, error) {
	page, q, err := a.calendar.Events().List(ctx, in)
	if err != nil {
		return nil, err
	}
	return a.eventList(ctx, "events", page, q), nil
}

// eventList returns a page of events. Links to other pages lead to path.
func (a *API) eventList(ctx context.Context, path string, page calendar.Page[calendar.Event], q calendar.EventQuery) *Answer {
	v := a.newView(ctx)
	v.whole = q.Texts.Whole
	v.changes(q.Until)
	v.list("events", len(page.Items), func(i int) { a.entry(v, page.Items[i], page.Version) })
	l := listing{collection: path, page: q.Page, perPage: q.PerPage, total: page.Total, links: eventLinks(v.scope, q)}
	if l.walk = q.After != nil; l.walk && len(page.Items) == q.PerPage {
		l.place = page.Items[len(page.Items)-1].Place().String()
	}
	return v.paged(l, page.Version).until(v.until)
}

func (a *API) createEvent(ctx context.Context, _ call, in *calendar.EventFields) (*Answer, error) {
	e, err := a.calendar.Events().Create(ctx, in)
	return a.eventAnswer(ctx, e, nil, err)
}

func (a *API) getEvent(ctx context.Context, c call, in *reading) (*Answer, error) {
	e, err := a.calendar.Events().Get(ctx, c.Key, in.Password.Or(""))
	return a.eventAnswer(ctx, e, &in.Speaking, err)
}

func (a *API) getEventBySlug(ctx context.Context, c call, in *readingBySlug) (*Answer, error) {
	e, err := a.calendar.Events().Get(ctx, c.Key, in.Password.Or(""))
	return a.eventAnswer(ctx, e, &in.Speaking, err)
}

func (a *API) updateEvent(ctx context.Context, c call, in *eventUpdate) (*Answer, error) {
	return a.updateEventBySlug(ctx, c, &in.EventFields)
}

func (a *API) updateEventBySlug(ctx context.Context, c call, in *calendar.EventFields) (*Answer, error) {
	e, err := a.calendar.Events().Update(ctx, c.Key, in, c.Condition)
	return a.eventAnswer(ctx, e, nil, err)
}

func (a *API) deleteEvent(ctx context.Context, c call, in *eventRemoval) (*Answer, error) {
	return a.deleteEventBySlug(ctx, c, &in.seriesRemoval)
}

func (a *API) deleteEventBySlug(ctx context.Context, c call, in *seriesRemoval) (*Answer, error) {
	e, err := a.calendar.Events().Delete(ctx, c.Key, bool(in.Force.Or(false)), in.AppliesTo.Or(""), c.Condition)
	return a.eventAnswer(ctx, e, nil, err)
}

// eventAnswer returns an event as the response to a read if how is given, or else to a write.
func (a *API) eventAnswer(ctx context.Context, e *calendar.Event, how *calendar.Speaking, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	single := how != nil
	v.whole = single && how.Whole()
	v.structured = map[int64]span{}
	v.event(e, single)
	return v.answer(e.Version).of(&e.Post).until(v.until).titled(&e.Translated), nil
}

func (a *API) listVenues(ctx context.Context, _ call, in *calendar.PlaceFilter) (*Answer, error) {
	page, q, err := a.calendar.Venues().List(ctx, in)
	if err != nil {
		return nil, err
	}
	v := newView(scopeOf(ctx))
	v.whole = q.Texts.Whole
	v.list("venues", len(page.Items), func(i int) { v.venue(page.Items[i], false) })
	l := listing{collection: "venues", page: q.Page, perPage: q.PerPage, total: page.Total, links: placeLinks(q)}
	return v.paged(l, page.Version).until(q.Until), nil
}

func (a *API) createVenue(ctx context.Context, _ call, in *calendar.VenueFields) (*Answer, error) {
	p, err := a.calendar.Venues().Create(ctx, in)
	return venueAnswer(ctx, p, nil, err)
}

func (a *API) getVenue(ctx context.Context, c call, in *speaking) (*Answer, error) {
	p, err := a.calendar.Venues().Get(ctx, c.Key)
	return venueAnswer(ctx, p, &in.Speaking, err)
}

func (a *API) updateVenue(ctx context.Context, c call, in *calendar.VenueFields) (*Answer, error) {
	p, err := a.calendar.Venues().Update(ctx, c.Key, in, c.Condition)
	return venueAnswer(ctx, p, nil, err)
}

func (a *API) deleteVenue(ctx context.Context, c call, in *removal) (*Answer, error) {
	p, err := a.calendar.Venues().Delete(ctx, c.Key, bool(in.Force.Or(false)), c.Condition)
	return venueAnswer(ctx, p, nil, err)
}

func venueAnswer(ctx context.Context, p *calendar.Venue, how *calendar.Speaking, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := newView(scopeOf(ctx))
	v.whole = how != nil && how.Whole()
	v.venue(p, how != nil)
	return v.answer(p.Version).of(&p.Post).titled(&p.Translated), nil
}

func (a *API) listOrganizers(ctx context.Context, _ call, in *calendar.PlaceFilter) (*Answer, error) {
	page, q, err := a.calendar.Organizers().List(ctx, in)
	if err != nil {
		return nil, err
	}
	v := newView(scopeOf(ctx))
	v.whole = q.Texts.Whole
	v.list("organizers", len(page.Items), func(i int) { v.organizer(page.Items[i], false) })
	l := listing{collection: "organizers", page: q.Page, perPage: q.PerPage, total: page.Total, links: placeLinks(q)}
	return v.paged(l, page.Version).until(q.Until), nil
}

func (a *API) createOrganizer(ctx context.Context, _ call, in *calendar.OrganizerFields) (*Answer, error) {
	o, err := a.calendar.Organizers().Create(ctx, in)
	return organizerAnswer(ctx, o, nil, err)
}

func (a *API) getOrganizer(ctx context.Context, c call, in *speaking) (*Answer, error) {
	o, err := a.calendar.Organizers().Get(ctx, c.Key)
	return organizerAnswer(ctx, o, &in.Speaking, err)
}

func (a *API) updateOrganizer(ctx context.Context, c call, in *calendar.OrganizerFields) (*Answer, error) {
	o, err := a.calendar.Organizers().Update(ctx, c.Key, in, c.Condition)
	return organizerAnswer(ctx, o, nil, err)
}

func (a *API) deleteOrganizer(ctx context.Context, c call, in *removal) (*Answer, error) {
	o, err := a.calendar.Organizers().Delete(ctx, c.Key, bool(in.Force.Or(false)), c.Condition)
	return organizerAnswer(ctx, o, nil, err)
}

func organizerAnswer(ctx context.Context, o *calendar.Organizer, how *calendar.Speaking, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := newView(scopeOf(ctx))
	v.whole = how != nil && how.Whole()
	v.organizer(o, how != nil)
	return v.answer(o.Version).of(&o.Post).titled(&o.Translated), nil
}
