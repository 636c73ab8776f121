package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// List implements calendar.EventStore: one statement for version, total and
// page, and one more for each filter that names things that might not exist.
func (s events) List(ctx context.Context, q calendar.EventQuery) (calendar.Page[calendar.Event], error) {
	var page calendar.Page[calendar.Event]
	found := &args.Problems{}
	err := s.db.read(ctx, func(site int64, b *pgx.Batch) {
		query := newEventQuery(site, q)
		query.known(b, site, found)
		filter := query.filter()
		query.total = s.db.totals.get(filter)
		b.Queue(query.statement(), query.args...).Query(func(rows pgx.Rows) error {
			err := readEvents(rows, &page)
			if now := (total{page.Version, page.Total}); err == nil && !query.sparse && now != query.total {
				s.db.totals.set(filter, now)
			}
			return err
		})
	})
	if err == nil {
		err = found.Err()
	}
	if err == nil && q.Page > 1 && len(page.Items) == 0 {
		err = calendar.ErrPage
	}
	return page, err
}

// readEvents reads version, total and events; a list of none is one row
// without an event.
func readEvents(rows pgx.Rows, page *calendar.Page[calendar.Event]) error {
	for rows.Next() {
		f := rowFields(rows)
		page.Version = f.int64()
		page.Total = f.int()
		if f.raw[f.at] == nil {
			continue
		}
		e := readEvent(f)
		if f.err != nil {
			return f.err
		}
		page.Items = append(page.Items, e)
	}
	return rows.Err()
}
