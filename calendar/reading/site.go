package reading

import "encoding/json"

// Site is a copy of a site with The Events Calendar, read as a single file. Package moving makes it.
type Site struct {
	Root   string            `json:"tec"` // the address of its API
	Linked []SiteLinked      `json:"things"`
	Missed []Missed          `json:"missed"` // what the site did not give
	Events []json.RawMessage `json:"events"` // as GET /events gives them, with ids instead of what they are linked to
}

// SiteLinked is a venue, organizer, category or tag of a site, as its API gives it.
type SiteLinked struct {
	Kind   string          `json:"kind"` // venue, organizer, category, tag
	ID     int64           `json:"id"`
	Object json.RawMessage `json:"object"`
}

// Missed is a range of entries of a list that a site did not return. Entries are counted from 1.
type Missed struct {
	List string `json:"list"` // events, venues, organizers, categories, tags
	From int    `json:"from"`
	To   int    `json:"to"`
	ID   int64  `json:"id,omitempty"` // id of a single entry whose position in the list is unknown
}

// MostID is the limit below which The Events Calendar numbers the items that it stores. Ids from it on belong to dates of
// series; they are provisional.
const MostID = 10_000_000
