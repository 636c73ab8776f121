package kit

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"
)

// filling are the statements that give a site events, 21 hours apart, each with
// a venue, a category and one of a thousand pictures.
var filling = []string{
	`INSERT INTO venues (site_id, id, version, author, status, slug, published_at, dated, modified_at, name, name_key, search)
	SELECT $1::bigint, 1000000 + n, 1, 1, 'publish', 'venue-' || n, now(), true, now(), 'Venue ' || n, 'venue ' || n, 'venue ' || n
	FROM generate_series(1, 50) n`,
	`INSERT INTO terms (site_id, id, version, taxonomy, name, name_key, slug, search)
	SELECT $1::bigint, n, 1, 'category', 'Term ' || n, 'term ' || n, 'term-' || n, E'term ' || n || E'\nterm-' || n FROM generate_series(1, 20) n`,
	`INSERT INTO images (site_id, id, version, key, file, mime, extension, width, height, bytes, created_at)
	SELECT $1::bigint, 2000000 + n, 1, 'key' || n, 'picture.png', 'image/png', 'png', 640, 480, 1000, now() FROM generate_series(1, 1000) n`,
	`INSERT INTO events (site_id, id, version, author, status, slug, published_at, dated, modified_at, title, description, timezone,
		start_local, end_local, start_utc, end_utc, search, venue_ids, organizer_ids, term_ids, image_id)
	SELECT $1::bigint, n, 1, 1, 'publish', 'event-' || n, now(), true, now(), 'Event ' || n,
		'<p>' || repeat('What happens here is worth telling. ', 15) || '</p>', 'UTC', at, at + interval '2 hours',
		at AT TIME ZONE 'UTC', (at + interval '2 hours') AT TIME ZONE 'UTC', 'event ' || n || E'\n' || repeat('what happens here is worth telling. ', 15),
		ARRAY[1000001 + n % 50], '{}', ARRAY[1 + n % 20], 2000001 + n % 1000
	FROM generate_series(1, $2::int) n, LATERAL (SELECT timestamp '2020-01-01' + n * interval '21 hours' AS at) t`,
	`INSERT INTO occurrences (site_id, event_id, start_local, end_local, start_utc, end_utc, listed)
	SELECT site_id, id, start_local, end_local, start_utc, end_utc, true FROM events WHERE site_id = $1`,
	`INSERT INTO event_venues (site_id, event_id, venue_id, position)
	SELECT $1::bigint, n, 1000001 + n % 50, 1 FROM generate_series(1, $2::int) n`,
	`INSERT INTO event_terms (site_id, event_id, term_id) SELECT $1::bigint, n, 1 + n % 20 FROM generate_series(1, $2::int) n`,
}

// Stock gives the site events, as they are some time after they were made.
func (k *Kit) Stock(events int) {
	k.T.Helper()
	site := k.Sites["demo"].ID
	for _, sql := range filling {
		values := []any{site}
		if strings.Contains(sql, "$2") {
			values = append(values, events)
		}
		k.Change("demo", sql, values...)
	}
	for _, table := range []string{"events", "occurrences", "event_venues", "event_terms", "venues", "terms", "images"} {
		k.Exec("VACUUM ANALYZE " + table)
	}
}

// Asker asks for pages and the API as the administrator, without a network.
type Asker struct {
	handler       fasthttp.RequestHandler
	ctx           *fasthttp.RequestCtx
	cookie, basic string
}

// Asker returns one that is signed in.
func (k *Kit) Asker() *Asker {
	return &Asker{handler: k.App.Handler(), ctx: &fasthttp.RequestCtx{}, cookie: "kalends=" + k.Person("administrator").Cookies["kalends"],
		basic: "Basic " + base64.StdEncoding.EncodeToString([]byte("administrator:"+k.Secrets["demo/administrator"]))}
}

// Ask returns how many bytes the answer has.
func (a *Asker) Ask(b *testing.B, path string) int {
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
