package words

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/kalends/kalends/calendar/wording"
)

// Asked holds the times, prices and places in a search, and its remaining words.
type Asked struct {
	Words       string    // the rest of the search
	Period      string    // "today", "tonight", "weekend", "week", "nextweek", "month", or "" for days or any time
	First, Last time.Time // days, if no period is named; zero: any time
	Free        bool
	Online      bool
	Children    bool
	Amount      bool // an amount of money, which is no filter
}

// Any reports whether a search has anything about time, price, audience or place.
func (a *Asked) Any() bool {
	return a.Period != "" || !a.First.IsZero() || a.Free || a.Online || a.Children || a.Amount
}

// Ask reads the words of a search on the day today: "jazz march", "free this weekend", "27 January". A search with
// quotes or with a word that begins with a dash is left unchanged. Feasts are read only if feasts is set, because
// words such as "Easter" also occur in many titles.
func (v *Vocabulary) Ask(search string, today time.Time, feasts bool) Asked {
	if strings.ContainsAny(search, `"`) || strings.Contains(" "+search, " -") {
		return Asked{Words: search}
	}
	search = decimals.ReplaceAllString(norm.NFC.String(search), "$1.$2")
	r := &reader{v: v, now: Now{Wall: today}, today: today, search: true}
	for _, one := range strings.FieldsFunc(search, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(",،、;", c) }) {
		if strings.ContainsFunc(one, unblanked) {
			one = v.apart.ReplaceAllString(one, " $0 ")
		}
		for part := range strings.FieldsSeq(one) {
			r.add(part, false, false, false)
		}
	}
	r.field, r.why = make([]Field, len(r.words)), make([]string, len(r.words))
	a := Asked{}
	for i := range r.words {
		if feasts && r.field[i] == "" {
			a.readFeast(r, i, today)
		}
		if r.field[i] == "" {
			a.read(r, i, today)
		}
	}
	if !a.Any() {
		return Asked{Words: search}
	}
	var rest []string
	onlyFillers := true
	for i, word := range r.plain {
		if r.field[i] == "" {
			rest = append(rest, word)
			onlyFillers = onlyFillers && v.Fillers[r.words[i]]
		}
	}
	if onlyFillers { // which are no search
		rest = nil
	}
	a.Words = strings.Join(rest, " ")
	return a
}

// read reads the words from a word on if they are about time, price or place.
func (a *Asked) read(r *reader, i int, today time.Time) {
	if _, n := longestOf(r, r.v.Free, i); n > 0 && !a.Free {
		a.Free = true
		r.use(i, n, Day)
		return
	}
	if _, n := longestOf(r, r.v.Online, i); n > 0 && !a.Online {
		a.Online = true
		r.use(i, n, Day)
		return
	}
	if _, n := longestOf(r, r.v.Children, i); n > 0 && !a.Children {
		a.Children = true
		r.use(i, n, Day)
		return
	}
	if n := r.amount(i); n > 0 {
		a.Amount = true
		r.use(i, n, Cost)
		return
	}
	if a.Period != "" || !a.First.IsZero() {
		return
	}
	if period, n := longestOf(r, r.v.Periods, i); n > 0 && (period != nextWeek || r.weekdayAfter(i+n) == 0) {
		a.Period = period
		r.use(i, n, Day)
		return
	}
	if r.readDay(i) {
		if a.First, a.Last = r.day, r.day; r.day.Equal(today) {
			a.Period, a.First, a.Last = "today", time.Time{}, time.Time{}
		}
		return
	}
	a.readMonth(r, i, today)
	if m := year.FindStringSubmatch(r.word(i)); m != nil && r.field[i] == "" {
		a.readYear(r, i, atoi(m[1]), today)
	}
}

// readFeast reads a feast. If its name is also that of a season, the days around it are included.
func (a *Asked) readFeast(r *reader, i int, today time.Time) {
	f, n := longestOf(r, r.v.Feasts, i)
	if n == 0 || !f.known || a.Period != "" || !a.First.IsZero() {
		return
	}
	day := f.Next(today)
	if m := year.FindStringSubmatch(r.word(i + n)); m != nil {
		day, n = f.In(atoi(m[1])), n+1
	}
	if a.First, a.Last = day, day; f.weak {
		a.First, a.Last = day.AddDate(0, 0, -2), day.AddDate(0, 0, 1)
	}
	r.use(i, n, Day)
}

// mostAhead is how many years ahead a year in a search is read as one.
const mostAhead = 3

// readYear sets the days of a year that a search names. In the current year, only today and later days count.
func (a *Asked) readYear(r *reader, i, y int, today time.Time) {
	if y > today.Year()+mostAhead {
		return
	}
	a.First, a.Last = dateOf(y, time.January, 1), dateOf(y, time.December, 31)
	if y == today.Year() {
		a.First = today
	}
	r.use(i, 1, Day)
}

// decimals finds decimal commas, amountLike matches a number that may be an amount, and money matches an amount with its
// currency sign.
var (
	decimals   = regexp.MustCompile(`(\d),(\d)`)
	amountLike = regexp.MustCompile(`^\d{1,5}(?:[.,]\d{1,2})?$`)
	money      = regexp.MustCompile(`^(?:[€£$]\d{1,5}(?:[.,]\d{1,2})?|\d{1,5}(?:[.,]\d{1,2})?[€£$])$`)
)

// amount returns the number of words of an amount of money that begins at a word, 0 for none.
func (r *reader) amount(i int) int {
	next := r.word(i + 1)
	switch word := r.word(i); {
	case money.MatchString(word):
		return 1
	case amountLike.MatchString(word) && (r.v.Currency[next] || next != "" && strings.Contains("€£$", next)):
		return 2
	}
	return 0
}

// readMonth reads the name of a month, with or without a year. Without one, it means the next such month, or the rest of the
// current one.
func (a *Asked) readMonth(r *reader, i int, today time.Time) {
	month, n := longestOf(r, r.v.Alone, i)
	if n == 0 {
		return
	}
	y := today.Year()
	if month < today.Month() {
		y++
	}
	if m := year.FindStringSubmatch(r.word(i + n)); m != nil {
		y, n = atoi(m[1]), n+1
	}
	a.First = time.Date(y, month, 1, 0, 0, 0, 0, time.UTC)
	a.Last = a.First.AddDate(0, 1, -1)
	if a.First.Before(today) && !a.Last.Before(today) {
		a.First = today
	}
	r.use(i, n, Day)
}

// Corrected returns a search with misspelled words for time and price corrected. Its text is "" if it has none.
func (v *Vocabulary) Corrected(search string) (g wording.Guess) {
	fields := strings.Fields(search)
	for i, word := range fields[:min(len(fields), longest)] {
		if known, costs := v.nearly(Fold(word)); known != "" && known != Fold(word) {
			fields[i] = known
			g.Text, g.Costs = strings.Join(fields, " "), g.Costs+costs
		}
	}
	return g
}

// leastCorrected is the minimum number of letters of a word for time or price that is recognized despite a mistake.
const leastCorrected = 5

// nearly returns the word of the vocabulary that word is a misspelling of, or "", and what the mistake costs.
func (v *Vocabulary) nearly(word string) (string, int) {
	if letters := utf8.RuneCountInString(word); letters < leastCorrected || letters > 20 {
		return "", 0
	}
	return v.near.Whole(word)
}

// nearby returns the words of a vocabulary that are recognized despite a mistake.
func (v *Vocabulary) nearby() *wording.Vocabulary {
	all := slices.Collect(maps.Keys(v.Alone))
	for _, list := range []iter.Seq[string]{
		maps.Keys(v.Weekdays),
		maps.Keys(v.Free),
		maps.Keys(v.Periods),
		maps.Keys(v.Days),
		maps.Keys(v.Feasts),
	} {
		all = slices.AppendSeq(all, list)
	}
	slices.Sort(all)
	known := wording.NewVocabulary()
	for _, one := range all {
		if !strings.ContainsFunc(one, unicode.IsSpace) && utf8.RuneCountInString(one) >= leastCorrected {
			known.Add(one)
		}
	}
	return known
}
