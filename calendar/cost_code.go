package calendar

import (
	"html"

	"golang.org/x/text/currency"
)

// symbolCodes are the signs that mean one currency only.
var symbolCodes = map[string]string{"€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₩": "KRW",
	"zł": "PLN", "Kč": "CZK", "Ft": "HUF", "Fr.": "CHF", "SFr.": "CHF", "د.إ": "AED", "د.ك": "KWD", "ر.س": "SAR"}

// CodeOf returns the ISO code of a symbol as the author wrote it, "" when it could
// be of several currencies; c is the site's currency, which no symbol means.
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

// ISOCode returns a code of ISO 4217 in capital letters, "" for what is none.
func ISOCode(text string) string {
	if unit, err := currency.ParseISO(text); err == nil {
		return unit.String()
	}
	return ""
}
