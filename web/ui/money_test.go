package ui

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// TestTicketPrice: the price of a ticket is in the digits of the language, in whatever currency.
func TestTicketPrice(t *testing.T) {
	t.Parallel()
	price := 12.5
	for tag, want := range map[string]string{"en": "12.50\u00a0EUR", "ar": "١٢٫٥٠\u00a0EUR"} {
		ctx := tenancy.With(t.Context(), tenancy.Scope{Language: tag})
		if got := TicketPrice(ctx, &calendar.Ticket{Price: &price, Currency: "EUR"}); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

// TestTypedCost: words for "free" become a price of 0, in English, in the language of the page and in that of the site. Everything
// else stays as it was typed.
func TestTypedCost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ page, site, typed, want string }{
		{"en", "en", "Free", "Free"},
		{"en", "en", " free entry! ", "0"},
		{"de", "de", "kostenlos", "0"},
		{"de", "de", "Eintritt frei", "0"},
		{"de", "de", "free", "free"},
		{"en", "de", "Gratis.", "0"},
		{"de", "en", "gratis", "0"},
		{"en", "en", "gratis", "gratis"},
		{"fr", "en", "entree libre", "0"},
		{"ar", "ar", "مجانًا", "0"},
		{"ja", "ja", "入場無料", "0"},
		{"tr", "tr", "ÜCRETSİZ", "0"},
		{"de", "de", "frei für Mitglieder", "frei für Mitglieder"},
		{"en", "en", "Free, 10", "Free, 10"},
		{"en", "en", "12,50 €", "12,50 €"},
		{"en", "en", "public.free.typed", "public.free.typed"},
		{"en", "en", "", ""},
		{"en", "en", "!", "!"},
	} {
		ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{Language: c.site}, Language: c.page})
		if got := TypedCost(ctx, c.typed); got != c.want {
			t.Errorf("%q on a page in %s of a site in %s: %q, want %q", c.typed, c.page, c.site, got, c.want)
		}
	}
}
