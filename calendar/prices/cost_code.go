package prices

import (
	"html"
	"regexp"

	"golang.org/x/text/currency"
)

// symbolCodes are the symbols of exactly one currency.
var symbolCodes = map[string]string{"€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₩": "KRW",
	"zł": "PLN", "Kč": "CZK", "Ft": "HUF", "Fr.": "CHF", "SFr.": "CHF", "د.إ": "AED", "د.ك": "KWD", "ر.س": "SAR",
	"円": "JPY", "원": "KRW"}

// euroWord matches the euro as a word.
var euroWord = regexp.MustCompile(`^(?i:euros?|eur)`)

// CodeOf returns the ISO 4217 code of a symbol as written by the author, or "" if the symbol is ambiguous. Without a
// symbol, or with the site's own, it returns the site's code.
func (c Currency) CodeOf(symbol string) string {
	symbol = html.UnescapeString(symbol)
	if symbol == "" || symbol == c.Symbol {
		return c.Code
	}
	if code := symbolCodes[symbol]; code != "" {
		return code
	}
	if euroWord.FindString(symbol) == symbol {
		return "EUR"
	}
	return ISOCode(symbol)
}

// ISOCode returns the uppercase ISO 4217 code in text, or "" if text is not one.
func ISOCode(text string) string {
	if unit, err := currency.ParseISO(text); err == nil {
		return unit.String()
	}
	return ""
}

// threeDecimals reports whether amounts in a currency have three decimals.
func threeDecimals(code string) bool {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return false
	}
	scale, _ := currency.Standard.Rounding(unit)
	return scale == 3
}
