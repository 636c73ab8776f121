package storage

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestAttempts(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	const every = time.Minute
	who, other := []byte("who"), []byte("other")
	take := func(db *DB, hash []byte, at time.Time) (time.Time, bool) {
		k.Helper()
		full, taken, err := db.Attempts().Take(k.ctx, hash, at, at.Add(2*every), every)
		k.must(err)
		return full, taken
	}
	var taken atomic.Int32
	var all sync.WaitGroup
	for _, db := range []*DB{k.db, k.open()} {
		for range 8 {
			all.Go(func() {
				if _, ok := take(db, who, monday); ok {
					taken.Add(1)
				}
			})
		}
	}
	all.Wait()
	k.equal("taken of sixteen at once", taken.Load(), int32(3))
	full, ok := take(k.db, who, monday)
	k.equal("one more", ok, false)
	k.equal("all are theirs again", full, monday.Add(3*every))
	_, ok = take(k.db, other, monday)
	k.equal("somebody else", ok, true)
	k.must(k.db.Attempts().Back(k.ctx, who, every))
	_, ok = take(k.db, who, monday)
	k.equal("after one came back", ok, true)
	full, ok = take(k.db, who, monday.Add(every))
	k.equal("a minute later", ok, true)
	k.equal("then all are theirs", full, monday.Add(4*every))
	_, ok = take(k.db, who, monday.Add(time.Hour))
	k.equal("an hour later", ok, true)
	k.equal("who is known still", k.column("SELECT count(*)::text FROM attempts"), []string{"1"})
}

func TestForms(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	second := k.open()
	begin := func(db *DB, name string, at time.Time) (mine bool, made int64) {
		k.Helper()
		mine, made, err := db.Forms().Begin(k.ctx, []byte(name), at, at.Add(-time.Minute), at.Add(-time.Hour))
		k.must(err)
		return mine, made
	}
	wants := func(what string, mine bool, made int64, wantMine bool, wantMade int64) {
		k.Helper()
		k.equal(what+": mine", mine, wantMine)
		k.equal(what+": made", made, wantMade)
	}
	mine, made := begin(k.db, "a", monday)
	wants("the first", mine, made, true, 0)
	mine, made = begin(second, "a", monday.Add(time.Minute))
	wants("under way", mine, made, false, 0)
	mine, made = begin(second, "a", monday.Add(2*time.Minute))
	wants("abandoned", mine, made, true, 0)
	k.must(second.Forms().Drop(k.ctx, []byte("a")))
	mine, made = begin(k.db, "a", monday.Add(2*time.Minute))
	wants("failed", mine, made, true, 0)
	k.must(k.db.Forms().Made(k.ctx, []byte("a"), 7))
	k.must(second.Forms().Drop(k.ctx, []byte("a")))
	mine, made = begin(second, "a", monday.Add(30*time.Minute))
	wants("done", mine, made, false, 7)
	begin(k.db, "b", monday.Add(2*time.Hour))
	k.equal("old ones are gone", k.column("SELECT count(*)::text FROM forms"), []string{"1"})
}
