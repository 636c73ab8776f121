package admin

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/repeats"
)

// fillDates finds the dates of a series. It returns calendar.ErrNotFound if the event is not a series.
func (w *Pages) fillDates(v *frame.Visit, b *eventList, f *calendar.EventFilter) error {
	id, err := strconv.ParseInt(f.Series.Or(""), 10, 64)
	if err != nil {
		return calendar.ErrNotFound
	}
	if b.series, err = w.calendar.Events().Get(v.Ctx, calendar.Key{ID: id}, ""); err != nil {
		return err
	}
	if !b.series.Recurring() {
		return calendar.ErrNotFound
	}
	found, err := w.calendar.Events().Board(v.Ctx, f, b.length)
	b.events, b.total, b.version, b.page = found.Items, found.Total, found.Version, f.Page.Or(1)
	return err
}

func (b *eventList) title(ctx context.Context) string {
	if b.series == nil {
		return frame.Tell(ctx, "nav.events")
	}
	return frame.TellWith(ctx, "dates.of", "Name", b.series.Title)
}

// unfiltered is the address of the list without its filter.
func (b *eventList) unfiltered() string {
	if b.series == nil {
		return frame.AdminRoot + "/events"
	}
	return frame.AdminRoot + "/events?series=" + frame.IDText(b.series.ID)
}

// dates is the address of the list of a series' dates.
func (b *eventList) dates(ctx context.Context, e *calendar.Event) string {
	return repeats.DatesAddress(e.ID, repeats.DatesFrom(ctx, e, b.now))
}

// named returns a name for an entry of the list that distinguishes it from the others. For dates of a series it
// includes their times.
func (b *eventList) named(ctx context.Context, e *calendar.Event) string {
	if b.series == nil {
		return e.Title
	}
	return e.Title + ", " + frame.ShortSpan(ctx, e)
}

// comingOf is a copy of a series with the times of its next date, for showing them.
func comingOf(e *calendar.Event) *calendar.Event {
	next := *e
	next.Start, next.End = e.Coming.Start, e.Coming.End
	return &next
}
