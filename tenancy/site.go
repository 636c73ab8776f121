// Package tenancy knows whose request this is: the site, the principal and what
// the principal may do. It resolves hosts to sites and credentials to
// principals, and holds the provider's services over sites, users and
// credentials. It knows no calendar, no SQL and no HTTP.
package tenancy

import (
	"time"

	"github.com/kalends/kalends/args"
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
}

// SetTimezone gives the site a time zone by name. A zone this machine doesn't
// know keeps its name and counts as UTC, so that the site stays readable.
func (s *Site) SetTimezone(name string) {
	s.Timezone, s.Location = name, time.UTC
	if zone, err := args.ParseZone(name); err == nil {
		s.Timezone, s.Location = zone.Name(), zone.Location()
	}
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
