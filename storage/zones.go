package storage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
)

// retimedAtOnce is how many events one transaction reads or changes.
const retimedAtOnce = 200

// Retimed is the result of Retime.
type Retimed struct {
	Sites, Events int // that changed
}

// StoredZones returns the version of the time zone data from which the instants of a database were derived, or "" if it is
// unknown.
func StoredZones(ctx context.Context, url string) (string, error) {
	const query = `SELECT COALESCE((SELECT zones FROM installation), '')`
	version := ""
	err := pg.Ask(ctx, url, "before the database is opened", query, &version)
	return version, content.Failure(err)
}

// Retime derives the instants of all events again from their local times and the time zone data in use, and records
// the version of that data. Local times stay unchanged. Instants that differ are written as changes of their
// events, some events of a site in each transaction, so Retime can be interrupted, repeated, and run on two nodes
// at the same time. Events in unknown zones stay unchanged. A trial only counts.
func (db *DB) Retime(ctx context.Context, trial bool) (Retimed, error) {
	return db.retime(ctx, hurried, trial)
}

// retime is Retime at a given pace.
func (db *DB) retime(ctx context.Context, step pace, trial bool) (Retimed, error) {
	const note = `UPDATE installation SET zones = $1`
	var done Retimed
	if _, err := platform.Secret(ctx, db.Engine(), wording.Folding); err != nil { // creates the row that stores the version
		return done, err
	}
	list, err := db.siteIDs(ctx)
	if err != nil {
		return done, err
	}
	for _, site := range list {
		events, err := db.retimeSite(ctx, site, step, trial)
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
	if trial {
		return done, nil
	}
	_, err = db.Across("by which time zone data instants were derived is known of the installation").Exec(ctx, note, args.ZoneVersion())
	return done, db.Failure(err)
}

// release matches versions of time zone data, which sort by age.
var release = regexp.MustCompile(`^[0-9]{4}[a-z]+$`)

// RetimeLater is Retime in the background if the stored instants were derived from older time zone data than this
// program has. ok reports whether they were. Nodes of an older release therefore do not undo the result.
func (db *DB) RetimeLater(ctx context.Context) (done Retimed, ok bool, err error) {
	const query = `SELECT zones FROM installation`
	stored, now := "", args.ZoneVersion()
	err = db.Across("by which time zone data instants were derived is known of the installation").QueryRow(ctx, query).Scan(&stored)
	if errors.Is(err, pgx.ErrNoRows) {
		return done, false, nil
	}
	if err != nil {
		return done, false, db.Failure(err)
	}
	if !release.MatchString(now) || stored >= now || stored != "" && !release.MatchString(stored) {
		return done, false, nil
	}
	done, err = db.retime(ctx, background, false)
	return done, true, err
}

// retimeSite checks all events of a site, some at a time, and changes those whose instants differ. A trial only counts them.
func (db *DB) retimeSite(ctx context.Context, site int64, step pace, trial bool) (int, error) {
	changed := 0
	for after := int64(0); ; {
		var found []timed
		last, rest := int64(0), step(ctx)
		err := db.In(ctx, "instants are derived anew site by site, without a scope", site, func(site int64, b *pgx.Batch) {
			found, last = nil, 0
			b.Queue(`SELECT max(id) FROM (`+someEvents+`) batch`, site, after, retimedAtOnce).QueryRow(func(row pgx.Row) error {
				var id *int64
				if err := row.Scan(&id); err != nil || id == nil {
					return err
				}
				last = *id
				return nil
			})
			queueTimes(b, `IN (`+someEvents+`)`, &found, site, after, retimedAtOnce)
		})
		if err != nil || last == 0 {
			return changed, err
		}
		if ids := eventsOf(off(found)); trial {
			changed += len(ids)
		} else if len(ids) > 0 {
			n, err := db.retimeEvents(ctx, site, ids)
			if changed += n; err != nil {
				return changed, err
			}
		}
		if err := rest(); err != nil {
			return changed, err
		}
		after = last
	}
}

const someEvents = `SELECT id FROM events WHERE site_id = $1 AND id > $2 ORDER BY id LIMIT $3`

// retimeEvents changes events of a site under its lock, if they still differ.
func (db *DB) retimeEvents(ctx context.Context, site int64, ids []int64) (n int, err error) {
	ctx = tenancy.AsProvider(ctx, tenancy.Provider{Scheduled: true}) // so that it works in a read-only site, too
	err = db.WriteTo(ctx, site, tenancy.Source{Via: tenancy.ViaSchedule}, func(ctx context.Context, t *content.Tx) error {
		var found []timed
		b := &pgx.Batch{}
		queueTimes(b, `= ANY($2)`, &found, t.Site, ids)
		if err := t.Send(ctx, b); err != nil {
			return err
		}
		wrong := off(found)
		for _, id := range eventsOf(wrong) {
			t.Log("event", id, "update", pg.Document{}) // the history has no field for instants
		}
		queueTimesOf(t, wrong)
		n = len(eventsOf(wrong))
		return nil
	})
	return n, err
}

// timed is when an event or an occurrence happens, as stored.
type timed struct {
	event            int64
	n                int64 // number of an occurrence, 0 for an event that happens once
	zone             string
	of               string // the table
	original         time.Time
	length           time.Duration // duration of an occurrence, from its series
	start, end       time.Time
	startUTC, endUTC time.Time
}

// queueTimes reads when events happen, from events and occurrences.
func queueTimes(b *pgx.Batch, which string, into *[]timed, arguments ...any) {
	query := `
		SELECT e.id, 0, e.timezone, 'events', e.start_local, interval '0', e.start_local, e.end_local, e.start_utc, e.end_utc
		FROM events e
		WHERE e.site_id = $1
		  AND e.id ` + which + `
		UNION
		SELECT e.id, o.n, e.timezone, 'occurrences', COALESCE(o.original_start, o.start_local), e.end_local - e.start_local,
		       o.start_local, o.end_local, o.start_utc, o.end_utc
		FROM events e
		JOIN occurrences o ON o.site_id = e.site_id AND o.event_id = e.id
		WHERE e.site_id = $1
		  AND e.id ` + which
	b.Queue(query, arguments...).Query(pg.All(into, func(row pgx.CollectableRow) (t timed, err error) {
		err = row.Scan(&t.event, &t.n, &t.zone, &t.of, &t.original, &t.length, &t.start, &t.end, &t.startUTC, &t.endUTC)
		return t, err
	}))
}

// occurrence derives an occurrence of a series from the start that its rules produce. Its local time changes only
// if the clock newly skips that time, or no longer skips it.
func (t *timed) occurrence() calendar.Occurrence {
	series := calendar.Event{Timezone: t.zone, Start: t.original, End: t.original.Add(t.length)}
	return series.OccurrenceAt(t.original)
}

// off returns the times whose instants do not match their local time, with the correct instants.
func off(list []timed) []timed {
	var wrong []timed
	for _, t := range list {
		zone, err := args.LocationOf(t.zone)
		if err != nil {
			continue
		}
		if t.n != 0 {
			if o := t.occurrence(); !o.StartUTC.Equal(t.startUTC) || !o.EndUTC.Equal(t.endUTC) ||
				!o.Start.Equal(t.start) || !o.End.Equal(t.end) {
				t.start, t.end, t.startUTC, t.endUTC = o.Start, o.End, o.StartUTC, o.EndUTC
				wrong = append(wrong, t)
			}
			continue
		}
		start, end := args.Resolve(t.start, zone).UTC(), args.Resolve(t.end, zone).UTC()
		if end.Before(start) { // an event may start in a new gap and end in it
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

// queueTimesOfOnce writes the instants of events that happen once, and of occurrences that differ from their
// series.
func queueTimesOfOnce(t *content.Tx, list []timed) {
	const write = `
		SET start_utc = n.start_utc,
		    end_utc = n.end_utc
		FROM unnest($2::bigint[], $3::timestamp[], $4::timestamp[], $5::timestamptz[], $6::timestamptz[])
		     n (event_id, start_local, end_local, start_utc, end_utc)
		WHERE x.site_id = $1
		  AND x.start_local = n.start_local
		  AND x.end_local = n.end_local
		  AND `
	for table, same := range map[string]string{"events": `x.id = n.event_id`, "occurrences": `x.event_id = n.event_id`} {
		var ids []int64
		var starts, ends, startsUTC, endsUTC []time.Time
		for _, r := range list {
			if r.of == table && r.n == 0 {
				ids = append(ids, r.event)
				starts, ends = append(starts, r.start), append(ends, r.end)
				startsUTC, endsUTC = append(startsUTC, r.startUTC), append(endsUTC, r.endUTC)
			}
		}
		if len(ids) > 0 {
			t.Queue(`UPDATE `+table+` x`+write+same, t.Site, ids, starts, ends, startsUTC, endsUTC)
		}
	}
}

// queueTimesOf writes instants, and sets the version of their events.
func queueTimesOf(t *content.Tx, list []timed) {
	const stamp = `
		UPDATE events
		SET version = $3
		WHERE site_id = $1
		  AND id = ANY($2)`
	const recur = `
		UPDATE occurrences x
		SET start_local = n.start_local,
		    end_local = n.end_local,
		    start_utc = n.start_utc,
		    end_utc = n.end_utc,
		    original_start = NULLIF(n.original_start, n.start_local)
		FROM unnest($2::bigint[], $3::timestamp[], $4::timestamp[], $5::timestamptz[], $6::timestamptz[], $7::timestamp[])
		     n (n, start_local, end_local, start_utc, end_utc, original_start)
		WHERE x.site_id = $1
		  AND x.n = n.n
		  AND x.n <> 0`
	const last = `
		UPDATE events e
		SET last_start_utc = o.last
		FROM (
			SELECT o.event_id,
			       max(o.start_utc) AS last
			FROM occurrences o
			WHERE o.site_id = $1
			  AND o.event_id = ANY($2)
			  AND o.n <> 0
			GROUP BY o.event_id
		) o
		WHERE e.site_id = $1
		  AND e.id = o.event_id`
	if len(list) == 0 {
		return
	}
	queueTimesOfOnce(t, list)
	var numbers []int64
	var starts, ends, startsUTC, endsUTC, originals []time.Time
	for _, r := range list {
		if r.n != 0 {
			numbers, originals = append(numbers, r.n), append(originals, r.original)
			starts, ends = append(starts, r.start), append(ends, r.end)
			startsUTC, endsUTC = append(startsUTC, r.startUTC), append(endsUTC, r.endUTC)
		}
	}
	if len(numbers) > 0 {
		t.Queue(recur, t.Site, numbers, starts, ends, startsUTC, endsUTC, originals)
		t.Queue(last, t.Site, eventsOf(list))
	}
	t.Queue(stamp, t.Site, eventsOf(list), t.Version)
}
