package admin

import (
	"maps"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// The list of upcoming events and the overview begin with what is next. What has been running for more than three days has its own tab, in the
// order in which it ends. A filter finds all.
func TestUpcomingBeginsWithWhatIsNext(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t) // noon of 20 February 2030
	event := func(title, start, end string, more ...kit.Object) {
		one := kit.Object{"title": title, "start_date": start, "end_date": end}
		for _, m := range more {
			maps.Copy(one, m)
		}
		k.Event(one)
	}
	b := k.Person("editor")
	if p := b.Get("/admin/events"); p.Shows("view=onshow") {
		t.Error("a tab of nothing")
	}
	event("Old masters", "2029-11-01 10:00", "2030-05-01 18:00")
	event("Young masters", "2030-01-01 10:00", "2030-03-01 18:00")
	event("Festival", "2030-02-18 10:00", "2030-02-20 23:00")
	event("Opens today", "2030-02-20 10:00", "2030-06-01 18:00")
	event("This morning", "2030-02-20 09:00", "2030-02-20 10:00")
	event("Weekly market", "2030-02-06 08:00", "2030-02-06 09:00", kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY"}})
	event("Tonight", "2030-02-20 20:00", "2030-02-20 22:00")
	event("Choir", "2029-01-01 19:00", "2029-01-01 21:00", kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY"}})
	event("Summer masters", "2030-07-01 10:00", "2030-08-01 18:00")
	titles := func(path string) string {
		p := b.Get(path)
		at := map[string]int{}
		var list []string
		for _, title := range []string{"Old masters", "Young masters", "Festival", "Opens today", "This morning", "Weekly market", "Tonight", "Choir", "Summer masters"} {
			if i := strings.Index(p.Body, ">"+title+"<"); i >= 0 {
				at[title] = i
				n := 0
				for n < len(list) && at[list[n]] < i {
					n++
				}
				list = append(list[:n], append([]string{title}, list[n:]...)...)
			}
		}
		return strings.Join(list, ", ")
	}
	for path, want := range map[string]string{
		"/admin/events":                              "Festival, Opens today, Tonight, Choir, Weekly market, Summer masters",
		"/admin/events?view=onshow":                  "Young masters, Old masters",
		"/admin/events?view=past":                    "This morning, Weekly market, Choir",
		"/admin/events?view=upcoming&search=masters": "Old masters, Young masters, Summer masters",
		"/admin/desk":                                "Festival, Opens today, Tonight, Choir, Weekly market, Summer masters",
	} {
		if got := titles(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if p := b.Get("/admin/events"); !p.Shows("Feb\u00a027,\u00a02030") || !p.Shows(`Upcoming <span class="count">6</span>`) || !p.Shows(`Past <span class="count">3</span>`) {
		t.Error("a date that is over counts as one to come")
	}
	if p := b.Get("/admin/events"); !p.Shows(`view=onshow`) || !p.Shows(`On show <span class="count">2</span>`) {
		t.Error("no tab of what is on show")
	}
}
