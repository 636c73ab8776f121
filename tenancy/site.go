// Package tenancy defines on whose behalf a request runs: the site, the principal and the principal's rights.
// Package accounts decides who may sign in, and package platform knows which sites exist. None of them depends on
// calendars, SQL or HTTP.
package tenancy

import (
	"time"

	"github.com/kalends/kalends/internal/args"
)

// Site is one calendar of the installation, with its own data, users and
// settings.
type Site struct {
	ID        int64
	UID       string // part of the UIDs of its events in calendar files; kept when the site moves
	Slug      string
	Name      string
	Timezone  string // canonical IANA name or UTC±H[:MM]
	Language  string // BCP 47 tag of the interface language
	Domains   []string
	Sources   map[int64]Origin // sources of events, by id
	Fields    []Field          // fields that it adds to its events and venues, in order
	Settings  Settings
	Plan      Plan
	Overrides Overrides // limits that replace the plan's
	Usage     Usage
	State     State
	Deletion  Deletion
	Version   int64 // raised by one by every writing transaction
	Created   time.Time
	Changed   time.Time      // when Version last rose
	Location  *time.Location // of Timezone

	Exchange *LanguageChange // how the texts were affected, if the write that returned the site changed its language
}

// SetTimezone sets the site's time zone by name. If this machine does not know the zone, it keeps the name and uses
// UTC, so that the site stays readable.
func (s *Site) SetTimezone(name string) {
	s.Timezone, s.Location = name, time.UTC
	if zone, err := args.ParseZone(name); err == nil {
		s.Timezone, s.Location = zone.Name(), zone.Location()
	}
}

// Origin is the part of a source of events that readers see.
type Origin struct {
	Name string `json:"name"`
	Site string `json:"site,omitempty"` // URL of its website, or ""
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

// Standing returns the state that people see. It is Deleted for a site that is waiting to be removed, which is
// closed until then.
func (s *Site) Standing() State {
	if s.Deleted() {
		return Deleted
	}
	return s.State
}

// Over reports whether it is time to remove a deleted site.
func (d *Deletion) Over(now time.Time) bool { return !d.At.IsZero() && !d.Purge.After(now) }

// withheld returns the rights of a role that the site withholds: with Settings.Review, authors can't publish
// without an editor.
func (s *Site) withheld(r Role) Permission {
	if s != nil && s.Settings.Review && r == Author {
		return Publish
	}
	return 0
}
