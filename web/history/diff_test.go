package history

import (
	"strings"
	"testing"
	"testing/quick"
)

func drawn(list []piece) string {
	var b strings.Builder
	for _, p := range list {
		switch p.kind {
		case '-':
			b.WriteString("[-" + p.text + "]")
		case '+':
			b.WriteString("[+" + p.text + "]")
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

func TestCompareTexts(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"", "", ""},
		{"same", "same", "same"},
		{"", "new words", "[+new words]"},
		{"old words", "", "[-old words]"},
		{"the old house", "the new house", "the [-old][+new] house"},
		{"one two three", "one three", "one [-two ]three"},
		{"夏の音楽会", "秋の音楽会", "[-夏][+秋]の音楽会"},
		{"Größe 12", "Größe 13", "Größe [-12][+13]"},
	} {
		if got := drawn(compareTexts(c[0], c[1])); got != c[2] {
			t.Errorf("%q → %q: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// TestCompareTextsKeepsBoth: what was kept and removed is the one text, what was
// kept and added the other, whatever they are.
func TestCompareTextsKeepsBoth(t *testing.T) {
	t.Parallel()
	holds := func(before, after string) bool {
		before, after = strings.ToValidUTF8(before, "?"), strings.ToValidUTF8(after, "?")
		var a, b strings.Builder
		for _, p := range compareTexts(before, after) {
			if p.kind != '+' {
				a.WriteString(p.text)
			}
			if p.kind != '-' {
				b.WriteString(p.text)
			}
		}
		return a.String() == before && b.String() == after
	}
	if err := quick.Check(holds, nil); err != nil {
		t.Error(err)
	}
	long := strings.Repeat("word ", 5000)
	if !holds(long+"a", "b "+strings.ToUpper(long)) {
		t.Error("long texts")
	}
}
