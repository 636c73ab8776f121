package storage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// retimedAtOnce is how many events one transaction looks at, or changes.
const retimedAtOnce = 200

// Retimed is what came of deriving instants anew.
type Retimed struct {
	Sites, Events int // that changed
}

// StoredZones returns the version of the time zone data by which the instants of
// a database were derived; "" when nobody knows.
func StoredZones(ctx context.Context, url string) (string, error) {
	const query = `SELECT COALESCE((SELECT zones FROM installation), '')`
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", failure(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	version := ""
	err = conn.QueryRow(ctx, query).Scan(&version)
	return version, failure(err)
}

// Retime derives the instants of all events anew from their wall clock, by the
// time zone data in use, and notes its version. Wall clocks stay; what differs is
// written, some events of a site in one transaction, as a change of the event. So
// it can be broken off, repeated, and run on two nodes at once. Events in zones
// that are not known keep what they have.
func (db *DB) Retime(ctx context.Context) (Retimed, error) {
	const note = `UPDATE installation SET zones = $1`
	var done Retimed
	list, err := db.siteIDs(ctx)
	if err != nil {
		return done, err
	}
	for _, site := range list {
		events, err := db.retimeSite(ctx, site)
		if errors.Is(err, tenancy.ErrNoSite) { // it went meanwhile
			continue
		}
		if err != nil {
			return done, fmt.Errorf("derive the times of site %d: %w", site, err)
		}
		if done.Events += events; events > 0 {
			done.Sites++
		}
	}
	_, err = db.pool.Exec(ctx, note, args.ZoneVersion())
	return done, failure(err)
}

// retimeSite looks at all events of a site, some at a time, and changes those
// whose instants differ.
func (db *DB) retimeSite(ctx context.Context, site int64) (int, error) {
	changed := 0
	for after := int64(0); ; {
		var found []timed
		last := int64(0)
		err := pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(t pgx.Tx) error {
			b := &pgx.Batch{}
			b.Queue(enterSite, strconv.FormatInt(site, 10))
			b.Queue(`SELECT max(id) FROM (`+someEvents+`) batch`, site, after, retimedAtOnce).QueryRow(func(row pgx.Row) error {
				var id *int64
				if err := row.Scan(&id); err != nil || id == nil {
					return err
				}
				last = *id
				return nil
			})
			queueTimes(b, `IN (`+someEvents+`)`, &found, site, after, retimedAtOnce)
			return t.SendBatch(ctx, b).Close()
		})
		if err != nil || last == 0 {
			return changed, failure(err)
		}
		if ids := eventsOf(off(found)); len(ids) > 0 {
			n, err := db.retimeEvents(ctx, site, ids)
			if changed += n; err != nil {
				return changed, err
			}
		}
		after = last
	}
}

const someEvents = `SELECT id FROM events WHERE site_id = $1 AND id > $2 ORDER BY id LIMIT $3`

// retimeEvents changes events of a site under its lock, as far as they still
// differ.
func (db *DB) retimeEvents(ctx context.Context, site int64, ids []int64) (n int, err error) {
	ctx = tenancy.AsProvider(ctx, tenancy.Provider{Scheduled: true}) // also where nothing else is written
	err = db.writeAs(ctx, site, tenancy.Source{Via: tenancy.ViaSchedule}, func(ctx context.Context, t *tx) error {
		var found []timed
		b := &pgx.Batch{}
		queueTimes(b, `= ANY($2)`, &found, t.site, ids)
		if err := t.send(ctx, b); err != nil {
			return err
		}
		wrong := off(found)
		for _, id := range eventsOf(wrong) {
			t.logFrom("event", id, "update", document{}) // no field that the history keeps
		}
		t.queueTimesOf(wrong)
		n = len(eventsOf(wrong))
		return nil
	})
	return n, err
}

// timed is when an event happens once, as stored.
type timed struct {
	event            int64
	zone             string
	of               string // the table
	start, end       time.Time
	startUTC, endUTC time.Time
}

// queueTimes reads when events happen, in both tables that hold it.
func queueTimes(b *pgx.Batch, which string, into *[]timed, arguments ...any) {
	query := `
		SELECT e.id, e.timezone, 'events', e.start_local, e.end_local, e.start_utc, e.end_utc
		FROM events e
		WHERE e.site_id = $1
		  AND e.id ` + which + `
		UNION
		SELECT e.id, e.timezone, 'occurrences', o.start_local, o.end_local, o.start_utc, o.end_utc
		FROM events e
		JOIN occurrences o ON o.site_id = e.site_id AND o.event_id = e.id
		WHERE e.site_id = $1
		  AND e.id ` + which
	b.Queue(query, arguments...).Query(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (t timed, err error) {
			err = row.Scan(&t.event, &t.zone, &t.of, &t.start, &t.end, &t.startUTC, &t.endUTC)
			return t, err
		})
		return err
	})
}

// off returns the times whose instants are not what their wall clock means, with
// the instants that are.
func off(list []timed) []timed {
	var wrong []timed
	for _, t := range list {
		zone, err := args.LocationOf(t.zone)
		if err != nil {
			continue
		}
		start, end := args.Resolve(t.start, zone).UTC(), args.Resolve(t.end, zone).UTC()
		if end.Before(start) { // a new gap has the end of what now begins after it
			end = start
		}
		if !start.Equal(t.startUTC) || !end.Equal(t.endUTC) {
			t.startUTC, t.endUTC = start, end
			wrong = append(wrong, t)
		}
	}
	return wrong
}

// eventsOf returns the events of times, each once.
func eventsOf(list []timed) []int64 {
	ids := map[int64]bool{}
	for _, t := range list {
		ids[t.event] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// queueTimesOf writes instants, and stamps their events with the version.
func (t *tx) queueTimesOf(list []timed) {
	const stamp = `
		UPDATE events
		SET version = $3
		WHERE site_id = $1
		  AND id = ANY($2)`
	const write = `
		SET start_utc = n.start_utc,
		    end_utc = n.end_utc
		FROM unnest($2::bigint[], $3::timestamp[], $4::timestamp[], $5::timestamptz[], $6::timestamptz[])
		     n (event_id, start_local, end_local, start_utc, end_utc)
		WHERE x.site_id = $1
		  AND x.start_local = n.start_local
		  AND x.end_local = n.end_local
		  AND `
	if len(list) == 0 {
		return
	}
	for table, same := range map[string]string{"events": `x.id = n.event_id`, "occurrences": `x.event_id = n.event_id`} {
		var ids []int64
		var starts, ends, startsUTC, endsUTC []time.Time
		for _, r := range list {
			if r.of == table {
				ids = append(ids, r.event)
				starts, ends = append(starts, r.start), append(ends, r.end)
				startsUTC, endsUTC = append(startsUTC, r.startUTC), append(endsUTC, r.endUTC)
			}
		}
		if len(ids) > 0 {
			t.queue(`UPDATE `+table+` x`+write+same, t.site, ids, starts, ends, startsUTC, endsUTC)
		}
	}
	t.queue(stamp, t.site, eventsOf(list), t.version)
}
