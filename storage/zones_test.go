package storage

import (
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/test/eventtest"
)

// TestConcurrentRetime has the instants of some events as older time zone data derived
// them. They are put right, those alone, whatever state the site is in, and once
// however many nodes do it; wall clocks stay.
func TestConcurrentRetime(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	in := func(zone string) func(*calendar.Event) {
		return func(e *calendar.Event) {
			place, err := args.LocationOf(zone)
			k.Must(err)
			e.Timezone = zone
			e.StartUTC, e.EndUTC = args.Resolve(e.Start, place).UTC(), args.Resolve(e.End, place).UTC()
		}
	}
	vancouver := k.Event(in("America/Vancouver"))
	berlin := k.Event(in("Europe/Berlin"))
	drafted := k.Event(in("America/Edmonton"), eventtest.Status(calendar.Draft))
	for range 2 * retimedAtOnce {
		k.Event(in("Europe/Paris"))
	}
	k.Exec(k.Site, `UPDATE events SET start_utc = start_utc + interval '1 hour', end_utc = end_utc + interval '1 hour'
		WHERE site_id = $1 AND timezone LIKE 'America/%'`, k.Site)
	k.Exec(k.Site, `UPDATE occurrences SET start_utc = start_utc + interval '1 hour', end_utc = end_utc + interval '1 hour'
		WHERE site_id = $1 AND event_id IN ($2, $3, $4)`, k.Site, vancouver.ID, drafted.ID, berlin.ID)
	k.Exec(k.Site, `UPDATE sites SET state = 'read_only' WHERE id = $1`, k.Site)
	k.Outside(`INSERT INTO installation (secret, zones) VALUES ('secret', '2020a')`)
	before := k.Column(`SELECT version::text FROM sites WHERE id = $1`, k.Site)

	trial, err := k.db.Retime(t.Context(), true)
	k.Must(err)
	k.Equal("would change", trial, Retimed{Sites: 1, Events: 3})

	var all sync.WaitGroup
	changed := make(chan int, 2)
	for range 2 {
		db := k.open()
		all.Go(func() {
			done, err := db.Retime(t.Context(), false)
			if err != nil {
				t.Error(err)
			}
			changed <- done.Events
		})
	}
	all.Wait()
	k.Equal("events changed", <-changed+<-changed, 3)
	again, err := k.db.Retime(t.Context(), false)
	k.Must(err)
	k.Equal("the second time", again, Retimed{})

	for _, was := range []*calendar.Event{vancouver, berlin, drafted} {
		got, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: was.ID})
		k.Must(err)
		if !got.StartUTC.Equal(was.StartUTC) || !got.EndUTC.Equal(was.EndUTC) || !got.Start.Equal(was.Start) {
			t.Errorf("event %d: %v to %v, want %v to %v", was.ID, got.StartUTC, got.EndUTC, was.StartUTC, was.EndUTC)
		}
		if got.Version <= was.Version {
			t.Errorf("event %d is still of version %d", was.ID, got.Version)
		}
	}
	k.Equal("occurrences that are off", k.Column(`
		SELECT e.id::text
		FROM events e
		JOIN occurrences o ON o.site_id = e.site_id AND o.event_id = e.id
		WHERE e.site_id = $1
		  AND (o.start_utc, o.end_utc) <> (e.start_utc, e.end_utc)`, k.Site), []string(nil))
	k.Equal("one version", k.Column(`SELECT (version - $2::bigint)::text FROM sites WHERE id = $1`, k.Site, before[0]), []string{"1"})
	stored, err := StoredZones(t.Context(), k.URL)
	k.Must(err)
	k.Equal("noted", stored, args.ZoneVersion())
}

// An installation that has sites before it notes the data by which instants are derived
// may have them of any: they are derived anew, and noted.
func TestFirstZones(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	stored, err := StoredZones(t.Context(), k.URL)
	k.Must(err)
	k.Equal("before", stored, "")
	_, err = platform.Secret(t.Context(), k.db.Engine(), wording.Folding)
	k.Must(err)
	stored, err = StoredZones(t.Context(), k.URL)
	k.Must(err)
	k.Equal("not known", stored, "")
	_, ok, err := k.db.RetimeLater(t.Context())
	k.Must(err)
	k.Equal("derived anew", ok, true)
	stored, err = StoredZones(t.Context(), k.URL)
	k.Must(err)
	k.Equal("after", stored, args.ZoneVersion())
	other := newKit(t)
	_, err = other.db.Retime(t.Context(), false)
	k.Must(err)
	stored, err = StoredZones(t.Context(), other.URL)
	k.Must(err)
	k.Equal("by the command", stored, args.ZoneVersion())
}

// An event that begins in what has become a gap does not end before it begins.
func TestRetimedGap(t *testing.T) {
	t.Parallel()
	start := time.Date(2027, 3, 28, 2, 30, 0, 0, time.UTC)
	wrong := off([]timed{{event: 1, zone: "Europe/Berlin", start: start, end: start.Add(45 * time.Minute)}})
	if len(wrong) != 1 || wrong[0].endUTC.Before(wrong[0].startUTC) {
		t.Errorf("%+v", wrong)
	}
}

// TestRetimedSeries has the occurrences of a series as data with other changes of clocks
// derived them. They are as a series is made now, with the same ids and originals; data
// newer than this node's isn't taken back.
func TestRetimedSeries(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	series := k.Event(func(e *calendar.Event) {
		e.Timezone = "Europe/Berlin"
		e.Start = time.Date(2027, 3, 20, 2, 30, 0, 0, time.UTC)
		e.End = e.Start.Add(time.Hour)
		e.StartUTC, e.EndUTC = e.Start.Add(-time.Hour), e.End.Add(-time.Hour)
		rule, problems := recur.ParseRule("FREQ=DAILY;COUNT=20", e.Clock())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		e.Recurrence = &recur.Set{Rules: []recur.Rule{rule}}
	})
	state := func() []string {
		return k.Column(`
			SELECT concat_ws(' ', o.n, o.start_local, o.end_local, o.start_utc, o.end_utc, o.original_start, e.last_start_utc)
			FROM occurrences o
			JOIN events e ON e.site_id = o.site_id AND e.id = o.event_id
			WHERE o.site_id = $1
			ORDER BY o.n`, k.Site)
	}
	before := state()
	k.Equal("occurrences", len(before), 20)
	k.Outside(`INSERT INTO installation (secret, zones) VALUES ('secret', '2999a')`)
	k.Exec(k.Site, `UPDATE occurrences SET start_utc = start_local - interval '1 hour', end_utc = end_local - interval '1 hour'
		WHERE site_id = $1 AND original_start IS NULL`, k.Site)
	k.Exec(k.Site, `UPDATE occurrences SET start_local = original_start, end_local = original_start + interval '1 hour', original_start = NULL
		WHERE site_id = $1 AND original_start IS NOT NULL`, k.Site)
	k.Exec(k.Site, `UPDATE events SET last_start_utc = last_start_utc + interval '1 hour' WHERE site_id = $1`, k.Site)
	_, ok, err := k.db.RetimeLater(t.Context())
	k.Must(err)
	k.Equal("by an older node", ok, false)
	k.Outside(`UPDATE installation SET zones = '2020a'`)
	done, ok, err := k.db.RetimeLater(t.Context())
	k.Must(err)
	k.Equal("by a newer node", ok, true)
	k.Equal("changed", done, Retimed{Sites: 1, Events: 1})
	k.Equal("occurrences", state(), before)
	k.Equal("wrong days", k.Column(eventtest.WrongDays, k.Site), []string(nil))
	_, ok, err = k.db.RetimeLater(t.Context())
	k.Must(err)
	k.Equal("twice", ok, false)
	got, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: series.ID})
	k.Must(err)
	if got.Version <= series.Version {
		t.Errorf("the series is still of version %d", got.Version)
	}
}
