// Package events stores events, series and their dates: one at a time, or many from an
// import. Package storage reads lists of them.
package events

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

// Store implements the part of calendar.EventStore that is not about lists.
type Store struct {
	db        *content.DB
	memory    *eventMemory
	Creations *pg.Turns[*creation] // the new events of a site that share transactions
}

// NewStore returns the store of events of a database.
func NewStore(db *content.DB) Store {
	return Store{db, newEventMemory(), pg.NewTurns(1, pg.AtMost[*creation](pg.MostTogether), db.Logger())}
}

// Get implements calendar.EventStore.
func (s Store) Get(ctx context.Context, key calendar.Key) (*calendar.Event, error) {
	key = content.InLanguages(ctx, key)
	e, err := content.GetOrFormer(ctx, s.db, "event", key, func(key calendar.Key) (*calendar.Event, error) { return s.present(ctx, key) })
	if errors.Is(err, calendar.ErrNotFound) && key.Former && key.On != (calendar.Span{}) {
		return s.formerly(ctx, key)
	}
	return e, err
}

// present is Get for an event's present slug or id; it does not search former slugs.
func (s Store) present(ctx context.Context, key calendar.Key) (*calendar.Event, error) {
	id, err := pg.Site(ctx)
	if err != nil {
		return nil, err
	}
	if remembered := s.db.Links.Of(id); remembered != nil {
		if e, whole, err := s.get(ctx, key, remembered); whole || err != nil {
			return e, err
		}
	}
	e, _, err := s.get(ctx, key, nil)
	return e, err
}

// get reads an event with remembered links, or with all records. whole is true if no link is missing. Most ids
// belong to events, so it searches the occurrences only if no event has the id.
func (s Store) get(ctx context.Context, key calendar.Key, remembered *linked.Site) (e *calendar.Event, whole bool, err error) {
	if key.ID != 0 && key.On == (calendar.Span{}) {
		if e, whole, err = s.getBy(ctx, queueOwn, key, remembered); e != nil || err != nil {
			return e, whole, err
		}
	}
	e, whole, err = s.getBy(ctx, queueEvent, key, remembered)
	if e == nil && err == nil {
		err = s.absent(ctx, key.ID)
	}
	return e, whole, err
}

// queueing is queueOwn or queueEvent.
type queueing func(b *pgx.Batch, site int64, key calendar.Key, links *Linked, found func(*calendar.Event, int64))

// getBy is get with one statement. e is nil if there is no event.
func (s Store) getBy(ctx context.Context, queue queueing, key calendar.Key, remembered *linked.Site,
) (e *calendar.Event, whole bool, err error) {
	var links *Linked
	learn := func() {} // remembers the records once the read has succeeded
	err = s.db.Quick(ctx, func(site int64, b *pgx.Batch) {
		e, links = nil, NewLinked(remembered)
		queue(b, site, key, links, func(found *calendar.Event, version int64) {
			e = found
			whole = links.Whole(version)
			learn = func() {
				if remembered == nil {
					s.db.Links.Add(site, version, links.Fresh)
				}
			}
		})
	})
	if err != nil {
		return nil, false, err
	}
	learn()
	return e, whole, nil
}

const linksVersion = `(SELECT s.links_version FROM sites s WHERE s.id = $1)`

// Whole selects an event e of the site $1: the version of the links, LinkedColumns, Columns,
// Recurs and Happens.
var Whole = func() string {
	venues, organizers, terms := LinkedColumns("e.venue_ids", "e.organizer_ids", "e.term_ids")
	return `SELECT ` + linksVersion + `,` + venues + `,` + organizers + `,` + terms + `,` + Columns(allTexts) + Recurs + Happens
}()

// Everything selects all events of the site $1 as Whole does; EachWhole reads them.
var Everything = Whole + `
	FROM events e` + withNoDay + `
	WHERE e.site_id = $1`

var eventByIDs = `SELECT ` + linksVersion + `,` + Columns(allTexts) + Recurs + Happens

const (
	ownID = `
	FROM events e` + withNoDay + `
	WHERE e.site_id = $1
	  AND e.id = $2`
	// The id is that of an event, or of an occurrence that does not differ from its series.
	withID = `
	FROM (
		SELECT o.event_id,
		       o.n,
		       o.start_local,
		       o.end_local,
		       o.original_start
		FROM occurrences o
		WHERE o.site_id = $1
		  AND o.n = $2::bigint
		  AND o.n <> 0
		UNION ALL
		SELECT $2::bigint, 0, NULL, NULL, NULL
	) p
	JOIN events e ON e.site_id = $1 AND e.id = p.event_id`
	withSlug = `
	FROM events e` + withNoDay + `
	WHERE e.site_id = $1
	  AND e.slug = $2
	  AND e.slug <> ''`
	// A local start is less than a day after its original start. They differ if the clock skips the original start.
	withDay = `
	CROSS JOIN LATERAL (
		SELECT *
		FROM (
			SELECT o.event_id,
			       o.n,
			       o.start_local,
			       o.end_local,
			       COALESCE(o.original_start, o.start_local) AS original_start
			FROM occurrences o
			WHERE o.site_id = $1
			  AND o.event_id = s.id
			  AND o.n <> 0
			  AND o.start_local >= $3
			  AND o.start_local < $4::timestamp + interval '1 day'
			UNION ALL
			SELECT x.id, 0, NULL, NULL, x.original_start
			FROM events x
			WHERE x.site_id = $1
			  AND x.series_id = s.id
		) happens
		WHERE happens.original_start >= $3
		  AND happens.original_start < $4
		ORDER BY happens.original_start
		LIMIT 1
	) p
	JOIN events e ON e.site_id = $1 AND e.id = p.event_id`
	withNoDay = `
	CROSS JOIN (SELECT 0 AS n, NULL::timestamp AS start_local, NULL::timestamp AS end_local, NULL::timestamp AS original_start) p`
	ofIDOn = `
	FROM (SELECT s.id FROM events s WHERE s.site_id = $1 AND s.id = $2) s` + withDay
	ofSlugOn = `
	FROM (SELECT s.id FROM events s WHERE s.site_id = $1 AND s.slug = $2 AND s.slug <> '') s` + withDay
	ofSeries = `
	FROM events e` + withNoDay + `
	WHERE e.site_id = $1
	  AND e.series_id = $2
	ORDER BY e.id`
)

var (
	withSlugIn = `
	FROM (SELECT ` + content.SlugIn("event", "events", "$1", "$2", "$3::text") + ` AS id) found
	JOIN events e ON e.site_id = $1 AND e.id = found.id` + withNoDay
	ofSlugInOn = `
	FROM (SELECT ` + content.SlugIn("event", "events", "$1", "$2", "$5::text") + ` AS id) s` + withDay
)

// queueOwn is queueEvent for ids of events only.
func queueOwn(b *pgx.Batch, site int64, key calendar.Key, links *Linked, found func(*calendar.Event, int64)) {
	b.Queue(links.statement()+ownID, site, key.ID).Query(EachWhole(links, found))
}

// queueEvent reads the event of key and passes it to found, with the version of the site's links. It does not call found if
// there is no such event.
func queueEvent(b *pgx.Batch, site int64, key calendar.Key, links *Linked, found func(*calendar.Event, int64)) {
	statement, read := links.statement(), EachWhole(links, found)
	switch on := key.On; {
	case key.In != "" && key.ID == 0 && on != (calendar.Span{}):
		b.Queue(statement+ofSlugInOn, site, key.Slug, on.From, on.To, key.In).Query(read)
	case key.In != "" && key.ID == 0:
		b.Queue(statement+withSlugIn, site, key.Slug, key.In).Query(read)
	case on != (calendar.Span{}) && key.ID == 0:
		b.Queue(statement+ofSlugOn, site, key.Slug, on.From, on.To).Query(read)
	case on != (calendar.Span{}):
		b.Queue(statement+ofIDOn, site, key.ID, on.From, on.To).Query(read)
	case key.ID == 0:
		b.Queue(statement+withSlug, site, key.Slug).Query(read)
	default:
		b.Queue(statement+withID, site, key.ID).Query(read)
	}
}

// statement selects the columns that Linked reads of an event.
func (n *Linked) statement() string {
	if n.remembered != nil {
		return eventByIDs
	}
	return Whole
}

// EachWhole reads the rows of Whole, or of eventByIDs if links are remembered. It passes each event to found, with the version
// of the site's links.
func EachWhole(links *Linked, found func(*calendar.Event, int64)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			f := pg.RowFields(rows)
			version := f.Int64()
			links.Learn(f)
			e := Read(f, links)
			ReadSeries(f, e)
			ReadOccurrence(f, e)
			if f.Err() != nil {
				return f.Err()
			}
			found(e, version)
		}
		return rows.Err()
	}
}

const otherPost = `
	SELECT EXISTS (SELECT FROM venues v WHERE v.site_id = $1 AND v.id = $2)
	    OR EXISTS (SELECT FROM organizers g WHERE g.site_id = $1 AND g.id = $2)
	    OR EXISTS (SELECT FROM images i WHERE i.site_id = $1 AND i.id = $2)`

// queueOther reads whether an id belongs to an item other than an event.
func queueOther(b *pgx.Batch, site, id int64, other *bool) {
	b.Queue(otherPost, site, id).QueryRow(pg.One(other))
}

// absent returns ErrWrongType for an id of another kind of item, *calendar.RemovedError for the id of a removed
// occurrence, and ErrNotFound otherwise.
func (s Store) absent(ctx context.Context, id int64) error {
	var other bool
	var removed *calendar.RemovedError
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		queueOther(b, site, id, &other)
		queueRemoved(b, site, id, &removed)
	})
	return missing(other, removed, err)
}

// absent is Store.absent within a transaction.
func absent(ctx context.Context, t *content.Tx, id int64) error {
	var other bool
	var removed *calendar.RemovedError
	b := &pgx.Batch{}
	queueOther(b, t.Site, id, &other)
	queueRemoved(b, t.Site, id, &removed)
	return missing(other, removed, t.Send(ctx, b))
}

func missing(other bool, removed *calendar.RemovedError, err error) error {
	switch {
	case err != nil:
		return err
	case other:
		return calendar.ErrWrongType
	case removed != nil:
		return removed
	}
	return calendar.ErrNotFound
}
