package secrets

import "testing"

func TestRandomUsesTheWholeAlphabet(t *testing.T) {
	t.Parallel()
	count := map[rune]int{}
	for _, r := range Random(62_000) {
		count[r]++
	}
	for _, r := range alphabet {
		if count[r] < 800 || count[r] > 1200 {
			t.Errorf("%q comes %d times in a thousand expected", r, count[r])
		}
	}
}

func TestForm(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{"kal_abc": true, "kal_ab": false, "kal_ab-": false, "abc": false, "KAL_abc": false} {
		if Form(s, "kal_", 3) != want {
			t.Errorf("%q", s)
		}
	}
}
