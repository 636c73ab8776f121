package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// List implements calendar.EventStore: one statement for version, total and
// page, and one more for each filter that names things that might not exist.
func (s events) List(ctx context.Context, q calendar.EventQuery) (calendar.Page[calendar.Event], error) {
	id, err := site(ctx)
	if err != nil {
		return calendar.Page[calendar.Event]{}, err
	}
	if remembered := s.db.links.of(id); remembered != nil {
		if page, whole, err := s.list(ctx, q, remembered); whole || err != nil {
			return page, err
		}
	}
	page, _, err := s.list(ctx, q, nil)
	return page, err
}

// list reads a page whose links are remembered, or all of it; whole says that
// nothing linked is missing.
func (s events) list(ctx context.Context, q calendar.EventQuery, remembered *siteLinks,
) (page calendar.Page[calendar.Event], whole bool, err error) {
	var links *nested
	var found *args.Problems
	var learn func() // what was read, once it is known to count
	read := s.db.quick
	if len(q.Search.Words)+len(q.Search.Without) > 0 { // texts take their time
		read = s.db.public
	}
	err = read(ctx, func(site int64, b *pgx.Batch) {
		page, links, found = calendar.Page[calendar.Event]{}, newNested(remembered), &args.Problems{}
		query := newEventQuery(site, q)
		query.known(b, site, found)
		filter := query.filter()
		query.total = s.db.totals.get(filter, total{version: -1})
		b.Queue(query.statement(remembered != nil), query.args...).Query(func(rows pgx.Rows) error {
			version, err := readEvents(rows, &page, links)
			whole = links.whole(version)
			learn = func() {
				if remembered == nil {
					s.db.links.add(site, version, links.fresh)
				}
				if now := (total{page.Version, page.Total}); !query.sparse && now != query.total {
					s.db.totals.set(filter, now)
				}
			}
			return err
		})
	})
	if err == nil {
		learn()
		err = found.Err()
	}
	if err == nil && q.Page > 1 && len(page.Items) == 0 {
		err = calendar.ErrPage
	}
	return page, whole, err
}

// readEvents reads version, total and events, and returns the version of what
// they are linked to; a list of none is one row without an event, and no row is
// that of a site which is gone: tenancy.ErrNoSite.
func readEvents(rows pgx.Rows, page *calendar.Page[calendar.Event], links *nested) (version int64, err error) {
	gone := true
	f := &fields{}
	for rows.Next() {
		gone = false
		f.row(rows)
		page.Version = f.int64()
		version = f.int64()
		page.Total = f.int()
		links.learn(f)
		if f.raw[f.at] == nil {
			continue
		}
		e := readEvent(f, links)
		if f.err != nil {
			return 0, f.err
		}
		page.Items = append(page.Items, e)
	}
	if err = rows.Err(); err == nil && gone {
		err = tenancy.ErrNoSite
	}
	return version, err
}
