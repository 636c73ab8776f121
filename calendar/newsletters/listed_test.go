package newsletters

import (
	"fmt"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
)

// A letter of a busy week has events of each day, in their order: all of a short day, the featured ones, and evenings as well as mornings.
func TestSharedBetweenDays(t *testing.T) {
	t.Parallel()
	monday := time.Date(2027, 5, 3, 0, 0, 0, 0, time.UTC)
	var events []*calendar.Event
	for day, n := range []int{30, 2, 20, 20, 20, 50, 25} {
		for i := range n {
			e := &calendar.Event{Start: monday.AddDate(0, 0, day).Add(time.Duration(i) * time.Minute * 20)}
			e.Title, e.Featured = fmt.Sprintf("%d.%d", day, i), day == 5 && i == 49
			events = append(events, e)
		}
	}
	events[0].Start = monday.AddDate(0, 0, -1) // began on the day before
	got := shared(events, monday, 40)
	days, at := map[int]int{}, map[string]bool{}
	for i, e := range got {
		if i > 0 && e.Start.Before(got[i-1].Start) {
			t.Errorf("%s stands after %s", e.Title, got[i-1].Title)
		}
		days[int(e.Start.Sub(monday).Hours()+24)/24-1]++
		at[e.Title] = true
	}
	days[0] += days[-1]
	if len(got) != 40 || !at["1.0"] || !at["1.1"] || !at["5.49"] || !at["0.0"] {
		t.Errorf("%d events, %v", len(got), at)
	}
	for day := range 7 {
		if n := days[day]; day != 1 && (n < 6 || n > 7) {
			t.Errorf("day %d has %d events", day, n)
		}
	}
	if few := shared(events[:40], monday, 40); len(few) != 40 {
		t.Errorf("%d of 40 events", len(few))
	}
}
