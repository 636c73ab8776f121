package wording

import "strings"

// distances computes the cost of turning a word into other words, in tenths of a letter.
type distances struct {
	word, other        []rune
	added              []int // what each letter of the other word costs where the word lacks it
	costs, one, two    []int // of the current row, the previous row, and the row before that
	from, from1, from2 []int // where in the other word what is compared begins
}

// newDistances prepares comparisons of a word with others.
func newDistances(word []rune) *distances {
	d := &distances{word: word}
	for _, row := range []*[]int{&d.added, &d.costs, &d.one, &d.two, &d.from, &d.from1, &d.from2} {
		*row = make([]int, 2*longestEntry+1)
	}
	return d
}

// Costs of differences, in tenths of a letter.
const (
	letterCosts = 10
	doubled     = 5 // a double letter written once
	unheard     = 4 // a silent letter
	spelledOut  = 4 // the e of ae, oe and ue
	alikeCosts  = 7 // letters that sound alike
	besideCosts = 8 // letters that are beside each other on the keyboard
	swapped     = 8 // two letters in the wrong order
	skipped     = 8 // two letters, the second of which is also the one before them: the ro of eurorust
)

// to returns the cost of the cheapest part of another word, its position, and whether it is the whole word. A part costs more
// than the whole word. If the cost exceeds most, it returns early with a higher one.
func (d *distances) to(other string, most int) (costs, from, to int, whole bool) {
	d.other = d.other[:0]
	for _, c := range other {
		d.other = append(d.other, c)
	}
	n := len(d.other) + 1
	if n > len(d.costs) {
		return most + 1, 0, 0, false
	}
	for j := range n {
		d.costs[j], d.from[j] = 0, j
		if j > 0 {
			d.costs[j], d.added[j] = ends, extra(d.other, j-1)
			if more := d.costs[j-1] + d.added[j]; d.from[j-1] == 0 && more < ends { // the p of psychology
				d.costs[j], d.from[j] = more, 0
			}
		}
	}
	for i := 1; i <= len(d.word); i++ {
		d.two, d.one, d.costs = d.one, d.costs, d.two
		d.from2, d.from1, d.from = d.from1, d.from, d.from2
		if d.row(i, n) > most {
			return most + 1, 0, 0, false
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
		return most + 1, 0, 0, false
	}
	return costs, from, to, from == 0 && to == n-1
}

// row computes the costs of the first i letters, and returns the lowest of them.
func (d *distances) row(i, n int) (lowest int) {
	letter, left := d.word[i-1], extra(d.word, i-1)
	d.costs[0], d.from[0] = d.one[0]+left, 0
	lowest = d.costs[0]
	for j := 1; j < n; j++ {
		c, from := d.one[j-1]+differs(letter, d.other[j-1]), d.from1[j-1]
		if more := d.one[j] + left; more < c {
			c, from = more, d.from1[j]
		}
		if more := d.costs[j-1] + d.added[j]; more < c {
			c, from = more, d.from[j-1]
		}
		if i > 1 && j > 1 && letter == d.other[j-2] && d.word[i-2] == d.other[j-1] && letter != d.other[j-1] {
			if more := d.two[j-2] + swapped; more < c {
				c, from = more, d.from2[j-2]
			}
		}
		if j > 2 && d.other[j-1] == d.other[j-3] && d.costs[j-2]+skipped < c {
			c, from = d.costs[j-2]+skipped, d.from[j-2]
		}
		if j > 1 && oneSound(letter, d.other[j-2], d.other[j-1]) && d.one[j-2]+unheard < c {
			c, from = d.one[j-2]+unheard, d.from1[j-2]
		}
		if i > 1 && oneSound(d.other[j-1], d.word[i-2], letter) && d.two[j-1]+unheard < c {
			c, from = d.two[j-1]+unheard, d.from2[j-1]
		}
		d.costs[j], d.from[j] = c, from
		lowest = min(lowest, c)
	}
	return lowest
}

// oneSound reports whether two letters sound like x or q, which stands for the other two.
func oneSound(one, a, b rune) bool {
	switch one {
	case 'x':
		return b == 's' && (a == 'k' || a == 'c' || a == 'g')
	case 'q':
		return (a == 'k' || a == 'c') && (b == 'w' || b == 'u' || b == 'v')
	}
	return false
}

// extra returns the cost of a letter of a word that the other word lacks.
func extra(word []rune, i int) int {
	c, before, after := word[i], rune(0), rune(0)
	if i > 0 {
		before = word[i-1]
	}
	if i+1 < len(word) {
		after = word[i+1]
	}
	switch {
	case before == c:
		return doubled
	case c == 'h' && before != 0,
		c == 'c' && (after == 'k' || before == 's' && after == 'h'),
		c == 't' && after == 'z',
		c == 'd' && after == 't',
		before == 0 && (c == 'p' && after == 's' || c == 'k' && after == 'n' || c == 'w' && after == 'r'):
		return unheard
	case c == 'e' && before != 0 && strings.ContainsRune("aoui", before):
		return spelledOut
	}
	return letterCosts
}

// soundingAlike are pairs of letters that people confuse by sound, besideEachOther pairs that they confuse on the keyboard.
const (
	soundingAlike   = "ck cq kq fv pf sz zs iy ij dt bp mn vw gk cs ae ei ou gj uy"
	besideEachOther = "qw we er rt ty tz yu zu ui io op as sd df fg gh hj jk kl yx zx xc cv vb bn nm qa ws ed " +
		"rf tg hz uj ik ol sy ax sx dc fv gb hn jm"
)

// lettersApart holds the costs of one letter in place of another.
var lettersApart = func() (costs [128][128]uint8) {
	for a := range costs {
		for b := range costs[a] {
			if costs[a][b] = letterCosts; a == b {
				costs[a][b] = 0
			}
		}
	}
	set := func(pairs string, c uint8) {
		for pair := range strings.FieldsSeq(pairs) {
			costs[pair[0]][pair[1]], costs[pair[1]][pair[0]] = c, c
		}
	}
	set(besideEachOther, besideCosts)
	set(soundingAlike, alikeCosts)
	return costs
}()

// differs returns the cost of one letter in place of another.
func differs(a, b rune) int {
	switch {
	case a == b:
		return 0
	case a < 128 && b < 128 && a >= 0 && b >= 0:
		return int(lettersApart[a][b])
	}
	return letterCosts
}
