package i18n

import "testing"

// Sentences name a language in the language that they are in, in its lower case where it has that.
func TestNamesOfLanguagesWithinSentences(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{{"de", "fr", "Französisch", "Französisch"}, {"fr", "de", "allemand", "Allemand"}, {"en", "pl", "Polish", "Polish"}} {
		if within, alone := NameWithin(c[0], c[1]), NameOf(c[0], c[1]); within != c[2] || alone != c[3] {
			t.Errorf("%s in %s: %s and %s", c[1], c[0], within, alone)
		}
	}
}
