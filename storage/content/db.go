// Package content holds what the stores of events, venues, organizers, categories, tags and images share: the
// database and its write transactions, slugs and redirects, translations, pictures, search texts, the history, and
// the schedule of posts to publish later.
package content

import (
	"context"

	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// DB is the database of calendars: the engine, and a memory of the records that events link to.
type DB struct {
	*pg.DB

	Links     *linked.Memory
	Twins     bounded.Cache[TwinsOf, FoundTwins]
	OnVersion func(site, version int64, content bool) // see Options
}

// Options are what Open needs beyond the address.
type Options struct {
	pg.Options // without Kinds, Committed and Failure, which Open sets

	LinkBytes int // limit of the memory for linked records, in bytes
	// OnVersion receives each new version of a site, after the commit and before the response to the write. content
	// is true if only content changed, not the site itself. OnVersion must not block.
	OnVersion func(site, version int64, content bool)
}

// kinds describes the kinds of items that writes change.
var kinds = map[string]pg.Kind{
	"event":     {Content: true, Use: tenancy.Usage{Events: 1}},
	"venue":     {Content: true, Linked: true},
	"organizer": {Content: true, Linked: true},
	"category":  {Content: true, Linked: true},
	"tag":       {Content: true, Linked: true},
	"image":     {Content: true, Linked: true},
	"report":    {Content: true},
	"user":      {Linked: true, Use: tenancy.Usage{Users: 1}}, // a deleted user's items lose their author
}

// Open prepares connections to the database behind url; see pg.Open.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	db := &DB{Links: linked.NewMemory(o.LinkBytes), Twins: newTwins(), OnVersion: o.OnVersion}
	o.Kinds, o.Committed, o.Failure = kinds, db.committed, Failure
	var err error
	db.DB, err = pg.Open(ctx, url, o.Options)
	if err != nil {
		return nil, err
	}
	return db, nil
}
