package ui

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// TestTicketPrice: the price of a ticket is in the digits of the language, in whatever currency, as the language writes that.
func TestTicketPrice(t *testing.T) {
	t.Parallel()
	price := 12.5
	for tag, want := range map[string]string{"en": "€12.50", "ar": "\u200f١٢٫٥٠\u00a0€", "de": "12,50\u00a0€", "nl": "€\u00a012,50", "ja": "€12.50"} {
		ctx := tenancy.With(t.Context(), tenancy.Scope{Language: tag})
		if got := TicketPrice(ctx, &calendar.Ticket{Price: &price, Currency: "EUR"}); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

// TestCost: prices are as the language writes them, and texts that are more than prices as their authors did.
func TestCost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tag, cost, want string }{
		{"en", "12.50 EUR", "€12.50"}, {"en", "EUR 10 - 20", "€10 – €20"}, {"en", "12 CHF", "CHF\u00a012"}, {"en", "$12", "$12"}, {"en", "USD 12", "$12"}, {"en", "0 EUR", "Free"},
		{"de", "$12", "12\u00a0$"}, {"de", "12", "12\u00a0$"}, {"de", "1200.5 – 8", "8\u00a0$ – 1.200,50\u00a0$"}, {"ar", "12.5", "\u200f١٢٫٥٠\u00a0$"}, {"de", "0", "Eintritt frei"}, {"de", "12 kr", "12\u00a0kr"},
		{"de", "9 Euro", "9\u00a0€"}, {"de", "8 - 10,50 Euro", "8\u00a0€ – 10,50\u00a0€"}, {"en", "9 euros", "€9"}, {"de", "9 Euro, Kinder 5 Euro", "9 Euro, Kinder 5 Euro"}, {"de", "0 Euro", "Eintritt frei"},
		{"de", "12,50 EUR", "12,50\u00a0€"}, {"fr", "£8", "8\u00a0£GB"}, {"pt-BR", "12 EUR", "€\u00a012"}, {"fa", "12 EUR", "€\u00a0۱۲"}, {"en", "20 Kč and 3 beers", "20 Kč and 3 beers"},
	} {
		site := &tenancy.Site{Language: "en", Settings: tenancy.DefaultSettings()}
		site.Settings.CurrencyCode, site.Settings.CurrencySymbol, site.Settings.CurrencyPosition = "USD", "$", "prefix"
		ctx := tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: c.tag})
		if got := Cost(ctx, &calendar.Event{Cost: []string{c.cost}}); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.tag, c.cost, got, c.want)
		}
	}
}

// TestUnit: fields for prices name the currency by its symbol, and by its code as well if that symbol is of several currencies.
func TestUnit(t *testing.T) {
	t.Parallel()
	for currency, want := range map[[2]string]string{{"€", "EUR"}: "€", {"$", "USD"}: "$ USD", {"$", "CAD"}: "$ CAD", {"kr", "DKK"}: "kr DKK", {"CHF", "CHF"}: "CHF", {"", "EUR"}: "EUR", {"¤", ""}: "¤"} {
		site := &tenancy.Site{Settings: tenancy.Settings{CurrencySymbol: currency[0], CurrencyCode: currency[1]}}
		if got := Unit(tenancy.With(t.Context(), tenancy.Scope{Site: site})); got != want {
			t.Errorf("%v: %q, want %q", currency, got, want)
		}
	}
}
