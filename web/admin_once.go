package web

import (
	"crypto/rand"
	"sync"
	"time"
)

// onceLife is how long a form is known to have made something.
const (
	onceLife = time.Hour
	mostOnce = 10_000
)

// once makes a form that is sent twice make one thing: the second waits for the
// first and gets what that made.
type once struct {
	now  func() time.Time
	mu   sync.Mutex
	done map[string]*made
}

// made is what a form made, at a time.
type made struct {
	mu sync.Mutex
	id int64
	at time.Time
}

func newOnce(now func() time.Time) *once { return &once{now: now, done: map[string]*made{}} }

// newFormToken names a form that makes something.
func newFormToken() string { return rand.Text() }

// do makes something for a form unless that is done. What fails may be tried
// again. Forms without a name are all different.
func (o *once) do(name string, do func() (int64, error)) (int64, error) {
	if name == "" {
		return do()
	}
	m := o.of(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.id != 0 {
		return m.id, nil
	}
	id, err := do()
	if err == nil {
		m.id = id
	}
	return id, err
}

func (o *once) of(name string) *made {
	now := o.now()
	o.mu.Lock()
	defer o.mu.Unlock()
	if m := o.done[name]; m != nil {
		return m
	}
	if len(o.done) >= mostOnce {
		for other, m := range o.done {
			if now.Sub(m.at) > onceLife {
				delete(o.done, other)
			}
		}
		if len(o.done) >= mostOnce {
			clear(o.done)
		}
	}
	m := &made{at: now}
	o.done[name] = m
	return m
}
