package admin

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
)

// doubts are possible mistakes in an event that is about to become public. The form shows them, and accepts them when it is
// sent again.
type doubts struct {
	over *calendar.Event // the event itself if it is already over; otherwise nil
	like *calendar.Event // an event with the same title, time and venues; nil: there is none
}

// Error says that nothing was stored.
func (doubts) Error() string { return "there are doubts about the event" }

// sureField is the form field that names the doubts which the page has shown.
const sureField = "meant"

// sure is the value of sureField. It names the doubts with their times, so that they come back for another time.
func (d *doubts) sure() string {
	var list []string
	if d.over != nil {
		list = append(list, "over "+d.over.EndUTC.Format(time.RFC3339))
	}
	if d.like != nil {
		list = append(list, "like "+frame.IDText(d.like.ID)+" "+d.like.StartUTC.Format(time.RFC3339))
	}
	return strings.Join(list, ", ")
}

// key is the text key of a button that saves or publishes in spite of the doubts.
func (d *doubts) key(do string) string {
	if do == "publish" {
		return "doubt.publish"
	}
	return "doubt.save"
}

// doubt returns the doubts about an event as an error, unless the form has confirmed them. It leaves out doubts that already
// applied to the stored event. was is that event, or nil for a new one.
func (w *Pages) doubt(ctx context.Context, f *frame.Form, was, e *calendar.Event) error {
	if !shown(e) {
		return nil
	}
	d, moved := doubts{}, was == nil || !shown(was) || !was.EndUTC.Equal(e.EndUTC)
	if moved && !e.Recurring() && e.EndUTC.Before(w.calendar.Now()) {
		d.over = e
	}
	if moved || !alike(was, e) {
		var err error
		if d.like, err = w.findLike(ctx, e); err != nil {
			return err
		}
	}
	if sure := d.sure(); sure == "" || sure == f.Get(sureField) {
		return nil
	}
	return &d
}

// shown reports whether visitors see an event, now or from its date of publication on.
func shown(e *calendar.Event) bool {
	return e.Status == calendar.Publish || e.Status == calendar.Future
}

// findLike finds another event that looks the same to visitors. It returns nil if there is none.
func (w *Pages) findLike(ctx context.Context, e *calendar.Event) (*calendar.Event, error) {
	gone := func(status string) bool { return status == string(calendar.Trash) }
	page, err := w.calendar.Events().Board(ctx, &calendar.EventFilter{
		StartsAfter: instantArg(e.StartUTC.Add(-time.Second)), StartsBefore: instantArg(e.StartUTC.Add(time.Second)),
		StrictDates: args.Some(args.Truthy(true)), Status: args.Some(slices.DeleteFunc(allStatuses(), gone))}, mostFound)
	if err != nil {
		return nil, err
	}
	for _, other := range page.Items {
		if frame.WholeID(other) != frame.WholeID(e) && !other.Protected() && alike(other, e) {
			return other, nil
		}
	}
	return nil, nil
}

// alike reports whether two events have the same title, start and venues.
func alike(a, b *calendar.Event) bool {
	return wording.Fold(a.Title) == wording.Fold(b.Title) && a.StartUTC.Equal(b.StartUTC) && a.AllDay == b.AllDay &&
		slices.Equal(venueNames(a), venueNames(b))
}

func venueNames(e *calendar.Event) []string {
	names := make([]string, 0, len(e.Venues))
	for i := range e.Venues {
		names = append(names, wording.Fold(e.Venues[i].Name))
	}
	slices.Sort(names)
	return names
}

// doubtAbout calls doubt for the event of an editor whose form was read.
func (w *Pages) doubtAbout(ctx context.Context, ed *eventEditor, fields *calendar.EventFields) error {
	key, draft := calendar.Key{}, *fields
	if ed.event != nil {
		key.ID = ed.event.ID
		if ed.event.Series != nil {
			draft.Recurrence = args.Opt[args.TextOrObject]{} // a single date has no rule
		}
	}
	e, err := w.calendar.Events().Draft(ctx, key, &draft)
	if err != nil {
		return err
	}
	if err := w.fillPlaces(ctx, ed, e); err != nil {
		return err
	}
	return w.doubt(ctx, ed.form, ed.event, e)
}

// askOver asks for confirmation before it publishes events that are over. It returns no reply if there is nothing to ask.
func (w *Pages) askOver(v *frame.Visit, ids []int64, back string) (*frame.Reply, error) {
	events, err := w.eventsByID(v, ids)
	if err != nil {
		return nil, err
	}
	over, now := []*calendar.Event{}, w.calendar.Now()
	for _, e := range events {
		if !shown(e) && !e.Recurring() && e.EndUTC.Before(now) {
			over = append(over, e)
		}
	}
	sure := make([]string, 0, len(over))
	for _, e := range over {
		sure = append(sure, frame.IDText(e.ID))
	}
	if text := strings.Join(sure, ","); text != "" && text != v.Form.Get(sureField) {
		v.Form.Set(sureField, text)
		return &frame.Reply{Title: frame.Tell(v.Ctx, "do.publish"), Section: "events", Body: overPage(over, v.Form.Kept(), back)}, nil
	}
	return nil, nil //nolint:nilnil // nothing to ask any more
}
