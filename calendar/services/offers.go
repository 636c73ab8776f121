package services

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Offers returns the choices in one round trip. Authors are returned only to principals who may change an item's
// author. The viewer is the current principal.
func (c *Calendar) Offers(ctx context.Context, q calendar.OfferQuery) (*calendar.Offers, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	q.Viewer, q.Within, q.Languages = calendar.ViewerOf(scope.Principal), tenancy.Area{}, scope.Site.Texts(scope.Language)
	if q.Writing {
		q.Within = scope.Principal.Area
	}
	if !scope.Principal.May(tenancy.SetAuthor) {
		q.Authors = 0
	}
	if q.Venues+q.Organizers+q.Categories+q.Authors == 0 {
		return &calendar.Offers{}, nil
	}
	found, err := c.store.Offers(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("offers: %w", err)
	}
	found.Categories = below(found.Categories, q.Within.Categories)
	return found, nil
}

// below returns the categories with these IDs and their descendants, or all categories if there are no IDs.
func below(all []*calendar.Term, ids []int64) []*calendar.Term {
	if len(ids) == 0 {
		return all
	}
	within := map[int64]bool{}
	for _, id := range ids {
		within[id] = true
	}
	for grown := true; grown; {
		grown = false
		for _, t := range all {
			if !within[t.ID] && within[t.Parent] {
				within[t.ID], grown = true, true
			}
		}
	}
	return slices.DeleteFunc(all, func(t *calendar.Term) bool { return !within[t.ID] })
}
