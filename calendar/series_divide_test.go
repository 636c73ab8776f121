package calendar

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// firstDates returns the dates of a series within four years from a day.
func firstDates(e *Event, from time.Time) (list []time.Time) {
	for date := range e.Recurrence.All(e.Clock(), time.Time{}) {
		if date.After(from.AddDate(4, 0, 0)) {
			break
		}
		list = append(list, date)
	}
	return list
}

// TestDivide divides series with one or several rules at each of their first dates. Together the two parts have the
// dates of the whole, each on its side and none added twice.
func TestDivide(t *testing.T) {
	t.Parallel()
	start := time.Date(2030, 1, 1, 9, 0, 0, 0, time.UTC) // a Tuesday
	rules := []string{"FREQ=WEEKLY;BYDAY=TU;COUNT=9", "FREQ=DAILY;INTERVAL=3;COUNT=12", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;WKST=SU", "FREQ=MONTHLY",
		"FREQ=MONTHLY;BYDAY=-1FR;COUNT=7", "FREQ=DAILY;INTERVAL=5;UNTIL=20300214T090000", "FREQ=WEEKLY;INTERVAL=3;BYDAY=FR", "FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4"}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for range 150 {
		whole := &Event{Start: start, End: start.Add(time.Hour), Timezone: "UTC", Recurrence: &recur.Set{}}
		var texts []string
		for _, i := range random.Perm(len(rules))[:1+random.IntN(3)] {
			rule, problems := recur.ParseRule(rules[i], whole.Clock())
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			whole.Recurrence.Rules, texts = append(whole.Recurrence.Rules, rule), append(texts, rules[i])
		}
		if random.IntN(2) == 0 {
			whole.Recurrence.Dates = []time.Time{start.AddDate(0, 0, -3), start.AddDate(0, 0, 17)}
			whole.Recurrence.Except = []time.Time{firstDates(whole, start)[4]}
		}
		want := firstDates(whole, start)
		for n, at := range want[:min(10, len(want))] {
			series, rest := *whole, *whole
			cut := Divide(&series, &rest, at)
			if cut != (n > 0) {
				t.Fatalf("%q at %s: divided %v", texts, at, cut)
			}
			if !cut {
				continue
			}
			if added := rest.Recurrence.Dates; len(slices.CompactFunc(slices.SortedFunc(slices.Values(added), time.Time.Compare), time.Time.Equal)) < len(added) {
				t.Fatalf("%s, %v, at %s: %v are added", strings.Join(texts, " "), whole.Recurrence.Dates, at, added)
			}
			before, after := firstDates(&series, start), firstDates(&rest, start)
			if !slices.Equal(before, want[:n]) || !slices.Equal(after, want[n:]) {
				t.Fatalf("%s, %v, at %s:\n%v\n%v\nwant\n%v\n%v", strings.Join(texts, " "), whole.Recurrence.Dates, at, before, after, want[:n], want[n:])
			}
		}
	}
}
