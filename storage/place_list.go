package storage

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// scan reads one row into an item, behind the values the row starts with.
type scan[T any] func(row pgx.CollectableRow, first ...any) (*T, error)

func (s scan[T]) all(rows pgx.Rows, first ...any) ([]*T, error) {
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (*T, error) { return s(row, first...) })
}

func (s scan[T]) one(rows pgx.Rows, into **T) (err error) {
	*into, err = pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (*T, error) { return s(row) })
	return err
}

// listPlaces runs the list of venues or organizers, whose rows start with the
// total.
func listPlaces[T any](ctx context.Context, db *DB, list string, q calendar.PlaceQuery, s scan[T]) (calendar.Page[T], error) {
	var p calendar.Page[T]
	err := db.public(ctx, func(site int64, b *pgx.Batch) {
		p = calendar.Page[T]{}
		queueVersion(b, site, &p.Version)
		queueVisible(b, site, q.Event, q.Viewer)
		b.Queue(list, placeArgs(site, q)).Query(func(rows pgx.Rows) (err error) {
			p.Items, err = s.all(rows, &p.Total)
			return err
		})
	})
	if err == nil && q.Page > 1 && len(p.Items) == 0 {
		err = calendar.ErrPage
	}
	return p, err
}

// placeArgs names what the lists of venues and organizers ask for.
func placeArgs(site int64, q calendar.PlaceQuery) pgx.NamedArgs {
	var after *time.Time
	if !q.UpcomingAfter.IsZero() {
		after = &q.UpcomingAfter
	}
	statuses := make([]string, 0, len(q.Statuses))
	for _, s := range q.Statuses {
		statuses = append(statuses, string(s))
	}
	return pgx.NamedArgs{
		"site":     site,
		"words":    within(q.Search.Words),
		"without":  within(q.Search.Without),
		"event":    q.Event,
		"has":      q.HasEvents,
		"after":    after,
		"statuses": statuses,
		"all":      q.Viewer.All,
		"user":     q.Viewer.User,
		"limit":    q.PerPage,
		"offset":   offset(q.Page, q.PerPage),
	}
}

func offset(page, perPage int) int64 { return int64(max(page, 1)-1) * int64(perPage) }

// within returns LIKE patterns for texts that contain the words.
func within(words []string) []string {
	patterns := make([]string, 0, len(words))
	for _, w := range words {
		patterns = append(patterns, containing(strings.Join(strings.Fields(w), " ")))
	}
	return patterns
}

// queueVersion reads the version of the site.
func queueVersion(b *pgx.Batch, site int64, version *int64) {
	const read = `
		SELECT version
		FROM sites
		WHERE id = $1`
	b.Queue(read, site).QueryRow(func(row pgx.Row) error { return row.Scan(version) })
}

// queueVisible refuses a list of what belongs to an event that isn't there for
// the viewer. Event 0 is not asked for.
func queueVisible(b *pgx.Batch, site, event int64, viewer calendar.Viewer) {
	const visible = `
		SELECT e.id
		FROM events e
		WHERE e.site_id = $1
		  AND e.id = $2
		  AND (e.status = 'publish' OR $3 OR e.author = $4)`
	if event == 0 {
		return
	}
	b.Queue(visible, site, event, viewer.All, viewer.User).QueryRow(func(row pgx.Row) error {
		err := row.Scan(nil)
		if errors.Is(err, pgx.ErrNoRows) {
			return args.Invalid("event", "problem.event.unknown", nil)
		}
		return err
	})
}
