package calendar

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/tenancy"
)

// Named is an item reduced to its id and name.
type Named struct {
	ID   int64
	Name string
}

// Offers are the choices offered in forms and filters.
type Offers struct {
	Venues     []Named // newest first
	Organizers []Named // newest first
	Categories []*Term // by name
	Authors    []Named // possible authors of an item, by login
}

// MostAuthors is the maximum number of authors a form offers.
const MostAuthors = 500

// OfferQuery limits the number of each kind; 0 means none.
type OfferQuery struct {
	Venues     int
	Organizers int
	Categories int
	Authors    int
	Viewer     Viewer
}

// Offers returns the choices in one round trip. Authors are returned only to principals who may change an item's
// author. The viewer is the current principal.
func (c *Calendar) Offers(ctx context.Context, q OfferQuery) (*Offers, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	q.Viewer = viewer(scope.Principal)
	if !scope.Principal.May(tenancy.SetAuthor) {
		q.Authors = 0
	}
	if q.Venues+q.Organizers+q.Categories+q.Authors == 0 {
		return &Offers{}, nil
	}
	found, err := c.store.Offers(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("offers: %w", err)
	}
	return found, nil
}
