package services

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Choose returns one page of the events that match a choice, and the query as applied. A search shows each series once, also
// finds other forms of its words, and lists the best matches first. It returns ErrNotFound if the choice names something that
// does not exist.
func (s Events) Choose(ctx context.Context, c *calendar.Choice) (calendar.Page[calendar.Event], calendar.EventQuery, error) {
	page, q, err := s.list(ctx, &c.EventFilter, func(q *calendar.EventQuery) error {
		c.Narrow(ctx, q, s.Now())
		return s.forgive(ctx, q)
	})
	return page, q, unknown(err)
}

// Long is Choose with up to most events on a single page.
func (s Events) Long(ctx context.Context, c *calendar.Choice, most int) (calendar.Page[calendar.Event], error) {
	page, _, err := s.list(ctx, &c.EventFilter, func(q *calendar.EventQuery) error {
		c.Narrow(ctx, q, s.Now())
		q.Page, q.PerPage, q.First = 1, most, c.Once
		return s.loosen(ctx, q)
	})
	return page, unknown(err)
}

// Facets returns the values that can be selected in addition to a choice or instead of its values, and the number
// of events in each of the given periods.
func (s Events) Facets(ctx context.Context, c *calendar.Choice, days []calendar.Days) (*calendar.Facets, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	q, err := c.Query(scope, s.Now())
	if err != nil {
		return nil, unknown(err)
	}
	past := c.Reach(ctx, &q, s.Now())
	if err := s.loosen(ctx, &q); err != nil {
		return nil, err
	}
	facets, err := s.store.Events().Facets(ctx, q, days, c.Days)
	if err != nil {
		return nil, fmt.Errorf("count filter choices: %w", unknown(err))
	}
	if past {
		facets.Ends = time.Time{}
	}
	if scope.Site.Multilingual() {
		if err := s.nameFacets(ctx, facets); err != nil {
			return nil, fmt.Errorf("read names of filter choices: %w", err)
		}
	}
	return facets, nil
}

// nameFacets translates the names of facets to the languages of the scope.
func (s Events) nameFacets(ctx context.Context, facets *calendar.Facets) error {
	names := map[int64]string{}
	for taxonomy, list := range map[calendar.Taxonomy][]calendar.Facet{calendar.Categories: facets.Categories, calendar.Tags: facets.Tags} {
		if len(list) == 0 {
			continue
		}
		f := &calendar.CategoryFilter{}
		f.HideEmpty = args.Some(false)
		var refs args.Refs
		for _, one := range list {
			refs = append(refs, args.Ref{ID: one.ID})
		}
		f.Include = args.Some(refs)
		page, err := s.Terms(taxonomy).ListLong(ctx, f, len(list))
		if err != nil {
			return err
		}
		for _, term := range page.Items {
			names[term.ID] = term.Name
		}
		rename(list, names)
	}
	if len(facets.Organizers) == 0 {
		return nil
	}
	var ids []int64
	for _, one := range facets.Organizers {
		ids = append(ids, one.ID)
	}
	page, err := s.Organizers().Several(ctx, ids)
	if err != nil {
		return err
	}
	clear(names)
	for _, organizer := range page.Items {
		names[organizer.ID] = organizer.Name
	}
	rename(facets.Organizers, names)
	return nil
}

// rename sets the names of facets whose ID is among the names.
func rename(list []calendar.Facet, names map[int64]string) {
	for i := range list {
		if name, ok := names[list[i].ID]; ok {
			list[i].Name = name
		}
	}
}

// AtVenues returns the venues of the events that match a choice.
func (s Events) AtVenues(ctx context.Context, c *calendar.Choice) (*calendar.AtVenues, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	q, err := c.Query(scope, s.Now())
	if err != nil {
		return nil, unknown(err)
	}
	c.Narrow(ctx, &q, s.Now())
	q.First = false
	if err := s.loosen(ctx, &q); err != nil {
		return nil, err
	}
	at, err := s.store.Events().AtVenues(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("count at venues: %w", unknown(err))
	}
	return at, nil
}

// unknown turns problems with the choice into ErrNotFound.
func unknown(err error) error {
	if _, refused := errors.AsType[*args.Problems](err); refused {
		return calendar.ErrNotFound
	}
	return err
}
