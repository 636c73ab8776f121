// Package prices reads and formats what an event costs.
package prices

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
)

// The cost rules are those of rule 11.1 and its recordings, but for:
//
//	written            reference                     here
//	"0", 0 on create   dropped                       "Free", values ["0"], as on update
//	"1.000,50"         values [".50", "1.000"]       values ["1000.50"]; also "1 000", "1'000", "1.000.000"
//	"10, 20, 30"       "$30", values ["10.", …]      "$10 – $30", values ["10", "20", "30"]
//	"5.5.5"            "$.5 – $5.5"                  "5.5.5" as written, no values
//	"$"                values [""]                   no values
//	"-5"               symbol "-", values ["5"]      no symbol, no values
//	"1.500"            values ["1.500"]              values ["1500"], but for currencies with three decimals
//	"from 10"          "from10", symbol "from"       "from 10" as written, no symbol, no values
//	"10 or donation"   "10or donation"               "10 or donation" as written, no symbol
//	"10 - Free"        "10- Free", symbol "- Free"   "Free – $10", values ["0", "10"]
//	"€10 - €20"        the site's symbol             "€10 – €20" and € in the details; only a range in
//	                                                 the site's own symbol leaves them empty, as there
//
// So a word is a currency symbol only if it is one. A text that is more than prices is shown as its author wrote it, and
// only amounts that a currency symbol touches are prices in it.

// Currency is how a site formats prices by default.
type Currency struct {
	Symbol   string
	Code     string
	Position string // "prefix" or "postfix"
}

// CurrencyOf returns the currency of a site's prices without a symbol.
func CurrencyOf(s *tenancy.Site) Currency {
	return Currency{Symbol: s.Settings.CurrencySymbol, Code: s.Settings.CurrencyCode, Position: s.Settings.CurrencyPosition}
}

// Free is the text of the price zero.
const Free = "Free"

// Cost is an event's cost as returned to clients (rule 8.1, cost and cost_details).
type Cost struct {
	Text     string   // formatted, safe HTML like titles; "" if there is none
	Symbol   string   // as the author wrote it; "" if the site's symbol applies
	Code     string   // always "", as in TEC
	Position string   // "prefix", "postfix", or "" without a symbol
	Values   []string // numbers in ascending order, or keys of words; never nil
}

// Format formats a cost stored by ParseCost, as the API does. Zero is "Free"; of several prices it shows the lowest and the
// highest. Pages have Text instead.
func Format(stored []string, site Currency) Cost {
	prices, words := readCosts(stored, site)
	all := withThoseIn(prices, words, site)
	values := make([]string, 0, len(all))
	for _, p := range all {
		values = append(values, p.value)
	}
	cost := Cost{Values: ascending(values)}
	if len(values) == 0 {
		cost.Values = costKeys(words)
	}
	cost.Symbol, cost.Position = writtenSymbol(all, len(stored), site)
	if len(prices) > 0 {
		words = append([]string{priceRange(prices, func(p price) string { return p.format(site) })}, words...)
	}
	cost.Text = wording.EscapeTitle(strings.Join(words, ", "))
	return cost
}

// withThoseIn adds the prices within texts.
func withThoseIn(prices []price, texts []string, site Currency) []price {
	for _, text := range texts {
		prices = append(prices, pricesIn(text, site)...)
	}
	return prices
}

// Offer is a price in a currency.
type Offer struct {
	Value string // a decimal number
	Code  string // ISO 4217
}

// Offers returns the prices of a cost that are certain: amounts with a symbol that denotes one currency, or in a
// text that consists only of amounts, which are in the site's currency. They are in ascending order.
func Offers(stored []string, site Currency) []Offer {
	prices, words := readCosts(stored, site)
	if prices = withThoseIn(prices, words, site); len(prices) == 0 && len(words) > 0 && !slices.ContainsFunc(words, isWritten) {
		prices = []price{{value: "0", free: true}}
	}
	shared, _ := writtenSymbol(prices, 0, site)
	var offers []Offer
	for _, p := range prices {
		if isZero(p.value) {
			p.symbol = cmp.Or(p.symbol, shared)
		}
		if code := site.CodeOf(p.symbol); code != "" {
			offers = append(offers, Offer{p.value, code})
		}
	}
	slices.SortFunc(offers, func(a, b Offer) int { return cmp.Or(compareAmounts(a.Value, b.Value), strings.Compare(a.Code, b.Code)) })
	return slices.Compact(offers)
}

// isWritten reports whether a text is shown as written, because it does not mean a price of zero.
func isWritten(text string) bool { return !strings.EqualFold(text, Free) }

// readCosts separates prices from texts that are shown as written. The entry "Free" is a price if there are other
// prices.
func readCosts(stored []string, site Currency) (prices []price, words []string) {
	var free []string
	for _, text := range stored {
		found, ok := readPrices(text, site)
		switch {
		case ok:
			prices = append(prices, found...)
		case !isWritten(text):
			free = append(free, text)
		default:
			words = append(words, text)
		}
	}
	if len(prices) == 0 {
		return nil, append(free, words...)
	}
	for range free {
		prices = append(prices, price{value: "0", free: true})
	}
	return prices, words
}

// priceRange formats the lowest price and, if different, the highest.
func priceRange(prices []price, written func(price) string) string {
	lowest := slices.MinFunc(prices, price.compare)
	highest := slices.MaxFunc(prices, price.compare)
	low, high := written(lowest), written(highest)
	if low == high {
		return low
	}
	return low + " – " + high
}

// writtenSymbol returns the symbol that all prices share, for the details. For a range in a single text with the
// site's own symbol, it returns none.
func writtenSymbol(prices []price, texts int, site Currency) (symbol, position string) {
	first := true
	for _, p := range prices {
		switch {
		case p.free, p.symbol == "" && isZero(p.value):
			continue
		case !first && (p.symbol != symbol || p.position != position):
			return "", ""
		}
		first, symbol, position = false, p.symbol, p.position
	}
	if texts == 1 && len(prices) > 1 && symbol == site.Symbol {
		return "", ""
	}
	return symbol, position
}

// ascending sorts amounts by value and removes duplicates.
func ascending(values []string) []string {
	slices.SortFunc(values, compareAmounts)
	values = slices.Compact(values)
	if values == nil {
		return []string{}
	}
	return values
}

// costKeys returns the slugs of the words of a cost without numbers.
func costKeys(words []string) []string {
	keys := []string{}
	for _, word := range words {
		key := wording.Slug(word)
		if key != "" && !strings.ContainsAny(key, "0123456789") && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// compareAmounts compares by value, then by spelling.
func compareAmounts(a, b string) int {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return strings.Compare(a, b)
}
