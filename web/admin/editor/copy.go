package editor

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/ui"
)

// CopyAddress is the address for copying an event. For a single event the page asks for the new date; a series is
// copied in its form.
func CopyAddress(e *calendar.Event) string {
	if e.Recurring() {
		return frame.AdminRoot + "/events/new?copy=" + frame.IDText(e.ID)
	}
	return frame.EventAddress(e.ID) + "/copy"
}

// mostPatterns is how many earlier events the form of a new event offers to copy.
const mostPatterns = 5

// patternAddress is the address of the form for a copy of an event, on a chosen day or at a chosen time, and with another title, if
// those are given.
func patternAddress(e *calendar.Event, start, title string) string {
	q := url.Values{"copy": {frame.IDText(e.ID)}}
	for name, value := range map[string]string{"start_date": start, "title": title} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return frame.AdminRoot + "/events/new?" + q.Encode()
}

// copyInto fills the form of a new event with the fields of the event that it copies. Unless the event is a series,
// the address may give the time of the copy; otherwise copiedTo proposes it.
func (w *Pages) copyInto(v *frame.Visit, ed *eventEditor) {
	e := ed.copied
	if e.Recurring() {
		ed.form = copyForm(v.Ctx, w.calendar.Now(), e, ed)
	} else {
		start := copiedTo(e.Start, ui.WallAt(w.calendar.Now(), ui.ZoneOf(e)))
		start = askedTime(v.Query, "start_date", start, e.Start.Sub(args.DayOf(e.Start)))
		ed.event = e
		w.copyAt(v.Ctx, ed, start, calendar.Draft)
		repeats.Fill(ed.form, recur.Set{}, recur.Clock{Zone: ui.ZoneOf(e), Start: start})
		ed.proposed = frame.ShortSpan(v.Ctx, CopyOn(e, start))
	}
	ed.form.Set("copy", frame.IDText(e.ID))
	if title := v.Query.Get("title"); title != "" {
		ed.form.Set("title", title)
	}
}

// liken fills the empty fields of a form with those of an earlier event. What somebody has typed stays. The time is that of the copy, for
// which the address gives a start that was typed.
func (w *Pages) liken(v *frame.Visit, ed *eventEditor) (err error) {
	typed := ed.form
	typed.Set("copy", v.Query.Get("copy"))
	if err := w.findCopied(v.Ctx, ed); ed.copied == nil || err != nil {
		return err
	}
	w.copyInto(v, ed)
	fresh, copied := freshEvent(v.Ctx, w.calendar.Now(), nil), ed.form
	repeating := typed.Get("repeat") != ""
	has := map[string]bool{} // the first words of the names of fields that somebody has filled in: tickets of tickets[0][name]
	for name, values := range typed.Values {
		typed := slices.ContainsFunc(values, func(text string) bool { return text != "" && text != "0" })
		if typed && !slices.Equal(values, fresh.Values[name]) {
			first, _, _ := strings.Cut(name, "[")
			has[first] = true
		}
	}
	has["start_date"], has["end_date"], has["end_unknown"] = false, false, false
	for name, values := range copied.Values {
		first, _, _ := strings.Cut(name, "[")
		if strings.HasPrefix(name, "repeat") && repeating || has[first] || name == "status" || name == "author" {
			continue
		}
		typed.Values[name] = values
	}
	if end := v.Query.Get("end_date"); end != "" {
		typed.Set("end_date", end)
		typed.Set("end_unknown", "0")
	}
	ed.form, ed.event = typed, nil
	return nil
}

// CopyOn returns a copy of an event with another start.
func CopyOn(e *calendar.Event, start time.Time) *calendar.Event {
	moved := *e
	moved.Start, moved.End = start, start.Add(e.End.Sub(e.Start))
	return &moved
}

// findCopied finds the event that a form copies. It finds none if the event no longer exists or the user may not
// read it.
func (w *Pages) findCopied(ctx context.Context, ed *eventEditor) error {
	id := frame.IDIn(ed.form.Get("copy"))
	if id == 0 {
		return nil
	}
	e, err := w.calendar.Events().Get(ctx, calendar.Key{ID: id}, "")
	if frame.Unseen(err) {
		return nil
	}
	ed.copied = e
	return err
}

// guardCopy gives a copy the password of its event, unless the form sets or removes the password.
func guardCopy(fields *calendar.EventFields, of *calendar.Event) {
	if of != nil && of.Protected() && !fields.Password.Given() {
		fields.Back.Password = &of.Password
	}
}

// protected reports whether the event of an editor has a password, or gets one from the event that it copies.
func (ed *eventEditor) protected() bool {
	return ed.event != nil && ed.event.Protected() || ed.copied != nil && ed.copied.Protected()
}

// copying is the question for the title and the date of a copy.
type copying struct {
	event  *calendar.Event
	form   *frame.Form
	doubts *editing.Doubts // about publishing the copy; nil: none
}

// back is the address of the event, or of the list for people who may not edit it.
func (c *copying) back(ctx context.Context) string {
	if calendar.MayEdit(tenancy.Current(ctx).Principal, &c.event.Post) {
		return frame.EventAddress(c.event.ID)
	}
	return frame.AdminRoot + "/events"
}

// askCopy asks for the title and the date of a copy. It proposes the title of the event and the date from copiedTo.
func (w *Pages) askCopy(v *frame.Visit) (*frame.Reply, error) {
	e, err := w.calendar.Events().Get(v.Ctx, calendar.Key{ID: v.ID}, "")
	if err != nil {
		return nil, err
	}
	start := frame.ClockText(copiedTo(e.Start, ui.WallAt(w.calendar.Now(), ui.ZoneOf(e))))
	f := &frame.Form{Kind: "event", Values: map[string][]string{"title": {e.Title}, "start_date": {start},
		"once": {frame.NewToken()}}}
	return copyReply(v, &copying{event: e, form: f}, 0), nil
}

// copiedTo is the proposed start of a copy: one week after the event, or as many weeks later as necessary for the
// copy not to be in the past. Both times are on the event's wall clock.
func copiedTo(start, now time.Time) time.Time {
	start = start.AddDate(0, 0, 7)
	if start.Before(now) {
		const week = 7 * 24 * time.Hour
		start = start.Add((now.Sub(start) + week - 1).Truncate(week))
	}
	return start
}

func copyReply(v *frame.Visit, c *copying, status int) *frame.Reply {
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "copy.title"), Section: "events", Body: copyPage(c)}
}

// copyEvent makes a copy of an event at another date and perhaps with another title, as a draft or published, or opens the form with
// them. All other fields are as in the event.
func (w *Pages) copyEvent(v *frame.Visit) (*frame.Reply, error) {
	e, err := w.calendar.Events().Get(v.Ctx, calendar.Key{ID: v.ID}, "")
	if err != nil {
		return nil, err
	}
	c := &copying{event: e, form: v.Form}
	c.form.Kind = "event"
	if c.form.ShownAgain() {
		return copyReply(v, c, 0), nil
	}
	if v.Form.Get("do") == "form" {
		return &frame.Reply{Redirect: patternAddress(e, v.Form.Text("start_date"), v.Form.Text("title"))}, nil
	}
	start, err := frame.ReadClock(v.Form.Get("start_date"))
	if err != nil {
		c.form.Wrong("start_date", frame.Tell(v.Ctx, "copy.when"))
		return copyReply(v, c, http.StatusUnprocessableEntity), nil //nolint:nilerr // the form says what is wrong
	}
	ed := &eventEditor{event: e}
	if err := w.offers(v.Ctx, ed); err != nil {
		return nil, err
	}
	status := calendar.Draft
	if v.Form.Get("do") == "publish" {
		status = calendar.Publish
	}
	w.copyAt(v.Ctx, ed, start, status)
	if v.Form.Has("title") {
		ed.form.Set("title", v.Form.Text("title"))
	}
	fields, err := w.readEvent(v, ed, nil)
	if err == nil {
		guardCopy(fields, e)
		var id int64
		id, err = w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), "event", func(ctx context.Context) (int64, error) {
			made, err := w.CopyOf(ctx, e, fields)
			if err == nil {
				err = w.editing.Doubt(ctx, v.Form.Get(frame.SureField), made)
			}
			if err != nil {
				return 0, err
			}
			stored, err := w.calendar.Events().Create(ctx, fields)
			if err != nil {
				return 0, err
			}
			return stored.ID, nil
		})
		if err == nil {
			return &frame.Reply{Redirect: frame.EventAddress(id), Say: "copied." + cmp.Or(v.Form.Get("do"), "draft")}, nil
		}
	}
	if !errors.As(err, &c.doubts) && !ed.form.Refuse(v.Ctx, err) {
		return nil, err
	}
	for _, name := range ed.form.Wrongs(history.EventFields) {
		field := "start_date"
		if name == "title" {
			field = name
		}
		c.form.Wrong(field, ed.form.Told(v.Ctx, name))
	}
	return copyReply(v, c, http.StatusUnprocessableEntity), nil
}

// copyAt turns an editor into one for a single copy of its event, with another start and status.
func (w *Pages) copyAt(ctx context.Context, ed *eventEditor, start time.Time, status calendar.Status) {
	e := *ed.event
	e.Happening = calendar.Happening{} // the copy takes place, even if the event was cancelled
	ed.form = copyForm(ctx, w.calendar.Now(), &e, ed)
	ed.form.Values.Del("repeat")
	ed.series = nil
	ed.form.Set("start_date", frame.ClockText(start))
	ed.form.Set("end_date", frame.ClockText(start.Add(e.End.Sub(e.Start))))
	if until, _ := e.RegisterBy(); !until.IsZero() {
		ed.form.Set("registration_until", frame.ClockText(until.Add(start.Sub(e.Start))))
	}
	for name := range ed.form.Values {
		if strings.HasPrefix(name, repeats.Choice) {
			delete(ed.form.Values, name)
		}
	}
	if status != calendar.Draft {
		ed.form.Set("status", string(status))
	}
}

// CopiesOf returns the fields of copies of events, some days later, as drafts or with the status of their events. It tells wrong
// the problems of a copy, with the event's title, and returns frame.ErrWrong.
func (w *Pages) CopiesOf(v *frame.Visit, events []*calendar.Event, days int, same bool,
	wrong func(text string)) ([]*calendar.EventFields, error) {
	offered := &eventEditor{}
	if err := w.offers(v.Ctx, offered); err != nil {
		return nil, err
	}
	made := make([]*calendar.EventFields, 0, len(events))
	for _, one := range events {
		e := *one
		ed := *offered
		ed.event = &e
		ed.offerOwn(v.Ctx, &e)
		ed.venues, ed.organizers = distinct(slices.Clone(ed.venues)), distinct(slices.Clone(ed.organizers))
		status := calendar.Draft
		if same {
			status = e.Status
			if status == calendar.Future {
				status = calendar.Publish
			}
		}
		w.copyAt(v.Ctx, &ed, e.Start.AddDate(0, 0, days), status)
		ed.form.Set("end_date", frame.ClockText(e.End.AddDate(0, 0, days)))
		fields, err := w.readEvent(v, &ed, nil)
		if errors.Is(err, frame.ErrWrong) {
			var problems []string
			for _, name := range ed.form.Wrongs(nil) {
				problems = append(problems, ed.form.Told(v.Ctx, name))
			}
			wrong(e.Title + " – " + strings.Join(problems, " "))
		}
		if err != nil {
			return nil, err
		}
		guardCopy(fields, &e)
		made = append(made, fields)
	}
	return made, nil
}
