package server_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/jackc/pgx/v5"
)

// setStatementTimeout sets a shorter statement timeout for a kit's connections, because that of the service is too long for a
// test.
func setStatementTimeout(k *kit.Kit, d time.Duration) {
	k.T.Helper()
	all := k.DB.Across("a test sets up every connection")
	var list []pgx.Tx
	for range k.DB.Connections().Max {
		tx, err := all.Begin(context.Background())
		k.Must(err)
		list = append(list, tx)
	}
	for _, tx := range list {
		_, err := tx.Exec(context.Background(), fmt.Sprintf("SET statement_timeout = %d", d.Milliseconds()))
		k.Must(err)
		k.Must(tx.Commit(context.Background()))
	}
}

// connections returns the processes serving the kit's connections.
func connections(k *kit.Kit) (pids []int32) {
	k.T.Helper()
	k.Must(k.DB.Across("a test looks at its connections").QueryRow(context.Background(), `
		SELECT array_agg(pid ORDER BY pid)
		FROM pg_stat_activity
		WHERE datname = current_database()
		  AND application_name = 'kalends'`).Scan(&pids))
	return pids
}

// slow makes each row of a table of one site take a minute until the returned function is called.
func slow(k *kit.Kit, table, site string) (mend func()) {
	k.T.Helper()
	k.Exec(`CREATE OR REPLACE FUNCTION slowly() RETURNS boolean LANGUAGE sql VOLATILE AS 'SELECT pg_sleep(60) IS NOT NULL'`)
	rule := fmt.Sprintf("(CASE WHEN site_id = %d THEN slowly() ELSE true END)", k.Sites[site].ID)
	k.Exec("CREATE POLICY slow ON " + table + " AS RESTRICTIVE USING " + rule + " WITH CHECK " + rule)
	return func() { k.Exec("DROP POLICY slow ON " + table) }
}

// A statement that times out gets a response that says so in the requested language and leaves nothing behind; the
// connection survives, and other sites are unaffected.
func TestStatementTimeout(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("two")
	id := k.Event(map[string]any{"title": "Before"})
	setStatementTimeout(k, 300*time.Millisecond)
	had := connections(k)
	state := func() string {
		return k.Peek("demo", `SELECT concat_ws(' ', s.version, s.last_post_id, s.used_events,
			(SELECT count(*) FROM events e WHERE e.site_id = s.id), (SELECT count(*) FROM venues v WHERE v.site_id = s.id),
			(SELECT count(*) FROM terms t WHERE t.site_id = s.id), (SELECT count(*) FROM changes c WHERE c.site_id = s.id))
			FROM sites s WHERE s.slug = 'demo'`)
	}
	before := state()
	whole := map[string]any{"title": "Half", "start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00",
		"venue": map[string]any{"venue": "Half a hall"}, "tags": []any{"half"}}
	for _, c := range []struct {
		table string
		kit.Request
	}{
		{"events", kit.Request{Method: "GET", Path: "/events?start_date=2030-01-01&end_date=2031-01-01"}},
		{"events", kit.Request{Method: "GET", Path: kit.Item("events", id)}},
		{"events", kit.Request{Method: "POST", Path: "/events", As: "administrator", JSON: whole}},
		{"occurrences", kit.Request{Method: "POST", Path: "/events", As: "administrator", JSON: whole}},
		{"event_terms", kit.Request{Method: "POST", Path: "/events", As: "administrator", JSON: whole}},
		{"events", kit.Request{Method: "PATCH", Path: kit.Item("events", id), As: "administrator", JSON: map[string]any{"title": "Half"}}},
		{"changes", kit.Request{Method: "DELETE", Path: kit.Item("events", id), As: "administrator"}},
	} {
		mend := slow(k, c.table, "demo")
		c.Headers = map[string]string{"Accept-Language": "de"}
		var both sync.WaitGroup
		both.Go(func() {
			a := k.Send(c.Request).Want(t, 503, "rest_service_unavailable")
			if text := fmt.Sprint(a.Body["message"]); text != "Der Dienst ist vorübergehend nicht verfügbar. Bitte versuchen Sie es gleich noch einmal." ||
				a.Header.Get("Retry-After") == "" {
				t.Errorf("%s %s: %q, again in %q", c.Method, c.Path, text, a.Header.Get("Retry-After"))
			}
		})
		both.Go(func() {
			beside := c.Request
			beside.Site = "two"
			if a := k.Send(beside); a.Status >= 500 {
				t.Errorf("%s %s of the site beside: %s", c.Method, c.Path, a)
			}
		})
		both.Wait()
		mend()
		if now := state(); now != before {
			t.Errorf("%s %s with slow %s leaves %s, before %s", c.Method, c.Path, c.table, now, before)
		}
	}
	if a := k.Patch(kit.Item("events", id), "administrator", map[string]any{"title": "After"}).Want(t, 200, ""); a.Body["title"] != "After" {
		t.Errorf("afterwards: %s", a)
	}
	if has := connections(k); !slices.Equal(has, had) {
		t.Errorf("connections were made anew: %v, before %v", has, had)
	}
}
