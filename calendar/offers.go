package calendar

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/tenancy"
)

// Named is an entry by its name alone.
type Named struct {
	ID   int64
	Name string
}

// Offers are what fields of forms and filters offer to choose from.
type Offers struct {
	Venues     []Named // the newest first
	Organizers []Named // the newest first
	Categories []*Term // by name
	Authors    []Named // people whom an item can be given to, by login
}

// MostAuthors bounds how many authors a form offers.
const MostAuthors = 500

// OfferQuery says how many of each are asked for at most; 0 is none.
type OfferQuery struct {
	Venues     int
	Organizers int
	Categories int
	Authors    int
	Viewer     Viewer
}

// Offers returns what fields offer, in one round trip. Authors are for those who
// may give items away; others get none. The viewer is whoever asks.
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
