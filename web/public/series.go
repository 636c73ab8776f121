package public

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/lists"
	"github.com/kalends/kalends/web/ui"
)

// datesOnPage is the number of dates per page.
const datesOnPage = 20

// seriesDates are upcoming or past dates of a series.
type seriesDates struct {
	*lists.Agenda
	later  *calendar.Event   // a date of the series that continues this one after it was divided, or nil
	rule   string            // as text
	coming []*calendar.Event // dates that are not over, whether shown or not
	next   *calendar.Event   // the next date that takes place, on the first page of upcoming dates; otherwise nil

	hasPast bool // whether some dates are over
}

// surround adds the series to the page of an occurrence, and the dates to the page of a series.
func (w *Pages) surround(ctx context.Context, a layout.Asked, v *eventView, answer *layout.Shown) (err error) {
	switch {
	case v.Series != nil:
		v.around, err = w.calendar.Events().Around(ctx, v.Event)
	case v.Recurring():
		if v.dates, err = w.datesOf(ctx, a, v.Event); err != nil {
			return err
		}
		v.over, answer.Until = v.dates.Over, lists.Ends(v.dates.coming, w.layout.Midnight(ctx))
		answer.Page.Query = v.dates.Query(v.dates.Page)
		v.dates.later, err = w.later(ctx, v.Event)
	}
	return err
}

// later returns a date of the series that continues this one, or nil. A series is divided when someone changes a date and all
// following ones.
func (w *Pages) later(ctx context.Context, e *calendar.Event) (*calendar.Event, error) {
	next, ok := e.Onward()
	if !ok || e.Slug == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	on, _ := calendar.ParseDay(next.Format(time.DateOnly))
	found, err := w.calendar.Events().Get(ctx, calendar.Key{Slug: e.Slug, On: on, Former: true}, "")
	switch {
	case errors.Is(err, calendar.ErrUnavailable):
		return nil, err
	case err != nil || found.Series == nil || found.Series.ID == e.ID || found.Hidden:
		return nil, nil //nolint:nilnil,nilerr // the public may not see it
	}
	return found, nil
}

// datesOf returns a page of the upcoming dates of a series, or of its past dates, latest first. If there are no
// upcoming dates, it returns the past ones.
func (w *Pages) datesOf(ctx context.Context, a layout.Asked, e *calendar.Event) (*seriesDates, error) {
	number, err := lists.PageNumber(a)
	if err != nil {
		return nil, err
	}
	past := a.Query("past") == "1"
	page := number
	if past {
		page = 1
	}
	d, err := w.datesWithin(ctx, e, page, false)
	switch {
	case err != nil:
		return nil, err
	case len(d.Months) > 0 && !past:
		d.hasPast, err = w.hasPastDates(ctx, e)
		return d, err
	}
	coming := d.Events
	if !past {
		number = 1
	}
	if d, err = w.datesWithin(ctx, e, number, true); err == nil {
		d.Over, d.coming = !past, coming
	}
	return d, err
}

// hasPastDates reports whether some dates of a series are over.
func (w *Pages) hasPastDates(ctx context.Context, e *calendar.Event) (bool, error) {
	found, _, err := w.calendar.Events().Dates(ctx, e, (&calendar.EventFilter{}).Over(), 1)
	return err == nil && found.Total > 0, err
}

func (w *Pages) datesWithin(ctx context.Context, e *calendar.Event, page int, past bool) (*seriesDates, error) {
	f, from := (&calendar.EventFilter{}).Coming(), w.layout.Today(ctx)
	if past {
		f, from = (&calendar.EventFilter{}).Over(), time.Time{}
	}
	f.Page = args.Some(page)
	found, q, err := w.calendar.Events().Dates(ctx, e, f, datesOnPage)
	if err != nil {
		return nil, err
	}
	l := &lists.Agenda{Page: page, Pages: (found.Total + q.PerPage - 1) / q.PerPage, Past: past}
	l.Fill(ui.DatesIn(ctx), found.Items, from)
	l.Link()
	d := &seriesDates{Agenda: l, rule: ruleOf(ctx, e), coming: found.Items}
	takesPlace := func(e *calendar.Event) bool { return !e.Happening.Off() }
	if i := slices.IndexFunc(found.Items, takesPlace); !past && page == 1 && i >= 0 {
		d.next = found.Items[i]
	}
	return d, nil
}

// ruleOf describes when a series takes place.
func ruleOf(ctx context.Context, e *calendar.Event) string {
	d, hours := ui.DatesIn(ctx), ""
	if !e.AllDay && !e.Several {
		hours = d.HoursOf(e)
	}
	return d.Recurrence(*e.Recurrence, e.Clock(), hours)
}

// otherwise says when an occurrence would take place by the rule of its series, or "" if that is not known to differ from its own time.
func (v *eventView) otherwise(ctx context.Context) string {
	whole := v.around.Whole
	if !whole.Recurring() || !v.Previously().IsZero() { // which is shown above
		return ""
	}
	d, usual := ui.DatesIn(ctx), *whole
	usual.Start = v.Series.OriginalStart
	usual.End = usual.Start.Add(whole.End.Sub(whole.Start))
	switch {
	case d.Event(&usual, 0) == d.Event(v.Event, 0):
		return ""
	case !v.AllDay && args.DayOf(usual.Start).Equal(args.DayOf(v.Start)) && usual.End.Sub(usual.Start) < 24*time.Hour:
		return ui.SayWith(ctx, "series.otherwise", "Time", d.HoursOf(&usual))
	}
	return ui.SayWith(ctx, "status.previous", "Date", d.Event(&usual, 0))
}

// elsewhere says that an occurrence is at another place than its series, or returns "".
func (v *eventView) elsewhere(ctx context.Context) string {
	if _, place := differs(ctx, v.Event, v.around.Whole); place == "" || len(v.around.Whole.Venues) == 0 {
		return ""
	}
	return ui.SayWith(ctx, "series.elsewhere", "Place", ui.PlaceLine(ctx, &v.around.Whole.Venues[0]))
}

// differs returns the title and the place of an occurrence if they differ from those of its series.
func differs(ctx context.Context, e, series *calendar.Event) (title, place string) {
	if e.Title != series.Title {
		title = e.Title
	}
	if !e.Masked && len(e.Venues) > 0 && (len(series.Venues) == 0 || e.Venues[0].ID != series.Venues[0].ID) {
		place = ui.PlaceLine(ctx, &e.Venues[0])
	}
	return title, place
}
