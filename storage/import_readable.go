package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/archives"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
)

// readable reads everything that an import has stored, the way requests will read it. An archive may come from
// anywhere, and one unreadable row would break every list of its site.
func readable(ctx context.Context, tx archives.Queries, site int64) error {
	const images = `
		SELECT ` + content.ImageRecord + `
		FROM images i
		WHERE i.site_id = $1`
	ofTerms := `
		SELECT ` + terms.Record + `
		FROM terms c
		WHERE c.site_id = $1`
	const ofPlaces = `
		SELECT {record}
		FROM {place}s p
		LEFT JOIN images i ON i.site_id = $1 AND i.id = p.image_id
		WHERE p.site_id = $1`
	var odd error
	all := map[string]func(pgx.Rows) error{
		events.Everything: events.EachWhole(events.NewLinked(nil), func(e *calendar.Event, _ int64) {
			if err := sound(e); err != nil && odd == nil {
				odd = fmt.Errorf("event %d: %w", e.ID, err)
			}
		}),
		places.Venues.SQL(ofPlaces):     eachRow(func(f *pg.Fields) { places.Venues.Read(f) }),
		places.Organizers.SQL(ofPlaces): eachRow(func(f *pg.Fields) { places.Organizers.Read(f) }),
		images:                          eachRow(func(f *pg.Fields) { content.ReadImage(f) }),
		ofTerms:                         eachRow(func(f *pg.Fields) { f.Record(func(f *pg.Fields) { terms.Read(f) }) }),
	}
	for sql, read := range all {
		rows, err := tx.Query(ctx, sql, site)
		if err != nil {
			return err
		}
		err = read(rows)
		rows.Close()
		if err = cmp.Or(err, odd); err != nil {
			return err
		}
	}
	return nil
}

// eachRow reads rows one by one.
func eachRow(read func(*pg.Fields)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			f := pg.RowFields(rows)
			if read(f); f.Err() != nil {
				return f.Err()
			}
		}
		return rows.Err()
	}
}

// sound returns an error if an event can be read but not shown.
func sound(e *calendar.Event) error {
	if _, err := args.ParseZone(e.Timezone); err != nil {
		return fmt.Errorf("time zone: %w", err)
	}
	if e.End.Before(e.Start) {
		return errors.New("it ends before it starts")
	}
	if e.Recurrence != nil {
		return recurrence.Check(e.Recurrence, e.Clock())
	}
	return nil
}
