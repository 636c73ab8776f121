package calendar

import (
	"strconv"
	"sync"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// How many wrong passwords of a site's events a client may name in a minute on one
// node, and how many clients are remembered.
const (
	guessesPerMinute = 10
	mostGuessers     = 10_000
)

// guesses counts wrong passwords of the running minute.
type guesses struct {
	mu     sync.Mutex
	minute time.Time
	counts map[string]int
}

// guesser is who is counted: a client at a site.
func guesser(s *tenancy.Scope) string { return strconv.FormatInt(s.Site.ID, 10) + " " + s.Client() }

// take counts a guess before it is compared, so that many at once are counted, too,
// and reports whether it may be.
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

// back returns one that was right.
func (g *guesses) back(who string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.counts[who] > 0 {
		g.counts[who]--
	}
}

// begin forgets the minutes before, and everybody once there are too many.
func (g *guesses) begin(now time.Time) {
	if minute := now.Truncate(time.Minute); g.counts == nil || !minute.Equal(g.minute) || len(g.counts) >= mostGuessers {
		g.minute, g.counts = minute, map[string]int{}
	}
}
