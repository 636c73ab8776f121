package calendar

import "time"

// Event is one event of a site's calendar. Its wall clock and zone are the
// truth; the instants are derived from them (RFC 5545 §3.3.5) and stored beside.
type Event struct {
	Post
	Title       string // plain text
	Description string // sanitised HTML, or ""
	Excerpt     string // sanitised HTML, or ""
	Timezone    string // canonical name
	AllDay      bool
	Start, End  time.Time // wall clock in Timezone, carried in time.UTC
	StartUTC    time.Time
	EndUTC      time.Time
	Cost        []string // prices as written, nil when none
	Website     string   // "" when none
	ShowMap     bool
	ShowMapLink bool
	Hidden      bool // in no list
	Sticky      bool
	Featured    bool
	Parent      int64  // id of another event, or 0
	Password    []byte // derived key of the event's password, nil when open
	Tickets     []Ticket
	Masked      bool // protected, and the reader hasn't the password: shown without its contents

	Venues     []Venue
	Organizers []Organizer
	Categories []Term
	Tags       []Term
}

// Ticket is an offer to buy one (wire.md §5).
type Ticket struct {
	Name      string     `json:"name"`
	URL       string     `json:"url,omitempty"`
	Price     *float64   `json:"price,omitempty"`
	Currency  string     `json:"currency,omitempty"` // ISO 4217
	Available *time.Time `json:"available_from,omitempty"`
	Until     *time.Time `json:"available_until,omitempty"`
	Status    string     `json:"status,omitempty"` // available, sold_out, presale, closed
}

// Protected reports whether reading the event takes a password.
func (e *Event) Protected() bool { return len(e.Password) > 0 }

// Venue is a place where events happen.
type Venue struct {
	Post
	Name                                string // plain text
	Description, Excerpt                string // sanitised HTML
	Address, City, Country              string
	Province, State, StateProvince, Zip string
	Phone, Website                      string
	GeoLat, GeoLng                      *float64 // WGS 84 degrees
	ShowMap, ShowMapLink                bool
}

// Organizer is who holds events.
type Organizer struct {
	Post
	Name                  string // plain text
	Description, Excerpt  string // sanitised HTML
	Phone, Website, Email string
}

// Taxonomy says whether a Term is a category or a tag.
type Taxonomy string

// The taxonomies. Their wire names are the reference's (§16.1).
const (
	Categories Taxonomy = "category"
	Tags       Taxonomy = "tag"
)

// Term is a category or a tag.
type Term struct {
	ID          int64
	Version     int64
	Taxonomy    Taxonomy
	Name        string // plain text
	Slug        string
	Description string // sanitised HTML
	Parent      int64  // category above, 0 at the top and for tags
	Path        string // slugs from the top, with slashes between
	Count       int    // published events that carry it
	Color       string // of a category: #rrggbb in small letters, or ""
}
