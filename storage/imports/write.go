package imports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/pg"
)

// errRehearsed ends a transaction that must leave nothing behind.
var errRehearsed = errors.New("rehearsed")

// Write implements imports.Store.
func (s store) Write(ctx context.Context, b *imports.Batch) error {
	if len(b.Creations)+len(b.Changes)+len(b.NewCounterparts) == 0 {
		return s.note(ctx, b)
	}
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		if err := holdWithin(ctx, t.Tx, b); err != nil {
			return err
		}
		if b.Rehearse {
			t.Use(b.Before)
		}
		before := t.More()
		if err := perform(ctx, t, b); err != nil {
			return err
		}
		b.Stored = t.More()
		b.Stored.Events -= before.Events
		b.Stored.Occurrences -= before.Occurrences
		if !b.Rehearse {
			return queueNotes(t.Tx, b)
		}
		if err := t.Allow(); err != nil {
			return err
		}
		if err := t.Flush(ctx); err != nil {
			return err
		}
		return errRehearsed
	})
	var said *pgconn.PgError
	switch {
	case errors.Is(err, errRehearsed):
		return s.note(ctx, b)
	case errors.As(err, &said) && pg.OfRow(said.Code):
		return fmt.Errorf("%w: %s", calendar.ErrRefused, said.Message)
	}
	return err
}

// perform creates and changes events.
func perform(ctx context.Context, t *content.Tx, b *imports.Batch) error {
	b.Counterparts = nil
	t.Last.Post, t.Last.Term = max(t.Last.Post, b.Highest.Post), max(t.Last.Term, b.Highest.Term)
	if err := storeLinked(ctx, t, b); err != nil {
		return err
	}
	if len(b.Creations) > 0 {
		list := make([]calendar.EventImport, 0, len(b.Creations))
		for i := range b.Creations {
			list = append(list, b.Creations[i].EventImport)
		}
		ids, err := events.ImportWithin(ctx, t, list)
		if err != nil {
			return err
		}
		for i := range b.Creations {
			c := &b.Creations[i]
			c.Entry.Event, c.Entry.Version = ids[i], t.Version
			c.Identity.Event, c.Identity.Version = ids[i], t.Version
			if c.Part != nil {
				c.Part.Event = ids[i]
			}
			if b.Rehearse {
				c.Entry.Event, c.Entry.Version = 0, 0
			}
		}
	}
	ids, by := make([]int64, 0, len(b.Changes)), make(map[int64]*imports.Change, len(b.Changes))
	for _, c := range b.Changes {
		c.Refused = nil
		ids, by[c.Event] = append(ids, c.Event), c
	}
	return events.ChangeWithin(ctx, t, ids, func(id int64, e *calendar.Event) (calendar.EventLinks, error) {
		c := by[id]
		if e == nil {
			c.Refused = calendar.ErrNotFound
			return calendar.EventLinks{}, c.Refused
		}
		links, err := c.Do(e)
		if c.Refused = err; err == nil {
			c.Entry.Event, c.Entry.Version = id, t.Version
			if c.Identity != nil {
				c.Identity.Event, c.Identity.Version = id, t.Version
			}
		}
		return links, err
	})
}

// note stores the report of a batch that writes nothing else, or of a rehearsal.
func (s store) note(ctx context.Context, b *imports.Batch) error {
	var failed error
	err := s.db.WriteUnversioned(ctx, func(site int64, q *pgx.Batch) {
		q.Queue(heed, site)
		q.Queue(holds, site, b.Import, b.Hold.Key).Exec(pg.OneRow(imports.ErrLost))
		if failed = queueReport(q.Queue, site, b); failed == nil && !b.Rehearse {
			failed = queueCounterparts(q.Queue, site, b.Source, b.Counterparts, 0)
		}
	})
	return errors.Join(failed, err)
}

// holdWithin locks the import until the commit. It returns ErrLost if the import is no longer held.
func holdWithin(ctx context.Context, t *pg.Tx, b *imports.Batch) error {
	tag, err := t.Exec(ctx, holds, t.Site, b.Import, b.Hold.Key)
	if err != nil {
		return err
	}
	return pg.OneRow(imports.ErrLost)(tag)
}

// Note stores the report of a write by an import, within the transaction of the write. The report is in the
// context.
func Note(ctx context.Context, t *pg.Tx) error {
	b := imports.NoteOf(ctx)
	if b == nil {
		return nil
	}
	if err := holdWithin(ctx, t, b); err != nil {
		return err
	}
	for _, e := range b.Notes {
		e.Version = t.Version
		for _, c := range t.Changes() {
			if c.Kind == "event" && (e.Event == 0 || c.Action == "create") {
				e.Event = c.ID
			}
		}
	}
	for _, id := range b.Known {
		id.Version = t.Version
	}
	return queueNotes(t, b)
}

// queueNotes stores the report of a batch, and records which items other than events it created.
func queueNotes(t *pg.Tx, b *imports.Batch) error {
	const made = `
		INSERT INTO import_made (site_id, import_id, kind, id)
		SELECT $1, $2, m.kind, m.id
		FROM unnest($3::text[], $4::bigint[]) m (kind, id)
		ON CONFLICT ON CONSTRAINT import_made_pkey DO NOTHING`
	var kinds []string
	var ids []int64
	for _, c := range t.Changes() {
		if c.Action == "create" && c.Kind != "event" && c.Kind != "image" {
			kinds, ids = append(kinds, c.Kind), append(ids, c.ID)
		}
	}
	if len(ids) > 0 {
		t.Queue(made, t.Site, b.Import, kinds, ids)
	}
	if err := queueCounterparts(t.Queue, t.Site, b.Source, b.Counterparts, t.Version); err != nil {
		return err
	}
	return queueReport(t.Queue, t.Site, b)
}

// queueing queues a statement.
type queueing func(sql string, arguments ...any) *pgx.QueuedQuery

// queueReport stores the entries of the report, their identities, and the progress of the import.
func queueReport(queue queueing, site int64, b *imports.Batch) error {
	entries, known := entriesOf(b)
	if err := queueEntries(queue, site, b.Import, entries); err != nil {
		return err
	}
	if b.Rehearse {
		return nil
	}
	const forget = `
		DELETE FROM import_identities
		WHERE site_id = $1
		  AND event_id IN (SELECT unnest($2::bigint[]))`
	const forgetDate = `
		DELETE FROM import_identities
		WHERE site_id = $1
		  AND date_id = $2`
	const move = `
		UPDATE import_identities i
		SET uid = m.after
		FROM unnest($3::text[], $4::text[]) m (before, after)
		WHERE i.site_id = $1
		  AND i.source = $2
		  AND i.uid = m.before
		  AND NOT EXISTS (
		      SELECT
		      FROM import_identities o
		      WHERE o.site_id = $1
		        AND o.source = $2
		        AND o.uid = m.after
		        AND o.recurrence = i.recurrence)`
	if len(b.Moved) > 0 {
		from, to := make([]string, len(b.Moved)), make([]string, len(b.Moved))
		for i, m := range b.Moved {
			from[i], to[i] = m.From.UID, m.To.UID
		}
		queue(move, site, b.Source, from, to)
	}
	if len(b.Gone) > 0 {
		queue(forget, site, b.Gone)
	}
	if b.GoneDate != 0 {
		queue(forgetDate, site, b.GoneDate)
	}
	queueLeads(queue, site, b.Leads)
	return queueIdentities(queue, site, b.Source, known)
}

// entriesOf returns the entries of a batch with their outcomes, and their identities.
func entriesOf(b *imports.Batch) (entries []*imports.Entry, known []*imports.Identity) {
	for i := range b.Creations {
		entries, known = append(entries, b.Creations[i].Entry), append(known, b.Creations[i].Identity)
		if part := b.Creations[i].Part; part != nil {
			known = append(known, part)
		}
	}
	for _, c := range b.Changes {
		entries = append(entries, c.Outcome())
		if c.Refused == nil && c.Identity != nil {
			known = append(known, c.Identity)
		}
	}
	return append(entries, b.Notes...), append(known, b.Known...)
}

func queueEntries(queue queueing, site, id int64, list []*imports.Entry) error {
	const add = `
		INSERT INTO import_entries (site_id, import_id, number, result, line, uid, recurrence, title, start, event_id, version, fields,
		                            found, was)
		SELECT $1, $2, e.number, e.result, e.line, e.uid, e.recurrence, e.title, e.start, e.event, e.version,
		       string_to_array(e.fields, ','), e.found::jsonb, e.was::jsonb
		FROM unnest($3::integer[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bigint[], $11::bigint[],
		            $12::text[], $13::text[], $14::text[])
		     e (number, result, line, uid, recurrence, title, start, event, version, fields, found, was)`
	const tell = `
		UPDATE imports
		SET noted = noted + $3,
		    created = created + $4,
		    changed = changed + $5,
		    same = same + $6,
		    cancelled = cancelled + $7,
		    refused = refused + $8,
		    warned = warned + $9
		WHERE site_id = $1
		  AND id = $2`
	n := len(list)
	if n == 0 {
		return nil
	}
	numbers, lines := make([]int, n), make([]int, n)
	results, uids, recurrences, titles, starts, fields := texts(n), texts(n), texts(n), texts(n), texts(n), texts(n)
	ids, versions := make([]int64, n), make([]int64, n)
	says, wases := make([]*string, n), make([]*string, n)
	var counts imports.Counts
	for i, e := range list {
		counts.Add(e)
		numbers[i], lines[i], results[i] = e.Number, e.Line, string(e.Result)
		uids[i], recurrences[i] = shortened(e.UID), shortened(e.Recurrence)
		titles[i], starts[i] = shortened(e.Title), shortened(e.Start)
		ids[i], versions[i], fields[i] = e.Event, e.Version, strings.Join(e.Fields, ",")
		var err error
		if len(e.Problems)+len(e.Warnings) > 0 {
			says[i], err = pg.EncodeJSON(found{e.Problems, e.Warnings})
		}
		if e.Was != nil && err == nil {
			wases[i], err = pg.EncodeJSON(e.Was)
		}
		if err != nil {
			return err
		}
	}
	queue(add, site, id, numbers, results, lines, uids, recurrences, titles, starts, ids, versions, fields, says, wases)
	queue(tell, site, id, counts.Read, counts.Created, counts.Changed, counts.Same, counts.Cancelled, counts.Refused, counts.Warned)
	return nil
}

// withoutNul returns JSON without NUL characters, which Postgres does not store.
func withoutNul(text []byte) string { return strings.ReplaceAll(string(text), `\u0000`, "") }

func texts(n int) []string { return make([]string, n) }

// mostShown is how many characters of a text from the file are kept in a report.
const mostShown = 1000

// shortened shortens a text from the file for a report.
func shortened(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\ufffd")
	if letters := []rune(text); len(letters) > mostShown {
		return string(letters[:mostShown])
	}
	return text
}

func queueIdentities(queue queueing, site int64, source []byte, list []*imports.Identity) error {
	const know = `
		INSERT INTO import_identities (site_id, source, uid, recurrence, event_id, date_id, place, digest, sequence, modified, version,
		                               kept, said)
		SELECT $1, $2, i.uid, i.recurrence, i.event, i.date, i.place, i.digest, i.sequence, i.modified, i.version,
		       string_to_array(i.kept, ','), i.said::jsonb
		FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bytea[], $8::bytea[], $9::bigint[], $10::timestamptz[],
		            $11::bigint[], $12::text[], $13::text[])
		     i (uid, recurrence, event, date, place, digest, sequence, modified, version, kept, said)
		ON CONFLICT ON CONSTRAINT import_identities_pkey DO UPDATE
		SET event_id = excluded.event_id,
		    date_id = excluded.date_id,
		    place = excluded.place,
		    digest = excluded.digest,
		    sequence = excluded.sequence,
		    modified = excluded.modified,
		    version = excluded.version,
		    kept = excluded.kept,
		    said = excluded.said`
	n := len(list)
	if n == 0 {
		return nil
	}
	uids, recurrences, kept, said := texts(n), texts(n), texts(n), texts(n)
	events, dates, sequences, versions := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	places, digests, modified := make([][]byte, n), make([][]byte, n), make([]*time.Time, n)
	for i, id := range list {
		text, err := json.Marshal(id.Said)
		if err != nil {
			return err
		}
		uids[i], recurrences[i], events[i], dates[i], places[i], digests[i] = id.UID, id.Recurrence, id.Event, id.Date, id.Place, id.Digest
		sequences[i], versions[i], kept[i], said[i] = id.Sequence, id.Version, strings.Join(id.Kept, ","), withoutNul(text)
		if !id.Modified.IsZero() {
			modified[i] = &list[i].Modified
		}
	}
	queue(know, site, source, uids, recurrences, events, dates, places, digests, sequences, modified, versions, kept, said)
	return nil
}
