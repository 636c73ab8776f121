package platform

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// TestNewSiteMoney: the currency of a new site is what the request says, or else that of its zone's country, or else that
// of its language's; the symbol stands where the language puts it there.
func TestNewSiteMoney(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for i, c := range []struct{ zone, language, settings, want string }{
		{"Europe/Berlin", "de", "", "EUR € postfix"},
		{"Europe/Berlin", "en", "", "EUR € prefix"},
		{"Europe/Zurich", "de", "", "CHF CHF prefix"},
		{"Europe/Zagreb", "en", "", "EUR € prefix"},
		{"America/Toronto", "fr", "", "CAD $ postfix"},
		{"America/Mexico_City", "es", "", "MXN $ prefix"},
		{"Asia/Calcutta", "hi", "", "INR ₹ prefix"},
		{"Asia/Tokyo", "ja", "", "JPY ¥ prefix"},
		{"Asia/Tehran", "fa", "", "IRR ریال prefix"},
		{"UTC", "de", "", "EUR € postfix"},
		{"UTC", "pl", "", "PLN zł postfix"},
		{"", "", "", "USD $ prefix"},
		{"Antarctica/Troll", "sv", "", "SEK kr postfix"},
		{"Europe/Berlin", "de", "CHF", "CHF CHF postfix"},
		{"Europe/Berlin", "de", "USD US$ prefix", "USD US$ prefix"},
	} {
		body := map[string]any{"slug": fmt.Sprintf("money-%d", i), "name": "Money"}
		if c.zone != "" {
			body["timezone"] = c.zone
		}
		if c.language != "" {
			body["language"] = c.language
		}
		if asked := strings.Fields(c.settings); len(asked) > 0 {
			settings := map[string]any{"currency_code": asked[0]}
			if len(asked) == 3 {
				settings["currency_symbol"], settings["currency_position"] = asked[1], asked[2]
			}
			body["settings"] = settings
		}
		a := k.Provider("POST", "/sites", body).Want(t, 201, "")
		got := fmt.Sprint(a.At("settings.currency_code"), " ", a.At("settings.currency_symbol"), " ", a.At("settings.currency_position"))
		if got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.zone, c.language, c.settings, got, c.want)
		}
	}
}

// TestNewSiteUnits: every field for prices says in which currency they are.
func TestNewSiteUnits(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Exec(`UPDATE sites SET currency_code = 'EUR', currency_symbol = '€', submissions = true WHERE slug = 'demo'`)
	k.Platform.Forget(k.Sites["demo"].ID)
	for path, b := range map[string]*kit.Browser{"/admin/events/new": k.Person("administrator"), "/submit/": k.Browser()} {
		p := b.Get(path)
		fields := strings.Count(p.Body, `name="cost"`) + strings.Count(p.Body, `[price]"`)/3
		if units := strings.Count(p.Body, `class="price-unit">(€)`); p.Status != 200 || fields == 0 || units < fields {
			t.Errorf("%s: %d with %d fields for prices and %d units", path, p.Status, fields, units)
		}
	}
}

// TestPersianSite: a new site in Persian has the calendar of Iran from the start.
func TestPersianSite(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	k.Provider("POST", "/sites", map[string]any{"slug": "iran", "name": "ایران", "language": "fa", "timezone": "Asia/Tehran"}).Want(t, 201, "")
	b := k.Browser()
	b.Host = "iran.localhost"
	if p := b.Get("/events/month/"); p.Status != 200 || !p.Shows("آبان\u00a0۱۴۰۵") || !strings.Contains(p.Body, `/fa/events/month/1405-08/`) {
		t.Errorf("%d %.3000s", p.Status, p.Body)
	}
}
