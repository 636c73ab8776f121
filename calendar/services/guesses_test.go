package services

import (
	"fmt"
	"testing"
	"time"
)

func TestGuesses(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 14, 10, 0, 0, 0, time.UTC)
	g := &guesses{}
	for n := range guessesPerMinute {
		if !g.take(guess{"a", "e"}, now) {
			t.Fatalf("guess %d is refused", n+1)
		}
	}
	if g.take(guess{"a", "e"}, now) || !g.take(guess{"b", "e"}, now) {
		t.Error("one client's guesses count for another")
	}
	if g.back(guess{"a", "e"}, false); !g.take(guess{"a", "e"}, now) || g.take(guess{"a", "e"}, now) {
		t.Error("one that was right counts")
	}
	if !g.take(guess{"a", "e"}, now.Add(time.Minute)) {
		t.Error("the next minute is no new one")
	}
}

// All clients together guess so often at an event; who has opened it before still does, and another event is another.
func TestGuessesAtAnEvent(t *testing.T) {
	t.Parallel()
	g, now := &guesses{}, time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	known := guess{"known", "event"}
	if !g.take(known, now) {
		t.Fatal("the first is refused")
	}
	g.back(known, true)
	for i := range guessesAtEvent {
		if !g.take(guess{fmt.Sprint(i), "event"}, now) {
			t.Fatalf("guess %d is refused", i)
		}
	}
	if g.take(guess{"one more", "event"}, now) {
		t.Error("from another client there is another guess")
	}
	if !g.take(known, now) || !g.take(guess{"one more", "other"}, now) {
		t.Error("who knows the password waits, or another event does")
	}
	if !g.take(guess{"one more", "event"}, now.Add(time.Minute)) {
		t.Error("the next minute is like this one")
	}
}
