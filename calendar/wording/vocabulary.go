package wording

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Vocabulary is the words of a site's titles and names, for searches that find nothing: it knows which of them a
// word was probably meant to be. Pairs of words are in it as one word, too, because people write them so.
type Vocabulary struct {
	entries []entry
	at      map[string]int // by folded word
}

// entry is a word of a vocabulary.
type entry struct {
	folded  []rune
	text    string // as written
	says    string // what a search looks for: the folded word, or the two words of a pair
	letters uint64 // which letters it has
	n       int    // how often it occurs
}

// Limits of a vocabulary, so that its memory and the time of a search are bounded.
const (
	mostEntries  = 40_000
	longestEntry = 40 // letters of a word
	mostGuessed  = 6  // words of a search that are compared with the vocabulary
)

// NewVocabulary returns a vocabulary without words.
func NewVocabulary() *Vocabulary { return &Vocabulary{at: map[string]int{}} }

// Size returns about how many bytes the vocabulary takes.
func (v *Vocabulary) Size() int { return 250 * len(v.entries) }

// Add adds the words of a title or name.
func (v *Vocabulary) Add(text string) {
	before, beforeText := "", ""
	for _, word := range strings.FieldsFunc(text, notInWord) {
		folded := Fold(word)
		v.add(folded, word, folded)
		if before != "" {
			v.add(before+folded, beforeText+" "+word, before+" "+folded)
		}
		before, beforeText = folded, word
	}
}

func notInWord(c rune) bool { return !InWord(c) }

func (v *Vocabulary) add(folded, text, says string) {
	if i, known := v.at[folded]; known {
		v.entries[i].n++
		return
	}
	letters := []rune(folded)
	if len(letters) < 3 || len(letters) > longestEntry || len(v.entries) >= mostEntries {
		return
	}
	v.at[folded] = len(v.entries)
	v.entries = append(v.entries, entry{folded: letters, text: text, says: says, letters: lettersOf(letters), n: 1})
}

// lettersOf returns a set of letters as bits. Different letters may share a bit.
func lettersOf(word []rune) (set uint64) {
	for _, c := range word {
		set |= 1 << (uint(c) % 64)
	}
	return set
}

// Guess is a search that another one was probably meant to be.
type Guess struct {
	Text  string // for a search, and for people to read
	costs float64
}

// Guesses returns what a search for words was probably meant to be, best first: words of the vocabulary that are
// written like the words of the search or like their stems, two words instead of one, one instead of two, and fewer
// words.
func (v *Vocabulary) Guesses(words, stems []string, most int) []Guess {
	words = words[:min(len(words), mostGuessed)]
	if len(words) == 0 {
		return nil
	}
	paths := make([][]path, len(words)+1) // by number of words that are done
	paths[0] = []path{{}}
	for i, word := range words {
		stem := ""
		if i < len(stems) {
			stem = stems[i]
		}
		for _, one := range append(v.nearest(word, stem), candidate{says: word, text: word, costs: kept}, candidate{costs: dropped}) {
			paths[i+1] = extend(paths[i+1], paths[i], one)
		}
		if i > 0 {
			for _, one := range v.nearest(words[i-1]+word, "") {
				one.costs += joined
				paths[i+1] = extend(paths[i+1], paths[i-1], one)
			}
		}
		paths[i+1] = paths[i+1][:min(len(paths[i+1]), widest)]
	}
	var list []Guess
	typed := strings.Join(words, " ")
	for _, p := range paths[len(words)] {
		if p.says != "" && p.says != typed && !slices.ContainsFunc(list, func(g Guess) bool { return Fold(g.Text) == Fold(p.text) }) {
			list = append(list, Guess{p.text, p.costs})
		}
	}
	return list[:min(most, len(list))]
}

// Whole returns the folded word that is written most like another, as a whole, or "".
func (v *Vocabulary) Whole(word string) string {
	best := candidate{costs: tolerance(utf8.RuneCountInString(word))}
	for _, one := range v.like([]rune(word)) {
		if _, whole := v.at[one.says]; whole && one.costs < best.costs {
			best = one
		}
	}
	return best.says
}

// What guesses cost beside wrong letters.
const (
	dropped = 3.0 // a word is left out
	kept    = 1.5 // a word is none of the vocabulary
	joined  = 0.3 // two words were meant as one
	begins  = 0.3 // the word is the beginning of a longer one
	ends    = 0.5 // the word is in the middle or at the end of a longer one
	stemmed = 0.2 // the stem is compared, not the word
	widest  = 12  // guesses that are kept for the next word
)

// path is a guess for the first words of a search.
type path struct {
	says, text string
	costs      float64
}

// extend adds guesses with one more word, and sorts them.
func extend(list, before []path, one candidate) []path {
	for _, p := range before {
		list = append(list, path{strings.TrimSpace(p.says + " " + one.says), strings.TrimSpace(p.text + " " + one.text), p.costs + one.costs})
	}
	slices.SortStableFunc(list, func(a, b path) int { return compareCosts(a.costs, b.costs) })
	return list
}

func compareCosts(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// candidate is a word of the vocabulary that may have been meant.
type candidate struct {
	says, text string
	costs      float64
	n          int
}

// mostNear is how many candidates a word has.
const mostNear = 5

// nearest returns the words that are written most like a word, or like its stem, best first.
func (v *Vocabulary) nearest(word, stem string) []candidate {
	var list []candidate
	for i, form := range []string{word, stem} {
		if form == "" || i > 0 && form == word {
			continue
		}
		for _, one := range v.like([]rune(form)) {
			one.costs += float64(i) * stemmed
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		if c := compareCosts(a.costs, b.costs); c != 0 {
			return c
		}
		return b.n - a.n
	})
	var best []candidate
	for _, one := range list {
		if len(best) < mostNear && !slices.ContainsFunc(best, func(c candidate) bool { return c.says == one.says }) {
			best = append(best, one)
		}
	}
	return best
}

// tolerance returns how much wrong letters of a word may cost.
func tolerance(letters int) float64 {
	switch {
	case letters < 3:
		return 0
	case letters < 4:
		return 0.7
	case letters < 5:
		return 1.1
	case letters < 8:
		return 1.9
	case letters < 12:
		return 2.6
	}
	return 3.4
}

// like returns the words that are written like a word: as a whole, or where they begin, end or in the middle.
func (v *Vocabulary) like(word []rune) []candidate {
	if len(word) < 3 || len(word) > longestEntry {
		return nil
	}
	most := tolerance(len(word))
	letters := lettersOf(word)
	var list []candidate
	d := newDistances(word)
	for i := range v.entries {
		e := &v.entries[i]
		if len(e.folded)+3 < len(word) || bits.OnesCount64(letters&^e.letters) > int(most/cheapest) {
			continue
		}
		costs, from, to := d.to(e.folded, most)
		if costs > most {
			continue
		}
		one := candidate{says: e.says, text: e.text, costs: costs, n: e.n}
		if whole := from == 0 && to == len(e.folded); !whole {
			if e.says != string(e.folded) || len(word) < 5 && from > 0 { // a pair is meant as a whole
				continue
			}
			one.says = string(e.folded[from:to])
			one.text = part(e.text, from, to, one.says)
		}
		list = append(list, one)
	}
	return list
}

// part returns letters of a word as they are written, or folded if that has other letters.
func part(text string, from, to int, folded string) string {
	if letters := []rune(text); to <= len(letters) && Fold(string(letters[from:to])) == folded {
		return string(letters[from:to])
	}
	return folded
}

// distances computes how much it costs to make other words of a word.
type distances struct {
	word               []rune
	costs, one, two    []float64 // of the current row, the one before and the one before that
	from, from1, from2 []int     // where in the other word what is compared begins
}

// newDistances prepares the comparison of a word.
func newDistances(word []rune) *distances { return &distances{word: word} }

// Costs of differences.
const (
	cheapest = 0.5 // a double letter written once, letters that sound alike
	swapped  = 0.8 // two letters in the wrong order
)

// to returns the cost of the cheapest part of another word, and where that is. A part costs more than the whole. It gives
// up beyond most.
func (d *distances) to(other []rune, most float64) (costs float64, from, to int) {
	n := len(other) + 1
	if cap(d.costs) < n {
		d.costs, d.one, d.two = make([]float64, n, 2*n), make([]float64, n, 2*n), make([]float64, n, 2*n)
		d.from, d.from1, d.from2 = make([]int, n, 2*n), make([]int, n, 2*n), make([]int, n, 2*n)
	}
	d.costs, d.one, d.two = d.costs[:n], d.one[:n], d.two[:n]
	d.from, d.from1, d.from2 = d.from[:n], d.from1[:n], d.from2[:n]
	for j := range n {
		d.costs[j], d.from[j] = 0, j
		if j > 0 {
			d.costs[j] = ends
		}
	}
	for i := 1; i <= len(d.word); i++ {
		d.two, d.one, d.costs = d.one, d.costs, d.two
		d.from2, d.from1, d.from = d.from1, d.from, d.from2
		if d.row(i, other) > most {
			return most + 1, 0, 0
		}
	}
	costs = most + 1
	for j := range n {
		c := d.costs[j]
		if j < n-1 {
			c += begins
		}
		if c < costs {
			costs, from, to = c, d.from[j], j
		}
	}
	if to <= from {
		return most + 1, 0, 0
	}
	return costs, from, to
}

// row computes the costs of the first i letters, and returns the lowest.
func (d *distances) row(i int, other []rune) (lowest float64) {
	letter := d.word[i-1]
	left := 1.0
	if i > 1 && d.word[i-2] == letter {
		left = cheapest
	}
	d.costs[0], d.from[0] = d.one[0]+left, 0
	lowest = d.costs[0]
	for j := 1; j <= len(other); j++ {
		c, from := d.one[j-1]+differs(letter, other[j-1]), d.from1[j-1]
		if more := d.one[j] + left; more < c {
			c, from = more, d.from1[j]
		}
		added := 1.0
		if j > 1 && other[j-2] == other[j-1] {
			added = cheapest
		}
		if more := d.costs[j-1] + added; more < c {
			c, from = more, d.from[j-1]
		}
		if i > 1 && j > 1 && letter == other[j-2] && d.word[i-2] == other[j-1] && letter != other[j-1] {
			if more := d.two[j-2] + swapped; more < c {
				c, from = more, d.from2[j-2]
			}
		}
		d.costs[j], d.from[j] = c, from
		lowest = min(lowest, c)
	}
	return lowest
}

// soundingAlike are pairs of letters that people mistake for each other.
const soundingAlike = "ck kc fv vf sz zs iy yi ij ji dt td bp pb mn nm wv vw gk kg cs sc ae ea ei ie ou uo"

// differs returns what one letter instead of another costs.
func differs(a, b rune) float64 {
	switch {
	case a == b:
		return 0
	case a < utf8.RuneSelf && b < utf8.RuneSelf && strings.Contains(soundingAlike, string([]byte{byte(a), byte(b)})):
		return 0.7
	}
	return 1
}
