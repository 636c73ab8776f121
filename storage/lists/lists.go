// Package lists reads lists of events: pages, totals and counts, upcoming events, facets, searches, feeds, and
// selections for followers. Data that several lists need is kept in memory.
package lists

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Lists reads lists of events, and remembers totals, days, rows and meanings for later lists.
type Lists struct {
	db       *content.DB
	totals   counted[total]
	days     *dayMemory
	rows     *rowMemory
	statuses counted[byStatus]
	found    counted[*meanings] // of queries
	upcoming bounded.Cache[int64, *coming]
	words    *vocabularies
	stems    counted[string] // by dictionary and word
}

// New returns the lists of a database. rowBytes limits the memory for rows, in bytes.
func New(db *content.DB, rowBytes int) *Lists {
	return &Lists{db: db, days: newDayMemory(), rows: newRowMemory(rowBytes), upcoming: newComing(), words: newVocabularies()}
}

// List implements calendar.EventStore. It runs one statement for version, total and page, and another for each
// filter that names posts. Before that, a round trip looks up the items that words, categories and tags name,
// unless these are remembered. If the rows are probably remembered, it reads only the ids of the page, or the page
// without its links. If rows or links are missing in memory, it reads the page again by the dates it has found.
func (s *Lists) List(ctx context.Context, q calendar.EventQuery) (page calendar.Page[calendar.Event], err error) {
	id, err := pg.Site(ctx)
	if err != nil {
		return page, err
	}
	err = s.meant(ctx, q, func(n *meanings) (links int64, err error) {
		var found *foundPage
		try := func(remembered *linked.Site, byIDs bool) bool {
			r := &reading{query: q, means: n, remembered: remembered, byIDs: byIDs, found: found}
			whole, failed := s.read(ctx, r)
			page, links, found, err = r.page, r.links, r.found, failed
			return whole || failed != nil
		}
		remembered := s.db.Links.Of(id)
		rows := s.rows.of(id, &q)
		done := remembered != nil && (q.Whole.IsZero() && rows.sure() && try(remembered, true) || try(remembered, false))
		for !done { // repeated if the page found is of another version
			done = try(nil, false)
		}
		return links, err
	})
	return page, err
}

// reading is one way to read a list, and its result.
type reading struct {
	query      calendar.EventQuery
	means      *meanings
	remembered *linked.Site // nil: the links of events are read as well
	byIDs      bool         // the rows are remembered
	found      *foundPage   // the page that an earlier reading or this one found; nil: unknown

	page  calendar.Page[calendar.Event]
	links int64 // the version of the links
}

// read reads a list and reports whether it is complete.
func (s *Lists) read(ctx context.Context, r *reading) (whole bool, err error) {
	var links *events.Linked
	var wrong *args.Problems
	var learn func()    // remembers the result once the read has succeeded
	var fresh *siteDays // the days, if they are read together with the list
	var page *foundPage
	read := s.db.Quick
	if searches(r.query) { // searching texts takes time
		read = s.db.Read
	}
	err = read(ctx, func(site int64, b *pgx.Batch) {
		r.page, links, wrong, page = calendar.Page[calendar.Event]{}, events.NewLinked(r.remembered), &args.Problems{}, &foundPage{}
		query := r.queryOf(site)
		query.rows, query.byIDs = s.rows.of(site, &r.query), r.byIDs
		query.known(b, site, r.means, wrong)
		var filter filterKey
		if !query.sparse {
			filter = query.filter()
			query.total = s.totals.get(filter, total{version: tenancy.NoVersion})
		}
		days := s.days.of(site)
		query.totalOf(days)
		query.enter(b)
		b.Queue(query.statement(r.remembered != nil), query.args...).Query(func(rows pgx.Rows) (err error) {
			r.links, err = readEvents(rows, &r.page, links, query, page)
			whole = links.Whole(r.links) && !query.rows.missing
			learn = func() {
				if r.remembered == nil {
					s.db.Links.Add(site, r.links, links.Fresh)
				}
				query.rows.learn(r.page.Version)
				s.learnTotal(site, filter, query, total{r.page.Version, r.page.Total})
				if fresh != nil {
					s.days.set(site, fresh)
				}
			}
			return err
		})
		fresh = nil
		if query.page == nil && days.wanted() && query.daysTell() {
			fresh = queueDays(b, site)
		}
	})
	if err != nil {
		return false, err
	}
	learn()
	if err = wrong.Err(); err != nil {
		return false, err
	}
	stale := r.found != nil && r.found.version != page.version
	if r.found = page; stale || !r.query.Whole.IsZero() {
		r.found = nil
	}
	if whole = whole && !stale; whole && r.query.Page > 1 && len(r.page.Items) == 0 {
		err = calendar.ErrPage
	}
	return whole, err
}

// learnTotal remembers how many entries match the filters of a query.
func (s *Lists) learnTotal(site int64, filter filterKey, query *eventQuery, now total) {
	if query.sparse || now == query.total {
		return
	}
	s.totals.set(filter, now)
	if query.daysTell() {
		s.days.note(site, now.version)
	}
}

// queryOf builds the statement of a reading.
func (r *reading) queryOf(site int64) *eventQuery {
	if r.found != nil {
		return newFoundQuery(site, r.query, r.found)
	}
	return newEventQuery(site, r.query, r.means)
}

// readEvents reads version, total and events, and returns the version of their links. An empty list is a single row
// without an event. No row means that the site is gone; it then returns tenancy.ErrNoSite. It adds the dates to
// found.
func readEvents(rows pgx.Rows, page *calendar.Page[calendar.Event], links *events.Linked, query *eventQuery, found *foundPage,
) (version int64, err error) {
	gone := true
	f := &pg.Fields{}
	links.Language = query.language()
	for rows.Next() {
		gone = false
		f.Row(rows)
		page.Version = f.Int64()
		version = f.Int64()
		page.Total = f.Int()
		found.version, found.total = page.Version, page.Total
		links.Learn(f)
		if f.Peek() == nil {
			continue
		}
		if query.byIDs {
			id := f.Int64()
			if found.add(id, *f); !query.rows.find(f, links, page.Version, id) {
				continue
			}
		}
		start := f.At()
		e := events.Read(f, links)
		query.rows.note(page.Version, e, f, start)
		if !query.byIDs && !query.whole() {
			found.add(e.ID, *f)
		}
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
