package prices

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Text returns a cost stored by ParseCost for people who read a language, as plain text: "12,50 €" in German, "€12.50" in English,
// "Free" in what they say of an event. Of several prices it shows the lowest and the highest. Texts that are no prices stay as they were
// written.
func Text(site *tenancy.Site, language string, stored []string) string {
	currency := CurrencyOf(site)
	prices, words := readCosts(withEuroCode(stored, currency), currency)
	for i, text := range words {
		if !isWritten(text) {
			words[i] = free(language)
		}
	}
	if costs := func(p price) bool { return !isZero(p.value) }; len(prices) > 0 && !slices.ContainsFunc(prices, costs) {
		words = append([]string{free(language)}, words...)
	} else if len(prices) > 0 {
		words = append([]string{priceRange(prices, func(p price) string { return p.text(site, language) })}, words...)
	}
	return strings.Join(words, ", ")
}

// euroWords matches the euro as a word within a text.
var euroWords = regexp.MustCompile(`(?i)\beuros?\b`)

// withEuroCode writes the euro as its code in texts that are nothing but prices in it, such as "9 Euro". The API leaves them as written.
func withEuroCode(stored []string, site Currency) []string {
	if !slices.ContainsFunc(stored, euroWords.MatchString) {
		return stored
	}
	list := slices.Clone(stored)
	for i, text := range list {
		coded := euroWords.ReplaceAllString(text, "EUR")
		if _, ok := readPrices(coded, site); ok {
			list[i] = coded
		}
	}
	return list
}

// AmountText returns one price as Text does those of a range, where "Free" is a word for a price. The code of its
// currency may be "" for that of the site.
func AmountText(site *tenancy.Site, language string, amount float64, code string) string {
	number := strings.TrimSuffix(strconv.FormatFloat(amount, 'f', 2, 64), ".00")
	if code == site.Settings.CurrencyCode {
		code = ""
	}
	return price{amount: number, value: number, symbol: code, position: "prefix"}.text(site, language)
}

func free(language string) string { return i18n.Text(language, "public.free", nil) }

// text writes a price as the language does in the site's country. The symbol keeps its author's position if it could
// mean several currencies. The symbol of the site has the position that the site has chosen, if it has chosen one.
func (p price) text(site *tenancy.Site, language string) string {
	if isZero(p.value) {
		return i18n.Text(language, "public.free.price", nil)
	}
	own, country := CurrencyOf(site), args.CountryOf(site.Timezone)
	first, symbol := tenancy.SymbolFirst(country, language), p.symbol
	switch code := own.CodeOf(p.symbol); {
	case code == "":
		first = p.position != "postfix"
	case code != own.Code:
		symbol = tenancy.CurrencySymbol(code, country, language)
	default:
		if symbol = own.Symbol; site.Settings.CurrencyFixed {
			first = own.Position != "postfix"
		}
	}
	return tenancy.WithSymbol(i18n.Decimal(language, p.cents()), symbol, first, language)
}

// cents returns the price as a decimal number with two decimals instead of one.
func (p price) cents() string {
	if point := strings.IndexByte(p.value, '.'); point >= 0 && point == len(p.value)-2 {
		return p.value + "0"
	}
	return p.value
}
