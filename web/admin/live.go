package admin

import (
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/frame"
)

// live is what an event would look like to its readers, while it is typed.
type live struct {
	event  *calendar.Event // nil: nothing to show yet
	form   *frame.Form     // with what is wrong
	timed  bool            // start and end are known
	repeat *repeatShown
	taken  []*calendar.Event
}

// previewEvent answers a form that is being filled in: when the event is, what
// it costs, what else is at its venue. It stores nothing.
func (w *Pages) previewEvent(v *frame.Visit) (*frame.Reply, error) {
	f := &frame.Form{Kind: "event", Values: v.Form.Values}
	l := &live{form: f}
	values := args.Values{}
	for _, name := range []string{"title", "start_date", "end_date", "all_day", "timezone", "cost"} {
		if text := strings.TrimSpace(f.Get(name)); text != "" {
			values[name] = text
		}
	}
	if list := ticketsIn(f); len(list) > 0 {
		values["tickets"] = list
	}
	fields := &calendar.EventFields{}
	if err := eventTable.Parse(values, args.Updating, fields); err != nil && !f.Refuse(v.Ctx, err) {
		return nil, err
	}
	e, err := w.calendar.Events().Draft(v.Ctx, calendar.Key{}, fields)
	if err != nil && !f.Refuse(v.Ctx, err) {
		return nil, err
	}
	l.event, l.timed = e, fields.Start.Given() && fields.End.Given() && f.Problem("end_date") == "" && f.Problem("timezone") == ""
	if l.timed {
		e.ID = frame.IDIn(v.Query.Get("id"))
		for _, typed := range f.All("venue") {
			id, err := w.findVenue(v.Ctx, typed)
			if err != nil {
				return nil, err
			}
			if id != 0 {
				e.Venues = append(e.Venues, calendar.Venue{Post: calendar.Post{ID: id}})
			}
		}
		if l.taken, err = w.taken(v.Ctx, e); err != nil {
			return nil, err
		}
	}
	if l.repeat, err = w.showRepeat(v.Ctx, &frame.Form{Kind: "event", Values: f.Values, Action: previewedForm(v)}); err != nil {
		return nil, err
	}
	return frame.PartReply(0, livePart(l)), nil
}

// previewedForm is where the form that is previewed is sent itself.
func previewedForm(v *frame.Visit) string {
	if id := frame.IDIn(v.Query.Get("id")); id != 0 {
		return eventAddress(id)
	}
	return frame.AdminRoot + "/events/new"
}

// shown is the event of an editor as it stands, for the same places.
func (ed *eventEditor) shown() *live {
	l := &live{form: &frame.Form{Kind: "event"}, event: ed.event, taken: ed.taken, timed: ed.event != nil}
	return l
}
