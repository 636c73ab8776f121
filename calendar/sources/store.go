package sources

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/tenancy"
)

// Ref identifies a source of a site.
type Ref struct{ Site, Source int64 }

// Hold is the lease of a source.
type Hold struct {
	Key string
	For time.Duration // since the last heartbeat
}

// Task is a source to read.
type Task struct {
	Site   *tenancy.Site
	Source *Source
	More   []*Source // other sources to read together: sites of the installation from which this site gathers
}

// Outcome is the result of a reading that found nothing to import.
type Outcome struct {
	Problem        *imports.Problem // nil: nothing is new
	ETag, Modified string           // of the content that is still current
	Seen           int64            // version of the site that was read; 0: it is none
	After          time.Duration    // minimum wait that the source asked for
	Again          time.Duration    // wait until the next reading; 0: as planned
}

// Moved is a changed event of a site, or a changed date of a series.
type Moved struct {
	ID    int64
	Whole int64  // for a date: the id of its series; otherwise the same as the id
	UID   string // the UID that the event came with; "" for an event of that site itself
}

// Store keeps the sources of sites. Its calls are for the scope's site, except Take and the calls after it. Calls
// about a single source return ErrNoSource. Calls with a hold return ErrLost if the lease is lost.
type Store interface {
	List(ctx context.Context) (list []*Source, version int64, err error)
	Get(ctx context.Context, id int64) (*Source, error)
	// Create stores a new source. It returns *tenancy.LimitError if the site already has the most sources allowed.
	Create(ctx context.Context, w *Source) error
	// Update changes a source. If change returns an error, Update returns it and stores nothing.
	Update(ctx context.Context, id int64, change func(*Source) error) (*Source, error)
	// Delete removes a source. With trash, its events go to the trash first, with the rights of the scope's principal.
	Delete(ctx context.Context, id int64, trash bool, cond calendar.Condition) (*Source, error)
	// Hurry makes a source the next to be read.
	Hurry(ctx context.Context, id int64) (*Source, error)

	// Take takes a lease on a source that is due, of one site or, with 0, of any. If it reads a site of the installation, Take
	// also returns other such sources of the same site that are due. It returns nil if there is none.
	Take(ctx context.Context, hold *Hold, site int64) (*Task, error)
	// Extend renews the lease.
	Extend(ctx context.Context, hold *Hold) error
	// Release gives up the lease of a source without a result.
	Release(ctx context.Context, id int64, hold *Hold) error
	// End stores the result of reading a held source.
	End(ctx context.Context, id int64, hold *Hold, o *Outcome) error
	// Giver returns the site with a slug or, if that is "", with an ID. It returns tenancy.ErrNoSite if there is none.
	Giver(ctx context.Context, slug string, id int64) (*tenancy.Site, error)
	// Ring makes sources due if the site that they read has been written to since it was last read.
	Ring(ctx context.Context) error
	// Since returns the changes of the scope's site since one of its versions. known is false if there are too many changes,
	// or one that concerns many events.
	Since(ctx context.Context, version int64, most int) (list []Moved, known bool, err error)
	// Given returns the IDs of the events that another site gave to a source, by UID. Unless uids is nil, it
	// returns only those with these UIDs.
	Given(ctx context.Context, id int64, uids []string) (map[string]int64, error)
	// Events returns the events of a held source that are not in the trash, up to a maximum number.
	Events(ctx context.Context, id int64, hold *Hold, most int) ([]int64, error)
	// Remove removes a held source.
	Remove(ctx context.Context, id int64, hold *Hold) error
}
