package ui

import (
	"context"
	"strconv"
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Cost returns the cost of an event for display.
func Cost(ctx context.Context, e *calendar.Event) string {
	return LocalFree(ctx, PlainText(prices.FormatBy(e.Cost, prices.CurrencyOf(SiteOf(ctx)), inCurrency(ctx)).Text))
}

// inCurrency returns a function that formats amounts in other currencies than the site's, according to the language
// of the page.
func inCurrency(ctx context.Context) prices.Writer {
	return func(amount, code string) string {
		return tenancy.InCurrency(amount, code, args.CountryOf(SiteOf(ctx).Timezone), DatesIn(ctx).Tag)
	}
}

// ForeignCost returns the language attributes of an event's prices. Only words have a language, numbers do not.
func ForeignCost(ctx context.Context, e *calendar.Event) templ.Attributes {
	if !strings.ContainsFunc(strings.Join(e.Cost, ""), unicode.IsLetter) || strings.HasPrefix(Cost(ctx, e), Say(ctx, "free")) {
		return nil
	}
	return Foreign(ctx, e.Given.Cost)
}

// LocalFree translates a price: the word "Free" and the digits.
func LocalFree(ctx context.Context, text string) string {
	rest, found := prices.CutFree(text)
	if !found {
		return DatesIn(ctx).Amounts(text)
	}
	return Say(ctx, "free") + DatesIn(ctx).Amounts(rest)
}

// TicketPrice returns the price of a ticket for display.
func TicketPrice(ctx context.Context, t *calendar.Ticket) string {
	if t.Price == nil {
		return ""
	}
	number := strings.TrimSuffix(strconv.FormatFloat(*t.Price, 'f', 2, 64), ".00")
	if *t.Price != 0 && t.Currency != "" && t.Currency != SiteOf(ctx).Settings.CurrencyCode {
		return DatesIn(ctx).Amounts(inCurrency(ctx)(number, t.Currency))
	}
	return LocalFree(ctx, PlainText(prices.Format([]string{number}, prices.CurrencyOf(SiteOf(ctx))).Text))
}

// Unit returns the symbol and code of the site's currency, for fields in which prices are typed. Prices without a
// currency are in this currency.
func Unit(ctx context.Context) string {
	currency := prices.CurrencyOf(SiteOf(ctx))
	if currency.Symbol == currency.Code || currency.Symbol == "" {
		return currency.Code
	}
	return strings.TrimSpace(currency.Symbol + " " + currency.Code)
}
