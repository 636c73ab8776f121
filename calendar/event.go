// Package calendar holds the types of events, venues, organizers, categories, tags and images, their arguments and
// rules, and the ports of their store. The services that apply the rules are in package services. It contains no SQL,
// no HTTP and no text in any language.
package calendar

import (
	"slices"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// Event is an event of a site's calendar. Its wall-clock times and zone are authoritative; the instants are derived
// from them (RFC 5545 §3.3.5) and stored alongside.
type Event struct {
	Post
	Title       string // plain text
	Description string // sanitized HTML, or ""
	Excerpt     string // sanitized HTML, or ""
	SEO         SEO
	Timezone    string // canonical name of the time zone
	AllDay      bool
	Start, End  time.Time // wall-clock time in Timezone, carried in time.UTC
	StartUTC    time.Time
	EndUTC      time.Time
	Cost        []string // prices as written; nil if none
	Website     string   // "" if none
	ShowMap     bool
	ShowMapLink bool
	Hidden      bool // excluded from all lists
	Sticky      bool
	Featured    bool
	Parent      int64  // id of another event, or 0
	ReviewNote  string // the changes that an editor has asked the author for, plain text; "" for published events
	Password    []byte // salted digest of the event's password; nil if it has none
	Tickets     []Ticket
	Facts       Facts
	Fields      AddedFields
	Masked      bool // protected, and the reader lacks the password: contents are hidden

	Recurrence  *recur.Set // when a series recurs, in wall-clock time; nil for a single event
	StoredUntil time.Time  // of a series: wall-clock time up to which occurrences are stored; zero if all are
	LastStart   time.Time  // of a series: instant of the last stored occurrence
	Several     bool       // for series and occurrences: there may be several occurrences on one day
	Exceptions  []Series   // for a series read by itself: the occurrences that differ, without their contents; ID is that of the occurrence
	Series      *Series    // of an occurrence: its series; nil for single events and series
	Coming      *Coming    // for a series in Events.Shelf; nil elsewhere, and if the series never takes place

	Happening     Happening
	PreviousStart time.Time // for a rescheduled event: the instant of the original start, if known
	Attendance    Attendance
	UID           string     // in calendar files; "" if it is derived from the id
	Origin        int64      // source that the event comes from, or 0
	Elsewhere     *Elsewhere // origin of an event from another site; nil for all others
	Sequence      int        // number of changes of time, place or status (RFC 5545 §3.8.7.4)

	Venues     []Venue
	Organizers []Organizer
	Categories []Term
	Tags       []Term
}

// SEO is the text that search engines and link previews get instead of the title and the description. It is plain
// text; "" means the default.
type SEO struct{ Title, Description string }

// Happening says whether an event takes place as planned.
type Happening struct {
	Status string // scheduled, cancelled, postponed, rescheduled; "" means scheduled
	Reason string // plain text, or ""
}

// Cancelled reports whether the event is cancelled.
func (h Happening) Cancelled() bool { return h.Status == "cancelled" }

// Off reports whether the event does not take place as planned, because it is cancelled or postponed.
func (h Happening) Off() bool { return h.Cancelled() || h.Status == "postponed" }

// Attendance says how people can attend.
type Attendance struct {
	Mode  string // offline, online, mixed; "" means offline
	URL   string // where to attend online, or ""
	Shown string // when the public sees URL: always, started, never; "" means always
}

// Ticket is a ticket offer (rule 5.9).
type Ticket struct {
	Name      string     `json:"name"`
	URL       string     `json:"url,omitempty"`
	Price     *float64   `json:"price,omitempty"`
	Currency  string     `json:"currency,omitempty"` // ISO 4217
	Available *time.Time `json:"available_from,omitempty"`
	Until     *time.Time `json:"available_until,omitempty"`
	Status    string     `json:"status,omitempty"` // available, box_office, sold_out, presale, closed
}

// Levelled reports whether tickets say what the event costs.
func (e *Event) Levelled() bool {
	return slices.ContainsFunc(e.Tickets, func(t Ticket) bool { return t.Price != nil })
}

// Protected reports whether reading the event requires a password.
func (e *Event) Protected() bool { return len(e.Password) > 0 }

// The taxonomies, named as in TEC.
const (
	Categories Taxonomy = "category"
	Tags       Taxonomy = "tag"
)
