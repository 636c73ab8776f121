package storage

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/eventtest"
)

// TestImportWritesManyAtOnce: what an import writes grows by statements over many
// events, and is what single creations write.
func TestImportWritesManyAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	drafts := func(n int) func(*calendar.Event) {
		return func(e *calendar.Event) {
			if n%3 == 0 {
				e.Status = calendar.Draft
			}
			e.Hidden = n%5 == 0
			e.Title, e.Slug = fmt.Sprint("Event ", n), fmt.Sprintf("%s-%d", e.Slug, n)
		}
	}
	const n = 107
	var list []calendar.EventImport
	for i := range n {
		list = append(list, calendar.EventImport{Event: k.Sample(drafts(i)), Links: links})
	}
	k.Must(k.db.Write(k.Ctx, func(ctx context.Context, t *content.Tx) error {
		_, err := events.ImportWithin(ctx, t, list)
		if t.Queued() > n+10 {
			k.Errorf("%d statements for %d events", t.Queued(), n)
		}
		return err
	}))
	written := func() []string {
		return k.Column(`
			SELECT e.title || ' ' || e.status || ' ' || o.listed || ' ' || o.start_utc || ' ' || o.end_local
			    || ' ' || (SELECT string_agg(v.venue_id || '/' || v.position, ' ' ORDER BY v.position) FROM event_venues v WHERE v.event_id = e.id)
			    || ' ' || (SELECT string_agg(g.organizer_id || '/' || g.position, ' ' ORDER BY g.position) FROM event_organizers g WHERE g.event_id = e.id)
			    || ' ' || (SELECT string_agg(c.term_id::text, ' ' ORDER BY c.term_id) FROM event_terms c WHERE c.event_id = e.id)
			    || ' ' || e.search
			FROM events e
			JOIN occurrences o ON o.event_id = e.id
			WHERE e.slug LIKE 'event-%-%'
			ORDER BY e.id`)
	}
	counts := func() []string {
		return k.Column(`SELECT name || ' ' || count FROM terms WHERE id IN (SELECT term_id FROM event_terms) ORDER BY id`)
	}
	before := k.Column(`SELECT count::text FROM terms WHERE id IN (SELECT term_id FROM event_terms) ORDER BY id`)
	imported, counted := written(), counts()
	k.Equal("events", len(imported), n)
	k.Exec(k.Site, `DELETE FROM events WHERE site_id = $1 AND slug LIKE 'event-%-%'`, k.Site)
	k.Exec(k.Site, `UPDATE terms SET count = count - $2 WHERE site_id = $1 AND id IN (SELECT term_id FROM event_terms)`, k.Site, n-(n+2)/3)
	for i := range list {
		k.Create(list[i].Event, links)
	}
	k.Equal("written", written(), imported)
	k.Equal("counted", counts(), counted)
	k.Equal("counted by both", k.Column(`SELECT count::text FROM terms WHERE id IN (SELECT term_id FROM event_terms) ORDER BY id`), before)
}

// TestImportReadsByKey looks at how many events the last part of an import reads, where Postgres planned the first for
// empty tables.
func TestImportReadsByKey(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	links := k.LinkedOnce()
	const parts, n = 6, 200
	var read int
	for part := range parts {
		var list []calendar.EventImport
		for i := range n {
			list = append(list, calendar.EventImport{Links: links, Event: k.Sample(func(e *calendar.Event) {
				e.Title, e.Slug = fmt.Sprintf("Event %d-%d", part, i), fmt.Sprintf("event-%d-%d", part, i)
				e.Start = e.Start.AddDate(0, 0, part*n+i)
				e.End = e.Start
			})})
		}
		k.Must(k.db.Write(k.Ctx, func(ctx context.Context, t *content.Tx) error {
			_, err := events.ImportWithin(ctx, t, list)
			t.Queue(`SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'events'`).QueryRow(func(row pgx.Row) error {
				return row.Scan(&read)
			})
			return err
		}))
	}
	if most := 200 * n; read == 0 || read > most {
		t.Errorf("%d events read to write the last %d of %d, at most %d wanted", read, n, parts*n, most)
	}
}
