package calendar

import (
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
