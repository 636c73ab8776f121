package calendar

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/tenancy"
)

// Named is an item reduced to its id and its names.
type Named struct {
	ID   int64
	Name string
	In   string // its name in the language of the request, or ""
}

// Label returns the name in the language of the request, with the own name in brackets if it differs.
func (n Named) Label() string {
	return Naming{n.Name, map[string]string{"": n.In}}.Label([]string{""})
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
	Writing    bool // only entries of the principal's area
	Viewer     Viewer
	Within     tenancy.Area // of the principal, for Writing
	Languages  []string     // of Named.In, the best first
}

// Offers returns the choices in one round trip. Authors are returned only to principals who may change an item's
// author. The viewer is the current principal.
func (c *Calendar) Offers(ctx context.Context, q OfferQuery) (*Offers, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	q.Viewer, q.Within, q.Languages = viewer(scope.Principal), tenancy.Area{}, scope.Site.Texts(scope.Language)
	if q.Writing {
		q.Within = scope.Principal.Area
	}
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
	found.Categories = below(found.Categories, q.Within.Categories)
	return found, nil
}

// below returns the categories with these IDs and their descendants, or all categories if there are no IDs.
func below(all []*Term, ids []int64) []*Term {
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
	return slices.DeleteFunc(all, func(t *Term) bool { return !within[t.ID] })
}
