package admin

import (
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// felt is how much longer a page of a large site may take than the same of a
// small one: so many times, unless it is less than anybody notices.
const (
	felt    = 2
	noticed = 100 * time.Millisecond
)

// BenchmarkSize measures pages by turns in a site of five hundred events and in
// one of ten thousand, with as many of them on the page. It fails when the size
// of the site is felt. Searches are for what few events have.
func BenchmarkSize(b *testing.B) {
	var sites [2]*kit.Asker
	for i, events := range []int{500, 10_000} {
		k := kit.New(b)
		k.Clock = time.Date(2020, 6, 1, 12, 0, 0, 0, time.UTC)
		k.Stock(events)
		sites[i] = k.Asker()
	}
	for _, c := range []struct{ name, path string }{
		{"list", "/admin/events?length=50"},
		{"list, searched", "/admin/events?length=50&search=event+455"},
		{"list, filtered", "/admin/events?length=50&venue=1000007&category=3&status=publish"},
		{"month", "/admin?date=2020-06-10"},
		{"week", "/admin?view=week&date=2020-06-10"},
		{"editor", "/admin/events/250"},
		{"venues", "/admin/venues"},
		{"venue", "/admin/venues/1000007"},
		{"categories", "/admin/categories"},
		{"media", "/admin/media"},
		{"picture", "/admin/media/2000100"},
		{"list of drafts", "/admin/events?status=draft"},
		{"trash", "/admin/trash"},
		{"public month", "/en/events/month/2020-06/"},
		{"public list", "/en/events/"},
		{"public past", "/en/events/past/"},
		{"public event", "/en/event/event-250/"},
		{"public venue", "/en/venue/venue-7/"},
		{"public search", "/en/events/?search=event+455"},
	} {
		b.Run(c.name, func(b *testing.B) {
			small, large := byTurns(b, func() { sites[0].Ask(b, c.path) }, func() { sites[1].Ask(b, c.path) })
			b.ReportMetric(large.Seconds()/small.Seconds(), "large/small")
			b.ReportMetric(small.Seconds()*1000, "ms/500")
			b.ReportMetric(large.Seconds()*1000, "ms/10000")
			if large > felt*small && large > small+noticed && b.N > 1 { // the first of each makes ready
				b.Errorf("%s takes %s in a site of 500 events and %s in one of 10,000", c.path, small, large)
			}
		})
	}
}
