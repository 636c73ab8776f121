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
