package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/bounded"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// lists reads events by what is asked for, and remembers what lists have in common.
type lists struct {
	db       *content.DB
	totals   counted[total]
	days     *dayMemory
	rows     *rowMemory
	statuses counted[byStatus]
	found    counted[*meanings] // of queries
	upcoming bounded.Cache[int64, *coming]
}

// newLists returns the lists of a database, which remember so many bytes of rows.
func newLists(db *content.DB, rowBytes int) *lists {
	return &lists{db: db, days: newDayMemory(), rows: newRowMemory(rowBytes), upcoming: newComing()}
}

// List implements calendar.EventStore: one statement for version, total and page, one
// more for each filter that names posts that might not exist, and a round trip before
// all for what words, categories and tags name, unless that is remembered. Where rows
// are probably remembered the page is read by its ids alone, or without what its events
// are linked to, and read again if they weren't.
func (s *lists) List(ctx context.Context, q calendar.EventQuery) (page calendar.Page[calendar.Event], err error) {
	id, err := pg.Site(ctx)
	if err != nil {
		return page, err
	}
	err = s.meant(ctx, q, func(n *meanings) (links int64, err error) {
		var whole bool
		remembered := s.db.Links.Of(id)
		if rows := s.rows.of(id, &q); remembered != nil && q.Whole.IsZero() && rows.sure() {
			page, links, whole, err = s.list(ctx, q, n, remembered, true)
		}
		if !whole && err == nil && remembered != nil {
			page, links, whole, err = s.list(ctx, q, n, remembered, false)
		}
		if !whole && err == nil {
			page, links, _, err = s.list(ctx, q, n, nil, false)
		}
		return links, err
	})
	return page, err
}

// list reads a page whose links are remembered, or all of it, and the version of the
// links; by ids, also the rows are remembered. whole says that nothing is missing.
func (s *lists) list(ctx context.Context, q calendar.EventQuery, n *meanings, remembered *linked.Site, byIDs bool,
) (page calendar.Page[calendar.Event], version int64, whole bool, err error) {
	var links *events.Linked
	var found *args.Problems
	var learn func()    // what was read, once it is known to count
	var fresh *siteDays // read with the list, if it was
	read := s.db.Quick
	if searches(q) { // texts take their time
		read = s.db.Public
	}
	err = read(ctx, func(site int64, b *pgx.Batch) {
		page, links, found = calendar.Page[calendar.Event]{}, events.NewLinked(remembered), &args.Problems{}
		query := newEventQuery(site, q, n)
		query.rows, query.byIDs = s.rows.of(site, &q), byIDs
		query.known(b, site, n, found)
		var filter filterKey
		if !query.sparse {
			filter = query.filter()
			query.total = s.totals.get(filter, total{version: -1})
		}
		days := s.days.of(site)
		query.totalOf(days)
		query.enter(b)
		b.Queue(query.statement(remembered != nil), query.args...).Query(func(rows pgx.Rows) (err error) {
			version, err = readEvents(rows, &page, links, query)
			whole = links.Whole(version) && !query.rows.missing
			learn = func() {
				if remembered == nil {
					s.db.Links.Add(site, version, links.Fresh)
				}
				query.rows.learn(page.Version)
				if now := (total{page.Version, page.Total}); !query.sparse && now != query.total {
					s.totals.set(filter, now)
					if query.daysTell() {
						s.days.note(site, now.version)
					}
				}
				if fresh != nil {
					s.days.set(site, fresh)
				}
			}
			return err
		})
		fresh = nil
		if days.wanted() && query.daysTell() {
			fresh = queueDays(b, site)
		}
	})
	if err == nil {
		learn()
		err = found.Err()
	}
	if err == nil && whole && q.Page > 1 && len(page.Items) == 0 {
		err = calendar.ErrPage
	}
	return page, version, whole, err
}

// readEvents reads version, total and events, and returns the version of what
// they are linked to; a list of none is one row without an event, and no row is
// that of a site which is gone: tenancy.ErrNoSite.
func readEvents(rows pgx.Rows, page *calendar.Page[calendar.Event], links *events.Linked, query *eventQuery) (version int64, err error) {
	gone := true
	f := &pg.Fields{}
	links.Language = query.language()
	for rows.Next() {
		gone = false
		f.Row(rows)
		page.Version = f.Int64()
		version = f.Int64()
		page.Total = f.Int()
		links.Learn(f)
		if f.Peek() == nil || query.byIDs && !query.rows.find(f, links, page.Version) {
			continue
		}
		start := f.At()
		e := events.Read(f, links)
		query.rows.note(page.Version, e, f, start)
		if query.whole() {
			readWhole(f, e)
		} else {
			events.ReadOccurrence(f, e)
		}
		if f.Err() != nil {
			return 0, f.Err()
		}
		page.Items = append(page.Items, e)
	}
	if err = rows.Err(); err == nil && gone {
		err = tenancy.ErrNoSite
	}
	return version, err
}
