package lists

import (
	"bytes"
	"cmp"
	"context"
	"net/url"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// mostFound is the number of results shown while typing a search.
const mostFound = 6

// mostNamed is how many venues, organizers and categories each are among the results.
const mostNamed = 2

// hits are the results shown while someone types a search.
type hits struct {
	events []*calendar.Event
	total  int
	meant  string // the words that were searched for instead, or ""
	named  []namedHit
}

// namedHit is a venue, an organizer or a category whose name contains the words.
type namedHit struct {
	kind, path, name string // kind: the text for its kind
	given            string // language of the name, or ""
}

// found returns the first results for the script of the search form: the same events as on the results page, and entries whose
// names contain the words.
func (w *Pages) found(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	words := a.Query("search")
	if words == "" {
		return a.Lead(ctx, "/events/"), nil
	}
	c := &layout.Choice{At: "/events/", Values: url.Values{"search": {layout.Shorten(words)}}}
	if err := w.layout.Fill(ctx, c); err != nil {
		return nil, err
	}
	c.Coming()
	c.PerPage = args.Some(mostFound)
	s, err := w.seek(ctx, a, c)
	if err != nil {
		return nil, err
	}
	h := &hits{total: s.page.Total, events: s.page.Items, meant: s.agenda.meant}
	if h.named, err = w.named(ctx, cmp.Or(s.agenda.meant, layout.Shorten(words))); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := foundList(h).Render(ctx, &b); err != nil {
		return nil, err
	}
	until := w.layout.Midnight(ctx)
	if !s.over {
		until = Ends(s.page.Items, until)
	}
	return &layout.Shown{File: b.Bytes(), Kind: "text/html; charset=utf-8", Version: s.page.Version, Until: until}, nil
}

// named returns the venues, organizers and categories whose names contain words, the best first.
func (w *Pages) named(ctx context.Context, words string) (list []namedHit, err error) {
	venues, err := w.calendar.Venues().Suggest(ctx, words, mostNamed)
	if err != nil {
		return nil, err
	}
	for _, v := range venues {
		list = append(list, namedHit{"venue", ui.VenuePath(v), ui.PlaceLine(ctx, v), v.Given().Title})
	}
	organizers, err := w.calendar.Organizers().Suggest(ctx, words, mostNamed)
	if err != nil {
		return nil, err
	}
	for _, o := range organizers {
		list = append(list, namedHit{"organizer", ui.OrganizerPath(o), o.Name, o.Given().Title})
	}
	terms, err := w.calendar.Terms(calendar.Categories).Suggest(ctx, words, mostNamed)
	if err != nil {
		return nil, err
	}
	for _, t := range terms {
		if t.Count > 0 {
			list = append(list, namedHit{"category", ui.TermPath(t), t.Name, t.Given().Title})
		}
	}
	return list, nil
}

// foundDay returns the short date of a search result.
func foundDay(ctx context.Context, e *calendar.Event) string { return ui.DatesIn(ctx).Short(e.Start) }
