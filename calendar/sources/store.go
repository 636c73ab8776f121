package sources

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/tenancy"
)

// Place says which source of which site.
type Place struct{ Site, Source int64 }

// Hold is the lease of a source.
type Hold struct {
	Key string
	For time.Duration // since the last heartbeat
}

// Task is a source to read.
type Task struct {
	Site   *tenancy.Site
	Source *Source
	More   []*Source // others that are read along: sites of the installation from which this one gathers
}

// Outcome is what came of a reading that found nothing to import.
type Outcome struct {
	Problem        *imports.Problem // nil: nothing is new
	ETag, Modified string           // of what is still there
	Seen           int64            // version of the site that was read; 0: it is none
	After          time.Duration    // before which the source asked not to be read again
	Again          time.Duration    // after which it is read again; 0: as it is planned
}

// Moved is an event of a site that has changed, or a date of a series.
type Moved struct {
	ID    int64
	Whole int64  // of the series; without one the same
	UID   string // that it came with, "" for one of that site
}

// Store keeps the sources of sites. Its calls are about the scope's site but for Take, Overdue and those that follow them. Those on a
// single source return ErrNoSource, and those with a hold ErrLost if the lease is lost.
type Store interface {
	List(ctx context.Context) (list []*Source, version int64, err error)
	Get(ctx context.Context, id int64) (*Source, error)
	// Create stores a new source. It returns *tenancy.LimitError if there are most already.
	Create(ctx context.Context, w *Source) error
	// Update changes a source. What change returns is returned, and then nothing is stored.
	Update(ctx context.Context, id int64, change func(*Source) error) (*Source, error)
	// Delete removes a source, or has its events go to the trash first, as the scope's principal.
	Delete(ctx context.Context, id int64, trash bool, cond calendar.Condition) (*Source, error)
	// Hurry has a source read next.
	Hurry(ctx context.Context, id int64) (*Source, error)

	// Take takes up a source that is due, of one site or, with 0, of any, and with a site of the installation others that are due, too.
	// It returns nil if there is none.
	Take(ctx context.Context, hold *Hold, site int64) (*Task, error)
	// Extend is the heartbeat of what is held.
	Extend(ctx context.Context, hold *Hold) error
	// Release lets a held source wait again.
	Release(ctx context.Context, id int64, hold *Hold) error
	// End stores what came of reading a held source.
	End(ctx context.Context, id int64, hold *Hold, o *Outcome) error
	// Giver returns a site that gives events, by its slug or, without one, by its id. It returns tenancy.ErrNoSite.
	Giver(ctx context.Context, slug string, id int64) (*tenancy.Site, error)
	// Ring has the sources read next whose site was written to since it was read last.
	Ring(ctx context.Context) error
	// Since returns what has changed in the scope's site, which gives its events, since a version of it. It is not known when too much, or
	// something that has to do with many events, has.
	Since(ctx context.Context, version int64, most int) (list []Moved, known bool, err error)
	// Given returns the events of a source that another site gave, by UID: all, or those with some UIDs unless that is nil.
	Given(ctx context.Context, id int64, uids []string) (map[string]int64, error)
	// Events returns events of a held source that are not in the trash, so many at most.
	Events(ctx context.Context, id int64, hold *Hold, most int) ([]int64, error)
	// Remove removes a held source.
	Remove(ctx context.Context, id int64, hold *Hold) error
}
