package console

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// All pages of the console have one clock and name it, also those of a site in another time zone.
func TestConsoleClock(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	k.Provider("PATCH", "/sites/demo", map[string]any{"timezone": "Pacific/Auckland"}).Want(t, 200, "")
	said := "" // when the site was changed, as the list says it
	for _, path := range []string{"/admin/provider", "/admin/provider/sites/demo", "/admin/provider/sites/demo/audit", "/admin/provider/plans", "/admin/provider/audit"} {
		p := b.Get(path)
		if !p.Shows("All times: UTC") {
			t.Errorf("%s doesn't name its clock", path)
		}
		if path == "/admin/provider" {
			said = shownTime.FindString(p.Body)
		}
		if path == "/admin/provider/sites/demo" && (said == "" || !p.Shows(said)) {
			t.Errorf("the list says %q, and the page of the site something else", said)
		}
	}
}
