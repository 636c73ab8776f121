package layout

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// Term returns the term with a slug, or ErrNotFound.
func (w *Pages) Term(ctx context.Context, taxonomy calendar.Taxonomy, slug string) (*calendar.Term, error) {
	if slug = wording.SoughtSlug(slug); slug == "" {
		return nil, calendar.ErrNotFound
	}
	f := &calendar.CategoryFilter{}
	f.Slug, f.HideEmpty = args.Some(slug), args.Some(false)
	page, _, err := w.calendar.Terms(taxonomy).List(ctx, f)
	if err != nil {
		return nil, err
	}
	if len(page.Items) == 0 {
		return w.calendar.Terms(taxonomy).Former(ctx, slug)
	}
	return page.Items[0], nil
}
