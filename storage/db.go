// Package storage stores the data of sites in Postgres. Every statement names the site of the context's Scope, and
// forced row-level security enforces the same limit in the database: two walls, each sufficient by itself.
package storage

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/storage/accounts"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/images"
	"github.com/kalends/kalends/storage/imports"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/lists"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/terms"
)

// Options are what Open needs beyond the address.
type Options struct {
	MaxConns  int32            // 0: 8
	LinkBytes int              // 0: LinkBytes
	RowBytes  int              // 0: lists.RowBytes; negative: no rows are kept in memory
	Clock     func() time.Time // tells the time of this machine and the time to store; nil: time.Now and the database's clock
	// OnVersion receives each new version of a site, after the commit and before the response to the write. content
	// is true if only content changed, not the site itself. OnVersion must not block. It may be nil.
	OnVersion func(site, version int64, content bool)
	Strict    bool                // Postgres refuses writes in reads: see pg.Options
	Tracer    trace.Tracer        // of round trips; nil: none
	Took      func(time.Duration) // called with the duration of each round trip; nil: no calls
	Logger    *slog.Logger        // for panics outside requests; nil: the default logger
	Connect   pg.Connect          // for tests: see pg.Options
}

// LinkBytes is the usual limit of the memory for records that events of all sites link to, in bytes.
const LinkBytes = linked.Bytes

// DB is the store of every site; it implements calendar.Store.
type DB struct {
	*content.DB

	events events.Store
	lists  *lists.Lists
}

// Open prepares connections to the database behind url; see pg.Open.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	if o.LinkBytes == 0 {
		o.LinkBytes = LinkBytes
	}
	if o.RowBytes == 0 {
		o.RowBytes = lists.RowBytes
	}
	if o.OnVersion == nil {
		o.OnVersion = func(int64, int64, bool) {}
	}
	in, err := content.Open(ctx, url, content.Options{Options: pg.Options{MaxConns: o.MaxConns, Clock: o.Clock, Finish: finish,
		Strict: o.Strict, Connect: o.Connect, Tracer: o.Tracer, Took: o.Took, Logger: o.Logger},
		LinkBytes: o.LinkBytes, OnVersion: o.OnVersion})
	if err != nil {
		return nil, err
	}
	return &DB{DB: in, events: events.NewStore(in), lists: lists.New(in, o.RowBytes)}, nil
}

// eventStore implements calendar.EventStore.
type eventStore struct {
	events.Store
	*lists.Lists
}

// Events implements calendar.Store.
func (db *DB) Events() calendar.EventStore { return eventStore{db.events, db.lists} }

// Changes returns the store of selections for followers.
func (db *DB) Changes() changes.Store { return db.lists.Selections() }

// Venues implements calendar.Store.
func (db *DB) Venues() calendar.PlaceStore[calendar.Venue] {
	return places.Of(db.DB, places.Venues)
}

// Organizers implements calendar.Store.
func (db *DB) Organizers() calendar.PlaceStore[calendar.Organizer] {
	return places.Of(db.DB, places.Organizers)
}

// Terms implements calendar.Store.
func (db *DB) Terms(t calendar.Taxonomy) calendar.TermStore { return terms.Of(db.DB, t) }

// Images implements calendar.Store.
func (db *DB) Images() calendar.ImageStore { return images.Of(db.DB) }

// finish ends a transaction. It refuses changes that the request's key or the user's area does not allow. It
// records what a form or a repeatable request has made, and what happened to a submission or to an import entry.
func finish(ctx context.Context, t *pg.Tx) error {
	if err := opened(ctx, t); err != nil {
		return err
	}
	accounts.NoteForm(ctx, t)
	if err := accounts.NoteRepeatable(ctx, t); err != nil {
		return err
	}
	if err := imports.Note(ctx, t); err != nil {
		return err
	}
	if err := imports.TakeBack(ctx, t); err != nil {
		return err
	}
	if changed := t.Changes(); len(changed) > 0 {
		main := changed[0]
		if main.Kind == "key" { // first key of a new user
			main = changed[len(changed)-1]
		}
		if err := platform.NoteRepeatable(ctx, t, main.Kind, main.ID, t.Now); err != nil {
			return err
		}
	}
	return noteSubmission(ctx, t)
}
