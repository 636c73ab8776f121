package moments

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/calendar/words"
	"github.com/kalends/kalends/i18n"
)

// vocabulary holds the words of dates and times in all languages of the interface. All are folded.
type vocabulary struct {
	months   map[string]time.Month // 0 if languages differ about a name
	weekdays map[string]days       // languages may differ about a name
	fillers  map[string]bool       // within a date, without a meaning of their own
	clock    map[string]bool       // beside a time
	until    map[string]bool       // between two times
	halves   map[string]string     // am and pm
	allDay   map[string]bool
}

// vocabularyOfAll returns the vocabulary of package words, split into tokens.
var vocabularyOfAll = sync.OnceValue(func() *vocabulary {
	all := words.All()
	v := &vocabulary{months: map[string]time.Month{}, weekdays: map[string]days{}, allDay: map[string]bool{},
		fillers: map[string]bool{"of": true, "the": true, "st": true, "nd": true, "rd": true, "th": true, "er": true, "ere": true},
		clock:   map[string]bool{"h": true, "hs": true, "hrs": true, "hours": true},
		until:   map[string]bool{"-": true, "–": true, "—": true, "~": true, "〜": true},
		halves:  map[string]string{"am": "am", "pm": "pm"}}
	for name, month := range all.Months {
		v.month(name[strings.LastIndexByte(name, ' ')+1:], month) // without "in"
	}
	for text := range all.AllDay {
		v.allDay[letters(text)] = true
	}
	for from, to := range map[*map[string]bool]map[string]bool{&all.Clock: v.clock, &all.Until: v.until} {
		for text := range *from {
			to[letters(text)] = true
			for _, word := range tokensOf(text) {
				to[word.text] = true
			}
		}
	}
	for half, list := range map[string]map[string]bool{"am": all.Morning, "pm": all.Evening} {
		for text := range list {
			v.halves[letters(text)] = half
		}
	}
	for _, lang := range i18n.Languages() {
		for n := 1; n <= 7; n++ {
			for _, key := range []string{"date.weekday.", "date.weekday.short."} {
				for _, name := range i18n.Names(lang, key+strconv.Itoa(n)) {
					if name = letters(name); utf8.RuneCountInString(name) > 1 || isSign(name) {
						v.weekdays[name] |= 1 << (n % 7)
					}
				}
			}
		}
		for _, pattern := range []string{"date.pattern.full", "date.pattern.short"} {
			for _, found := range literal.FindAllStringSubmatch(i18n.Text(lang, pattern, nil), -1) {
				v.fillers[wording.Fold(found[1])] = true
			}
		}
	}
	return v
})

// literal finds a word in quotation marks in a pattern of dates.
var literal = regexp.MustCompile(`'(\p{L}+)'`)

// days is a set of weekdays as bits.
type days uint8

// isSign reports whether a letter is a word by itself, as in East Asian languages.
func isSign(letter string) bool { return strings.IndexFunc(letter, isEastAsian) == 0 }

func isEastAsian(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hangul) }

// month adds the name of a month. A name that languages use for different months gets 0.
func (v *vocabulary) month(name string, month time.Month) {
	if name = letters(name); name == "" || strings.ContainsAny(name, "0123456789") {
		return
	}
	if was, known := v.months[name]; known && was != month {
		month = 0
	}
	v.months[name] = month
}

// letters returns the letters and digits of a text, folded.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, wording.Fold(text))
}

// token is a piece of a date or time: a number, a word, or a sign. Blanks are not tokens.
type token struct {
	text string
	kind byte // 'n', 'w' or 's'
}

// number returns the value of a number with at most some digits.
func (t token) number(digits int) (int, bool) {
	if t.kind != 'n' || len(t.text) > digits {
		return 0, false
	}
	n, err := strconv.Atoi(t.text)
	return n, err == nil
}

// longestMoment is the maximum length of a date or time as text, in bytes.
const longestMoment = 200

// tokensOf splits a text into tokens. The units of East Asian dates are separate words.
func tokensOf(text string) (list []token) {
	if len(text) > longestMoment {
		return []token{{"?", 's'}}
	}
	kind := byte(0)
	for _, r := range wording.Fold(text) {
		if strings.ContainsRune("'’`", r) {
			continue
		}
		next := kindOf(r)
		if next == kind && (next == 'n' || next == 'w' && !apart(r)) {
			list[len(list)-1].text += string(r)
			continue
		}
		if kind = next; kind != 0 {
			list = append(list, token{string(r), kind})
		}
		if next == 'w' && apart(r) {
			kind = 0
		}
	}
	return list
}

func kindOf(r rune) byte {
	switch {
	case '0' <= r && r <= '9':
		return 'n'
	case unicode.IsLetter(r), unicode.IsMark(r):
		return 'w'
	case unicode.IsSpace(r):
		return 0
	}
	return 's'
}

// apart reports whether a letter is a unit that follows a number in East Asian dates: year, month, day, hour or minute.
func apart(r rune) bool {
	return strings.ContainsRune("年月日号號時时點点分년월일시분", r)
}
