package public

import (
	"context"
	"slices"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/ui"
)

// datesOnPage is the number of dates per page.
const datesOnPage = 20

// seriesDates are upcoming or past dates of a series.
type seriesDates struct {
	*agenda
	rule string          // as text
	next *calendar.Event // the next date that takes place, on the first page of upcoming dates; otherwise nil
}

// surround adds the series to the page of an occurrence, and the dates to the page of a series.
func (w *Pages) surround(ctx context.Context, a asked, v *eventView, answer *shown) (err error) {
	switch {
	case v.Series != nil:
		v.around, err = w.calendar.Events().Around(ctx, v.Event)
	case v.Recurring():
		if v.dates, err = w.datesOf(ctx, a, v.Event); err != nil {
			return err
		}
		v.over, answer.until = v.dates.over, w.midnight(ctx)
		answer.page.query = v.dates.query(v.dates.page)
	}
	return err
}

// datesOf returns a page of the upcoming dates of a series, or of its past dates, latest first. Without upcoming
// dates it returns the past ones.
func (w *Pages) datesOf(ctx context.Context, a asked, e *calendar.Event) (*seriesDates, error) {
	number, err := pageNumber(a)
	if err != nil {
		return nil, err
	}
	if a.query("past") == "1" {
		return w.datesWithin(ctx, e, number, true)
	}
	d, err := w.datesWithin(ctx, e, number, false)
	if err != nil || len(d.months) > 0 {
		return d, err
	}
	if d, err = w.datesWithin(ctx, e, 1, true); err == nil {
		d.over = true
	}
	return d, err
}

func (w *Pages) datesWithin(ctx context.Context, e *calendar.Event, page int, past bool) (*seriesDates, error) {
	f, from := &calendar.EventFilter{EndsAfter: w.yesterday(ctx)}, w.today(ctx)
	if past {
		f, from = &calendar.EventFilter{EndsBefore: w.yesterday(ctx), Order: args.Some("desc")}, time.Time{}
	}
	f.Page = args.Some(page)
	found, q, err := w.calendar.Events().Dates(ctx, e, f, datesOnPage)
	if err != nil {
		return nil, err
	}
	l := &agenda{page: page, pages: (found.Total + q.PerPage - 1) / q.PerPage, past: past, months: agendaMonths(found.Items, from)}
	l.link()
	d := &seriesDates{agenda: l, rule: ruleOf(ctx, e)}
	takesPlace := func(e *calendar.Event) bool { return !e.Happening.Off() }
	if i := slices.IndexFunc(found.Items, takesPlace); !past && page == 1 && i >= 0 {
		d.next = found.Items[i]
	}
	return d, nil
}

// ruleOf describes when a series takes place.
func ruleOf(ctx context.Context, e *calendar.Event) string {
	d := ui.DatesIn(ctx)
	rule := i18n.Recurrence(d.Tag, *e.Recurrence, e.Clock())
	if e.AllDay || e.Several {
		return rule
	}
	return d.At(rule, d.Times(e.Start, e.End))
}

// differs returns the title and the place of an occurrence if they differ from those of its series.
func differs(e, series *calendar.Event) (title, place string) {
	if e.Title != series.Title {
		title = e.Title
	}
	if !e.Masked && len(e.Venues) > 0 && (len(series.Venues) == 0 || e.Venues[0].ID != series.Venues[0].ID) {
		place = ui.PlaceLine(&e.Venues[0])
	}
	return title, place
}
