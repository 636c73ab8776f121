// Package tenancy knows whose request this is: the site, the principal and what the
// principal may do. Who may enter is for accounts to say, and which sites there are for
// platform. None of them knows a calendar, SQL or HTTP.
package tenancy

import (
	"time"

	"github.com/kalends/kalends/internal/args"
)

// Site is one calendar of the installation, with its own data, users and
// settings.
type Site struct {
	ID        int64
	UID       string // what calendar files name its events after, wherever the site moves
	Slug      string
	Name      string
	Timezone  string // canonical IANA name or UTC±H[:MM]
	Language  string // BCP 47 tag of the interface language
	Domains   []string
	Sources   map[int64]Origin // that events come from, by id
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

	Exchange *LanguageChange // what became of the texts, if the write that returns the site has changed its language
}

// SetTimezone gives the site a time zone by name. A zone this machine doesn't
// know keeps its name and counts as UTC, so that the site stays readable.
func (s *Site) SetTimezone(name string) {
	s.Timezone, s.Location = name, time.UTC
	if zone, err := args.ParseZone(name); err == nil {
		s.Timezone, s.Location = zone.Name(), zone.Location()
	}
}

// Origin is what readers are told of a source that events come from.
type Origin struct {
	Name string `json:"name"`
	Site string `json:"site,omitempty"` // its address, or ""
}

// State says what a site may do.
type State string

// The states of a site.
const (
	Active   State = "active"
	ReadOnly State = "read_only"
	Closed   State = "closed"
	Deleted  State = "deleted" // only as Standing has it
)

// Deletion is when a site was deleted and when it is removed for good; zero
// times for a site that isn't deleted.
type Deletion struct {
	At     time.Time
	Purge  time.Time
	Before State // to go back to
}

// Deleted reports whether the site is waiting to be removed.
func (s *Site) Deleted() bool { return !s.Deletion.At.IsZero() }

// Standing is the site's state as people are told it: Deleted for one that is
// waiting to be removed, which is closed until then.
func (s *Site) Standing() State {
	if s.Deleted() {
		return Deleted
	}
	return s.State
}

// Over reports whether a deleted site's time is up.
func (d *Deletion) Over(now time.Time) bool { return !d.At.IsZero() && !d.Purge.After(now) }

// withheld returns the rights that the site takes away from a role: what authors would publish waits for an editor on a site that says so.
func (s *Site) withheld(r Role) Permission {
	if s != nil && s.Settings.Review && r == Author {
		return Publish
	}
	return 0
}
