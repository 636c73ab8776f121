package lists

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/test/eventtest"
)

// scatter stores events of all lengths, zones and statuses about a day.
func (k *kit) scatter(random *rand.Rand, events int) []*calendar.Event {
	k.Helper()
	zones := []string{"Europe/Berlin", "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"}
	var list []*calendar.Event
	for range events {
		list = append(list, k.Event(func(e *calendar.Event) {
			e.Timezone = zones[random.IntN(len(zones))]
			zone, err := args.LocationOf(e.Timezone)
			k.Must(err)
			e.Start = eventtest.Monday.Truncate(24 * time.Hour).Add(time.Duration(random.IntN(40*48)) * 30 * time.Minute)
			e.End = e.Start.Add(time.Duration(random.IntN(6)*random.IntN(30)) * time.Hour)
			if random.IntN(4) == 0 { // all day
				e.Start, e.End = e.Start.Truncate(24*time.Hour), e.End.Truncate(24*time.Hour).Add(24*time.Hour-time.Second)
			}
			e.StartUTC, e.EndUTC = args.Resolve(e.Start, zone).UTC(), args.Resolve(e.End, zone).UTC()
			e.Author, e.Hidden = 1+random.Int64N(3), random.IntN(10) == 0
			if random.IntN(4) == 0 {
				e.Status = calendar.Statuses()[random.IntN(6)]
			}
		}))
	}
	return list
}

// meets says whether an event is within an edge.
func meets(e *calendar.Event, edge calendar.Edge) bool {
	at := e.Start
	switch {
	case edge.End && edge.Instant:
		at = e.EndUTC
	case edge.End:
		at = e.End
	case edge.Instant:
		at = e.StartUTC
	}
	by := at.Compare(edge.At)
	return map[calendar.Compare]bool{calendar.From: by >= 0, calendar.After: by > 0, calendar.Until: by <= 0, calendar.Before: by < 0}[edge.Compare]
}

// TestTotalsByDay compares totals, counts by status and pages of random windows,
// for all kinds of viewers, with the events one by one.
func TestTotalsByDay(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	stored := k.scatter(random, 300)
	k.Equal("wrong days", k.Column(eventtest.WrongDays, k.Site), []string(nil))
	window := func() (edges []calendar.Edge) {
		for range random.IntN(4) {
			edge := calendar.Edge{End: random.IntN(2) == 0, Instant: random.IntN(3) == 0,
				Compare: []calendar.Compare{calendar.From, calendar.Until, calendar.Before, calendar.After}[random.IntN(4)]}
			day := eventtest.Monday.Truncate(24*time.Hour).AddDate(0, 0, random.IntN(42)-1)
			edge.At = []time.Time{day, day.Add(24*time.Hour - time.Second), day.Add(time.Duration(random.IntN(24)) * time.Hour)}[random.IntN(3)]
			edges = append(edges, edge)
		}
		return edges
	}
	viewers := []calendar.Viewer{{}, {User: 2}, {User: 1, All: true}}
	for range 400 {
		q := calendar.EventQuery{Edges: window(), Viewer: viewers[random.IntN(3)], WithHidden: random.IntN(3) == 0, PerPage: 1000}
		if random.IntN(3) == 0 {
			for range 1 + random.IntN(3) {
				q.Statuses = append(q.Statuses, calendar.Statuses()[random.IntN(6)])
			}
		}
		total, counts := 0, map[calendar.Status]int{}
		for _, e := range stored {
			asked := slices.Contains(q.Statuses, e.Status) || len(q.Statuses) == 0 && e.Status != calendar.Trash
			may := e.Status == calendar.Publish || q.Viewer.All || q.Viewer.User == e.Author
			if asked && may && (q.WithHidden || !e.Hidden) &&
				!slices.ContainsFunc(q.Edges, func(edge calendar.Edge) bool { return !meets(e, edge) }) {
				total++
				counts[e.Status]++
			}
		}
		what := fmt.Sprintf("%+v", q)
		page := k.List(q)
		k.Equal("entries of "+what, len(page.Items), total)
		k.Equal("total of "+what, page.Total, total)
		got, err := k.db.Events().Counts(k.Ctx, q)
		k.Must(err)
		k.Equal("counts of "+what, got, counts)
		if t.Failed() {
			return
		}
	}
}

// TestDeepPages looks at pages beyond skipFrom, from both ends.
func TestDeepPages(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Fill(k.Site, 2*skipFrom)
	k.Exec(k.Site, `UPDATE sites SET last_post_id = 3000000 WHERE id = $1`, k.Site)
	random := rand.New(rand.NewPCG(1, 2))
	k.scatter(random, 60)
	k.Equal("wrong days", k.Column(eventtest.WrongDays, k.Site), []string(nil))
	for _, descending := range []bool{false, true} {
		for _, edges := range [][]calendar.Edge{nil, {{Compare: calendar.From, At: eventtest.Monday.Truncate(24*time.Hour).AddDate(0, 0, 2)},
			{End: true, Compare: calendar.Until, At: eventtest.Monday.Truncate(24*time.Hour).AddDate(0, 0, 40).Add(-time.Second)}},
			{{Compare: calendar.From, At: eventtest.Monday.Truncate(24 * time.Hour).Add(90 * time.Minute)}}, // an edge within a day
			{{End: true, Instant: true, Compare: calendar.Before, At: eventtest.Monday.AddDate(0, 0, 35)}}} {
			q := calendar.EventQuery{Edges: edges, Descending: descending, PerPage: 10_000}
			all := k.List(q)
			for n := range all.Items {
				if n > 0 && order(all.Items[n-1], all.Items[n], descending) >= 0 {
					t.Fatalf("entry %d is out of order", n)
				}
			}
			q.PerPage = 7
			for q.Page = 1; (q.Page-1)*q.PerPage < len(all.Items); q.Page++ {
				from := (q.Page - 1) * q.PerPage
				page := k.List(q)
				want := all.Items[from:min(from+q.PerPage, len(all.Items))]
				if !slices.Equal(eventtest.Titles(page.Items), eventtest.Titles(want)) || page.Total != len(all.Items) {
					t.Fatalf("page %d, descending %v: %q of %d, want %q of %d", q.Page, descending, eventtest.Titles(page.Items), page.Total,
						eventtest.Titles(want), len(all.Items))
				}
			}
			_, err := k.db.Events().List(k.Ctx, q)
			k.Wants(err, calendar.ErrPage)
		}
	}
}

func order(a, b *calendar.Event, descending bool) int {
	by := a.Start.Compare(b.Start)
	if descending {
		by = -by
	}
	return cmp.Or(by, cmp.Compare(a.ID, b.ID))
}

// TestTotalsFromDays asks for totals of random windows while events change, those that
// Postgres counted and those that were known from the days of the site, and compares
// them with occurrences counted one by one.
func TestTotalsFromDays(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 2))
	day := func() time.Time { return eventtest.Monday.Truncate(24*time.Hour).AddDate(0, 0, random.IntN(60)-20) }
	var told int
	for range 12 {
		k.scatter(random, 1+random.IntN(5))
		for range 2 * countedFirst {
			from, until := day(), day().Add(24*time.Hour-time.Second)
			edges := []calendar.Edge{{End: random.IntN(2) == 0, Compare: calendar.From, At: from}, {End: random.IntN(2) == 0, Compare: calendar.Until, At: until}}
			days := k.db.lists.days.of(k.Site)
			page, err := k.db.Events().List(k.Ctx, calendar.EventQuery{Edges: edges, PerPage: 1})
			k.Must(err)
			if days.read && days.version == page.Version {
				told++
			}
			column := map[bool]string{false: "start_local", true: "end_local"}
			k.Equal(fmt.Sprint("total of ", edges), fmt.Sprint(page.Total), k.Column(`
				SELECT count(*)::text
				FROM occurrences
				WHERE site_id = $1
				  AND listed
				  AND `+column[edges[0].End]+` >= $2
				  AND `+column[edges[1].End]+` <= $3`, k.Site, from, until)[0])
		}
	}
	if told == 0 {
		t.Error("no total was known from days")
	}
}
