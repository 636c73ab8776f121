package linked

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestLinkPacks remembers records of many sizes little by little, and asks for
// all of them after each step.
func TestLinkPacks(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	memory := NewMemory(8 << 20)
	type named struct {
		kind Kind
		id   int64
	}
	want := map[named]link{}
	check := func() {
		t.Helper()
		open := memory.Of(1).Open()
		for l, w := range want {
			if record, events := open.Get(l.kind, l.id); !bytes.Equal(record, w.record) || events != w.events {
				t.Fatalf("%v: %d bytes of %d, %d events of %d", l, len(record), len(w.record), events, w.events)
			}
		}
	}
	for range 40 {
		fresh := NewFresh()
		for range 30 {
			l := named{Kind(random.IntN(3)), 1 + random.Int64N(400)}
			w, there := want[l]
			if !there {
				w = link{make([]byte, 1+random.IntN(900)), random.IntN(99)}
				if random.IntN(100) == 0 {
					w.record = make([]byte, 3*packBytes)
				}
				for i := range w.record {
					w.record[i] = byte(random.IntN(4))
				}
				want[l] = w
			}
			fresh.Add(l.kind, l.id, w.record, w.events)
		}
		memory.Add(1, 5, fresh)
		check()
	}
	if n := len(memory.Of(1).packs); n < 5 {
		t.Errorf("%d packs are too few to tell anything", n)
	}

	before := memory.Of(1)
	counts := map[int64]int{9_999: 3} // which isn't remembered
	for l, w := range want {
		if l.kind == Term && len(counts) < 10 {
			counts[l.id] = w.events + 1
			want[l] = link{w.record, w.events + 1}
		}
	}
	memory.Recount(1, 5, 6, counts)
	if now := memory.Of(1); now.Version != 6 || before.Version != 5 || now.packs[0] != before.packs[0] {
		t.Errorf("from version %d to %d with other packs", before.Version, now.Version)
	}
	check()

	stale := NewFresh()
	stale.Add(Venue, 401, []byte("old"), 0)
	memory.Add(1, 5, stale)
	if record, _ := memory.Of(1).Open().Get(Venue, 401); record != nil {
		t.Error("a record of the version before is remembered")
	}
	memory.Recount(1, 5, 7, nil)
	if memory.Of(1) != nil {
		t.Error("links of another version than the counts are remembered")
	}
}

// TestLinkKeys asks for ids that no site has, which must not find what has
// another kind.
func TestLinkKeys(t *testing.T) {
	t.Parallel()
	fresh := NewFresh()
	fresh.Add(Venue, 1, []byte("a venue"), 0)
	fresh.Add(Organizer, 1, []byte("an organizer"), 0)
	open := newSite(1).with(fresh).Open()
	for _, id := range []int64{0, -1, 1<<62 + 1, -1<<62 + 1, -1<<63 + 1} {
		for _, kind := range []Kind{Venue, Organizer, Term} {
			if record, _ := open.Get(kind, id); record != nil {
				t.Errorf("%d of kind %d is %q", id, kind, record)
			}
		}
	}
	if record, _ := open.Get(Organizer, 1); string(record) != "an organizer" {
		t.Errorf("got %q", record)
	}
}
