package api

import (
	"context"
	"reflect"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
)

// The handlers map arguments to answers. The work is done in package calendar, the output by the views.

func (a *API) listEvents(ctx context.Context, _ Call, in *calendar.EventFilter) (*Answer, error) {
	page, q, err := a.calendar.Events().List(ctx, in)
	if err != nil {
		return nil, err
	}
	return a.eventList(ctx, "events", page, q)
}

// eventList returns a page of events. Links to other pages use path.
func (a *API) eventList(ctx context.Context, path string, page calendar.Page[calendar.Event], q calendar.EventQuery) (*Answer, error) {
	v := a.newView(ctx)
	var err error
	if v.kept, err = a.keptIn(ctx, page.Items...); err != nil {
		return nil, err
	}
	v.whole = q.Texts.Whole
	v.changes(q.Until)
	v.List("events", len(page.Items), func(i int) { a.entry(v, page.Items[i], page.Version) })
	l := Listing{Collection: path, Page: q.Page, PerPage: q.PerPage, Total: page.Total, Links: eventLinks(v.Scope, q)}
	if l.walk = q.After != nil; l.walk && len(page.Items) == q.PerPage {
		l.place = page.Items[len(page.Items)-1].Place().String()
	}
	return v.Paged(l, page.Version).until(v.until), nil
}

func (a *API) createEvent(ctx context.Context, _ Call, in *calendar.EventFields) (*Answer, error) {
	e, err := a.calendar.Events().Create(ctx, in)
	if err != nil {
		return nil, err
	}
	answer, err := a.eventAnswer(ctx, e, nil, nil)
	return answer.at(ctx, "/events", e.ID), err
}

func (a *API) getEvent(ctx context.Context, c Call, in *reading) (*Answer, error) {
	e, err := a.calendar.Events().Get(ctx, c.Key, in.Password.Or(""))
	return a.eventAnswer(ctx, e, &in.Speaking, err)
}

func (a *API) getEventBySlug(ctx context.Context, c Call, in *readingBySlug) (*Answer, error) {
	e, err := a.calendar.Events().Get(ctx, c.Key, in.Password.Or(""))
	return a.eventAnswer(ctx, e, &in.Speaking, err)
}

func (a *API) updateEvent(ctx context.Context, c Call, in *eventUpdate) (*Answer, error) {
	return a.updateEventBySlug(ctx, c, &in.eventUpdateBySlug)
}

func (a *API) updateEventBySlug(ctx context.Context, c Call, in *eventUpdateBySlug) (*Answer, error) {
	writing, err := a.takingBack(ctx, c.Key, in)
	if err != nil {
		return nil, err
	}
	if c.Unchanged || in.Source.Given() && reflect.DeepEqual(in.EventFields, calendar.EventFields{}) {
		e, err := a.calendar.Events().Unchanged(ctx, c.Key, c.Condition)
		return a.eventAnswer(ctx, e, nil, err)
	}
	e, err := a.calendar.Events().Update(writing, c.Key, &in.EventFields, c.Condition)
	return a.eventAnswer(ctx, e, nil, err)
}

// takingBack adds to an update the source's values of the fields that people give back to the source (rule 17.12).
// It returns the context for the update. Other problems are left to the update itself.
func (a *API) takingBack(ctx context.Context, key calendar.Key, in *eventUpdateBySlug) (context.Context, error) {
	stay, err := imports.Stay(in.Source)
	if err != nil || stay == nil || a.Imports == nil {
		return ctx, err
	}
	e, err := a.calendar.Events().Get(ctx, key, "")
	if err != nil {
		return ctx, nil //nolint:nilerr // as above
	}
	return a.Imports.TakingBack(ctx, e, stay, &in.EventFields)
}

// keptIn returns the fields of events that sources no longer change, because people have changed them here.
func (a *API) keptIn(ctx context.Context, events ...*calendar.Event) (imports.Kept, error) {
	if a.Imports == nil {
		return nil, nil //nolint:nilnil // nothing is imported
	}
	return a.Imports.KeptIn(ctx, events...)
}

func (a *API) deleteEvent(ctx context.Context, c Call, in *eventRemoval) (*Answer, error) {
	return a.deleteEventBySlug(ctx, c, &in.seriesRemoval)
}

func (a *API) deleteEventBySlug(ctx context.Context, c Call, in *seriesRemoval) (*Answer, error) {
	e, err := a.calendar.Events().Delete(ctx, c.Key, bool(in.Force.Or(false)), in.AppliesTo.Or(""), c.Condition)
	return a.eventAnswer(ctx, e, nil, err)
}

// eventAnswer returns an event as the response to a read if how is given, otherwise to a write.
func (a *API) eventAnswer(ctx context.Context, e *calendar.Event, how *calendar.Speaking, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	single := how != nil
	v.whole = single && how.Whole()
	v.structured = map[int64]span{}
	if v.kept, err = a.keptIn(ctx, e); err != nil {
		return nil, err
	}
	v.event(e, single)
	return v.Answer(e.Version).About(&e.Post).until(v.until).titled(&e.Translated), nil
}
