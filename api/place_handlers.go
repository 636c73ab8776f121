package api

import (
	"context"

	"github.com/kalends/kalends/calendar"
)

func (a *API) listVenues(ctx context.Context, _ Call, in *calendar.PlaceFilter) (*Answer, error) {
	page, q, err := a.calendar.Venues().List(ctx, in)
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.whole = q.Texts.Whole
	v.List("venues", len(page.Items), func(i int) { v.venue(page.Items[i], false) })
	l := Listing{Collection: "venues", Page: q.Page, PerPage: q.PerPage, Total: page.Total, Links: placeLinks(q)}
	return v.Paged(l, page.Version).until(q.Until), nil
}

func (a *API) createVenue(ctx context.Context, _ Call, in *calendar.VenueFields) (*Answer, error) {
	p, err := a.calendar.Venues().Create(ctx, in)
	if err != nil {
		return nil, err
	}
	answer, err := venueAnswer(ctx, p, nil, nil)
	return answer.at(ctx, "/venues", p.ID), err
}

func (a *API) getVenue(ctx context.Context, c Call, in *speaking) (*Answer, error) {
	p, err := a.calendar.Venues().Get(ctx, c.Key)
	return venueAnswer(ctx, p, &in.Speaking, err)
}

func (a *API) updateVenue(ctx context.Context, c Call, in *calendar.VenueFields) (*Answer, error) {
	if c.Unchanged {
		p, err := a.calendar.Venues().Unchanged(ctx, c.Key, c.Condition)
		return venueAnswer(ctx, p, nil, err)
	}
	p, err := a.calendar.Venues().Update(ctx, c.Key, in, c.Condition)
	return venueAnswer(ctx, p, nil, err)
}

func (a *API) deleteVenue(ctx context.Context, c Call, in *removal) (*Answer, error) {
	p, err := a.calendar.Venues().Delete(ctx, c.Key, bool(in.Force.Or(false)), c.Condition)
	return venueAnswer(ctx, p, nil, err)
}

func venueAnswer(ctx context.Context, p *calendar.Venue, how *calendar.Speaking, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.whole = how != nil && how.Whole()
	v.venue(p, how != nil)
	return v.Answer(p.Version).About(&p.Post).titled(&p.Translated), nil
}

func (a *API) listOrganizers(ctx context.Context, _ Call, in *calendar.PlaceFilter) (*Answer, error) {
	page, q, err := a.calendar.Organizers().List(ctx, in)
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.whole = q.Texts.Whole
	v.List("organizers", len(page.Items), func(i int) { v.organizer(page.Items[i], false) })
	l := Listing{Collection: "organizers", Page: q.Page, PerPage: q.PerPage, Total: page.Total, Links: placeLinks(q)}
	return v.Paged(l, page.Version).until(q.Until), nil
}

func (a *API) createOrganizer(ctx context.Context, _ Call, in *calendar.OrganizerFields) (*Answer, error) {
	o, err := a.calendar.Organizers().Create(ctx, in)
	if err != nil {
		return nil, err
	}
	answer, err := organizerAnswer(ctx, o, nil, nil)
	return answer.at(ctx, "/organizers", o.ID), err
}

func (a *API) getOrganizer(ctx context.Context, c Call, in *speaking) (*Answer, error) {
	o, err := a.calendar.Organizers().Get(ctx, c.Key)
	return organizerAnswer(ctx, o, &in.Speaking, err)
}

func (a *API) updateOrganizer(ctx context.Context, c Call, in *calendar.OrganizerFields) (*Answer, error) {
	if c.Unchanged {
		o, err := a.calendar.Organizers().Unchanged(ctx, c.Key, c.Condition)
		return organizerAnswer(ctx, o, nil, err)
	}
	o, err := a.calendar.Organizers().Update(ctx, c.Key, in, c.Condition)
	return organizerAnswer(ctx, o, nil, err)
}

func (a *API) deleteOrganizer(ctx context.Context, c Call, in *removal) (*Answer, error) {
	o, err := a.calendar.Organizers().Delete(ctx, c.Key, bool(in.Force.Or(false)), c.Condition)
	return organizerAnswer(ctx, o, nil, err)
}

func organizerAnswer(ctx context.Context, o *calendar.Organizer, how *calendar.Speaking, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.whole = how != nil && how.Whole()
	v.organizer(o, how != nil)
	return v.Answer(o.Version).About(&o.Post).titled(&o.Translated), nil
}
