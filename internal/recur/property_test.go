package recur_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// anyRule returns a random rule of any legal form, however unusual.
func anyRule(r *rand.Rand) recur.Rule {
	rule := recur.Rule{
		Freq:      recur.Freq(1 + r.IntN(4)),
		Interval:  []int{0, 1, 1, 2, 3, 5, 13}[r.IntN(7)],
		WeekStart: time.Weekday(r.IntN(7)),
	}
	some := func(chance int, low, high int, both bool) []int {
		if r.IntN(100) >= chance {
			return nil
		}
		var list []int
		for range 1 + r.IntN(4) {
			n := low + r.IntN(high-low+1)
			if both && r.IntN(3) == 0 {
				n = -n
			}
			list = append(list, n)
		}
		return list
	}
	rule.ByMonth = some(25, 1, 12, false)
	if rule.Freq != recur.Weekly {
		rule.ByMonthDay = some(30, 1, 31, true)
	}
	if rule.Freq == recur.Yearly {
		rule.ByYearDay = some(20, 1, 366, true)
		rule.ByWeekNo = some(25, 1, 53, true)
	}
	if r.IntN(2) == 0 {
		numbered := (rule.Freq == recur.Monthly || rule.Freq == recur.Yearly) && len(rule.ByWeekNo) == 0 && r.IntN(2) == 0
		for range 1 + r.IntN(4) {
			d := recur.Day{Weekday: time.Weekday(r.IntN(7))}
			if numbered {
				d.N = []int{1, 2, 3, 4, 5, -1, -2, -5, 0, 20, -53}[r.IntN(11)]
			}
			rule.ByDay = append(rule.ByDay, d)
		}
	}
	rule.ByHour = some(20, 0, 23, false)
	rule.ByMinute = some(10, 0, 59, false)
	if len(rule.ByMonth)+len(rule.ByMonthDay)+len(rule.ByYearDay)+len(rule.ByWeekNo)+len(rule.ByDay)+len(rule.ByHour)+len(rule.ByMinute) > 0 {
		rule.BySetPos = some(30, 1, 6, true)
	}
	return rule
}

// Random rules yield the same dates as a test of every single day: from the beginning, from the middle and with
// either kind of end. Their text parses back to the same rule.
func TestMatchesSlowExpansion(t *testing.T) {
	t.Parallel()
	const years = 9
	zones := []*time.Location{time.UTC, zone(t, "Europe/Berlin"), zone(t, "America/New_York"), zone(t, "Asia/Beirut")}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5545))
		c := recur.Clock{
			Zone:  zones[r.IntN(len(zones))],
			Start: time.Date(1996+r.IntN(40), time.Month(1+r.IntN(12)), 1+r.IntN(31), r.IntN(24), r.IntN(60), 0, 0, time.UTC),
		}
		rule := anyRule(r)
		switch r.IntN(4) {
		case 0:
			rule.Count = 1 + r.IntN(30)
		case 1:
			rule.Until = c.Start.AddDate(0, 0, r.IntN(1500))
		}
		end := c.Start.Year() + years
		dates := slow(rule, c, end)
		want := dates
		if len(dates) == 0 || !dates[0].Equal(c.Start) { // DTSTART counts and stays in the series
			want = append([]time.Time{c.Start}, dates...)
			if rule.Count > 0 && len(want) > rule.Count {
				want = want[:rule.Count]
			}
		}
		read, problems := recur.ParseRule(rule.Text(c), c)
		if len(problems) > 0 {
			t.Fatalf("seed %d: %s: %+v", seed, rule.Text(c), problems)
		}
		set := recur.Set{Rules: []recur.Rule{read}}
		var got []time.Time
		for d := range set.All(c, time.Time{}) {
			if d.Year() > end {
				break
			}
			got = append(got, d)
		}
		if !slices.Equal(got, want) {
			i := 0
			for i < len(got) && i < len(want) && got[i].Equal(want[i]) {
				i++
			}
			t.Fatalf("seed %d: %v %s: differs at %d of %d\ngot  %v\nwant %v", seed, c.Start, rule.Text(c), i, len(want),
				got[i:min(i+3, len(got))], want[i:min(i+3, len(want))])
		}
		compareRest(t, seed, set, c, want, end)
	}
}

// compareRest enters the series at random dates and checks its last date.
func compareRest(t *testing.T, seed uint64, set recur.Set, c recur.Clock, want []time.Time, end int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 3 {
		from := c.Start.AddDate(0, 0, r.IntN(365*9))
		i, _ := slices.BinarySearchFunc(want, from, time.Time.Compare)
		rest := want[i:min(len(want), i+5)]
		got := take(set, c, from, 5)
		got = slices.DeleteFunc(got, func(d time.Time) bool { return d.Year() > end })
		if !slices.Equal(got, rest) {
			t.Fatalf("seed %d: %s from %v: %v, want %v", seed, set.Rules[0].Text(c), from, got, rest)
		}
	}
	rule := set.Rules[0]
	last, ok := set.Last(c)
	if ok != !set.Endless() {
		t.Fatalf("seed %d: last %v of %s", seed, last, rule.Text(c))
	}
	if ok && last.Year() <= end && !last.Equal(want[len(want)-1]) {
		t.Fatalf("seed %d: %s: last %v, want %v", seed, rule.Text(c), last, want[len(want)-1])
	}
}
