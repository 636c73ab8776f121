// Package tenancy knows whose request this is: the site, the principal and the principal's rights. Package accounts decides
// who may enter, and package platform knows which sites exist. None of them knows a calendar, SQL or HTTP.
package tenancy

import (
	"time"

	"github.com/kalends/kalends/internal/args"
)

// Site is one calendar of the installation, with its own data, users and
// settings.
type Site struct {
	ID        int64
	UID       string // part of the ids of its events in calendar files; stays the same if the site moves
	Slug      string
	Name      string
	Timezone  string // canonical IANA name or UTC±H[:MM]
	Language  string // BCP 47 tag of the interface language
	Domains   []string
	Sources   map[int64]Origin // sources of events, by id
	Fields    []Field          // that it adds to its events and venues, in their order
	Settings  Settings
	Plan      Plan
	Overrides Overrides // of the plan's values
	Usage     Usage
	State     State
	Deletion  Deletion
	Version   int64 // raised by one by every writing transaction
	Created   time.Time
	Changed   time.Time      // when Version last rose
	Location  *time.Location // of Timezone

	Exchange *LanguageChange // what happened to the texts, if the write that returned the site has changed its language
}

// SetTimezone sets the site's time zone by name. A zone that this machine doesn't know keeps its name and counts as UTC, so
// that the site stays readable.
func (s *Site) SetTimezone(name string) {
	s.Timezone, s.Location = name, time.UTC
	if zone, err := args.ParseZone(name); err == nil {
		s.Timezone, s.Location = zone.Name(), zone.Location()
	}
}

// Origin is what readers see of a source of events.
type Origin struct {
	Name string `json:"name"`
	Site string `json:"site,omitempty"` // its address, or ""
}

// State says whether a site can be read and written.
type State string

// The states of a site.
const (
	Active   State = "active"
	ReadOnly State = "read_only"
	Closed   State = "closed"
	Deleted  State = "deleted" // only returned by Standing
)

// Deletion is when a site was deleted and when it is removed permanently. The times are zero for a site that isn't deleted.
type Deletion struct {
	At     time.Time
	Purge  time.Time
	Before State // state that Undelete restores
}

// Deleted reports whether the site is waiting to be removed.
func (s *Site) Deleted() bool { return !s.Deletion.At.IsZero() }

// Standing returns the state that people see: Deleted for a site that waits to be removed and is closed until then.
func (s *Site) Standing() State {
	if s.Deleted() {
		return Deleted
	}
	return s.State
}

// Over reports whether it is time to remove a deleted site.
func (d *Deletion) Over(now time.Time) bool { return !d.At.IsZero() && !d.Purge.After(now) }

// withheld returns the rights that the site takes away from a role: with Settings.Review, authors can't publish without an
// editor.
func (s *Site) withheld(r Role) Permission {
	if s != nil && s.Settings.Review && r == Author {
		return Publish
	}
	return 0
}
