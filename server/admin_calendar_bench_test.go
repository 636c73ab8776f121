package server_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"
)

// filling are the statements that give a site events, 21 hours apart, each with
// a venue, a category and one of a thousand pictures.
var filling = []string{
	`INSERT INTO venues (site_id, id, version, author, status, slug, published_at, dated, modified_at, name, name_key, search)
	SELECT $1::bigint, 1000000 + n, 1, 1, 'publish', 'venue-' || n, now(), true, now(), 'Venue ' || n, 'venue ' || n, ''
	FROM generate_series(1, 50) n`,
	`INSERT INTO terms (site_id, id, version, taxonomy, name, name_key, slug, search)
	SELECT $1::bigint, n, 1, 'category', 'Term ' || n, 'term ' || n, 'term-' || n, '' FROM generate_series(1, 20) n`,
	`INSERT INTO images (site_id, id, version, key, file, mime, extension, width, height, bytes, created_at)
	SELECT $1::bigint, 2000000 + n, 1, 'key' || n, 'picture.png', 'image/png', 'png', 640, 480, 1000, now() FROM generate_series(1, 1000) n`,
	`INSERT INTO events (site_id, id, version, author, status, slug, published_at, dated, modified_at, title, description, timezone,
		start_local, end_local, start_utc, end_utc, search, venue_ids, organizer_ids, term_ids, image_id)
	SELECT $1::bigint, n, 1, 1, 'publish', 'event-' || n, now(), true, now(), 'Event ' || n,
		'<p>' || repeat('What happens here is worth telling. ', 15) || '</p>', 'UTC', at, at + interval '2 hours',
		at AT TIME ZONE 'UTC', (at + interval '2 hours') AT TIME ZONE 'UTC', '', ARRAY[1000001 + n % 50], '{}', ARRAY[1 + n % 20], 2000001 + n % 1000
	FROM generate_series(1, $2::int) n, LATERAL (SELECT timestamp '2020-01-01' + n * interval '21 hours' AS at) t`,
	`INSERT INTO occurrences (site_id, event_id, start_local, end_local, start_utc, end_utc, listed)
	SELECT site_id, id, start_local, end_local, start_utc, end_utc, true FROM events WHERE site_id = $1`,
	`INSERT INTO event_venues (site_id, event_id, venue_id, position)
	SELECT $1::bigint, n, 1000001 + n % 50, 1 FROM generate_series(1, $2::int) n`,
	`INSERT INTO event_terms (site_id, event_id, term_id) SELECT $1::bigint, n, 1 + n % 20 FROM generate_series(1, $2::int) n`,
}

// tenThousand gives the site ten thousand events.
func (k *kit) tenThousand() { k.stock(10_000) }

// stock gives the site events, as they are some time after they were made.
func (k *kit) stock(events int) {
	k.t.Helper()
	ctx, site := context.Background(), k.sites["demo"].ID
	k.must(pgx.BeginFunc(ctx, k.owner(), func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "SELECT set_config('kalends.site', $1::bigint::text, true)", site)
		for _, sql := range filling {
			if err == nil {
				values := []any{site}
				if strings.Contains(sql, "$2") {
					values = append(values, events)
				}
				_, err = tx.Exec(ctx, sql, values...)
			}
		}
		return err
	}))
	for _, table := range []string{"events", "occurrences", "event_venues", "event_terms", "venues", "terms", "images"} {
		k.exec("VACUUM ANALYZE " + table)
	}
}

// asker asks for pages and the API as the administrator, without a network.
type asker struct {
	handler       fasthttp.RequestHandler
	ctx           *fasthttp.RequestCtx
	cookie, basic string
}

func (k *kit) asker() *asker {
	return &asker{handler: k.app.Handler(), ctx: &fasthttp.RequestCtx{}, cookie: "kalends=" + k.person("administrator").cookies["kalends"],
		basic: "Basic " + base64.StdEncoding.EncodeToString([]byte("administrator:"+k.secrets["demo/administrator"]))}
}

// ask returns how many bytes the answer has.
func (a *asker) ask(b *testing.B, path string) int {
	a.ctx.ResetUserValues()
	a.ctx.Request.Reset()
	a.ctx.Response.Reset()
	a.ctx.Request.SetRequestURI(path)
	a.ctx.Request.Header.SetHost("localhost")
	if !strings.HasPrefix(path, "/en/") {
		a.ctx.Request.Header.Set("Cookie", a.cookie)
	}
	if strings.HasPrefix(path, "/calendar/") {
		a.ctx.Request.Header.Set("Authorization", a.basic)
	}
	a.handler(a.ctx)
	if a.ctx.Response.StatusCode() != fasthttp.StatusOK {
		b.Fatalf("%s: %d %s", path, a.ctx.Response.StatusCode(), a.ctx.Response.Body())
	}
	return len(a.ctx.Response.Body())
}

// BenchmarkCalendar measures the calendar of the administration beside the same
// events over the API, in a site of ten thousand.
func BenchmarkCalendar(b *testing.B) {
	k := newKit(b)
	k.tenThousand()
	a := k.asker()
	const days = "/calendar/events/v1/events?per_page=50&ends_after=2025-03-31&starts_before="
	for _, c := range []struct{ name, path string }{
		{"month", "/admin?date=2025-04-10"}, {"month over the API", days + "2025-05-04"},
		{"week", "/admin?view=week&date=2025-04-10"}, {"list", "/admin?view=list&date=2025-04-01"},
	} {
		b.Run(c.name, func(b *testing.B) {
			bytes := 0
			for b.Loop() {
				bytes = a.ask(b, c.path)
			}
			b.ReportMetric(float64(bytes), "bytes")
		})
	}
}
