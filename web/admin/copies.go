package admin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/admin/editor"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
)

// copies are copies of several events, a number of days later.
type copies struct {
	form   *frame.Form
	back   string
	days   int
	events []*bulkEvent
	doubts *editing.Doubts // about publishing the copies; nil: none
}

// week is the number of days that the form proposes.
const week = 7

// copies shows when copies of the chosen events would take place, and makes all of them or none. If the form is
// sent twice, it makes them once.
func (w *Pages) copies(v *frame.Visit, m *chosen.Actions) (*frame.Reply, error) {
	ids, r, err := m.Chosen(v)
	if r != nil || err != nil {
		return r, err
	}
	c := &copies{form: v.Form, back: frame.Inside(v.Form.Get("to"))}
	c.form.Kind = "event"
	step := c.form.Get("step")
	if step == "" {
		c.form.Set("copy_days", strconv.Itoa(week))
	}
	c.days = numberIn(v.Ctx, c.form, "copy_days", 1)
	events, err := chosen.Events(v, w.calendar, ids)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		one := &bulkEvent{Event: e}
		switch {
		case e.Trashed():
			one.why = []string{frame.Tell(v.Ctx, "bulk.cannot.trash")}
		case e.Recurring():
			one.why = []string{frame.Tell(v.Ctx, "copies.series")}
		}
		c.events = append(c.events, one)
	}
	if len(c.form.Problems) > 0 || step != "draft" && step != "same" || len(c.fitting()) == 0 {
		return copiesReply(v, c), nil
	}
	return w.makeCopies(v, c, step)
}

func copiesReply(v *frame.Visit, c *copies) *frame.Reply {
	r := &frame.Reply{Title: frame.Tell(v.Ctx, "copies.title"), Section: "events", Body: copiesPage(c)}
	if len(c.form.Problems) > 0 || c.doubts != nil {
		r.Status = http.StatusUnprocessableEntity
	}
	return r
}

// fitting are the events that can be copied.
func (c *copies) fitting() (list []*bulkEvent) {
	for _, e := range c.events {
		if e.why == nil {
			list = append(list, e)
		}
	}
	return list
}

// keeping returns the text key of the button for copies with the status of their events, or "" if all of these are drafts.
func (c *copies) keeping() string {
	list := c.fitting()
	other := func(s calendar.Status) bool {
		return slices.ContainsFunc(list, func(e *bulkEvent) bool { return e.Status != s })
	}
	switch {
	case !other(calendar.Draft):
		return ""
	case !other(calendar.Publish):
		return "copies.publish"
	}
	return "copies.same"
}

// span returns the first and the last day of the copies of some events.
func (c *copies) span(list []*bulkEvent) (first, last time.Time) {
	start := func(a, b *bulkEvent) int { return a.Start.Compare(b.Start) }
	return slices.MinFunc(list, start).Start.AddDate(0, 0, c.days), slices.MaxFunc(list, start).Start.AddDate(0, 0, c.days)
}

// listed is the address of the list of the copies on some days. It has the other filters of the list in which the events were chosen,
// because the copies match them like the events.
func (c *copies) listed(first, last time.Time) string {
	b := &eventList{form: &frame.Form{Values: url.Values{}}}
	if at, err := url.Parse(c.back); err == nil && at.Path == b.address() {
		b.form.Values = at.Query()
	}
	return b.address("view", "all", "status", "", "from", first.Format(time.DateOnly), "to", last.Format(time.DateOnly))
}

// unable are the events that cannot be copied.
func (c *copies) unable() []*bulkEvent {
	return slices.DeleteFunc(slices.Clone(c.events), func(e *bulkEvent) bool { return e.why == nil })
}

// at returns the time of the copy of an event, as text.
func (c *copies) at(ctx context.Context, e *calendar.Event) string {
	return frame.ShortSpan(ctx, editor.CopyOn(e, e.Start.AddDate(0, 0, c.days)))
}

// makeCopies makes the copies, as drafts or with the status of their events.
func (w *Pages) makeCopies(v *frame.Visit, c *copies, step string) (*frame.Reply, error) {
	list := c.fitting()
	ids, events := make([]int64, 0, len(list)), make([]*calendar.Event, 0, len(list))
	for _, e := range list {
		ids, events = append(ids, e.ID), append(events, e.Event)
	}
	once := onceFor(c.form, step+strconv.Itoa(c.days), ids)
	version, err := w.platform.Forms.Once(v.Ctx, once, accounts.Batch, func(ctx context.Context) (int64, error) {
		fields, err := w.editor.CopiesOf(v, events, c.days, step == "same", func(text string) { c.form.Wrong("copy_days", text) })
		if err == nil {
			err = w.doubtCopies(ctx, c, list, fields)
		}
		if err != nil {
			return 0, err
		}
		_, version, err := w.calendar.Events().CreateMany(ctx, fields)
		return version, err
	})
	switch {
	case errors.Is(err, frame.ErrWrong), errors.As(err, &c.doubts):
		return copiesReply(v, c), nil
	case err != nil && !c.form.RefuseAs(v.Ctx, err, func(string) string { return "copy_days" }):
		return nil, err
	case err != nil:
		return copiesReply(v, c), nil //nolint:nilerr // its form shows the error
	}
	first, last := c.span(list)
	r := &frame.Reply{Redirect: c.back, Say: "copies", Count: len(list), By: frame.DaysValue(first, last), See: c.listed(first, last)}
	frame.OfferUndo(v, r, version)
	return r, nil
}

// doubtCopies returns the doubts about copies with some fields, unless the form has confirmed them.
func (w *Pages) doubtCopies(ctx context.Context, c *copies, list []*bulkEvent, fields []*calendar.EventFields) error {
	made := make([]editing.Publishing, 0, len(fields))
	for i, f := range fields {
		one, err := w.editor.CopyOf(ctx, list[i].Event, f)
		if err != nil {
			return err
		}
		made = append(made, one)
	}
	return w.editing.Doubt(ctx, c.form.Get(frame.SureField), made...)
}
