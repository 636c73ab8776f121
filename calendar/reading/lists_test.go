package reading

import (
	"slices"
	"strings"
	"testing"
)

// A list in a cell is read as it was written, whatever is in its texts.
func TestListsInCells(t *testing.T) {
	t.Parallel()
	for _, list := range [][]string{{}, {"a"}, {"a", "b"}, {"a, b", "c"}, {`"`}, {`a"b`, `"c"`}, {`,`}, {`","`, `x`}, {"12", "x"}, {"'", "=1"}, {"ä ö", "日本, 東京"}} {
		var back []string
		for _, entry := range listEntries(InList(list)) {
			back = append(back, entry.text)
		}
		if !slices.Equal(back, list) {
			t.Errorf("%q is read as %q from %s", list, back, InList(list))
		}
	}
	for text, want := range map[string][]any{"": {}, ",": {}, " a ,, b ": {"a", "b"}, `"a`: {`"a`}, `"a" b, c`: {`"a" b`, "c"}, `"a", "b`: {"a", `"b`}, `""`: {}, `"a,b",`: {"a,b"}} {
		if got := commaList(text); !slices.Equal(got, want) {
			t.Errorf("%s is read as %q, want %q", text, got, want)
		}
	}
}

// Any list of texts without spaces at their ends is read as it was written.
func FuzzListsInCells(f *testing.F) {
	f.Add("a", `b"`, ",c")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		var list, back []string
		for _, text := range []string{a, b, c} {
			if text = strings.TrimSpace(text); text != "" {
				list = append(list, text)
			}
		}
		for _, entry := range listEntries(InList(list)) {
			back = append(back, entry.text)
		}
		if !slices.Equal(back, list) {
			t.Errorf("%q is read as %q", list, back)
		}
	})
}
