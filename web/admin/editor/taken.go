package editor

import (
	"context"
	"errors"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/admin/places"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/ui"
)

// drafted are the fields that draftOf reads: title, time, price, and whether the event needs a room.
var drafted = []string{"title", "start_date", "end_date", "all_day", "end_unknown", "timezone", "cost", "event_status", "attendance_mode"}

// draftOf returns the event of an unfinished form. timed reports whether its start and end are known. If the form
// is about one date of a series, it ignores the rule, which applies to later dates.
func draftOf(ctx context.Context, events services.Events, f *frame.Form, date bool) (e *calendar.Event, timed bool, err error) {
	values := args.Values{}
	for _, name := range drafted {
		if text := strings.TrimSpace(f.Get(name)); text != "" {
			values[name] = text
		}
	}
	if list := ticketsIn(ctx, f); len(list) > 0 {
		values["tickets"] = list
	}
	if r := repeats.In(ctx, f); !date && r.Timed && !r.Wrong && r.Some() {
		values["recurrence"] = r.Argument()
	}
	fields := &calendar.EventFields{}
	if err := Table.Parse(values, args.Updating, fields); err != nil && !f.Refuse(ctx, err) {
		return nil, false, err
	}
	e, err = events.Draft(ctx, calendar.Key{}, fields)
	if err != nil && !f.Refuse(ctx, err) {
		return nil, false, err
	}
	return e, fields.Start.Given() && fields.End.Given() && f.Problem("end_date") == "" && f.Problem("timezone") == "", nil
}

// taken returns other events at the venues of a form at the same time.
func (w *Pages) taken(ctx context.Context, e *calendar.Event, f *frame.Form,
	find func(context.Context, string) (int64, error)) ([]editing.Booking, error) {
	var venues []int64
	for _, typed := range f.All("venue") {
		id, err := find(ctx, typed)
		if err != nil && !errors.Is(err, places.ErrSeveral) {
			return nil, err
		}
		if id != 0 {
			venues = append(venues, id)
		}
	}
	return w.editing.Bookings(ctx, e, venues)
}

// takenFor calls taken for the editor that is shown. It ignores problems of the form, which the page already shows.
func (w *Pages) takenFor(ctx context.Context, ed *eventEditor) ([]editing.Booking, error) {
	if len(ed.form.All("venue")) == 0 {
		return nil, nil
	}
	f := &frame.Form{Kind: "event", Values: ed.form.Values}
	e, timed, err := draftOf(ctx, w.calendar.Events(), f, ed.event != nil && ed.event.Series != nil)
	if err != nil || !timed {
		return nil, err
	}
	if ed.event != nil {
		e.ID = frame.WholeID(ed.event)
	}
	return w.taken(ctx, e, f, func(ctx context.Context, typed string) (int64, error) {
		id, err := places.IDOf(ctx, typed, ed.venues, w.places.FindVenue)
		return frame.IDIn(id), err
	})
}

// venueIDs returns the IDs of an event's stored venues.
func venueIDs(e *calendar.Event) []int64 {
	var ids []int64
	for i := range e.Venues {
		if id := e.Venues[i].ID; id != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// takenText returns the names of the other events at a venue, without links.
func takenText(ctx context.Context, list []editing.Booking) string {
	if len(list) == 0 {
		return ""
	}
	names := make([]string, 0, len(list))
	for _, b := range list {
		if b.Other == nil {
			names = append(names, frame.Tell(ctx, "taken.unseen"))
		} else {
			names = append(names, b.Other.Title+" ("+frame.ShortSpan(ctx, b.Other)+")")
		}
	}
	return frame.Tell(ctx, "taken") + " " + strings.Join(names, frame.Tell(ctx, "comma")+" ")
}

// takenOn returns the day on which the event overlaps another whose name the user may not see.
func takenOn(ctx context.Context, b *editing.Booking) string {
	return ui.DatesIn(ctx).Full(b.At.Start)
}
