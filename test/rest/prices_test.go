package rest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestPricesNobodyWrote: numbers that are no prices are offered neither by the API nor on the event's page, and those that
// are have the currency that was written (rules 11.1 to 11.3).
func TestPricesNobodyWrote(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for i, c := range []struct {
		cost           any
		values, offers string
	}{
		{"Tickets unter 0228 123456", "[]", "-"},
		{"VVK 10 €, AK 12 €", "[10 12]", "10 – 12 EUR"},
		{"Kinder bis 12 Jahre frei, sonst 8 €", "[8]", "8 EUR"},
		{"1.500 €", "[1500]", "1500 EUR"},
		{"10 – 20", "[10 20]", "10 – 20 USD"},
		{[]string{"0$", "20$", "30$"}, "[0 20 30]", "0 – 30 USD"},
		{"kostenlos", "[0]", "0 USD"},
		{"Eintritt frei", "[0]", "0 USD"},
		{"gratis", "[0]", "0 USD"},
		{"Donation", "[donation]", "-"},
		{"kr 100", "[100]", "-"},
	} {
		a := k.Get(kit.Item("events", k.Event(kit.Object{"title": fmt.Sprintf("Priced %d", i), "cost": c.cost})), "").Want(t, 200, "")
		a.Has(t, "cost_details.values", c.values)
		got := fmt.Sprint(a.At("json_ld.offers.price"), " ", a.At("json_ld.offers.priceCurrency"))
		if got == "- -" {
			got = "-"
		}
		if got != c.offers {
			t.Errorf("%v is offered by the API as %q, want %q", c.cost, got, c.offers)
		}
		page := string(k.Look(fmt.Sprintf("/event/priced-%d/", i)).Raw)
		structured, _ := kit.Structured(t, []byte(page))["offers"].([]any)
		var shown []string
		for _, one := range structured {
			offer, _ := one.(map[string]any)
			shown = append(shown, fmt.Sprint(offer["price"], " ", offer["priceCurrency"]))
		}
		first, currency, _ := strings.Cut(c.offers, " ")
		if c.offers == "-" && len(shown) > 0 || c.offers != "-" && (len(shown) == 0 || shown[0] != first+" "+currency[max(0, len(currency)-3):]) {
			t.Errorf("%v is offered on the page as %v, want %q", c.cost, shown, c.offers)
		}
	}
	if got := k.Get(kit.Item("events", k.Event(kit.Object{"cost": []string{"0$", "20$", "30$"}})), "").At("cost_details.currency_symbol"); got != "$" {
		t.Errorf("the symbol of a list is %v", got)
	}
	mixed := k.Get(kit.Item("events", k.Event(kit.Object{"cost": "10 € / 12 CHF"})), "")
	mixed.Has(t, "json_ld.offers.0.priceCurrency", "EUR", "json_ld.offers.1.price", "12", "json_ld.offers.1.priceCurrency", "CHF")
	if total := k.Get("/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50", "").At("total"); fmt.Sprint(total) != "13" {
		t.Errorf("%v events", total)
	}
}
