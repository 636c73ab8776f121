package calendar

import (
	"time"

	"github.com/kalends/kalends/recur"
)

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

	Recurrence  *recur.Set // when a series happens beyond its first time, on its wall clock; nil for what happens once
	StoredUntil time.Time  // of a series whose occurrences are not all stored: until when they are, wall clock
	LastStart   time.Time  // of a series: the instant of the last occurrence that is stored
	Several     bool       // of a series and its occurrences: a day may have several
	Exceptions  []Series   // of a series that was read by itself: its occurrences that differ, without what does; ID is theirs
	Series      *Series    // of an occurrence: which one it is; nil for single events and series
	Coming      *Coming    // of a series in Events.Shelf; nil elsewhere, and when it never happens

	Happening     Happening
	PreviousStart time.Time // of a rescheduled event: the instant it was to start at, if known
	Attendance    Attendance
	UID           string // in calendar files; "" for one made of the id
	Sequence      int    // how often time, place or status changed (RFC 5545 §3.8.7.4)

	Venues     []Venue
	Organizers []Organizer
	Categories []Term
	Tags       []Term
}

// Happening says whether an event takes place as it says.
type Happening struct {
	Status string // scheduled, cancelled, postponed, rescheduled; "" is scheduled
	Reason string // plain text, or ""
}

// Cancelled reports whether the event doesn't take place.
func (h Happening) Cancelled() bool { return h.Status == "cancelled" }

// Off reports whether the event doesn't take place when it says.
func (h Happening) Off() bool { return h.Cancelled() || h.Status == "postponed" }

// Attendance says where people take part.
type Attendance struct {
	Mode  string // offline, online, mixed; "" is offline
	URL   string // where to take part online, or ""
	Shown string // when the public sees URL: always, started, never; "" is always
}

// Ticket is an offer to buy one (rule 5.9).
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
	Ways        string // Path with the slugs that those above have in other languages; "" where they have none
	Count       int    // published events that carry it
	Color       string // of a category: #rrggbb in small letters, or ""
	Translated
}
