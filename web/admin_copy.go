package web

import (
	"context"
	"net/http"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

// copyAddress is where an event is copied: what happens once is asked for its new
// date, a series is copied in its form.
func copyAddress(e *calendar.Event) string {
	if e.Recurring() {
		return adminRoot + "/events/new?copy=" + idText(e.ID)
	}
	return eventAddress(e.ID) + "/copy"
}

// copying is the question for the date of a copy.
type copying struct {
	event *calendar.Event
	form  *form
}

// askCopy asks when a copy of an event is to be: a week later, unless that is past.
func (w *admin) askCopy(v *visit) (*reply, error) {
	e, err := w.calendar.Events().Get(v.ctx, calendar.Key{ID: v.id}, "")
	if err != nil {
		return nil, err
	}
	start := e.Start.AddDate(0, 0, 7)
	for start.Before(w.calendar.Now()) {
		start = start.AddDate(0, 0, 7*max(1, int(w.calendar.Now().Sub(start).Hours()/24/7)))
	}
	f := &form{kind: "event", values: map[string][]string{"start_date": {clockText(start)}, "once": {newFormToken()}}}
	return copyReply(v, &copying{e, f}, 0), nil
}

func copyReply(v *visit, c *copying, status int) *reply {
	return &reply{status: status, title: tell(v.ctx, "copy.title"), section: "events", body: copyPage(c)}
}

// copyEvent makes a copy of an event at another date, as a draft or published; all
// else is as in the event.
func (w *admin) copyEvent(v *visit) (*reply, error) {
	e, err := w.calendar.Events().Get(v.ctx, calendar.Key{ID: v.id}, "")
	if err != nil {
		return nil, err
	}
	c := &copying{e, v.form}
	c.form.kind = "event"
	start, err := time.Parse(clockForm, v.form.get("start_date"))
	if err != nil {
		c.form.wrong("start_date", tell(v.ctx, "copy.when"))
		return copyReply(v, c, http.StatusUnprocessableEntity), nil
	}
	ed := &eventEditor{event: e}
	if err := w.offers(v.ctx, ed); err != nil {
		return nil, err
	}
	ed.form = copyForm(v.ctx, e, ed)
	ed.form.values.Del("repeat")
	ed.series = nil
	ed.form.set("start_date", clockText(start))
	ed.form.set("end_date", clockText(start.Add(e.End.Sub(e.Start))))
	for name := range ed.form.values {
		if belongs(name, "recurrence") {
			delete(ed.form.values, name)
		}
	}
	if v.form.get("do") == "publish" {
		ed.form.set("status", string(calendar.Publish))
	}
	fields, err := w.readEvent(v, ed, nil)
	if err == nil {
		var id int64
		id, err = w.platform.Forms.Once(v.ctx, v.form.get("once"), "event", func(ctx context.Context) (int64, error) {
			made, err := w.calendar.Events().Create(ctx, fields)
			if err != nil {
				return 0, err
			}
			return made.ID, nil
		})
		if err == nil {
			return &reply{redirect: eventAddress(id), say: "copied." + ui.FirstText(v.form.get("do"), "draft")}, nil
		}
	}
	if !ed.form.refuse(v.ctx, err) {
		return nil, err
	}
	for _, name := range ed.form.wrongs(eventFields) {
		c.form.wrong("start_date", ed.form.label(v.ctx, name)+": "+ed.form.problem(name))
	}
	return copyReply(v, c, http.StatusUnprocessableEntity), nil
}
