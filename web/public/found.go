package public

import (
	"bytes"
	"context"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

// mostFound is the number of results shown while typing a search.
const mostFound = 6

// found returns the first search results for the script of the search form, the same as on the results page.
func (w *Pages) found(ctx context.Context, a asked) (*shown, error) {
	words := a.query("search")
	if words == "" {
		return a.lead(ctx, "/events/"), nil
	}
	c := &choice{}
	c.Search = args.Some(shorten(words))
	c.Coming()
	c.PerPage = args.Some(mostFound)
	page, _, err := w.calendar.Events().Choose(ctx, &c.Choice)
	if err != nil {
		return nil, err
	}
	until := ends(page.Items, w.midnight(ctx))
	if page.Total == 0 {
		over, _, err := w.calendar.Events().Once(ctx, first((&calendar.EventFilter{Search: c.Search}).Over()))
		if err != nil {
			return nil, err
		}
		over.Version = min(over.Version, page.Version)
		page = over
	}
	var b bytes.Buffer
	if err := foundList(&page).Render(ctx, &b); err != nil {
		return nil, err
	}
	return &shown{file: b.Bytes(), kind: "text/html; charset=utf-8", version: page.Version, until: until}, nil
}

// first limits a filter to the results shown while typing.
func first(f *calendar.EventFilter) *calendar.EventFilter {
	f.PerPage = args.Some(mostFound)
	return f
}

// foundDay returns the short date of a search result.
func foundDay(ctx context.Context, e *calendar.Event) string { return ui.DatesIn(ctx).Short(e.Start) }
