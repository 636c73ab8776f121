package services

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// What is hidden behind a password is named to nobody, and a wrong password counts only if it was one.
func TestMasks(t *testing.T) {
	t.Parallel()
	locked := func(author int64) *calendar.Event {
		return &calendar.Event{Post: calendar.Post{Status: calendar.Publish, Author: author}, Password: calendar.SealPassword("secret")}
	}
	for _, c := range []struct {
		name     string
		role     tenancy.Role
		event    *calendar.Event
		password string
		masked   bool
		left     bool // a guess is left
	}{
		{"without a password", tenancy.NoRole, locked(9), "", true, true},
		{"with the right one", tenancy.NoRole, locked(9), "secret", false, true},
		{"with a wrong one", tenancy.NoRole, locked(9), "Secret", true, false},
		{"an open event", tenancy.NoRole, &calendar.Event{}, "guess", false, true},
		{"one's own", tenancy.Author, locked(7), "", false, true},
		{"an author, somebody else's", tenancy.Author, locked(9), "", true, true},
		{"a contributor's own that is published", tenancy.Contributor, locked(7), "", true, true},
		{"an editor", tenancy.Editor, locked(9), "", false, true},
	} {
		s := Events{&Calendar{guesses: &guesses{}, clock: func() time.Time { return noon }}}
		scope := scopeOf(t, 7, c.role)
		if c.role == tenancy.NoRole {
			scope.Principal = tenancy.Principal{}
		}
		trial, err := s.try(scope, &calendar.EventQuery{}, c.password)
		if err != nil {
			t.Fatal(err)
		}
		trial.mask(c.event)
		trial.end()
		if left := s.guesses.counts[guesser(scope)] == 0; c.event.Masked != c.masked || left != c.left {
			t.Errorf("%s: masked %t, a guess is left %t", c.name, c.event.Masked, left)
		}
	}
	// Where what stays masked isn't found, whoever finds nothing has guessed wrong.
	for found, left := range map[*calendar.Event]bool{locked(9): true, {}: false} {
		s := Events{&Calendar{guesses: &guesses{}, clock: func() time.Time { return noon }}}
		scope := scopeOf(t, 0, tenancy.NoRole)
		trial, err := s.try(scope, &calendar.EventQuery{Opener: &calendar.Opener{Password: "secret"}}, "secret")
		if err != nil {
			t.Fatal(err)
		}
		trial.mask(found)
		if trial.end(); (s.guesses.counts[guesser(scope)] == 0) != left {
			t.Errorf("with a protected event %t, a guess is left %t", found.Protected(), !left)
		}
		for range 20 {
			s.guesses.back(guessAt(scope, 0), false) // nobody saves up guesses
		}
		for range guessesPerMinute {
			s.guesses.take(guessAt(scope, 0), noon)
		}
		if _, err := s.try(scope, &calendar.EventQuery{}, "secret"); !errors.Is(err, calendar.ErrGuesses) {
			t.Errorf("after too many guesses: %v", err)
		}
	}
	one, two := calendar.SealPassword("secret"), calendar.SealPassword("secret")
	if slices.Equal(one, two) || calendar.SealPassword("") != nil {
		t.Error("two events with the same password can be told to have it")
	}
}
