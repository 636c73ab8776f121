package prices

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// pricesIn returns the prices in a text that contains more than prices: amounts that a currency sign or code
// touches. If one end of a range has the sign, both ends count. Other numbers are times, ages or telephone numbers.
func pricesIn(text string, site Currency) []price {
	var found []price
	for at := 0; at < len(text); {
		run, length := runAt(text[at:], site)
		if length == 0 || !beginsAt(text, at) {
			_, size := utf8.DecodeRuneInString(text[at:])
			if number := digits.FindString(text[at:]); number != "" {
				size = len(number) // no part of a number is one
			}
			at += size
			continue
		}
		if !belowZero(text[:at]) {
			found = append(found, run...)
		}
		at += length
	}
	return found
}

var digits = regexp.MustCompile(`^[0-9](?:[.,]?[0-9])*`)

// beginsAt reports whether a position of a text is not in the middle of a word or number.
func beginsAt(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	next, _ := utf8.DecodeRuneInString(text[at:])
	return at == 0 || !unicode.IsDigit(before) && !(unicode.IsLetter(before) && (unicode.IsLetter(next) || unicode.IsDigit(next)))
}

// belowZero reports whether a minus, rather than a dash between amounts, ends a text.
func belowZero(before string) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	if last != '-' && last != '−' {
		return false
	}
	before = before[:len(before)-size]
	return before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "(")
}

// runAt returns the prices of the amounts at the start of s with dashes or slashes between them, and the length of
// all. It returns none if no sign touches the amounts.
func runAt(s string, site Currency) (run []price, length int) {
	for {
		p, n := signedAt(s[length:], site)
		if n == 0 {
			break
		}
		p.settle(site)
		run = append(run, p)
		length += n
		parting := rangeSeparator.FindString(s[length:])
		if _, n := signedAt(s[length+len(parting):], site); parting == "" || n == 0 {
			break
		}
		length += len(parting)
	}
	shareSymbol(run)
	return slices.DeleteFunc(run, func(p price) bool { return p.symbol == "" }), length
}

var (
	rangeSeparator = regexp.MustCompile(`^ ?[-–—/] ?`)
	noCents        = regexp.MustCompile(`^[,.] ?[-–—]+`) // as in 5,-
)

// signedAt returns the amount at the start of s with its sign, if it has one, and the length of both.
func signedAt(s string, site Currency) (p price, length int) {
	rest := s
	if sign := signAt(rest, site); sign != "" {
		p.symbol, p.position = sign, "prefix"
		rest = strings.TrimPrefix(rest[len(sign):], " ")
	}
	p.amount, p.value = readAmount(rest)
	if p.amount == "" {
		return price{}, 0
	}
	rest = rest[len(p.amount):]
	rest = rest[len(noCents.FindString(rest)):]
	after := strings.TrimPrefix(rest, " ")
	if sign := signAt(after, site); sign != "" && p.symbol == "" {
		apart, next := len(after) < len(rest), after[len(sign):]
		if _, value := readAmount(next); !apart || value == "" { // otherwise it is the sign of the next amount
			p.symbol, p.position, rest = sign, "postfix", next
		}
	}
	return p, len(s) - len(rest)
}

// signAt is symbolAt within a text, where letters count only if they cannot be anything but a currency.
func signAt(s string, site Currency) string {
	if sign := symbolSign.FindString(s); sign != "" {
		return sign
	}
	if own := site.ownAt(s); own != "" {
		return own
	}
	if code := codeAt(s); code != "" && !slices.Contains(wordCodes, code) {
		return code
	}
	if word := euroWord.FindString(s); word != "" && startsAmount(s[len(word):]) {
		return word
	}
	return oneOfAt(s, plainSymbols)
}

var (
	wordCodes    = []string{"ALL", "BAM", "COP", "CUP", "GEL", "MAD", "MOP", "PEN", "SOS", "TOP", "TRY"} // also words
	plainSymbols = []string{"zł", "Kč", "руб.", "руб", "грн", "円", "元", "원"}
)
