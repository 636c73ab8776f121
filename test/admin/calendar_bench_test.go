package admin

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// tenThousand gives the site ten thousand events.
func tenThousand(k *kit.Kit) { k.Stock(10_000) }

// BenchmarkCalendar measures the calendar of the administration beside the same
// events over the API, in a site of ten thousand.
func BenchmarkCalendar(b *testing.B) {
	k := kit.New(b)
	tenThousand(k)
	a := k.Asker()
	const days = "/calendar/events/v1/events?per_page=50&ends_after=2025-03-31&starts_before="
	for _, c := range []struct{ name, path string }{
		{"month", "/admin?date=2025-04-10"}, {"month over the API", days + "2025-05-04"},
		{"week", "/admin?view=week&date=2025-04-10"}, {"list", "/admin?view=list&date=2025-04-01"},
	} {
		b.Run(c.name, func(b *testing.B) {
			bytes := 0
			for b.Loop() {
				bytes = a.Ask(b, c.path)
			}
			b.ReportMetric(float64(bytes), "bytes")
		})
	}
}
