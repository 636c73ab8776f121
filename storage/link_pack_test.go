package storage

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
	memory := newLinkMemory(8 << 20)
	type link struct {
		kind linkKind
		id   int64
	}
	want := map[link]freshLink{}
	check := func() {
		t.Helper()
		open := memory.of(1).open()
		for l, w := range want {
			if record, events := open.get(l.kind, l.id); !bytes.Equal(record, w.record) || events != w.events {
				t.Fatalf("%v: %d bytes of %d, %d events of %d", l, len(record), len(w.record), events, w.events)
			}
		}
	}
	for range 40 {
		fresh := newFreshLinks()
		for range 30 {
			l := link{linkKind(random.IntN(3)), 1 + random.Int64N(400)}
			w, there := want[l]
			if !there {
				w = freshLink{make([]byte, 1+random.IntN(900)), random.IntN(99)}
				if random.IntN(100) == 0 {
					w.record = make([]byte, 3*packBytes)
				}
				for i := range w.record {
					w.record[i] = byte(random.IntN(4))
				}
				want[l] = w
			}
			fresh.add(l.kind, l.id, w.record, w.events)
		}
		memory.add(1, 5, fresh)
		check()
	}
	if n := len(memory.of(1).packs); n < 5 {
		t.Errorf("%d packs are too few to tell anything", n)
	}

	before := memory.of(1)
	counts := map[int64]int{9_999: 3} // which isn't remembered
	for l, w := range want {
		if l.kind == linkTerm && len(counts) < 10 {
			counts[l.id] = w.events + 1
			want[l] = freshLink{w.record, w.events + 1}
		}
	}
	memory.recount(1, 5, 6, counts)
	if now := memory.of(1); now.version != 6 || before.version != 5 || now.packs[0] != before.packs[0] {
		t.Errorf("from version %d to %d with other packs", before.version, now.version)
	}
	check()

	stale := newFreshLinks()
	stale.add(linkVenue, 401, []byte("old"), 0)
	memory.add(1, 5, stale)
	if record, _ := memory.of(1).open().get(linkVenue, 401); record != nil {
		t.Error("a record of the version before is remembered")
	}
	memory.recount(1, 5, 7, nil)
	if memory.of(1) != nil {
		t.Error("links of another version than the counts are remembered")
	}
}

// TestLinkKeys asks for ids that no site has, which must not find what has
// another kind.
func TestLinkKeys(t *testing.T) {
	t.Parallel()
	fresh := newFreshLinks()
	fresh.add(linkVenue, 1, []byte("a venue"), 0)
	fresh.add(linkOrganizer, 1, []byte("an organizer"), 0)
	open := newSiteLinks(1).with(fresh).open()
	for _, id := range []int64{0, -1, 1<<62 + 1, -1<<62 + 1, -1<<63 + 1} {
		for _, kind := range []linkKind{linkVenue, linkOrganizer, linkTerm} {
			if record, _ := open.get(kind, id); record != nil {
				t.Errorf("%d of kind %d is %q", id, kind, record)
			}
		}
	}
	if record, _ := open.get(linkOrganizer, 1); string(record) != "an organizer" {
		t.Errorf("got %q", record)
	}
}

// TestLinksAreSmall packs what a list of a usual site nests: thousands of sites
// have theirs in the memory there is for it.
func TestLinksAreSmall(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.fill(k.site, 100)
	k.list(variants()["plain"])
	links := k.db.links.of(k.site)
	raw := 0
	for i := range links.packs {
		raw += len(links.packs[i].records())
	}
	if links.weight() > raw/2 {
		t.Errorf("%d records of %d bytes weigh %d", len(links.index), raw, links.weight())
	}
}
