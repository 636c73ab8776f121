package wording

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Vocabulary holds the words of a site's events, for searches that find nothing. It finds the words that a misspelled word may
// mean, and the events that contain several words. It also contains pairs of words as one word, because people write them so.
type Vocabulary struct {
	entries []entry
	at      map[string]int32 // by folded word
	events  int32
	said    int // words of descriptions
	noted   int // events of all entries
}

// entry is a word of a vocabulary, or a pair.
type entry struct {
	folded, text  string  // text: as written
	sound         string  // see soundOf
	letters       uint64  // which letters it has
	first, second int32   // of a pair; 0, 0 for a word; first, -1 for how the word first is typed in Latin letters
	events        []int32 // that have it, not of a pair
	n             int32   // how often it occurs
	described     bool    // only in descriptions
}

// inLetters is the second word of entries in Latin letters.
const inLetters = -1

// pair reports whether the entry stands for others: a pair, or a word in Latin letters.
func (e *entry) pair() bool { return e.first != e.second }

// Words are some words of a vocabulary.
type Words []int32

// Limits of a vocabulary, so that its memory and the time of a search are bounded.
const (
	mostEntries    = 40_000
	mostDescribed  = 12_000 // words of descriptions
	leastDescribed = 5      // letters of a word of a description
	longestEntry   = 40     // letters of a word
	mostGuessed    = 6      // words of a search that are compared with the vocabulary
)

// NewVocabulary returns a vocabulary without words.
func NewVocabulary() *Vocabulary { return &Vocabulary{at: map[string]int32{}} }

// Size returns about how many bytes the vocabulary takes.
func (v *Vocabulary) Size() int { return 210*len(v.entries) + 4*v.noted }

// Add adds the words of a title or name.
func (v *Vocabulary) Add(text string) (words Words) {
	before := int32(-1)
	for _, word := range strings.FieldsFunc(text, notInWord) {
		i := v.add(entry{folded: Fold(word), text: word})
		if i >= 0 {
			words = append(words, i)
			if typed := latin(v.entries[i].folded); typed != "" {
				v.add(entry{folded: typed, text: word, first: i, second: inLetters})
			}
		}
		if i >= 0 && before >= 0 && before != i {
			a, b := &v.entries[before], &v.entries[i]
			v.add(entry{folded: a.folded + b.folded, text: a.text + " " + b.text, first: before, second: i})
		}
		before = i
	}
	return words
}

// Describe adds the words of a description.
func (v *Vocabulary) Describe(text string) (words Words) {
	for _, word := range strings.FieldsFunc(text, notInWord) {
		if utf8.RuneCountInString(word) < leastDescribed {
			continue
		}
		folded := Fold(word)
		i, known := v.at[folded]
		switch {
		case known && v.entries[i].pair():
			continue
		case !known && v.said < mostDescribed:
			if i = v.add(entry{folded: folded, text: word, described: true}); i < 0 {
				continue
			}
			v.said++
		case !known:
			continue
		}
		words = append(words, i)
	}
	return words
}

// Event adds the next event, which contains the given words.
func (v *Vocabulary) Event(has ...Words) {
	for _, words := range has {
		for _, i := range words {
			e := &v.entries[i]
			if n := len(e.events); n == 0 || e.events[n-1] != v.events {
				e.events = append(e.events, v.events)
				v.noted++
			}
		}
	}
	v.events++
}

func notInWord(c rune) bool { return !InWord(c) }

// add adds an entry and returns its index, or -1 if it is not added. A word replaces a pair with the same spelling.
func (v *Vocabulary) add(e entry) int32 {
	if i, known := v.at[e.folded]; known {
		switch old := &v.entries[i]; {
		case old.pair() == e.pair():
			old.n++
			old.described = old.described && e.described
			return i
		case e.pair():
			return -1
		}
	}
	letters := utf8.RuneCountInString(e.folded)
	if letters < 2 && !isDigit(e.folded) || letters > longestEntry || len(v.entries) >= mostEntries {
		return -1
	}
	e.n, e.letters, e.sound = 1, lettersOf(e.folded), soundOf(e.folded)
	i := int32(len(v.entries))
	v.at[e.folded] = i
	v.entries = append(v.entries, e)
	return i
}

// isDigit reports whether a word is a digit, such as that of a version.
func isDigit(word string) bool { return len(word) == 1 && word[0] >= '0' && word[0] <= '9' }

// knows reports whether a title or name has a word as it is.
func (v *Vocabulary) knows(word string) bool {
	i, known := v.at[word]
	return known && !v.entries[i].pair() && !v.entries[i].described
}

// lettersOf returns the set of a word's letters as bits, without h and e, which are often silent. Letters other than a to z
// and digits may share a bit.
func lettersOf(word string) (set uint64) {
	for _, c := range word {
		switch {
		case c == 'h' || c == 'e':
		case c >= 'a' && c <= 'z':
			set |= 1 << (c - 'a')
		case c >= '0' && c <= '9':
			set |= 1 << (26 + c - '0')
		default:
			set |= 1 << (36 + c%28)
		}
	}
	return set
}

// says returns the words to search for: the folded word, or the two words of a pair.
func (v *Vocabulary) says(e *entry) string {
	switch {
	case e.second == inLetters:
		return v.entries[e.first].folded
	case e.pair():
		return v.entries[e.first].folded + " " + v.entries[e.second].folded
	}
	return e.folded
}

// Whole returns the folded word of the vocabulary whose spelling is closest to word as a whole, or "", and what it costs.
func (v *Vocabulary) Whole(word string) (string, int) {
	best := candidate{costs: tolerance(utf8.RuneCountInString(word))}
	for _, one := range v.like(word) {
		if _, whole := v.at[one.says]; whole && one.costs < best.costs {
			best = one
		}
	}
	return best.says, best.costs
}

// candidate is a word of the vocabulary that the user may have meant.
type candidate struct {
	says, text string
	costs      int
	n          int32
}

// mostNear is the maximum number of candidates for a word.
const mostNear = 5

// elsewhere is what a city costs that is called otherwise in another language, in tenths of a letter.
const elsewhere = 2

// called returns the entries that are other names of the city that a word names, perhaps mistyped.
func (v *Vocabulary) called(word string) (list []candidate) {
	others, all := cityNames()
	names, costs := others[word], elsewhere
	if names == nil && utf8.RuneCountInString(word) > NearlyFrom {
		if best, _ := all.Whole(word); best != "" && Nearly(word, best) {
			names, costs = others[best], elsewhere+letterCosts
		}
	}
	for _, name := range names {
		if i, known := v.at[name]; known {
			e := &v.entries[i]
			list = append(list, candidate{says: v.says(e), text: e.text, costs: costs, n: e.n})
		}
	}
	return list
}

// nearest returns the entries whose spelling is closest to a word or to its stem, best first. The word may be typed in another
// alphabet, or the name of a city in another language.
func (v *Vocabulary) nearest(word, stem string) []candidate {
	list := append(v.called(word), v.keyed(word)...)
	for _, form := range []struct {
		of    string
		costs int
	}{{word, 0}, {asLooks(word), stemmed}, {latin(word), stemmed}, {stem, 2 * stemmed}} {
		if form.of == "" || form.costs > 0 && form.of == word {
			continue
		}
		for _, one := range v.like(form.of) {
			one.costs += form.costs
			list = append(list, one)
		}
	}
	first, _ := utf8.DecodeRuneInString(cmp.Or(latin(word), word))
	begins := func(c candidate) int { // people hardly ever mistype the first letter
		if other, _ := utf8.DecodeRuneInString(c.says); other == first {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(a.costs-b.costs, begins(a)-begins(b), int(b.n-a.n))
	})
	var best []candidate
	for _, one := range list {
		if len(best) < mostNear && !slices.ContainsFunc(best, func(c candidate) bool { return c.says == one.says }) {
			best = append(best, one)
		}
	}
	return best
}

// tolerance returns the maximum cost of wrong letters in a word of some length.
func tolerance(letters int) int {
	switch {
	case letters < 3:
		return 0
	case letters < 4:
		return 8
	case letters < 5:
		return 11
	case letters < 8:
		return 19
	case letters < 12:
		return 26
	}
	return 34
}

// like returns the entries that are spelled like a word, as a whole or in part: at the beginning, in the middle or at the end.
func (v *Vocabulary) like(text string) []candidate {
	word := []rune(text)
	if len(word) < 3 || len(word) > longestEntry {
		return nil
	}
	most := tolerance(len(word))
	letters, sound := lettersOf(text), soundOf(text)
	var list []candidate
	d := newDistances(word)
	for i := range v.entries {
		e := &v.entries[i]
		if e.sound == sound {
			one := candidate{says: v.says(e), text: e.text, costs: min(sounding, most), n: e.n}
			if costs, _, _, whole := d.to(e.folded, one.costs); whole {
				one.costs = min(one.costs, costs) // of words that sound alike, the one with the same letters
			}
			list = append(list, one)
			continue
		}
		if len(e.folded)+3 < len(word) || bits.OnesCount64(letters&^e.letters)*alikeCosts > most {
			continue
		}
		costs, from, to, whole := d.to(e.folded, most)
		if costs > most {
			continue
		}
		if e.described {
			costs += described
		}
		one := candidate{says: v.says(e), text: e.text, costs: costs, n: e.n}
		if !whole {
			if e.pair() || len(word) < 5 && from > 0 { // a pair is meant as a whole
				continue
			}
			if one.says = string(d.other[from:to]); to-from < leastPart {
				one.says = e.folded // a search for two or three letters finds them in all kinds of words
			}
			one.text = part(e.text, from, to, one.says)
		}
		list = append(list, one)
	}
	return list
}

// leastPart is the minimum number of letters of a word to search for instead of the whole word.
const leastPart = 4

// part returns a part of a word as written, or folded if the letters do not correspond.
func part(text string, from, to int, folded string) string {
	if letters := []rune(text); Fold(text) == folded {
		return text
	} else if to <= len(letters) && Fold(string(letters[from:to])) == folded {
		return string(letters[from:to])
	}
	return folded
}
