package tenancy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// CurrencySymbol returns how a language writes a currency in a country, such as "$" for CAD in Canada, or the code if it has no
// symbol.
func CurrencySymbol(code, country, tag string) string {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return code
	}
	spoken := language.Make(tag)
	if region, err := language.ParseRegion(country); err == nil {
		if local, err := language.Compose(spoken, region); err == nil {
			spoken = local
		}
	}
	symbol := message.NewPrinter(spoken).Sprint(currency.Symbol(unit))
	symbol = strings.Trim(symbol, "\u200e\u200f")
	return strings.ReplaceAll(symbol, "￥", "¥")
}

// Languages that write the symbol before the amount, and the countries that differ from their language, according
// to the standard currency patterns of CLDR.
var (
	symbolFirst   = []string{"en", "fa", "hi", "id", "ja", "ko", "nl", "pt", "tr", "zh"}
	symbolFirstIn = map[string][]string{"de": {"AT", "CH", "LI"}, "it": {"CH"},
		"es": {"AR", "BO", "CL", "CO", "CR", "CU", "DO", "EC", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "PY", "SV", "US", "UY", "VE"}}
	symbolLastIn = map[string][]string{"pt": {"AO", "CH", "CV", "GQ", "GW", "LU", "MO", "MZ", "PT", "ST", "TL"}}
	symbolApart  = []string{"de", "fa", "id", "it", "nl", "pt"} // with a space after a symbol before the amount
	rightToLeft  = []string{"ar", "he"}                         // with the symbol on the left of the amount
)

// SymbolFirst reports whether a language puts the symbol of a currency before the amount in a country.
func SymbolFirst(country, tag string) bool {
	base, _ := language.Make(tag).Base()
	spoken := base.String()
	first := slices.Contains(symbolFirst, spoken) && !slices.Contains(symbolLastIn[spoken], country)
	return first || slices.Contains(symbolFirstIn[spoken], country)
}

// WithSymbol puts the symbol of a currency before or after an amount, with the space that a language has there: €12.50, 12,50 €, CHF 12.
func WithSymbol(amount, symbol string, first bool, tag string) string {
	if symbol == "" {
		return amount
	}
	base, _ := language.Make(tag).Base()
	if !first {
		text := amount + "\u00a0" + symbol
		if slices.Contains(rightToLeft, base.String()) { // a price has no letters with a direction of their own
			text = "\u200f" + text
		}
		return text
	}
	if last, _ := utf8.DecodeLastRuneInString(symbol); unicode.IsLetter(last) || slices.Contains(symbolApart, base.String()) {
		return symbol + "\u00a0" + amount
	}
	return symbol + amount
}
