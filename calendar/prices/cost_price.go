package prices

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
)

// price is one amount in a cost text.
type price struct {
	amount   string // as written: "10,50"
	value    string // as a number: "10.50"
	symbol   string
	position string
	free     bool // the word "Free" rather than a number
}

func (p price) compare(other price) int { return compareAmounts(p.value, other.value) }

// isZero reports whether a decimal number is zero.
func isZero(value string) bool { return strings.Trim(value, "0.") == "" }

// format formats a price with its own symbol, or else with the site's.
func (p price) format(site Currency) string {
	if isZero(p.value) {
		return Free
	}
	symbol, position := p.symbol, p.position
	if symbol == "" {
		symbol, position = site.Symbol, site.Position
	}
	if position == "postfix" {
		return p.amount + symbol
	}
	return symbol + p.amount
}

// readPrices parses a text that consists of prices and separators. A symbol on some of the prices applies to all of
// them. It fails on any other text, on "Free" without another price, and on digits that are not an amount, such as
// 0228.
func readPrices(text string, site Currency) ([]price, bool) {
	var prices []price
	for rest := text; ; {
		p, after, ok := readPrice(rest, site)
		if !ok {
			return nil, false
		}
		prices = append(prices, p)
		if after == "" {
			break
		}
		parting := costSeparator.FindString(after)
		if parting == "" {
			parting = words().and.FindString(after)
		}
		if parting == "" {
			return nil, false
		}
		rest = after[len(parting):]
	}
	shareSymbol(prices)
	if slices.ContainsFunc(prices, func(p price) bool { return p.symbol == "" && leadingZero.MatchString(p.amount) }) {
		return nil, false
	}
	for i := range prices {
		prices[i].settle(site)
	}
	return prices, slices.ContainsFunc(prices, func(p price) bool { return !p.free })
}

// settle reads an amount such as 1.500 as one and a half if the currency of the price has three decimals.
func (p *price) settle(site Currency) {
	if ambiguous.MatchString(p.amount) && threeDecimals(site.CodeOf(p.symbol)) {
		p.value = p.amount
	}
}

// costSeparator separates prices, as the word "and" does. Spaces around it are optional.
var costSeparator = regexp.MustCompile(`^ ?(?:[-–—/,;|&+]|to\b) ?`)

// If the prices have only one symbol, shareSymbol sets it for prices without a symbol.
func shareSymbol(prices []price) {
	var symbol, position string
	for _, p := range prices {
		if p.symbol != "" && symbol != "" && (p.symbol != symbol || p.position != position) {
			return
		}
		if p.symbol != "" {
			symbol, position = p.symbol, p.position
		}
	}
	for i := range prices {
		if !prices[i].free {
			prices[i].symbol, prices[i].position = symbol, position
		}
	}
}

var freeWord = regexp.MustCompile(`^(?i:free)\b`)

// readPrice parses an amount with a symbol before or after it and returns the rest.
func readPrice(s string, site Currency) (p price, rest string, ok bool) {
	if word := freeWord.FindString(s); word != "" {
		return price{amount: word, value: "0", free: true}, s[len(word):], true
	}
	if symbol := symbolAt(s, site); symbol != "" {
		p.symbol, p.position = symbol, "prefix"
		s = strings.TrimPrefix(s[len(symbol):], " ")
	}
	p.amount, p.value = readAmount(s)
	if p.amount == "" {
		return price{}, "", false
	}
	rest = s[len(p.amount):]
	after := strings.TrimPrefix(rest, " ")
	if symbol := symbolAt(after, site); symbol != "" && p.symbol == "" && endsPrice(after[len(symbol):]) {
		p.symbol, p.position = symbol, "postfix"
		rest = after[len(symbol):]
	}
	return p, rest, true
}

// Amount parses a text that is one price, such as "12,50" or "€12.50". It returns the price as a decimal number and the
// code of the currency in the text, or "" if the text has none. A symbol of several currencies, such as "$", must be the
// site's.
func Amount(text string, site Currency) (number, code string, ok bool) {
	p, rest, ok := readPrice(strings.TrimSpace(text), site)
	if !ok || rest != "" {
		return "", "", false
	}
	p.settle(site)
	if p.symbol != "" {
		code = site.CodeOf(p.symbol)
		if code == "" && p.symbol != site.Symbol {
			return "", "", false
		}
	}
	return p.value, code, true
}

// costSymbols are currency symbols that are words or contain more than letters. Unicode currency signs and ISO 4217
// codes are recognized separately.
var costSymbols = []string{"kr.", "kr", "Kr.", "Kr", "zł", "Kč", "Ft", "лв.", "лв", "руб.", "руб", "грн", "ден", "дин", "KM", "Fr.", "SFr.",
	"Rs.", "Rs", "Rp", "RM", "R", "TL", "lei", "din", "S/", "B/.", "د.إ", "د.ك", "ر.س", "円", "元", "원"}

var symbolSign = regexp.MustCompile(`^(?:[A-Z]{1,3})?\p{Sc}`)

// symbolAt returns the currency symbol at the start of s, or "".
func symbolAt(s string, site Currency) string {
	if sign := symbolSign.FindString(s); sign != "" {
		return sign
	}
	if own := site.ownAt(s); own != "" {
		return own
	}
	if code := codeAt(s); code != "" {
		return code
	}
	return oneOfAt(s, costSymbols)
}

// ownAt returns the site's own symbol or code at the start of s, or "".
func (c Currency) ownAt(s string) string {
	for _, own := range []string{c.Symbol, c.Code} {
		if own != "" && own == strings.TrimSpace(own) && strings.HasPrefix(s, own) && startsAmount(s[len(own):]) {
			return own
		}
	}
	return ""
}

// codeAt returns the ISO 4217 code at the start of s, or "".
func codeAt(s string) string {
	if len(s) >= 3 && strings.ToUpper(s[:3]) == s[:3] && startsAmount(s[3:]) {
		if _, err := currency.ParseISO(s[:3]); err == nil {
			return s[:3]
		}
	}
	return ""
}

func oneOfAt(s string, symbols []string) string {
	for _, symbol := range symbols {
		if strings.HasPrefix(s, symbol) && startsAmount(s[len(symbol):]) {
			return symbol
		}
	}
	return ""
}

// startsAmount reports whether a symbol may end before s, which must not continue with a letter.
func startsAmount(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLetter(r)
}

// endsPrice reports whether a symbol after an amount belongs to that amount rather than to a following number.
func endsPrice(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(rest, " "))
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// Priced reports whether a text is an amount with its currency, or several: 12€, €5–8.
func Priced(text string) bool {
	list, ok := readPrices(text, Currency{})
	return ok && slices.ContainsFunc(list, func(p price) bool { return p.symbol != "" })
}

// IsCurrency reports whether a text is a currency's symbol, code or usual short form.
func IsCurrency(text string) bool {
	return text != "" && (symbolAt(text, Currency{}) == text || euroWord.FindString(text) == text)
}
