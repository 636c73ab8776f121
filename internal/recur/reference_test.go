package recur_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	second "github.com/teambition/rrule-go"

	"github.com/kalends/kalends/internal/recur"
)

// knownBugs are the known bugs of the reference implementation. The test requires each to occur, so that a fixed one is
// removed from the list.
var knownBugs = []struct {
	name string
	has  func(recur.Rule) bool
}{
	{"BYWEEKNO is counted in calendar years, also by INTERVAL and BYSETPOS", func(r recur.Rule) bool {
		return len(r.ByWeekNo) > 0 && (r.Interval > 1 || len(r.BySetPos) > 0)
	}},
	{"BYSETPOS counts the first week from DTSTART on, not whole", func(r recur.Rule) bool {
		return r.Freq == recur.Weekly && len(r.BySetPos) > 0
	}},
	{"numbered weekdays beside plain ones are lost", func(r recur.Rule) bool {
		return len(r.ByDay) > 0 && r.ByDay[0].N == 0 && r.ByDay[len(r.ByDay)-1].N != 0
	}},
	{"a number that a month does not have is out of its lists", func(r recur.Rule) bool {
		return slices.ContainsFunc(r.ByDay, func(d recur.Day) bool { return max(d.N, -d.N) >= 5 })
	}},
}

// An independent expander that works quite differently yields the same dates for random rules, except for its known
// bugs.
func TestMatchesReference(t *testing.T) {
	t.Parallel()
	met := map[string]int{}
	same := 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 8984))
		rule, _ := recur.ParseRule(anyRule(r).Text(recur.Clock{}), recur.Clock{}) // removes duplicate values
		start := time.Date(1996+r.IntN(40), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), 0, 0, time.UTC)
		c := recur.Clock{Start: start}
		set := recur.Set{Rules: []recur.Rule{rule}}
		near := set.Nearest(c, 1)
		if len(near) == 0 { // the reference would search for ever
			continue
		}
		c.Start = near[0]
		if !set.Hits(c) {
			t.Fatalf("seed %d: %s does not name its nearest start %v", seed, rule.Text(c), c.Start)
		}
		want := take(set, c, time.Time{}, 15)
		if len(want) < 15 || want[14].Year() > c.Start.Year()+100 {
			continue
		}
		if slices.Equal(reference(t, rule, c.Start, len(want)), want) {
			same++
			continue
		}
		known := false
		for _, f := range knownBugs {
			if f.has(rule) {
				met[f.name]++
				known = true
			}
		}
		if !known {
			t.Errorf("seed %d: %v %s\nours %v\nreference %v", seed, c.Start, rule.Text(c), want[:4], reference(t, rule, c.Start, 4))
		}
	}
	t.Logf("%d agree", same)
	if same < 500 {
		t.Errorf("only %d rules were compared", same)
	}
	for _, f := range knownBugs {
		if met[f.name] == 0 {
			t.Errorf("not met: %s", f.name)
		}
		t.Logf("%4d %s", met[f.name], f.name)
	}
}

// reference returns the first n dates of the reference implementation.
func reference(t *testing.T, r recur.Rule, start time.Time, n int) (dates []time.Time) {
	t.Helper()
	defer func() {
		if recover() != nil {
			dates = nil
		}
	}()
	freqs := map[recur.Freq]second.Frequency{
		recur.Daily: second.DAILY, recur.Weekly: second.WEEKLY, recur.Monthly: second.MONTHLY, recur.Yearly: second.YEARLY,
	}
	days := []second.Weekday{second.SU, second.MO, second.TU, second.WE, second.TH, second.FR, second.SA}
	option := second.ROption{
		Freq: freqs[r.Freq], Dtstart: start, Interval: max(r.Interval, 1), Wkst: days[r.WeekStart],
		Bysetpos: r.BySetPos, Bymonth: r.ByMonth, Bymonthday: r.ByMonthDay, Byyearday: r.ByYearDay,
		Byweekno: r.ByWeekNo, Byhour: r.ByHour, Byminute: r.ByMinute,
	}
	for _, d := range r.ByDay {
		day := days[d.Weekday]
		if d.N != 0 {
			day = day.Nth(d.N)
		}
		option.Byweekday = append(option.Byweekday, day)
	}
	rule, err := second.NewRRule(option)
	if err != nil {
		t.Fatal(err)
	}
	next := rule.Iterator()
	for len(dates) < n {
		d, ok := next()
		if !ok {
			break
		}
		dates = append(dates, d)
	}
	return dates
}
