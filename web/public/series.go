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

// datesOnPage is how many dates of a series a page of them has.
const datesOnPage = 20

// seriesDates are dates of a series: those that are coming, or those that are over.
type seriesDates struct {
	*agenda
	rule string          // in words
	next *calendar.Event // that takes place, on the first page of what is coming, else nil
}

// surround adds what the page of an occurrence says of its series, and the page of a
// series of its dates.
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

// datesOf returns a page of the dates of a series: those that are coming, or of those
// that are over the last first. Where nothing is coming those are shown unasked.
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

// ruleOf says in words when a series happens.
func ruleOf(ctx context.Context, e *calendar.Event) string {
	d := ui.DatesIn(ctx)
	rule := i18n.Recurrence(d.Tag, *e.Recurrence, e.Clock())
	if e.AllDay || e.Several {
		return rule
	}
	return d.At(rule, d.Times(e.Start, e.End))
}

// differs is what an occurrence has of its own that a list of dates names: another
// title, or another place.
func differs(e, series *calendar.Event) (title, place string) {
	if e.Title != series.Title {
		title = e.Title
	}
	if !e.Masked && len(e.Venues) > 0 && (len(series.Venues) == 0 || e.Venues[0].ID != series.Venues[0].ID) {
		place = ui.PlaceLine(&e.Venues[0])
	}
	return title, place
}
