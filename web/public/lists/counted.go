package lists

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// counted returns the text of the button that applies a filter, with the number of events that it would show. The
// query's view is that of the page: "days" for pages of certain days, otherwise that of a list.
func (w *Pages) counted(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	c, err := w.layout.ReadChoice(ctx, a, "/events/")
	if err != nil {
		return nil, err
	}
	answer := &layout.Shown{Kind: "text/plain; charset=utf-8", Until: w.layout.Midnight(ctx)}
	if a.Query("view") == "days" {
		if c.Days == nil || c.Days.First.IsZero() || c.Days.Last.IsZero() {
			return nil, calendar.ErrNotFound
		}
		days := *c.Days
		c.Within(days)
		found, err := w.calendar.Events().Long(ctx, &c.Choice, mostInMonth)
		if err != nil {
			return nil, err
		}
		c.Found, answer.Version = len(ui.Happening(found.Items, days.First, days.Last)), found.Version
	} else {
		c.Listed(a.Query("view"))
		c.PerPage = args.Some(1)
		l, found, err := w.chosen(ctx, a, c)
		if err != nil {
			return nil, err
		}
		next, err := w.nextEnd(ctx)
		if err != nil {
			return nil, err
		}
		c.Found, answer.Version = l.total, found.Version
		answer.Changes(next)
		answer.Changes(w.moves(ctx, c))
	}
	number := ui.DatesIn(ctx).Number(c.Found)
	answer.File = []byte(i18n.T(ctx, "public.filter.show.count", map[string]any{"Count": c.Found, "Number": number}))
	return answer, nil
}
