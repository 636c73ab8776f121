package storage

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// variants are lists of every kind.
func variants() map[string]calendar.EventQuery {
	yes := true
	window := []calendar.Edge{{Compare: calendar.From, At: monday}, {End: true, Compare: calendar.Until, At: monday.AddDate(2, 0, 0)}}
	instants := []calendar.Edge{{Compare: calendar.From, At: monday, Instant: true}}
	all := calendar.Viewer{User: 1, All: true}
	list := map[string]calendar.EventQuery{
		"plain":        {},
		"page 20":      {Page: 20},
		"instants":     {Edges: instants},
		"descending":   {Descending: true},
		"by end":       {OrderBy: "end_date"},
		"by title":     {OrderBy: "title"},
		"by date":      {OrderBy: "date"},
		"by modified":  {OrderBy: "modified"},
		"include":      {Include: []int64{1, 2, 3}},
		"category":     {Categories: termLinks(int64(3)).Refs},
		"category tag": {Categories: termLinks("term-3").Refs, Tags: termLinks(int64(23), "Term 24").Refs},
		"venue":        {Venues: []int64{1000003}},
		"organizer":    {Organizers: []int64{2000003, 2000004}},
		"featured":     {Featured: &yes},
		"ticketed":     {Ticketed: &yes},
		"located":      {Located: &yes},
		"near":         {Near: &calendar.Circle{Lat: 40.3, Lng: -70.3, Km: 1}},
		"parent":       {Parent: 1},
		"rare word":    {Search: calendar.Search{Words: []string{"zebra"}}},
		"short word":   {Search: calendar.Search{Words: []string{"z"}}},
		"common words": {Search: calendar.Search{Words: []string{"happens", "event 1"}, Without: []string{"zebra"}}, Opener: &calendar.Opener{}},
		"words within": {Categories: termLinks(int64(3)).Refs, Search: calendar.Search{Words: []string{"happens"}}},
		"author":       {Viewer: calendar.Viewer{User: 2}},
		"editor":       {Viewer: all},
		"drafts":       {Viewer: all, Statuses: []calendar.Status{calendar.Draft}},
		"with hidden":  {Viewer: all, WithHidden: true},
	}
	for name, q := range list {
		q.PerPage = 15
		if q.Edges == nil {
			q.Edges = window
		}
		list[name] = q
	}
	return list
}

// plan explains a list as it runs, with a plan that doesn't depend on values.
func (k *kit) plan(site int64, q calendar.EventQuery) (text string, took time.Duration) {
	k.Helper()
	query := newEventQuery(site, q)
	sql := query.statement(true)
	values := make([]string, len(query.args))
	for i, v := range query.args {
		values[i] = literal(v)
	}
	k.in(site, func(tx pgx.Tx) error {
		if _, err := tx.Exec(k.Context(), "PREPARE list AS "+sql); err != nil {
			return err
		}
		explain := "EXPLAIN (ANALYZE, BUFFERS OFF, TIMING OFF) EXECUTE list(" + strings.Join(values, ", ") + ")"
		rows, err := tx.Query(k.Context(), explain, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		text = strings.Join(lines, "\n")
		if err == nil {
			_, err = tx.Exec(k.Context(), "DEALLOCATE list")
		}
		return err
	})
	if m := regexp.MustCompile(`Execution Time: ([0-9.]+) ms`).FindStringSubmatch(text); m != nil {
		took, _ = time.ParseDuration(m[1] + "ms")
	}
	return text, took
}

// literal writes a value as SQL.
func literal(v any) string {
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	switch v := v.(type) {
	case string:
		return quote(v)
	case time.Time:
		return quote(v.Format("2006-01-02 15:04:05Z"))
	case []int64:
		return quote("{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(v), " ", ","), "[]") + "}")
	case []string:
		return quote(`{"` + strings.Join(v, `","`) + `"}`)
	}
	return fmt.Sprint(v)
}

var (
	byIndex    = regexp.MustCompile(`(Index|Index Only|Bitmap Index) Scan (Backward )?(using|on) occurrences_`)
	sequential = regexp.MustCompile(`Seq Scan on (\w+)`)
)

// TestListsAreRangeScans looks at the plan of each kind of list, in a site of
// many events and in a small one beside a site that has nine of ten rows.
func TestListsAreRangeScans(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.fill(k.site, 10_000)
	small := k.newSite("small")
	k.fill(small, 1_000)
	k.vacuum()
	for name, q := range variants() {
		for _, site := range []int64{k.site, small} {
			text, took := k.plan(site, q)
			t.Logf("%s, site %d: %v", name, site, took)
			if m := sequential.FindAllString(text, -1); !byIndex.MatchString(text) || m != nil {
				t.Errorf("%s: %q\n%s", name, m, text)
			}
		}
	}
}

// TestTextsOfFew looks at how many events a search within a category reads, in a
// large site among many small ones.
func TestTextsOfFew(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.fill(k.site, 5_000)
	for n := range 200 {
		k.fill(k.newSite(fmt.Sprint("small", n)), 100)
	}
	k.vacuum()
	text, _ := k.plan(k.site, variants()["words within"])
	var most int
	for _, m := range regexp.MustCompile(`on events .*loops=(\d+)\)`).FindAllStringSubmatch(text, -1) {
		read, err := strconv.Atoi(m[1])
		k.must(err)
		most = max(most, read)
	}
	if carry := 2 * 5_000 / 20; most == 0 || most > carry {
		t.Errorf("%d events read of %d that carry the category\n%s", most, carry, text)
	}
}

// TestSearchByIndex looks at what the search function does as the role it runs
// as, and that it leaves no way past the wall.
func TestSearchByIndex(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.fill(k.site, 3_000)
	other := k.newSite("other")
	k.fill(other, 3_000)
	k.vacuum()
	owner := k.owner()
	for _, sql := range []string{
		"SET ROLE kalends_search", "SET plan_cache_mode = force_generic_plan",
		"PREPARE find AS SELECT e.id FROM events e WHERE e.site_id = $1 AND e.search LIKE $2",
	} {
		_, err := owner.Exec(k.Context(), sql)
		k.must(err)
	}
	rows, err := owner.Query(k.Context(), "EXPLAIN EXECUTE find("+fmt.Sprint(k.site)+", '%zebra%')", pgx.QueryExecModeSimpleProtocol)
	k.must(err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	k.must(err)
	if text := strings.Join(plan, "\n"); !strings.Contains(text, "events_search_idx") {
		t.Errorf("search without its index:\n%s", text)
	}
	var without int
	k.must(k.db.Pool().QueryRow(k.Context(), "SELECT count(*) FROM event_search('%zebra%', '%event%', '%happens%')").Scan(&without))
	k.equal("found without a site", without, 0)
	for _, site := range []int64{k.site, other} {
		k.in(site, func(tx pgx.Tx) error {
			var found, own int
			err := tx.QueryRow(k.Context(), `
				SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT FROM events e WHERE e.site_id = $1 AND e.id = f.id))
				FROM event_search('%zebra%', '%event%', '%happens%') f (id)`, site).Scan(&found, &own)
			k.equal("found", []int{found, own}, []int{6, 6})
			return err
		})
	}
}
