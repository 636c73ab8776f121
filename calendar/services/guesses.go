package services

import (
	"strconv"
	"sync"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Limits on wrong passwords for events, per minute and node: for a client at a site, for all clients at an event or at the
// lists of a site; and the number of clients remembered.
const (
	guessesPerMinute = 10
	guessesAtEvent   = 60
	mostGuessers     = 10_000
)

// guesses counts wrong passwords in the current minute.
type guesses struct {
	mu     sync.Mutex
	minute time.Time
	counts map[string]int
	opened map[string]bool // what was opened by which client: a client that knows the password is not blocked by others' guesses
}

// guess is an attempt of a client at an event, or at the lists of a site.
type guess struct{ who, at string }

// guessAt returns the guess of a scope at an event. ID 0 means the lists.
func guessAt(s *tenancy.Scope, id int64) guess {
	return guess{guesser(s), strconv.FormatInt(s.Site.ID, 10) + "\n" + strconv.FormatInt(id, 10)}
}

// guesser returns the key to count by: a client at a site.
func guesser(s *tenancy.Scope) string { return strconv.FormatInt(s.Site.ID, 10) + " " + s.Client() }

// take counts a guess before it is checked, so that concurrent guesses count as well, and reports whether it is
// allowed.
func (g *guesses) take(one guess, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begin(now)
	if g.counts[one.who] >= guessesPerMinute || g.counts[one.at] >= guessesAtEvent && !g.opened[one.who+one.at] {
		return false
	}
	g.counts[one.who]++
	g.counts[one.at]++
	return true
}

// back undoes the count of an attempt that was not a wrong guess. right says that its password opened an event.
func (g *guesses) back(one guess, right bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, name := range []string{one.who, one.at} {
		if g.counts[name] > 0 {
			g.counts[name]--
		}
	}
	if right && (g.opened == nil || len(g.opened) >= mostGuessers) {
		g.opened = map[string]bool{}
	}
	if right {
		g.opened[one.who+one.at] = true
	}
}

// begin resets the counts in a new minute, or if too many clients are remembered.
func (g *guesses) begin(now time.Time) {
	if minute := now.Truncate(time.Minute); g.counts == nil || !minute.Equal(g.minute) || len(g.counts) >= mostGuessers {
		g.minute, g.counts = minute, map[string]int{}
	}
}

// trial is the reading of a list or feed, with or without a password.
type trial struct {
	guesses      *guesses
	scope        *tenancy.Scope
	password     string
	taken        bool // counted as a guess; taken back if the password is right
	missing      bool // what the password doesn't open is left out
	wrong, right bool
}

// try begins to read what a query selects with a password. It returns ErrGuesses after too many wrong passwords.
func (s Events) try(scope *tenancy.Scope, q *calendar.EventQuery, password string) (*trial, error) {
	t := &trial{guesses: s.guesses, scope: scope, password: password, taken: password != "", missing: q.Opener != nil}
	if t.taken && !s.guesses.take(guessAt(scope, 0), s.Now()) {
		return nil, calendar.ErrGuesses
	}
	return t, nil
}

// mask masks an event unless a permission or the password opens it.
func (t *trial) mask(e *calendar.Event) {
	e.Masked = e.Protected() && !calendar.MayEdit(t.scope.Principal, &e.Post) && !e.Opens(t.password)
	t.wrong = t.wrong || e.Masked
	t.right = t.right || e.Protected() && e.Opens(t.password)
}

// end undoes the count unless the guess was wrong: unless an event remained masked. If the query excludes masked
// events, the guess was wrong if it opened no event, because the absence of events also reveals that.
func (t *trial) end() {
	if wrong := t.missing && !t.right || !t.missing && t.wrong; t.taken && !wrong {
		t.guesses.back(guessAt(t.scope, 0), t.right)
	}
	t.taken = false
}
