package public

import (
	"bytes"
	"context"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

// mostFound is how much is shown of what a search finds while somebody types.
const mostFound = 6

// found is the beginning of what a search finds, for the script of the search form. It
// finds what the page of results would list first.
func (w *Pages) found(ctx context.Context, a asked) (*shown, error) {
	words := a.query("search")
	if words == "" {
		return a.lead(ctx, "/events/"), nil
	}
	c := &choice{}
	c.Search, c.EndsAfter = args.Some(shorten(words)), w.yesterday(ctx)
	c.PerPage = args.Some(mostFound)
	page, _, err := w.calendar.Events().Choose(ctx, &c.Choice)
	if err != nil {
		return nil, err
	}
	if page.Total == 0 {
		over, _, err := w.calendar.Events().Once(ctx, first(pastFilter(w.yesterday(ctx), c.Search)))
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
	return &shown{file: b.Bytes(), kind: "text/html; charset=utf-8", version: page.Version, until: w.midnight(ctx)}, nil
}

// first asks for no more than is shown while somebody types.
func first(f *calendar.EventFilter) *calendar.EventFilter {
	f.PerPage = args.Some(mostFound)
	return f
}

// foundDay is when an event that was found is, in short.
func foundDay(ctx context.Context, e *calendar.Event) string { return ui.DatesIn(ctx).Short(e.Start) }
