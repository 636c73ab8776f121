package admin

import (
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// dearest is the maximum cost of a page relative to the API. Pages cost 1.1 to 1.9 times as much on one machine and up to 2.1 times on
// another, where waiting for Postgres and drawing have other shares.
const dearest = 3

// BenchmarkAdminPages alternately measures pages of the administration and equivalent API requests on a site with ten
// thousand events. It fails if a page is too expensive.
func BenchmarkAdminPages(b *testing.B) {
	k := kit.New(b)
	tenThousand(k)
	a := k.Asker()
	const api = "/calendar/events/v1"
	const events = api + "/events?start_date=2019-01-01&end_date=2100-01-01&per_page=50&status=publish,draft,pending,private,future"
	choices := []string{api + "/venues?per_page=50", api + "/organizers?per_page=50", api + "/categories?per_page=50"}
	for _, c := range []struct {
		name, page string
		same       []string
	}{
		{"list", "/admin/events?length=50", append([]string{events}, choices...)},
		{"list, the last page", "/admin/events?view=all&length=50&page=200", append([]string{events + "&page=200"}, choices...)},
		{"list, searched", "/admin/events?length=50&search=event+77", append([]string{events + "&search=event%2077"}, choices...)},
		{"editor", "/admin/events/5000", append([]string{api + "/events/5000", // and what else is at its venue then
			api + "/events?venue=1000001&starts_before=2031-12-20+14:00&ends_after=2031-12-20+12:00"}, choices...)},
		{"editor, new", "/admin/events/new", append([]string{api + "/events?start_date=2019-01-01&end_date=2100-01-01&per_page=5"}, choices...)}, // and earlier events to begin with
	} {
		b.Run(c.name, func(b *testing.B) {
			bytes := 0
			page, same := byTurns(b, func() { bytes = a.Ask(b, c.page) }, func() {
				for _, path := range c.same {
					a.Ask(b, path)
				}
			})
			ratio := page.Seconds() / same.Seconds()
			b.ReportMetric(ratio, "page/API")
			b.ReportMetric(page.Seconds()*1000, "ms/page")
			b.ReportMetric(float64(bytes), "bytes")
			if ratio >= dearest && b.N > 1 { // the first of each makes ready
				b.Errorf("%s costs %.1f times what it does over the API, %s a page", c.page, ratio, page)
			}
		})
	}
}

// byTurns alternately runs two functions and returns the median durations, which are insensitive to occasional
// stalls.
func byTurns(b *testing.B, one, other func()) (time.Duration, time.Duration) {
	var took [2][]time.Duration
	for b.Loop() {
		for i, run := range []func(){one, other} {
			begun := time.Now()
			run()
			took[i] = append(took[i], time.Since(begun))
		}
	}
	for _, list := range took {
		slices.Sort(list)
	}
	return took[0][len(took[0])/2], took[1][len(took[1])/2]
}
