package wording

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParseSearch(t *testing.T) {
	t.Parallel()
	many := func(form string, n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(form, rune('a'+i))
		}
		return strings.Join(list, " ")
	}
	for text, want := range map[string][2][]string{
		"":                             {},
		"Jazz soul":                    {{"jazz", "soul"}},
		`"jazz and" soul -funk`:        {{"jazz and", "soul"}, {"funk"}},
		"jazz JAZZ jazzy":              {{"jazzy"}}, // whoever has the last has the others
		"-jazzy -jazz -jazz":           {nil, {"jazz"}},
		strings.Repeat("a ", 12):       {{"a a a"}},
		"the cat and the hat":          {{"the", "cat", "and", "hat"}},
		many("%[1]c%[1]c", 10):         {strings.Fields(many("%[1]c%[1]c", 10))},
		many("%[1]c%[1]c", 12):         {append(strings.Fields(many("%[1]c%[1]c", 9)), "jj kk ll")},
		many("-%[1]c%[1]c", 12) + " x": {{"x"}, strings.Fields(many("%[1]c%[1]c", 10))},
	} {
		s := ParseSearch(text)
		if !slices.Equal(s.Words, want[0]) || !slices.Equal(s.Without, want[1]) {
			t.Errorf("%q: %q without %q, want %q without %q", text, s.Words, s.Without, want[0], want[1])
		}
	}
}
