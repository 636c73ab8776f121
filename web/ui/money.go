package ui

import (
	"context"
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
)

// Cost returns the cost of an event for display.
func Cost(ctx context.Context, e *calendar.Event) string {
	return prices.Text(SiteOf(ctx), DatesIn(ctx).Tag, e.Cost)
}

// ForeignCost returns the language attributes of an event's prices. Only words have a language, numbers do not.
func ForeignCost(ctx context.Context, e *calendar.Event) templ.Attributes {
	if !strings.ContainsFunc(strings.Join(e.Cost, ""), unicode.IsLetter) || beginsFree(ctx, Cost(ctx, e)) {
		return nil
	}
	return Foreign(ctx, e.Given().Cost)
}

// beginsFree reports whether a cost begins with what is free in the language of the page.
func beginsFree(ctx context.Context, cost string) bool {
	return strings.HasPrefix(cost, Say(ctx, "free")) || strings.HasPrefix(cost, Say(ctx, "free.price"))
}

// TicketPrice returns the price of a ticket for display.
func TicketPrice(ctx context.Context, t *calendar.Ticket) string {
	if t.Price == nil {
		return ""
	}
	return prices.AmountText(SiteOf(ctx), DatesIn(ctx).Tag, *t.Price, t.Currency)
}

// Unit returns the symbol of the site's currency, for fields in which prices are typed, with its code if other currencies have that symbol,
// too. Prices without a currency are in this currency.
func Unit(ctx context.Context) string {
	currency := prices.CurrencyOf(SiteOf(ctx))
	switch {
	case currency.Symbol == currency.Code, currency.Symbol == "":
		return currency.Code
	case (prices.Currency{}).CodeOf(currency.Symbol) == currency.Code:
		return currency.Symbol
	}
	return strings.TrimSpace(currency.Symbol + " " + currency.Code)
}
