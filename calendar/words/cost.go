package words

import (
	"regexp"
	"strings"

	"github.com/kalends/kalends/calendar/prices"
)

var (
	amount = regexp.MustCompile(`^\d[\d.,'’]*(?:/\d[\d.,'’]*)?$`)
	round  = regexp.MustCompile(`^\d[\d.'’]*[.,][-–—]+$`) // 12,-
)

// amountAt reads an amount that begins at a word, and reports whether it has a currency.
func (r *reader) amountAt(i int) (n int, paid bool) {
	word := r.word(i)
	switch {
	case word == "":
		return 0, false
	case round.MatchString(word):
		if r.currency(i + 1) {
			return 2, true
		}
		return 1, true
	case amount.MatchString(word):
		if r.currency(i + 1) {
			return 2, true
		}
		return 1, false
	case r.currency(i) && amount.MatchString(r.word(i+1)):
		return 2, true
	case prices.Priced(trimmed(r.plain[i])):
		return 1, true
	}
	if rest := numeral.FindString(word); rest != "" && r.v.Currency[word[len(rest):]] { // 500円
		return 1, true
	}
	return 0, false
}

var numeral = regexp.MustCompile(`^\d[\d.,]*`)

// currency reports whether a word is a currency.
func (r *reader) currency(i int) bool {
	word := r.word(i)
	return word != "" && !r.v.Fillers[word] && !r.v.Clock[word] && (r.v.Currency[word] || prices.IsCurrency(trimmed(r.plain[i])))
}

// readPrice reads what the event costs: "12 €", "€5–8", "admission 5", "12 € / 8 € reduced".
func (r *reader) readPrice(i int) bool {
	if r.cost != "" {
		return false
	}
	if _, n := longestOf(r, r.v.Donation, i); n > 0 {
		return r.costs(i, i, n)
	}
	if _, n := longestOf(r, r.v.Free, i); n > 1 {
		return r.costs(i, i, n)
	}
	_, said := longestOf(r, r.v.Price, i)
	at := i + said
	for said > 0 && (r.word(at) == ":" || r.v.Fillers[r.word(at)] || r.v.Clock[r.word(at)]) {
		at++
	}
	if _, n := longestOf(r, r.v.Free, at); said > 0 && n > 0 {
		return r.costs(i, at, at+n-i)
	}
	n, paid := r.amountAt(at)
	if n == 0 {
		return false
	}
	to := at + n
	for {
		next := to
		next = r.reduced(next)
		joined := r.word(next) == "–" || r.word(next) == "/" || r.v.Until[r.word(next)] && !paid
		if joined {
			next = r.reduced(next + 1)
		}
		more, has := r.amountAt(next)
		if more == 0 || !has && !(joined && paid) || !has && r.v.Clock[r.word(next+more)] || !joined && !paid {
			break
		}
		to, paid = next+more, true
	}
	if !paid && (said == 0 || r.v.Clock[r.word(to)]) {
		return false
	}
	to = r.reduced(to)
	last := to
	if _, n := longestOf(r, r.v.Price, to); n > 0 && said == 0 { // 5 € Eintritt
		last += n
	}
	r.costs(i, at, to-i)
	r.use(to, last-to, Cost)
	return true
}

// reduced skips words about who pays a reduced price, and returns the index after them.
func (r *reader) reduced(i int) int {
	for i < len(r.words) {
		_, n := longestOf(r, r.v.Reduced, i)
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// costs marks n words from i on as the price. The text of the price begins at the word at.
func (r *reader) costs(i, at, n int) bool {
	r.cost = trimmed(r.span(at, i+n-at))
	r.use(i, n, Cost)
	return true
}

// readFree reads words that say that the event is free, if they stand by themselves: "Free jazz" is a title.
func (r *reader) readFree() {
	for i := range r.words {
		_, n := longestOf(r, r.v.Free, i)
		if n == 0 || r.field[i] != "" || r.literal[i] || r.cost != "" {
			continue
		}
		ends := i+n == len(r.words) || r.cuts[i+n] || r.word(i+n) == "–"
		begins := i > 0 && (r.cuts[i] || r.field[i-1] != "" || r.word(i-1) == "–")
		if i > 0 && ends || begins && (ends || r.field[i+n] != "") {
			r.costs(i, i, n)
		}
	}
	for i := range r.words { // a price that is none
		_, n := longestOf(r, r.v.Price, i)
		if n == 0 || r.field[i] != "" || r.literal[i] || r.cost != "" || i > 0 && !r.cuts[i] && r.field[i-1] == "" || i == 0 {
			continue
		}
		for i+n < len(r.words) && r.field[i+n] == "" && !r.cuts[i+n] {
			n++
		}
		r.ask(i, n, "cost-unclear")
	}
}

// trimmed returns a text without brackets and marks around it.
func trimmed(text string) string { return strings.Trim(text, "()[]:!") }
