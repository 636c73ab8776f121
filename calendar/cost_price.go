package calendar

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
)

// price is one amount of a cost text.
type price struct {
	amount   string // as written: "10,50"
	value    string // as a number: "10.50"
	symbol   string
	position string
	free     bool // the word, not a number
}

func (p price) compare(other price) int { return compareAmounts(p.value, other.value) }

// format writes a price with its own symbol, else with the site's.
func (p price) format(site Currency) string {
	if strings.Trim(p.value, "0.") == "" {
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

// readPrices reads a text that consists of prices and what parts them; a
// symbol only some of them have belongs to all. It fails on any other text, and
// on the word "Free" without a price beside it.
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
			return nil, false
		}
		rest = after[len(parting):]
	}
	shareSymbol(prices)
	return prices, slices.ContainsFunc(prices, func(p price) bool { return !p.free })
}

// costSeparator parts prices; a comma or dash needs no blanks.
var costSeparator = regexp.MustCompile(`^ ?(?:[-–—/,;|]|to\b) ?`)

// shareSymbol gives the one symbol written to the prices without any.
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

// readPrice reads an amount with the symbol before or after it and returns what
// follows.
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

// costSymbols are the symbols that are words or hold more than letters; those
// of Unicode and the codes of ISO 4217 are known anyway.
var costSymbols = []string{"kr.", "kr", "Kr.", "Kr", "zł", "Kč", "Ft", "лв.", "лв", "руб.", "руб", "грн", "ден", "дин", "KM", "Fr.", "SFr.",
	"Rs.", "Rs", "Rp", "RM", "R", "TL", "lei", "din", "S/", "B/.", "د.إ", "د.ك", "ر.س"}

var symbolSign = regexp.MustCompile(`^(?:[A-Z]{1,3})?\p{Sc}`)

// symbolAt returns the currency symbol at the start of s, or "".
func symbolAt(s string, site Currency) string {
	if sign := symbolSign.FindString(s); sign != "" {
		return sign
	}
	for _, own := range []string{site.Symbol, site.Code} {
		if own != "" && own == strings.TrimSpace(own) && strings.HasPrefix(s, own) && startsAmount(s[len(own):]) {
			return own
		}
	}
	if len(s) >= 3 && strings.ToUpper(s[:3]) == s[:3] && startsAmount(s[3:]) {
		if _, err := currency.ParseISO(s[:3]); err == nil {
			return s[:3]
		}
	}
	for _, symbol := range costSymbols {
		if strings.HasPrefix(s, symbol) && startsAmount(s[len(symbol):]) {
			return symbol
		}
	}
	return ""
}

// startsAmount tells whether a symbol may end before s: no letter goes on.
func startsAmount(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLetter(r)
}

// endsPrice tells whether a symbol after an amount belongs to it and not to a
// number that follows.
func endsPrice(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(rest, " "))
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
