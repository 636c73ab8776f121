package lists

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/eventtest"
)

// plan explains a list as it runs, with a plan that doesn't depend on values.
func (k *kit) plan(site int64, q calendar.EventQuery) (text string, took time.Duration) {
	k.Helper()
	n, err := k.db.lists.meaningsOf(k.As(site, 1), q)
	k.Must(err)
	query := newEventQuery(site, q, n)
	sql := query.statement(true)
	values := make([]string, len(query.args))
	for i, v := range query.args {
		values[i] = eventtest.Literal(v)
	}
	k.In(site, func(tx pgx.Tx) (err error) {
		enter := &pgx.Batch{}
		query.enter(enter)
		if err := tx.SendBatch(k.Context(), enter).Close(); err != nil {
			return err
		}
		text, err = k.Explain(tx, "ANALYZE, BUFFERS OFF, TIMING OFF", sql, values...)
		return err
	})
	if m := regexp.MustCompile(`Execution Time: ([0-9.]+) ms`).FindStringSubmatch(text); m != nil {
		took, _ = time.ParseDuration(m[1] + "ms")
	}
	return text, took
}

var (
	byIndex    = regexp.MustCompile(`(Index|Index Only|Bitmap Index) Scan (Backward )?(using|on) occurrences_`)
	sequential = regexp.MustCompile(`Seq Scan on (\w+)`)
)

// TestListsAreRangeScans looks at the plan of each kind of list, in a site of
// many events and in a small one beside a site that has nine of ten rows.
func TestListsAreRangeScans(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	k.Fill(k.Site, 10_000)
	small := k.NewSite("small")
	k.Fill(small, 1_000)
	k.Vacuum()
	for name, q := range eventtest.Variants() {
		for _, site := range []int64{k.Site, small} {
			text, took := k.plan(site, q)
			t.Logf("%s, site %d: %v", name, site, took)
			if m := sequential.FindAllString(text, -1); !byIndex.MatchString(text) || m != nil {
				t.Errorf("%s: %q\n%s", name, m, text)
			}
		}
	}
}

// TestWindowsAreRead looks at what is read in a site of many events: not what lies behind a window that has nothing, and not a
// window that has all for each of the few that a search found.
func TestWindowsAreRead(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	k.Fill(k.Site, 5_000)
	k.Fill(k.NewSite("small"), 100) // Postgres takes the site to be half as large
	k.Vacuum()
	rare, window := wording.Search{Words: []string{"zebra"}}, eventtest.Variants()["plain"].Edges
	past := calendar.Edge{End: true, Compare: calendar.Until, At: eventtest.Monday.AddDate(0, 0, -7)}
	future := calendar.Edge{End: true, Compare: calendar.After, At: eventtest.Monday.AddDate(100, 0, 0)}
	for name, q := range map[string]calendar.EventQuery{
		"ends before it starts": {Edges: []calendar.Edge{{Compare: calendar.From, At: eventtest.Monday}, past}},
		"past":                  {Edges: []calendar.Edge{past}, Descending: true},
		"past instants":         {Edges: []calendar.Edge{{End: true, Compare: calendar.Before, At: past.At, Instant: true}}, Descending: true},
		"future":                {Edges: []calendar.Edge{future}},
		"future instants":       {Edges: []calendar.Edge{{End: true, Compare: calendar.From, At: future.At, Instant: true}}},
		"future of a category":  {Edges: []calendar.Edge{future}, Categories: eventtest.TermLinks(int64(3)).Refs},
		"rare word":             {Search: rare, Edges: window},
		"first of a rare word":  {Search: rare, Edges: window, First: true},
		"whole of a rare word":  {Search: rare, Edges: window, Whole: eventtest.Monday, Viewer: calendar.Viewer{User: 1, All: true}},
	} {
		q.PerPage = 15
		if text, _ := k.plan(k.Site, q); regexp.MustCompile(`Rows Removed by Filter: \d{3,}`).MatchString(text) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// TestIDsAreLookedUp looks at what a list by ID, or of what happens once, reads in a site of a few series with thousands of dates:
// not every date of the site.
func TestIDsAreLookedUp(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	k.Fill(k.Site, 8)
	k.Exec(k.Site, `INSERT INTO occurrences (site_id, event_id, n, original_start, start_local, end_local, start_utc, end_utc, listed)
		SELECT site_id, event_id, event_id * 10000 + m, start_local + m * '1 day'::interval, start_local + m * '1 day'::interval,
		       end_local + m * '1 day'::interval, start_utc + m * '1 day'::interval, end_utc + m * '1 day'::interval, listed
		FROM occurrences, generate_series(1, 3000) m
		WHERE site_id = $1`, k.Site)
	k.Vacuum()
	ids := []int64{3, 30_007, 40_009, 3} // one with all its dates, one of these again, and one of another
	for n := range int64(200) {
		ids = append(ids, 1_000_000+n)
	}
	text, _ := k.plan(k.Site, calendar.EventQuery{Include: ids, PerPage: 15})
	if regexp.MustCompile(`Rows Removed by Filter: \d{3,}`).MatchString(text) {
		t.Error(text)
	}
	k.Exec(k.Site, "UPDATE events SET rules = '{}' WHERE site_id = $1 AND id <> 5", k.Site)
	single := calendar.EventQuery{Recurring: new(bool), PerPage: 15}
	if text, _ = k.plan(k.Site, single); regexp.MustCompile(`on occurrences .*actual [^)]*rows=\d{4,}`).MatchString(text) {
		t.Errorf("dates of series for what happens once:\n%s", text)
	}
	page, err := k.db.Events().List(k.As(k.Site, 1), calendar.EventQuery{Include: ids, PerPage: 15})
	if k.Must(err); page.Total != 3002 {
		t.Errorf("%d found, want 3002", page.Total)
	}
}

// TestTextsOfFew looks at how many events a search within a category reads, in a
// large site among many small ones.
func TestTextsOfFew(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	k.Fill(k.Site, 5_000)
	for n := range 60 {
		k.Fill(k.NewSite(fmt.Sprint("small", n)), 100)
	}
	k.Vacuum()
	text, _ := k.plan(k.Site, eventtest.Variants()["words within"])
	var most int
	for _, m := range regexp.MustCompile(`on events .*loops=(\d+)\)`).FindAllStringSubmatch(text, -1) {
		read, err := strconv.Atoi(m[1])
		k.Must(err)
		most = max(most, read)
	}
	if carry := 2 * 5_000 / 20; most == 0 || most > carry {
		t.Errorf("%d events read of %d that carry the category\n%s", most, carry, text)
	}
}

// TestTermsAreCountedByKey looks at the plans of writes that count terms, made when sites have a single term each.
func TestTermsAreCountedByKey(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	terms := func(site, n int64) {
		k.Exec(site, `INSERT INTO terms (site_id, id, version, taxonomy, name, slug, name_key, search)
			SELECT $1, 9000 + n, 0, 'tag', n::text, n::text, n::text, n::text FROM generate_series(1, $2) n`, site, n)
	}
	for n := range 10 {
		terms(k.NewSite(fmt.Sprint("small", n)), 1)
	}
	k.Vacuum()
	terms(k.Site, 600)
	for _, name := range []string{"create 1", "create 4", "count"} {
		text := k.statement(name)
		if !regexp.MustCompile(`Cond: \(\(site_id = \$\d+\) AND \(id = [a-z_0-9]+\.id\)\)`).MatchString(text) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// TestTermsAreCountedOnce looks at the plans of new events while Postgres knows nothing about the tables yet. It may
// read all terms of the site then, but it adds up those of the events once, not for each term.
func TestTermsAreCountedOnce(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	for _, name := range []string{"create 1", "create 4"} {
		text := k.statement(name)
		if !regexp.MustCompile(`CTE added\n +-> +(?:Hash|Group)Aggregate`).MatchString(text) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// statement returns the plan of a statement of package events on the kit's site.
func (k *kit) statement(name string) string {
	k.Helper()
	var text string
	k.In(k.Site, func(tx pgx.Tx) (err error) {
		text, err = k.Explain(tx, "COSTS OFF", events.Statements[name])
		return err
	})
	return text
}

// TestSearchByIndex looks at the plans of searches in a site among many, and that no
// role sees the texts of another site or those without the words.
func TestSearchByIndex(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	k.Fill(k.Site, 3_000)
	other := k.NewSite("other")
	k.Fill(other, 3_000)
	k.Vacuum()
	const word = ` AND \(search ~~ (?:\$\d+|\(InitPlan \d+\)\.col1)\)` // as Postgres writes it up to 16, and from 17 on
	words := regexp.MustCompile(`events_texts_idx .*\n +Index Cond: \(\(site_id = \$\d+\)` + word + word + word + `\)`)
	for name, linked := range map[string]bool{"rare word": false, "common words": false, "named, told": false, "named": true, "named twice": true} {
		text, _ := k.plan(k.Site, eventtest.Variants()[name])
		if !words.MatchString(text) {
			t.Errorf("%s: texts without their index:\n%s", name, text)
		}
		if strings.Contains(text, "event_venues_venue_idx") != linked {
			t.Errorf("%s: what is linked by its index is not %v:\n%s", name, linked, text)
		}
	}
	for role, conn := range map[string]interface {
		Begin(ctx context.Context) (pgx.Tx, error)
	}{"service": k.db.Across(eventtest.Why), "owner": k.Owner()} {
		for _, look := range []struct {
			site, words string
			found       int
		}{{"", "", 0}, {"", "{%zebra%,%event%,%happens%}", 0}, {fmt.Sprint(k.Site), "", 0}, {fmt.Sprint(k.Site), "{%zebra%}", 0},
			{fmt.Sprint(k.Site), "{%zebra%,%event%,%happens%}", 6}, {fmt.Sprint(k.Site), "{%zebra%,%zebra%,%zebra%}", 6},
			{fmt.Sprint(k.Site), "{%zebra%,%zebra%,%absent%}", 0}, {fmt.Sprint(k.Site), "{%absent%,%absent%,%zebra%}", 0}, {fmt.Sprint(k.Site), "{%,%,%}", 3_000}} {
			k.Must(pgx.BeginFunc(k.Context(), conn, func(tx pgx.Tx) error {
				if _, err := tx.Exec(k.Context(), "SET LOCAL ROLE kalends_service"); err != nil {
					return err
				}
				var found, foreign int
				_, err := tx.Exec(k.Context(), "SELECT set_config('kalends.site', $1, true), set_config('kalends.words', $2, true)", look.site, look.words)
				if err == nil {
					err = tx.QueryRow(k.Context(), "SELECT count(*), count(*) FILTER (WHERE site_id <> $1) FROM event_texts", k.Site).Scan(&found, &foreign)
				}
				k.Equal(fmt.Sprintf("%s, site %q, words %q", role, look.site, look.words), []int{found, foreign}, []int{look.found, 0})
				return err
			}))
		}
	}
}

// TestSearchOfAShard: on a cluster, too, texts are found by their index, one word is compared once, and nobody sees those of another
// site of the shard or those without the words.
func TestSearchOfAShard(t *testing.T) {
	t.Parallel()
	if !storagetest.OnCluster() {
		t.Skip("only a cluster has shards")
	}
	k := newKit(t)
	placed := func(site int64, sql string) (text string) {
		k.In(site, func(tx pgx.Tx) (err error) {
			text, err = storagetest.Placed(k.Context(), tx, site, sql)
			return err
		})
		return text
	}
	const count, texts = `SELECT count(*), count(*) FILTER (WHERE site_id <> $1) FROM event_texts`, `SELECT id FROM events WHERE texts_indexed`
	k.Fill(k.Site, 3_000)
	for n := 0; ; n++ {
		if other := k.NewSite(fmt.Sprint("other", n)); placed(other, texts) == placed(k.Site, texts) {
			k.Fill(other, 3_000)
			break
		}
	}
	k.Vacuum()
	for _, look := range []struct {
		site, words string
		found       int
		compared    string // in the plan
	}{
		{"", "", 0, ""}, {"", "{%zebra%,%event%,%happens%}", 0, ""}, {fmt.Sprint(k.Site), "", 0, ""},
		{fmt.Sprint(k.Site), "{%zebra%}", 0, ""}, {fmt.Sprint(k.Site), "{%zebra%,%event%,%happens%}", 6, "zebra event happens"},
		{fmt.Sprint(k.Site), "{%zebra%,%zebra%,%zebra%}", 6, "zebra"}, {fmt.Sprint(k.Site), "{%zebra%,%zebra%,%absent%}", 0, "zebra zebra absent"},
		{fmt.Sprint(k.Site), "{%absent%,%absent%,%zebra%}", 0, "absent absent zebra"}, {fmt.Sprint(k.Site), "{%,%,%}", 3_000, ""},
	} {
		k.In(k.Site, func(tx pgx.Tx) error {
			var found, foreign int
			_, err := tx.Exec(k.Context(), "SELECT set_config('kalends.site', $1, true), set_config('kalends.words', $2, true)", look.site, look.words)
			if err == nil {
				err = tx.QueryRow(k.Context(), placed(k.Site, count), k.Site).Scan(&found, &foreign)
			}
			k.Equal(fmt.Sprintf("site %q, words %q", look.site, look.words), []int{found, foreign}, []int{look.found, 0})
			if err == nil {
				_, err = tx.Exec(k.Context(), "SET LOCAL ROLE kalends_search")
			}
			if err != nil || look.compared == "" {
				return err
			}
			rows, err := tx.Query(k.Context(), "EXPLAIN "+placed(k.Site, texts), pgx.QueryExecModeSimpleProtocol)
			if err != nil {
				return err
			}
			lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
			plan := strings.Join(lines, "\n")
			cond := regexp.MustCompile(`(?m)^ +-> .*events_texts_idx_\d+.*\n +Index Cond: .*$`).FindString(plan)
			var compared []string
			for _, m := range regexp.MustCompile(`search ~~ '%(\w+)%'`).FindAllStringSubmatch(cond, -1) {
				compared = append(compared, m[1])
			}
			if strings.Join(compared, " ") != look.compared || strings.Contains(plan, "Filter") {
				t.Errorf("%s compares %q:\n%s", look.words, compared, plan)
			}
			return err
		})
	}
}

// TestSearchOfTheReleaseBefore: the function that its nodes call finds what it found,
// in the site of the connection and without a role of its own.
func TestSearchOfTheReleaseBefore(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "no release before served from one")
	k := newKit(t)
	k.Fill(k.Site, 1_000)
	k.Fill(k.NewSite("other"), 1_000)
	const search = "SELECT count(*) FROM event_search('%zebra%', '%event%', '%happens%')"
	var found int
	k.Must(k.db.Across(eventtest.Why).QueryRow(k.Context(), search).Scan(&found))
	k.Equal("found without a site", found, 0)
	k.In(k.Site, func(tx pgx.Tx) error { return tx.QueryRow(k.Context(), search).Scan(&found) })
	k.Equal("found", found, 2)
	k.Equal("policies and functions of other roles", k.Column(`
		SELECT p.polname::text
		FROM pg_policy p
		WHERE p.polroles <> '{0}'
		UNION ALL
		SELECT p.proname::text
		FROM pg_proc p
		WHERE p.pronamespace = 'public'::regnamespace
		  AND p.prosecdef
		  AND p.proowner <> (SELECT c.relowner FROM pg_class c WHERE c.oid = 'events'::regclass)`), []string(nil))
}

// TestFewTextsAreRead looks at the plans of a search in a small site and in a large one: the one reads the texts of the site by its key, the
// other none.
func TestFewTextsAreRead(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	k.Fill(k.Site, 10_000)
	small := k.NewSite("small")
	k.Fill(small, 500)
	k.Vacuum()
	scan := regexp.MustCompile(`Index Scan using events_pkey on events x_\d+ .*(never executed|actual rows=\d+ loops=\d+)\)\n +Index Cond: \(site_id = \$\d+\)\n`)
	for site, want := range map[int64]string{k.Site: "never executed", small: "actual rows=1 loops=1"} {
		for _, name := range []string{"rare word", "named, told"} {
			text, took := k.plan(site, eventtest.Variants()[name])
			m := scan.FindStringSubmatch(text)
			if m == nil || m[1] != want && name == "rare word" {
				t.Errorf("site %d: %s is %q, not %q:\n%s", site, name, m, want, text)
			}
			t.Log(site, name, took)
		}
	}
}
