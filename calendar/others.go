package calendar

import "time"

// Kin are the links used to find related events; 0 means none.
type Kin struct{ Venue, Organizer, Category int64 }

// OthersQuery selects upcoming public events with one of the links.
type OthersQuery struct {
	Kin
	After time.Time // instant after which they end
	But   int64     // id of the series or single event to exclude
	Each  int       // maximum number per kind
}

// OtherIDs are the ids of the earliest related events, without masked events and duplicates; each series counts
// once. Events at the venue are not repeated for the organizer, and neither are repeated for the category.
type OtherIDs struct{ Venue, Organizer, Category []int64 }
