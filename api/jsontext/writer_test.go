package jsontext

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestStringsAreReadAsTheyWere writes texts with every escaped character, its neighbors and invalid bytes at each of
// the eight positions that are processed together.
func TestStringsAreReadAsTheyWere(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", " ", "~", "\x7f", `"`, `\`, "/", "\n", "\r", "\t", "\x00", "\x1f", "é", "\u2028", "語", "😀", "\x80", "\xff", "\xe8\xaa"}
	check := func(s string) {
		got := AppendString([]byte("["), s)
		var text string
		if err := json.Unmarshal(got[1:], &text); err != nil || text != valid(s) {
			t.Errorf("%q is written as %s and read as %q, %v", s, got, text, err)
		}
	}
	for n := range 20 {
		for _, piece := range pieces {
			check(strings.Repeat("x", n) + piece + strings.Repeat("y", 20-n))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		var b strings.Builder
		for range random.IntN(40) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		check(b.String())
	}
}

// valid returns s with invalid UTF-8 bytes replaced by the replacement character.
func valid(s string) string {
	var b strings.Builder
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		b.WriteRune(r)
		s = s[size:]
	}
	return b.String()
}

func TestStamps(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		at := time.Unix(random.Int64N(400_000_000_000)-100_000_000_000, 0).UTC()
		if got, want := string(appendStamp(nil, at)), at.Format(TimeFormat); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
