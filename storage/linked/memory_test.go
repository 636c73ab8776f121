package linked

import (
	"bytes"
	"fmt"
	"testing"
)

// fresh returns a venue and a term, as they were read.
func fresh(name string, events int) *Fresh {
	f := NewFresh()
	f.Add(Venue, 1, []byte("venue "+name), 0)
	f.Add(Term, 1, []byte("term "+name), events)
	return f
}

// What is remembered of a site is of one version of it: what is older is never used, and what is newer takes its place.
func TestMemory(t *testing.T) {
	t.Parallel()
	m := NewMemory(Bytes)
	says := func(what string, want string) {
		t.Helper()
		got := "nothing"
		if s := m.Of(7); s != nil {
			r := s.Open()
			venue, _ := r.Get(Venue, 1)
			term, events := r.Get(Term, 1)
			got = fmt.Sprintf("%d: %s, %s in %d", s.Version, venue, term, events)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	says("of a site nobody asked for", "nothing")
	m.Recount(7, 1, 2, map[int64]int{1: 9})
	says("counted before it was read", "nothing")
	m.Add(7, 5, fresh("five", 3))
	says("read", "5: venue five, term five in 3")
	m.Add(7, 4, fresh("four", 1))
	says("an answer that was late", "5: venue five, term five in 3")
	m.Add(7, 5, fresh("five, again", 8))
	says("read twice at one version", "5: venue five, term five in 3")
	m.Recount(7, 5, 6, map[int64]int{1: 4, 99: 1})
	says("counted", "6: venue five, term five in 4")
	m.Recount(7, 8, 9, map[int64]int{1: 7})
	says("counted from a version that isn't known", "nothing")
	m.Add(7, 9, fresh("nine", 0))
	m.Add(8, 1, fresh("of another site", 0))
	m.Forget(7)
	says("forgotten", "nothing")
	if m.Of(8) == nil {
		t.Error("another site is forgotten with it")
	}
	m.Add(7, 10, fresh("ten", 1))
	before := m.Of(7)
	more := NewFresh()
	more.Add(Organizer, 1, []byte("organizer"), 0)
	m.Add(7, 10, more)
	m.Recount(7, 10, 11, map[int64]int{1: 2})
	if organizer, _ := m.Of(7).Open().Get(Organizer, 1); string(organizer) != "organizer" {
		t.Errorf("read later at the same version: %q", organizer)
	}
	if organizer, _ := before.Open().Get(Organizer, 1); organizer != nil || before.Version != 10 {
		t.Error("what a reader has in hand changed")
	}
	if _, events := before.Open().Get(Term, 1); events != 1 {
		t.Errorf("and so did its counts: %d", events)
	}
}

// A record is told by its kind and its ID. IDs that no item has are of none, whatever kind they would run into.
func TestKinds(t *testing.T) {
	t.Parallel()
	f := NewFresh()
	if !f.Empty() {
		t.Error("nothing is something")
	}
	for kind := Venue; kind <= Term; kind++ {
		for _, id := range []int64{1, 1 << 40} {
			f.Add(kind, id, fmt.Appendf(nil, "%d %d", kind, id), int(kind))
		}
	}
	m := NewMemory(Bytes)
	m.Add(1, 1, f)
	r := m.Of(1).Open()
	for kind := Venue; kind <= Term; kind++ {
		for _, id := range []int64{1, 1 << 40} {
			record, events := r.Get(kind, id)
			read, _ := f.Get(kind, id)
			if want := fmt.Appendf(nil, "%d %d", kind, id); !bytes.Equal(record, want) || !bytes.Equal(read, want) || events != int(kind) {
				t.Errorf("%s: %q in %d", want, record, events)
			}
		}
		for _, id := range []int64{0, 2, -1, 1 << 62, 1<<62 + 1, 1<<63 - 1} {
			if record, _ := r.Get(kind, id); record != nil {
				t.Errorf("%d of kind %d is %q", id, kind, record)
			}
		}
	}
}

// A memory that is full gives up what is remembered of some sites and goes on.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	m := NewMemory(64 << 10)
	kept := 0
	for site := range int64(500) {
		f := NewFresh()
		for id := range int64(20) {
			f.Add(Venue, id+1, fmt.Appendf(nil, "%d of %d %x", id, site, bytes.Repeat([]byte{byte(id), byte(site)}, 20)), 0)
		}
		m.Add(site, 1, f)
	}
	m.sites.Bytes() // what has to go is gone then
	for site := range int64(500) {
		if s := m.Of(site); s != nil {
			kept++
			if record, _ := s.Open().Get(Venue, 1); !bytes.HasPrefix(record, fmt.Appendf(nil, "0 of %d ", site)) {
				t.Errorf("%d has %q", site, record)
			}
		}
	}
	if kept == 0 || kept > 200 {
		t.Errorf("%d of 500 sites are remembered", kept)
	}
}
