package wording

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Guess is a search that the user probably meant.
type Guess struct {
	Text  string // for a search, and for people to read
	Costs int    // how unlike it is, in tenths of a letter
}

// Heard reports whether the guess is only another spelling of what was typed: no letter is wrong that one hears.
func (g Guess) Heard() bool { return g.Costs < letterCosts }

// Near reports whether the guess differs from what was typed in one letter at most.
func (g Guess) Near() bool { return g.Costs <= letterCosts }

// StopWord stands for the stem of a word without a meaning of its own, such as "the".
const StopWord = "-"

// Costs of guesses other than for wrong letters, in tenths of a letter.
const (
	dropped   = 30 // a word is left out
	droppedTo = 12 // one of up to three letters
	stopped   = 2  // one that says nothing by itself
	kept      = 32 // a word is none of the vocabulary
	within    = 4  // it is only a part of others
	joined    = 3  // two words were meant as one
	begins    = 3  // the word is the beginning of a longer one
	ends      = 5  // the word is in the middle or at the end of a longer one
	stemmed   = 2  // the stem is compared, not the word
	described = 6  // the word is only in descriptions
	mistaken  = 4  // the word was typed on another keyboard
	common    = 22 // a word of many events is left out
	widest    = 16 // guesses that are kept for the next word
)

// guessing finds the events that contain the words of guesses.
type guessing struct {
	*Vocabulary
	having map[string]set
	parts  bool // the words are parts of what was typed as one
}

// set is a set of events as bits. nil means all events.
type set []uint64

func (s set) and(other set) set {
	switch {
	case s == nil:
		return other
	case other == nil:
		return s
	}
	both := make(set, len(s))
	for i := range s {
		both[i] = s[i] & other[i]
	}
	return both
}

func (s set) empty() bool {
	return s != nil && !slices.ContainsFunc(s, func(events uint64) bool { return events != 0 })
}

// often: a word is common if more than one of so many events has it.
const often = 20

// size returns the number of events of a set, which must not be nil.
func (s set) size() (n int) {
	for _, events := range s {
		n += bits.OnesCount64(events)
	}
	return n
}

// leastWithin is the minimum number of letters of a word that is looked for within others. Shorter ones are in all kinds of words.
const leastWithin = 4

// eventsWith returns the events that contain all of some words, as words or as parts of words: short ones at the beginning only.
func (g *guessing) eventsWith(says string) (all set) {
	for word := range strings.FieldsSeq(says) {
		of, known := g.having[word]
		if !known {
			of = make(set, g.events/64+1)
			has := strings.Contains
			if utf8.RuneCountInString(word) < leastWithin {
				has = strings.HasPrefix
			}
			for i := range g.entries {
				if e := &g.entries[i]; !e.pair() && has(e.folded, word) {
					for _, event := range e.events {
						of[event/64] |= 1 << (event % 64)
					}
				}
			}
			g.having[word] = of
		}
		all = all.and(of)
	}
	return all
}

// Guesses returns the searches that the user probably meant, best first. It tries words of the vocabulary that are spelled
// like the words of the search or like their stems, two words instead of one, one instead of two, and fewer words. If a guess
// has several words, an event must contain them all.
//
// A word with hyphens and the like is meant as one word or as several.
func (v *Vocabulary) Guesses(words, stems []string, most int) []Guess {
	typed := strings.Join(words, " ")
	asTyped := func(g Guess) bool { return Fold(g.Text) == typed }
	list := slices.DeleteFunc(v.guesses(words, stems, most+1, false), asTyped)
	var parts []string
	for _, word := range words {
		parts = append(parts, strings.FieldsFunc(word, notInWord)...)
	}
	if len(parts) <= len(words) {
		return list[:min(most, len(list))]
	}
	for _, other := range v.guesses(parts, nil, most, true) {
		if !slices.ContainsFunc(list, func(g Guess) bool { return Fold(g.Text) == Fold(other.Text) }) {
			list = append(list, other)
		}
	}
	slices.SortStableFunc(list, func(a, b Guess) int { return a.Costs - b.Costs })
	return list[:min(most, len(list))]
}

// guesses is Guesses with each word as one. parts says that the words are parts of what was typed as one.
func (v *Vocabulary) guesses(words, stems []string, most int, parts bool) []Guess {
	words = words[:min(len(words), mostGuessed)]
	if len(words) == 0 {
		return nil
	}
	g := &guessing{v, map[string]set{}, parts}
	paths := make([][]path, len(words)+1) // by number of words that are done
	paths[0] = []path{{}}
	plain := make([]string, len(words))
	for i, word := range words {
		plain[i] = strings.Join(strings.FieldsFunc(word, notInWord), "")
		stem := ""
		if i < len(stems) {
			stem = stems[i]
		}
		for _, one := range g.candidates(word, plain[i], stem) {
			g.extend(&paths[i+1], paths[i], one, len(words) > 1)
		}
		if i > 0 {
			for _, one := range v.nearest(plain[i-1]+plain[i], "") {
				one.costs += joined
				g.extend(&paths[i+1], paths[i-1], one, len(words) > 2)
			}
		}
		slices.SortStableFunc(paths[i+1], func(a, b path) int { return a.costs - b.costs })
		paths[i+1] = paths[i+1][:min(len(paths[i+1]), widest)]
	}
	var list []Guess
	for _, p := range paths[len(words)] {
		if p.says != "" && !slices.ContainsFunc(list, func(g Guess) bool { return Fold(g.Text) == Fold(p.text) }) {
			list = append(list, Guess{p.text, p.costs})
		}
	}
	return list[:min(most, len(list))]
}

// candidates returns what the user may have meant by a word: words that are spelled like it, the word itself, or nothing.
func (g *guessing) candidates(word, plain, stem string) []candidate {
	itself, nothing := candidate{says: word, text: word, costs: kept}, candidate{costs: dropped}
	if utf8.RuneCountInString(plain) <= 3 && !g.parts {
		nothing.costs = droppedTo
	}
	if stem == StopWord {
		stem, nothing.costs = "", stopped
	}
	if having := g.eventsWith(word); !having.empty() {
		if itself.costs = within; g.knows(word) {
			itself.costs = 0
		}
		if having.size()*often > int(g.events) {
			nothing.costs = min(nothing.costs, common)
		}
	}
	return append(g.nearest(plain, stem), itself, nothing)
}

// path is a guess for the first words of a search.
type path struct {
	says, text string
	costs      int
	events     set // that have the words
}

// extend adds guesses with one more word. If the guess has several words, it must be found in at least one event.
func (g *guessing) extend(list *[]path, before []path, one candidate, several bool) {
	var having set
	if several && one.says != "" && one.costs != kept {
		if having = g.eventsWith(one.says); having.empty() {
			having = nil // it is none that events are noted for
		}
	}
	for _, p := range before {
		next := path{
			strings.TrimSpace(p.says + " " + one.says),
			strings.TrimSpace(p.text + " " + one.text),
			p.costs + one.costs,
			p.events.and(having),
		}
		if !next.events.empty() {
			*list = append(*list, next)
		}
	}
}
