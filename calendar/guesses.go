package calendar

import (
	"strconv"
	"sync"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Limits on wrong passwords for events: per client, site, minute and node, and the number of clients remembered.
const (
	guessesPerMinute = 10
	mostGuessers     = 10_000
)

// guesses counts wrong passwords in the current minute.
type guesses struct {
	mu     sync.Mutex
	minute time.Time
	counts map[string]int
}

// guesser returns the key to count by: a client at a site.
func guesser(s *tenancy.Scope) string { return strconv.FormatInt(s.Site.ID, 10) + " " + s.Client() }

// take counts a guess before it is checked, so that concurrent guesses count too, and reports whether it is allowed.
func (g *guesses) take(who string, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begin(now)
	if g.counts[who] >= guessesPerMinute {
		return false
	}
	g.counts[who]++
	return true
}

// back undoes the count of a correct guess.
func (g *guesses) back(who string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.counts[who] > 0 {
		g.counts[who]--
	}
}

// begin resets the counts in a new minute, or if too many clients are remembered.
func (g *guesses) begin(now time.Time) {
	if minute := now.Truncate(time.Minute); g.counts == nil || !minute.Equal(g.minute) || len(g.counts) >= mostGuessers {
		g.minute, g.counts = minute, map[string]int{}
	}
}

// trial is the reading of a list or feed with a password, or with none.
type trial struct {
	guesses      *guesses
	scope        *tenancy.Scope
	password     string
	taken        bool // a guess, which is given back if it was none
	missing      bool // what the password doesn't open is left out
	wrong, right bool
}

// try begins to read what a query selects with a password. It returns ErrGuesses to who has
// named too many wrong ones.
func (s Events) try(scope *tenancy.Scope, q *EventQuery, password string) (*trial, error) {
	t := &trial{guesses: s.guesses, scope: scope, password: password, taken: password != "", missing: q.Opener != nil}
	if t.taken && !s.guesses.take(guesser(scope), s.Now()) {
		return nil, ErrGuesses
	}
	return t, nil
}

// mask masks an event that neither the password opens nor a right.
func (t *trial) mask(e *Event) {
	e.Masked = e.Protected() && !MayEdit(t.scope.Principal, &e.Post) && !e.Opens(t.password)
	t.wrong = t.wrong || e.Masked
	t.right = t.right || e.Protected() && e.Opens(t.password)
}

// end gives the guess back unless it was wrong: it left something masked, or opened nothing
// where what stays masked isn't found, which tells as much.
func (t *trial) end() {
	if wrong := t.missing && !t.right || !t.missing && t.wrong; t.taken && !wrong {
		t.guesses.back(guesser(t.scope))
	}
	t.taken = false
}
