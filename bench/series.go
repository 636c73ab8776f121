package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"
)

// longest returns the number of occurrences of each series on the site with the most.
func (b *bench) longest() int {
	if b.quick {
		return 365
	}
	return 3650
}

// repeat adds a site whose first events are series with a number of occurrences.
func (d *dataset) repeat(slug string, events, series, times int) {
	d.add(slug, events)
	d.bySlug[slug].series, d.bySlug[slug].times = series, times
}

// events returns the total number of events.
func (d *dataset) events() (n int) {
	for _, s := range d.sites {
		n += s.events
	}
	return n
}

// happenAgain turns loaded single events into daily series from their start on, stored as Kalends does.
func (d *dataset) happenAgain(ctx context.Context, conn *pgx.Conn) error {
	const rules = `
		UPDATE events
		SET rules = jsonb_build_object('rrule', jsonb_build_array('FREQ=DAILY;COUNT=' || $4::text)),
		    last_start_utc = (start_local + ($4::text::integer - 1) * interval '1 day') AT TIME ZONE timezone
		WHERE site_id = $1
		  AND id BETWEEN $2 AND $3`
	const once = `DELETE FROM occurrences WHERE site_id = $1 AND event_id BETWEEN $2 AND $3`
	const again = `
		INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed)
		SELECT $1, e.id, $5 + row_number() OVER (), e.start_local + d.day, e.end_local + d.day,
		       (e.start_local + d.day) AT TIME ZONE e.timezone, (e.end_local + d.day) AT TIME ZONE e.timezone, true
		FROM events e, (SELECT i * interval '1 day' AS day FROM generate_series(0, $4::integer - 1) i) d
		WHERE e.site_id = $1
		  AND e.id BETWEEN $2 AND $3`
	const count = `UPDATE sites SET last_post_id = last_post_id + $2 WHERE id = $1`
	for _, s := range d.sites {
		if s.series == 0 {
			continue
		}
		first, last := s.event(0), s.event(s.series-1)
		b := &pgx.Batch{}
		b.Queue(rules, s.id, first, last, fmt.Sprint(s.times))
		b.Queue(once, s.id, first, last)
		b.Queue(again, s.id, first, last, s.times, s.lastPost())
		b.Queue(count, s.id, s.series*s.times)
		if err := conn.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("series of %s: %w", s.slug, err)
		}
	}
	return nil
}

// seriesWorks compare lists with series to lists without.
func (b *bench) seriesWorks() []work {
	fresh := func(slug string) side {
		s := b.main.bySlug[slug]
		return b.driven(b.hot, slug, 32, func(int, int) request { return unaskedDays(b.main, s, int(serial.Add(1))) })
	}
	lists := func(slug string) side { return b.load(b.cold, slug, 32, listOf(b.main.bySlug[slug], 1)) }
	return []work{
		{"cold list: half of it series against none", lists("half"), lists("small"), 0.90},
		{"list never asked for before: half of it series against none", fresh("half"), fresh("small"), 0.90},
		{"list never asked for before: very many occurrences against 2,000", fresh("long"), fresh("brief"), 0.90},
	}
}

// series measures changing the time of day of a daily series with ten years of occurrences, which rewrites every row.
func (b *bench) series(context.Context) error {
	s := b.main.bySlug[writer(0)]
	client := &fasthttp.HostClient{Addr: b.hot.addr, MaxConns: 1, ReadTimeout: 20 * time.Second}
	ask := func(path string, status int, body map[string]any) (id int64, err error) {
		text, _ := json.Marshal(body)
		r := request{method: http.MethodPost, host: s.host(), path: path, body: string(text), header: authorized(s), status: status}
		answer, err := doRead(client, b.hot.addr, &r)
		var made struct {
			ID int64 `json:"id"`
		}
		if err == nil {
			err = json.Unmarshal(answer, &made)
		}
		return made.ID, err
	}
	day := b.today.AddDate(0, 0, 1)
	id, err := ask(events, http.StatusCreated, map[string]any{"title": "Every day", "start_date": day.Add(9 * time.Hour).Format(stamp),
		"end_date": day.Add(10 * time.Hour).Format(stamp), "recurrence": map[string]any{"rrule": "FREQ=DAILY;COUNT=3650"}})
	if err != nil {
		return err
	}
	var took []time.Duration
	for n := range 9 {
		at := day.Add(time.Duration(10+n) * time.Hour)
		began := time.Now()
		_, err := ask(fmt.Sprint(events, "/", id), http.StatusOK, map[string]any{"start_date": at.Format(stamp), "end_date": at.Add(time.Hour).Format(stamp),
			"applies_to": "all"})
		if err != nil {
			return err
		}
		took = append(took, time.Since(began))
	}
	const most = 300 * time.Millisecond
	middle := median(took)
	b.limits = append(b.limits, limit{"another time of day for a series of 3,650 occurrences", fmt.Sprint(middle.Milliseconds(), " ms"),
		fmt.Sprint("< ", most.Milliseconds(), " ms"), middle < most})
	return nil
}
