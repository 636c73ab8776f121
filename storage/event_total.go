package storage

import (
	"fmt"
	"strings"
	"sync"
)

// totals remembers how many events lists have in all, by what they filter. A
// list carries the number and the version of the site it was counted at; the
// statement counts anew unless the site still has that version. So what is
// remembered can be useless, never wrong.
type totals struct {
	mu    sync.Mutex
	known map[string]total
}

type total struct {
	version int64
	events  int
}

// mostTotals bounds the memory; beyond it everything is forgotten.
const mostTotals = 20_000

// get returns what is known of a filter, version -1 when nothing is.
func (t *totals) get(filter string) total {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.known[filter]; ok {
		return known
	}
	return total{version: -1}
}

func (t *totals) set(filter string, known total) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || len(t.known) >= mostTotals {
		t.known = map[string]total{}
	}
	t.known[filter] = known
}

// filter names what a list filters: the conditions and their values so far.
func (b *eventQuery) filter() string {
	return strings.Join(b.where, " ") + fmt.Sprint(b.args)
}
