package calendar

import (
	"testing"
	"time"
)

func TestGuesses(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 14, 10, 0, 0, 0, time.UTC)
	g := &guesses{}
	for n := range guessesPerMinute {
		if !g.take("a", now) {
			t.Fatalf("guess %d is refused", n+1)
		}
	}
	if g.take("a", now) || !g.take("b", now) {
		t.Error("one client's guesses count for another")
	}
	if g.back("a"); !g.take("a", now) || g.take("a", now) {
		t.Error("one that was right counts")
	}
	if !g.take("a", now.Add(time.Minute)) {
		t.Error("the next minute is no new one")
	}
}
