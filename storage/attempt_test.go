package storage

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy/platform"
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
	begin(k.db, "b", monday.Add(2*time.Hour))
	k.equal("old ones are gone", k.column("SELECT count(*)::text FROM forms"), []string{"1"})
}

// What a form has made is noted with it, or neither is there.
func TestFormsNoteWhatTheyMake(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	clock := func() time.Time { return monday }
	one, other := platform.New(k.db, platform.Options{Clock: clock}).Forms, platform.New(k.open(), platform.Options{Clock: clock}).Forms
	failed := errors.New("failed")
	_, err := one.Once(k.ctx, "a", "event", func(context.Context) (int64, error) { return 0, failed })
	k.equal("the failure", errors.Is(err, failed), true)
	k.event() // from now on links are remembered, and an event takes one round trip
	made, err := one.Once(k.ctx, "a", "event", func(ctx context.Context) (int64, error) {
		e := k.sample()
		err := k.db.Events().Create(ctx, e, calendar.EventLinks{})
		return e.ID, err
	})
	k.must(err)
	again, err := other.Once(k.ctx, "a", "event", func(context.Context) (int64, error) { return 0, failed })
	k.must(err)
	k.equal("what another node learns", again, made)
}

// TestAttemptsAndClocks: a clock that is set back locks nobody out for as long, nor
// gives more than one attempt for it.
func TestAttemptsAndClocks(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	const every = time.Minute
	take := func(at time.Time) (full time.Time, taken bool) {
		k.Helper()
		full, taken, err := k.db.Attempts().Take(k.ctx, []byte("who"), at, at.Add(2*every), every)
		k.must(err)
		return full, taken
	}
	for range 3 {
		_, taken := take(monday)
		k.equal("before", taken, true)
	}
	back := monday.Add(-5 * time.Hour)
	full, taken := take(back)
	k.equal("one for the clock", taken, true)
	k.equal("and all are theirs again as always", full, back.Add(3*every))
	_, taken = take(back)
	k.equal("a second one", taken, false)
	_, taken = take(back.Add(every))
	k.equal("a minute later", taken, true)
	full, taken = take(back.Add(72 * time.Hour))
	k.equal("days ahead", taken, true)
	k.equal("as good as new", full, back.Add(72*time.Hour+every))
}
