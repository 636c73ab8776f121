package public

import (
	"context"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// countPath is the path at which a script reads how many events a filter would show.
const countPath = "/events/count"

// counted returns the text of the button that applies a filter, with the number of events that it would show. The
// query's view is that of the page: "days" for pages of certain days, otherwise that of a list.
func (w *Pages) counted(ctx context.Context, a asked) (*shown, error) {
	c, err := w.readChoice(ctx, a, "/events/")
	if err != nil {
		return nil, err
	}
	answer := &shown{kind: "text/plain; charset=utf-8", until: w.midnight(ctx)}
	if a.query("view") == "days" {
		if c.Days == nil || c.Days.First.IsZero() || c.Days.Last.IsZero() {
			return nil, calendar.ErrNotFound
		}
		days := *c.Days
		c.on(days)
		found, err := w.calendar.Events().Long(ctx, &c.Choice, mostInMonth)
		if err != nil {
			return nil, err
		}
		c.found, answer.version = len(ui.Happening(found.Items, days.First, days.Last)), found.Version
	} else {
		c.listed(a.query("view"))
		c.PerPage = args.Some(1)
		l, found, err := w.chosen(ctx, a, c)
		if err != nil {
			return nil, err
		}
		next, err := w.nextEnd(ctx)
		if err != nil {
			return nil, err
		}
		c.found, answer.version = l.total, found.Version
		answer.changes(next)
		answer.changes(w.moves(ctx, c))
	}
	number := ui.DatesIn(ctx).Number(c.found)
	answer.file = []byte(i18n.T(ctx, "public.filter.show.count", map[string]any{"Count": c.found, "Number": number}))
	return answer, nil
}

// countedAt returns the attribute that tells the script of the filter where to read the number of events.
func (c *choice) countedAt(ctx context.Context) templ.Attributes {
	if c.counts == "" {
		return nil
	}
	return templ.Attributes{"data-count": ui.Href(ctx, countPath+"/") + c.counts}
}
