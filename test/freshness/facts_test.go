package freshness

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// fact is something one writer changes again and again, through both nodes in
// turn. Every change has a serial, which whoever reads the fact sees.
type fact struct {
	name string
	mu   sync.Mutex
	last int // issued, acknowledged or not
	acks []ack
	id   int64 // of a slot's item, 0 while there is none
}

// ack is an acknowledged change.
type ack struct {
	serial, node int
	at           time.Time
}

// issue returns the serial of the next change.
func (f *fact) issue() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	return f.last
}

func (f *fact) acknowledge(serial, node int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.acks = append(f.acks, ack{serial, node, time.Now()})
}

// foreign is how long another node's write may take to be seen.
const foreign = time.Second

// floor returns the oldest serial that a read which begins now may show: what
// its node acknowledged, and what the other acknowledged a second ago; with
// no-cache whatever anybody acknowledged.
func (f *fact) floor(node int, noCache bool) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	for _, v := range slices.Backward(f.acks) {
		if a := v; noCache || a.node == node || now.Sub(a.at) >= foreign {
			return a.serial
		}
	}
	return 0
}

func (f *fact) issued() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last
}

func (f *fact) current() (id int64, serial int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.id, f.last
}

func (f *fact) become(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.id = id
}

// text is what a fact is called at a serial.
func (f *fact) text(serial int) string { return fmt.Sprintf("%s serial %d", f.name, serial) }

// serialOf takes a text apart; ok is false for what no writer wrote.
func serialOf(text string) (name string, serial int, ok bool) {
	name, digits, found := strings.Cut(text, " serial ")
	serial, err := strconv.Atoi(digits)
	return name, serial, found && err == nil
}

// floors are the oldest serials a read may show, taken before it begins.
type floors map[*fact]int

// wrong says what is wrong with a serial that was read, "" for nothing.
func (m floors) wrong(f *fact, serial int) string {
	floor, known := m[f]
	switch last := f.issued(); {
	case known && serial < floor:
		return fmt.Sprintf("%s: read serial %d, %d was acknowledged", f.name, serial, floor)
	case serial > last:
		return fmt.Sprintf("%s: read serial %d, %d was the last written", f.name, serial, last)
	}
	return ""
}

// missing says what is wrong with a slot that isn't there, "" for nothing. Odd
// serials of a slot are creations, even ones removals.
func (m floors) missing(f *fact) string {
	if floor := m[f]; floor%2 == 1 && f.issued() == floor {
		return fmt.Sprintf("%s: isn't there, serial %d was acknowledged", f.name, floor)
	}
	return ""
}
