package prices

import (
	"html"

	"golang.org/x/text/currency"
)

// symbolCodes are the symbols that denote exactly one currency.
var symbolCodes = map[string]string{"€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₩": "KRW",
	"zł": "PLN", "Kč": "CZK", "Ft": "HUF", "Fr.": "CHF", "SFr.": "CHF", "د.إ": "AED", "د.ك": "KWD", "ر.س": "SAR"}

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
	return ISOCode(symbol)
}

// ISOCode returns the uppercase ISO 4217 code in text, or "" if text is not one.
func ISOCode(text string) string {
	if unit, err := currency.ParseISO(text); err == nil {
		return unit.String()
	}
	return ""
}
