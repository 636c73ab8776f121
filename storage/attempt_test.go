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
	"github.com/kalends/kalends/test/eventtest"
)

func TestConcurrentAttempts(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	const every = time.Minute
	who, other := []byte("who"), []byte("other")
	take := func(db *DB, hash []byte, at time.Time) (time.Time, bool) {
		k.Helper()
		full, taken, err := db.Attempts().Take(k.Ctx, hash, at, at.Add(2*every), every)
		k.Must(err)
		return full, taken
	}
	var taken atomic.Int32
	var all sync.WaitGroup
	for _, db := range []*DB{k.db, k.open()} {
		for range 8 {
			all.Go(func() {
				if _, ok := take(db, who, eventtest.Monday); ok {
					taken.Add(1)
				}
			})
		}
	}
	all.Wait()
	k.Equal("taken of sixteen at once", taken.Load(), int32(3))
	full, ok := take(k.db, who, eventtest.Monday)
	k.Equal("one more", ok, false)
	k.Equal("all are theirs again", full, eventtest.Monday.Add(3*every))
	_, ok = take(k.db, other, eventtest.Monday)
	k.Equal("somebody else", ok, true)
	k.Must(k.db.Attempts().Back(k.Ctx, who, every))
	_, ok = take(k.db, who, eventtest.Monday)
	k.Equal("after one came back", ok, true)
	full, ok = take(k.db, who, eventtest.Monday.Add(every))
	k.Equal("a minute later", ok, true)
	k.Equal("then all are theirs", full, eventtest.Monday.Add(4*every))
	_, ok = take(k.db, who, eventtest.Monday.Add(time.Hour))
	k.Equal("an hour later", ok, true)
	k.Equal("who is known still", k.Column("SELECT count(*)::text FROM attempts"), []string{"1"})
}

func TestForms(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	second := k.open()
	begin := func(db *DB, name string, at time.Time) (mine bool, made int64) {
		k.Helper()
		mine, made, err := db.Forms().Begin(k.Ctx, []byte(name), at, at.Add(-time.Minute), at.Add(-time.Hour))
		k.Must(err)
		return mine, made
	}
	wants := func(what string, mine bool, made int64, wantMine bool, wantMade int64) {
		k.Helper()
		k.Equal(what+": mine", mine, wantMine)
		k.Equal(what+": made", made, wantMade)
	}
	mine, made := begin(k.db, "a", eventtest.Monday)
	wants("the first", mine, made, true, 0)
	mine, made = begin(second, "a", eventtest.Monday.Add(time.Minute))
	wants("under way", mine, made, false, 0)
	mine, made = begin(second, "a", eventtest.Monday.Add(2*time.Minute))
	wants("abandoned", mine, made, true, 0)
	k.Must(second.Forms().Drop(k.Ctx, []byte("a")))
	mine, made = begin(k.db, "a", eventtest.Monday.Add(2*time.Minute))
	wants("failed", mine, made, true, 0)
	begin(k.db, "b", eventtest.Monday.Add(2*time.Hour))
	k.Equal("old ones are gone", k.Column("SELECT count(*)::text FROM forms"), []string{"1"})
}

// What a form has made is noted with it, or neither is there.
func TestFormsNoteWhatTheyMake(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	clock := func() time.Time { return eventtest.Monday }
	one, other := platform.New(k.db, platform.Options{Clock: clock}).Forms, platform.New(k.open(), platform.Options{Clock: clock}).Forms
	failed := errors.New("failed")
	_, err := one.Once(k.Ctx, "a", "event", func(context.Context) (int64, error) { return 0, failed })
	k.Equal("the failure", errors.Is(err, failed), true)
	k.Event() // from now on links are remembered, and an event takes one round trip
	made, err := one.Once(k.Ctx, "a", "event", func(ctx context.Context) (int64, error) {
		e := k.Sample()
		err := k.db.Events().Create(ctx, e, calendar.EventLinks{})
		return e.ID, err
	})
	k.Must(err)
	again, err := other.Once(k.Ctx, "a", "event", func(context.Context) (int64, error) { return 0, failed })
	k.Must(err)
	k.Equal("what another node learns", again, made)
}

// TestAttemptsAndClocks: a clock that is set back locks nobody out for as long, nor
// gives more than one attempt for it.
func TestAttemptsAndClocks(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	const every = time.Minute
	take := func(at time.Time) (full time.Time, taken bool) {
		k.Helper()
		full, taken, err := k.db.Attempts().Take(k.Ctx, []byte("who"), at, at.Add(2*every), every)
		k.Must(err)
		return full, taken
	}
	for range 3 {
		_, taken := take(eventtest.Monday)
		k.Equal("before", taken, true)
	}
	back := eventtest.Monday.Add(-5 * time.Hour)
	full, taken := take(back)
	k.Equal("one for the clock", taken, true)
	k.Equal("and all are theirs again as always", full, back.Add(3*every))
	_, taken = take(back)
	k.Equal("a second one", taken, false)
	_, taken = take(back.Add(every))
	k.Equal("a minute later", taken, true)
	full, taken = take(back.Add(72 * time.Hour))
	k.Equal("days ahead", taken, true)
	k.Equal("as good as new", full, back.Add(72*time.Hour+every))
}
