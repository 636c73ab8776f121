package admin

import (
	"context"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/ui"
)

// drafted are the fields that say when an event happens, what it costs, and whether it
// needs a room.
var drafted = []string{"title", "start_date", "end_date", "all_day", "timezone", "cost", "event_status", "attendance_mode"}

// draftOf is the event of a form as far as it came, and whether it is known when it
// happens. Of one date of a series the form says how that goes on, and not when the event is.
func draftOf(ctx context.Context, events calendar.Events, f *frame.Form, date bool) (e *calendar.Event, timed bool, err error) {
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
	if err := eventTable.Parse(values, args.Updating, fields); err != nil && !f.Refuse(ctx, err) {
		return nil, false, err
	}
	e, err = events.Draft(ctx, calendar.Key{}, fields)
	if err != nil && !f.Refuse(ctx, err) {
		return nil, false, err
	}
	return e, fields.Start.Given() && fields.End.Given() && f.Problem("end_date") == "" && f.Problem("timezone") == "", nil
}

// taken is what else takes place at the venues of a form while its event does.
func (w *Pages) taken(ctx context.Context, e *calendar.Event, f *frame.Form,
	find func(context.Context, string) (int64, error)) ([]editing.Booking, error) {
	var venues []int64
	for _, typed := range f.All("venue") {
		id, err := find(ctx, typed)
		if err != nil {
			return nil, err
		}
		if id != 0 {
			venues = append(venues, id)
		}
	}
	return w.editing.Bookings(ctx, e, venues)
}

// takenFor is taken for an editor as it is shown. What is wrong with the form has been
// said already.
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
		id, err := idOf(ctx, typed, ed.venues, w.findVenue)
		return frame.IDIn(id), err
	})
}

// venueIDs are the venues that an event has, those that are stored.
func venueIDs(e *calendar.Event) []int64 {
	var ids []int64
	for i := range e.Venues {
		if id := e.Venues[i].ID; id != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// takenText says what else is at a venue, without ways to it.
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

// takenOn is the day on which the event that was asked about meets another that can't
// be named.
func takenOn(ctx context.Context, b *editing.Booking) string {
	return ui.DatesIn(ctx).Full(b.At.Start)
}
