package server_test

import (
	"encoding/base64"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"
)

// filling are the statements that give a site ten thousand events, 21 hours
// apart, each with a venue and a category.
var filling = []string{
	`INSERT INTO venues (site_id, id, version, author, status, slug, published_at, dated, modified_at, name, name_key, search)
	SELECT $1::bigint, 1000000 + n, 1, 1, 'publish', 'venue-' || n, now(), true, now(), 'Venue ' || n, 'venue ' || n, ''
	FROM generate_series(1, 50) n`,
	`INSERT INTO terms (site_id, id, version, taxonomy, name, name_key, slug, search)
	SELECT $1::bigint, n, 1, 'category', 'Term ' || n, 'term ' || n, 'term-' || n, '' FROM generate_series(1, 20) n`,
	`INSERT INTO events (site_id, id, version, author, status, slug, published_at, dated, modified_at, title, description, timezone,
		start_local, end_local, start_utc, end_utc, search, venue_ids, organizer_ids, term_ids)
	SELECT $1::bigint, n, 1, 1, 'publish', 'event-' || n, now(), true, now(), 'Event ' || n,
		'<p>' || repeat('What happens here is worth telling. ', 15) || '</p>', 'UTC', at, at + interval '2 hours',
		at AT TIME ZONE 'UTC', (at + interval '2 hours') AT TIME ZONE 'UTC', '', ARRAY[1000001 + n % 50], '{}', ARRAY[1 + n % 20]
	FROM generate_series(1, 10000) n, LATERAL (SELECT timestamp '2020-01-01' + n * interval '21 hours' AS at) t`,
	`INSERT INTO occurrences (site_id, event_id, start_local, end_local, start_utc, end_utc, listed)
	SELECT site_id, id, start_local, end_local, start_utc, end_utc, true FROM events WHERE site_id = $1`,
	`INSERT INTO event_venues (site_id, event_id, venue_id, position)
	SELECT $1::bigint, n, 1000001 + n % 50, 1 FROM generate_series(1, 10000) n`,
	`INSERT INTO event_terms (site_id, event_id, term_id) SELECT $1::bigint, n, 1 + n % 20 FROM generate_series(1, 10000) n`,
}

// BenchmarkCalendar measures the calendar of the administration beside the same
// events over the API, in a site of ten thousand.
func BenchmarkCalendar(b *testing.B) {
	k := newKit(b)
	site := k.sites["demo"].ID
	k.must(pgx.BeginFunc(b.Context(), k.owner(), func(tx pgx.Tx) error {
		_, err := tx.Exec(b.Context(), "SELECT set_config('kalends.site', $1::bigint::text, true)", site)
		for _, sql := range filling {
			if err == nil {
				_, err = tx.Exec(b.Context(), sql, site)
			}
		}
		return err
	}))
	for _, table := range []string{"events", "occurrences", "event_venues", "event_terms", "venues", "terms"} {
		k.exec("VACUUM ANALYZE " + table)
	}
	cookie := "kalends=" + k.person("administrator").cookies["kalends"]
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("administrator:"+k.secrets["demo/administrator"]))
	const days = "/calendar/events/v1/events?per_page=50&ends_after=2025-03-31&starts_before="
	for _, c := range []struct{ name, path string }{
		{"month", "/admin?date=2025-04-10"}, {"month over the API", days + "2025-05-04"},
		{"week", "/admin?view=week&date=2025-04-10"}, {"list", "/admin?view=list&date=2025-04-01"},
	} {
		b.Run(c.name, func(b *testing.B) {
			handler, ctx := k.app.Handler(), &fasthttp.RequestCtx{}
			for b.Loop() {
				ctx.ResetUserValues()
				ctx.Request.Reset()
				ctx.Response.Reset()
				ctx.Request.SetRequestURI(c.path)
				ctx.Request.Header.SetHost("localhost")
				ctx.Request.Header.Set("Cookie", cookie)
				if c.path[1] == 'c' {
					ctx.Request.Header.Set("Authorization", basic)
				}
				handler(ctx)
				if ctx.Response.StatusCode() != fasthttp.StatusOK {
					b.Fatalf("%d %s", ctx.Response.StatusCode(), ctx.Response.Body())
				}
			}
			b.ReportMetric(float64(len(ctx.Response.Body())), "bytes")
		})
	}
}
