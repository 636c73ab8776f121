package wording

// NearlyFrom is the number of letters from which on two words can be nearly the same. In shorter ones, another letter makes
// another word.
const NearlyFrom = 5

// Nearly reports whether one of two folded words may be the other one, mistyped: about one letter is wrong, missing or in the
// wrong place.
func Nearly(a, b string) bool { return mistyped(a, b) || mistyped(b, a) }

// mistyped reports whether a word may stand for another one. The other word with one more letter at its end does not count.
func mistyped(typed, other string) bool {
	word := []rune(typed)
	if len(word) < NearlyFrom || len(word) > longestEntry || len([]rune(other)) < NearlyFrom {
		return false
	}
	costs, _, _, whole := newDistances(word).to(other, letterCosts)
	return whole && costs <= letterCosts
}
