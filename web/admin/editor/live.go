package editor

import (
	"cmp"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/repeats"
)

// live is the preview of an event while someone types it.
type live struct {
	event  *calendar.Event // nil: there is nothing to show yet
	form   *frame.Form     // with its problems
	timed  bool            // the start and the end are known
	repeat *repeats.Shown
	taken  []editing.Booking
}

// previewEvent responds to a form that is being filled in: with the event's time, its price, and other events at its venue. It
// stores nothing.
func (w *Pages) previewEvent(v *frame.Visit) (*frame.Reply, error) {
	f := &frame.Form{Kind: "event", Values: v.Form.Values}
	l := &live{form: f}
	settleZone(v.Ctx, f)
	e, timed, err := draftOf(v.Ctx, w.calendar.Events(), f, frame.IDIn(v.Query.Get("series")) != 0)
	if err != nil {
		return nil, err
	}
	if err := checkTickets(v.Ctx, f); err != nil {
		return nil, err
	}
	l.event, l.timed = e, timed
	if l.timed {
		e.ID = cmp.Or(frame.IDIn(v.Query.Get("series")), frame.IDIn(v.Query.Get("id")))
		if l.taken, err = w.taken(v.Ctx, e, f, w.places.FindVenue); err != nil {
			return nil, err
		}
	}
	if l.repeat, err = repeats.Show(v.Ctx, w.calendar, &frame.Form{Kind: "event", Values: f.Values, Action: previewedForm(v)}); err != nil {
		return nil, err
	}
	return frame.PartReply(0, livePart(l)), nil
}

// previewedForm returns the address to which the previewed form is sent for saving.
func previewedForm(v *frame.Visit) string {
	if id := frame.IDIn(v.Query.Get("id")); id != 0 {
		return frame.EventAddress(id)
	}
	return frame.AdminRoot + "/events/new"
}

// shown is the preview of the stored event, for the page as it opens.
func (ed *eventEditor) shown() *live {
	l := &live{form: &frame.Form{Kind: "event"}, event: ed.event, taken: ed.taken, timed: ed.event != nil}
	return l
}
