package wording

import "testing"

func TestNearly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"stadthalle", "stadthale", true},
		{"stadthalle", "stadthallen", true},
		{"muller", "mueller", true},
		{"bibliothek", "biblothek", true},
		{"rathaus", "rahtaus", true},
		{"kirche", "kirsche", true}, // people decide
		{"theater", "theatre", true},
		{"cafe", "kafe", false}, // too short
		{"nordhalle", "sudhalle", false},
		{"museum", "mausoleum", false},
		{"halle", "stadthalle", false},
	} {
		if Nearly(c.a, c.b) != c.want || Nearly(c.b, c.a) != c.want {
			t.Errorf("%s and %s: %v, %v", c.a, c.b, Nearly(c.a, c.b), Nearly(c.b, c.a))
		}
	}
}
