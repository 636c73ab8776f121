// Package sources reads events from URLs at regular intervals. A source is a row that all nodes see. The node that reads it
// holds its lease. New content at the URL becomes an import (package imports), with its report and its undo. If nothing is
// new, one conditional request is all there is.
package sources

import (
	"errors"
	"time"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/internal/args"
)

// The errors of this package.
var (
	ErrNoSource = errors.New("no such source")
	ErrLost     = imports.ErrLost
)

// The kinds of sources.
const (
	Calendar = "ics"
	Table    = "table"
	JSON     = "json"
	Schema   = "schema"
	TEC      = imports.Site // a site with The Events Calendar
	Kalends  = "kalends"    // a site of another installation
	Site     = "site"       // another one of the installation
)

// Kinds lists the kinds.
func Kinds() []string { return []string{Calendar, Table, JSON, Schema, TEC, Kalends, Site} }

// Source is a URL or another site from which a site takes events.
type Source struct {
	ID         int64
	Version    int64 // of the site at its last change
	Name       string
	Kind       string
	Shown      string // the address without its private parts
	Page       string // the address that readers of events are shown, or ""
	Sealed     []byte // Secret, encrypted
	Known      []byte // digest by which its entries are recognized again
	Every      int    // seconds between two readings
	Policy     string
	Gone       string
	Given      args.Values       // further arguments of its imports
	Filter     changes.Narrowing // filter for events from another site; nil: all
	Mapping    map[string]string // names of its categories here, by their folded names
	Giver      int64             // id of the site of this installation that gives the events; 0: none
	Seen       int64             // version of that site when it was last read; 0: never
	Active     bool
	User       int64  // who made it, or deleted it
	Credential int64  // id of the key that created the source; 0: none
	Home       string // scheme and host of the request that created the source

	Read     time.Time // the last reading; zero: there was none, like the following
	Success  time.Time // the last successful reading
	Next     time.Time // zero: none is planned
	Problem  *imports.Problem
	Counts   *imports.Counts
	Failures int       // one after the other
	Failing  time.Time // since when
	Running  int64     // the import that waits or runs; 0: none
	Leaving  bool      // its events go to the trash
	Created  time.Time

	ETag, Modified string // of the last reading
	Digest         []byte
}

// Secret is the URL of a source with the user and password for it.
type Secret struct {
	URL      string `json:"url"`
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
}

// The most sources that a site may have: URLs, and other sites of the installation, which cost no request.
const (
	Most      = 200
	MostSites = 5000
)

// The choices of what happens to the events of a deleted source.
const (
	KeepEvents  = "keep"
	TrashEvents = "trash"
)
