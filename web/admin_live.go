package web

import (
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// live is what an event would look like to its readers, while it is typed.
type live struct {
	event  *calendar.Event // nil: nothing to show yet
	form   *form           // with what is wrong
	timed  bool            // start and end are known
	repeat *repeatShown
	taken  []*calendar.Event
}

// previewEvent answers a form that is being filled in: when the event is, what
// it costs, what else is at its venue. It stores nothing.
func (w *admin) previewEvent(v *visit) (*reply, error) {
	f := &form{kind: "event", values: v.form.values}
	l := &live{form: f}
	values := args.Values{}
	for _, name := range []string{"title", "start_date", "end_date", "all_day", "timezone", "cost"} {
		if text := strings.TrimSpace(f.get(name)); text != "" {
			values[name] = text
		}
	}
	if list := f.tickets(); len(list) > 0 {
		values["tickets"] = list
	}
	fields := &calendar.EventFields{}
	if err := eventTable.Parse(values, args.Updating, fields); err != nil && !f.refuse(v.ctx, err) {
		return nil, err
	}
	e, err := w.calendar.Events().Draft(v.ctx, calendar.Key{}, fields)
	if err != nil && !f.refuse(v.ctx, err) {
		return nil, err
	}
	l.event, l.timed = e, fields.Start.Given() && fields.End.Given() && f.problem("end_date") == "" && f.problem("timezone") == ""
	if l.timed {
		e.ID = idIn(v.query.Get("id"))
		for _, typed := range f.all("venue") {
			id, err := w.findVenue(v.ctx, typed)
			if err != nil {
				return nil, err
			}
			if id != 0 {
				e.Venues = append(e.Venues, calendar.Venue{Post: calendar.Post{ID: id}})
			}
		}
		if l.taken, err = w.taken(v.ctx, e); err != nil {
			return nil, err
		}
	}
	if l.repeat, err = w.showRepeat(v.ctx, &form{kind: "event", values: f.values, action: previewedForm(v)}); err != nil {
		return nil, err
	}
	return partReply(0, livePart(l)), nil
}

// previewedForm is where the form that is previewed is sent itself.
func previewedForm(v *visit) string {
	if id := idIn(v.query.Get("id")); id != 0 {
		return eventAddress(id)
	}
	return adminRoot + "/events/new"
}

// shown is the event of an editor as it stands, for the same places.
func (ed *eventEditor) shown() *live {
	l := &live{form: &form{kind: "event"}, event: ed.event, taken: ed.taken, timed: ed.event != nil}
	return l
}
