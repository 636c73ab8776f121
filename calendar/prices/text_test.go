package prices_test

import (
	"testing"

	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/tenancy"
)

// Pages have a price as their language writes it: the place of the symbol, the space, the decimal mark, the digits. A place that was chosen
// holds in all languages. The API does not change.
func TestText(t *testing.T) {
	t.Parallel()
	site := &tenancy.Site{Language: "en", Timezone: "Europe/Berlin", Settings: tenancy.DefaultSettings()}
	site.Settings.CurrencySymbol, site.Settings.CurrencyCode = "€", "EUR"
	for _, c := range []struct{ language, cost, want, fixed string }{
		{"de", "12", "12\u00a0€", "€\u00a012"}, {"en", "12", "€12", "€12"}, {"fr", "12.5", "12,50\u00a0€", "€12,50"}, {"nl", "12", "€\u00a012", "€\u00a012"},
		{"de", "€12", "12\u00a0€", "€\u00a012"}, {"en", "12 €", "€12", "€12"}, {"en", "12,50 EUR", "€12.50", "€12.50"}, {"de", "1500", "1.500\u00a0€", "€\u00a01.500"},
		{"de", "10-20", "10\u00a0€ – 20\u00a0€", "€\u00a010 – €\u00a020"}, {"ar", "12.50", "\u200f١٢٫٥٠\u00a0€", "€١٢٫٥٠"}, {"he", "12", "\u200f12\u00a0€", "€12"}, {"fa", "12", "€\u00a0۱۲", "€\u00a0۱۲"},
		{"hi", "123456", "€1,23,456", "€1,23,456"}, {"de", "12 CHF", "12\u00a0CHF", "12\u00a0CHF"}, {"en", "$12", "$12", "$12"}, {"de", "12 kr", "12\u00a0kr", "12\u00a0kr"},
		{"de", "0", "Eintritt frei", "Eintritt frei"}, {"de", "Free", "Eintritt frei", "Eintritt frei"}, {"de", "Eintritt frei!", "Eintritt frei", "Eintritt frei"},
		{"de", "kostenlos", "Eintritt frei", "Eintritt frei"}, {"pl", "gratis", "Wstęp wolny", "Wstęp wolny"}, {"en", "0", "Free", "Free"}, {"de", "0, 12", "Kostenlos – 12\u00a0€", "Kostenlos – €\u00a012"},
		{"de", "pay what you want", "pay what you want", "pay what you want"}, {"de", "5 € & a cake", "5 € & a cake", "5 € & a cake"},
	} {
		stored, err := prices.Parse(c.cost)
		if err != nil {
			t.Fatal(err)
		}
		api := prices.Format(stored, prices.CurrencyOf(site)).Text
		for fixed, want := range map[bool]string{false: c.want, true: c.fixed} {
			site.Settings.CurrencyFixed = fixed
			if got := prices.Text(site, c.language, stored); got != want {
				t.Errorf("%s, %q, fixed %t: %q, want %q", c.language, c.cost, fixed, got, want)
			}
			if got := prices.Format(stored, prices.CurrencyOf(site)).Text; got != api {
				t.Errorf("the API says %q, not %q", got, api)
			}
		}
	}
	site.Settings.CurrencyFixed = false
	for want, amount := range map[string]float64{"12,50\u00a0€": 12.5, "1.200\u00a0€": 1200, "Kostenlos": 0} {
		if got := prices.AmountText(site, "de", amount, "EUR"); got != want {
			t.Errorf("%f: %q", amount, got)
		}
	}
	if got := prices.AmountText(site, "de", 12, "CHF"); got != "12\u00a0CHF" {
		t.Errorf("in another currency: %q", got)
	}
}
