package cache

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// database is an in-memory Source.
type database struct {
	mu        sync.Mutex
	versions  map[int64]int64
	down      error
	asked     int
	polled    []int64 // sites of the last question
	moment    string
	announced []map[int64]int64
	ears      []func(site, version int64)
	cut       chan struct{} // ends those who listen
}

func newDatabase(versions map[int64]int64) *database {
	return &database{versions: versions, cut: make(chan struct{})}
}

func (d *database) Versions(_ context.Context, sites []int64) (map[int64]int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	d.polled = sites
	if d.down != nil {
		return nil, d.down
	}
	found := map[int64]int64{}
	for _, site := range sites {
		if version, ok := d.versions[site]; ok {
			found[site] = version
		}
	}
	return found, nil
}

func (d *database) Moment(context.Context) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.moment, d.down
}

// commit sets a version like set, at a given moment.
func (d *database) commit(moment string, site, version int64) {
	d.set(site, version)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.moment = moment
}

func (d *database) Listen(ctx context.Context, begun func(), heard func(site, version int64)) error {
	begun()
	d.mu.Lock()
	d.ears = append(d.ears, heard)
	cut := d.cut
	d.mu.Unlock()
	select {
	case <-cut:
		return errors.New("cut")
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *database) Announce(_ context.Context, raised map[int64]int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.announced = append(d.announced, maps.Clone(raised))
	return d.down
}

// set changes a version like another node's write.
func (d *database) set(site, version int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.versions[site] = version
}

func (d *database) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.down = err
}

// notify notifies the current listeners.
func (d *database) notify(site, version int64) {
	d.mu.Lock()
	ears := d.ears
	d.mu.Unlock()
	for _, heard := range ears {
		heard(site, version)
	}
}

func (d *database) questions() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked
}

func (d *database) last() []int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.polled
}

func (d *database) told() []map[int64]int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.announced
}

func of(t testing.TB, v *Versions, site, want int64) {
	t.Helper()
	if got, err := v.Of(t.Context(), site); err != nil || got != want {
		t.Errorf("site %d has version %d, %v, want %d", site, got, err, want)
	}
}

// clocked runs a test in synthetic time with Versions running.
func clocked(t *testing.T, d *database, test func(t *testing.T, v *Versions)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d.cut = make(chan struct{})
		v := NewVersions(d, silent)
		ctx, cancel := context.WithCancel(t.Context())
		var run sync.WaitGroup
		run.Go(func() { v.Run(ctx) })
		test(t, v)
		cancel()
		run.Wait()
	})
}

// A node knows its own writes immediately, and nothing lowers a version.
func TestRaise(t *testing.T) {
	t.Parallel()
	d := newDatabase(map[int64]int64{1: 5})
	v := NewVersions(d, silent)
	of(t, v, 1, 5)
	v.Raise(1, 6) // the database's answer that is under way says 5
	of(t, v, 1, 6)
	v.Raise(1, 4)
	of(t, v, 1, 6)
	if got, err := v.Ask(t.Context(), 1); err != nil || got != 6 {
		t.Errorf("asked: %d, %v", got, err)
	}
}

// A write says nothing about the writes of others: the database is asked although a version is known.
func TestRaiseIsNoAnswer(t *testing.T) {
	t.Parallel()
	d := newDatabase(map[int64]int64{1: 9})
	v := NewVersions(d, silent)
	v.Raise(1, 6)
	of(t, v, 1, 9)
}

func TestTrust(t *testing.T) {
	t.Parallel()
	d := newDatabase(map[int64]int64{1: 5})
	v := NewVersions(d, silent)
	now := time.Unix(1000, 0)
	v.clock = func() time.Time { return now }
	of(t, v, 1, 5)
	d.set(1, 6)
	now = now.Add(trust - 1)
	of(t, v, 1, 5)
	if got, err := v.Ask(t.Context(), 1); err != nil || got != 6 {
		t.Errorf("asked: %d, %v", got, err)
	}
	d.set(1, 7)
	now = now.Add(trust)
	of(t, v, 1, 7)
	if d.questions() != 3 {
		t.Errorf("%d questions", d.questions())
	}
	d.set(1, 8)
	now = now.Add(-time.Hour) // a clock that is put back extends no trust
	of(t, v, 1, 8)
	broken := errors.New("down")
	d.fail(broken)
	now = now.Add(2 * time.Hour)
	if _, err := v.Of(t.Context(), 1); !errors.Is(err, broken) {
		t.Errorf("without the database: %v", err)
	}
}

func TestLearn(t *testing.T) {
	t.Parallel()
	d := newDatabase(map[int64]int64{1: 9})
	v := NewVersions(d, silent)
	now := time.Unix(1000, 0)
	v.clock = func() time.Time { return now }
	v.Learn(1, 5, now)
	now = now.Add(trust - 1)
	of(t, v, 1, 5)
	v.Learn(1, 4, now.Add(-time.Hour)) // long ago, and less than what is known
	of(t, v, 1, 5)
	if d.questions() != 0 {
		t.Errorf("%d questions about what was read just now", d.questions())
	}
	now = now.Add(1)
	of(t, v, 1, 9)
}

func TestNoSite(t *testing.T) {
	t.Parallel()
	v := NewVersions(newDatabase(map[int64]int64{1: 0}), silent)
	of(t, v, 1, 0)
	v.Raise(2, 7)
	if _, err := v.Of(t.Context(), 2); !errors.Is(err, ErrNoSite) {
		t.Errorf("a site that isn't there: %v", err)
	}
}

// Normally requests ask nothing, and see the writes of others within one polling interval.
func TestPoll(t *testing.T) {
	d := newDatabase(map[int64]int64{1: 5})
	clocked(t, d, func(t *testing.T, v *Versions) {
		of(t, v, 1, 5)
		for want := int64(6); want < 20; want++ {
			d.set(1, want)
			time.Sleep(poll + time.Millisecond)
			before := d.questions()
			of(t, v, 1, want)
			if d.questions() != before {
				t.Error("a request asked")
			}
		}
		d.fail(errors.New("down"))
		time.Sleep(trust + poll)
		if _, err := v.Of(t.Context(), 1); err == nil {
			t.Error("trusts what is too old")
		}
		d.fail(nil)
		d.set(1, 20)
		of(t, v, 1, 20)
	})
}

func TestNotifications(t *testing.T) {
	d := newDatabase(map[int64]int64{1: 5})
	clocked(t, d, func(t *testing.T, v *Versions) {
		of(t, v, 1, 5)
		synctest.Wait()
		d.notify(1, 8)
		d.notify(1, 7)
		d.notify(2, 3) // not in use
		of(t, v, 1, 8)
		d.mu.Lock()
		close(d.cut)
		d.cut, d.ears = make(chan struct{}), nil
		d.mu.Unlock()
		d.set(1, 9)
		time.Sleep(poll + time.Millisecond)
		of(t, v, 1, 9) // polled
		time.Sleep(time.Second)
		d.notify(1, 12) // heard again
		of(t, v, 1, 12)
	})
}

// Unused sites are no longer polled and are eventually forgotten.
func TestIdle(t *testing.T) {
	d := newDatabase(map[int64]int64{1: 5, 2: 6})
	clocked(t, d, func(t *testing.T, v *Versions) {
		of(t, v, 1, 5)
		of(t, v, 2, 6)
		for range 32 {
			time.Sleep(time.Second)
			of(t, v, 2, 6)
		}
		if _, there := v.sites.Load(int64(1)); there || !slices.Equal(d.last(), []int64{2}) {
			t.Errorf("polled %v", d.last())
		}
		time.Sleep(idle + 2*poll)
		before := d.questions()
		time.Sleep(10 * poll)
		if d.questions() != before {
			t.Error("polls for nobody")
		}
		d.set(1, 7)
		of(t, v, 1, 7)
	})
}

// The first raise is announced immediately, those shortly after together, with the highest version per site.
func TestAnnounce(t *testing.T) {
	d := newDatabase(map[int64]int64{})
	clocked(t, d, func(t *testing.T, v *Versions) {
		want := []map[int64]int64{{1: 1}}
		v.Raise(1, 1)
		synctest.Wait()
		announced(t, d, want)
		for version := range int64(100) {
			v.Raise(1, version)
			v.Raise(2, version+7)
		}
		time.Sleep(apart / 2)
		announced(t, d, want)
		time.Sleep(apart)
		want = append(want, map[int64]int64{1: 99, 2: 106})
		announced(t, d, want)
		time.Sleep(2 * apart)
		announced(t, d, want) // there was nothing to tell
		d.fail(errors.New("down"))
		v.Raise(1, 201)
		synctest.Wait()
		announced(t, d, append(want, map[int64]int64{1: 201}))
		of201, _ := v.sites.Load(int64(1))
		if of201.(*known).version.Load() != 201 {
			t.Error("a failed announcement undoes a write")
		}
	})
}

func announced(t *testing.T, d *database, want []map[int64]int64) {
	t.Helper()
	if told := d.told(); !slices.EqualFunc(told, want, maps.Equal) {
		t.Errorf("announced %v, want %v", told, want)
	}
}

// While versions rise, nobody ever reads an older one than before.
func TestVersionsConcurrently(t *testing.T) {
	d := newDatabase(map[int64]int64{1: 1})
	clocked(t, d, func(t *testing.T, v *Versions) {
		var all sync.WaitGroup
		all.Go(func() {
			for version := int64(2); version < 500; version++ {
				d.set(1, version)
				v.Raise(1, version)
				of(t, v, 1, version)
				time.Sleep(7 * time.Millisecond)
			}
		})
		for range 4 {
			all.Go(func() {
				last := int64(0)
				for last < 499 {
					got, err := v.Of(t.Context(), 1)
					if err != nil || got < last {
						t.Errorf("%d after %d, %v", got, last, err)
						return
					}
					last = got
					time.Sleep(3 * time.Millisecond)
				}
			})
		}
		all.Wait()
	})
}

// While nothing is committed, one query covers all sites and is as good as asking for each.
func TestPollByMoment(t *testing.T) {
	d := newDatabase(map[int64]int64{1: 5, 2: 7, 3: 9})
	d.moment = "a"
	clocked(t, d, func(t *testing.T, v *Versions) {
		of(t, v, 1, 5)
		of(t, v, 2, 7)
		time.Sleep(poll + time.Millisecond) // the first moment: both are asked for
		polled(t, d, 3, 1, 2)
		for range 10 {
			time.Sleep(poll)
			of(t, v, 1, 5)
		}
		polled(t, d, 3, 1, 2)
		of(t, v, 3, 9) // read after the moment: it isn't asked for again
		time.Sleep(2 * poll)
		of(t, v, 3, 9)
		polled(t, d, 4, 3)
		d.commit("b", 2, 8)
		time.Sleep(poll)
		of(t, v, 2, 8)
		polled(t, d, 5, 1, 2, 3)
		d.fail(errors.New("down"))
		time.Sleep(trust + poll)
		if _, known := v.Known(1); known {
			t.Error("a version is trusted though the database says nothing")
		}
		asked := d.questions()
		d.fail(nil)
		time.Sleep(poll)
		of(t, v, 2, 8)
		polled(t, d, asked+1, 1, 2, 3)
	})
}

// polled expects a number of version queries so far, the last one for these sites.
func polled(t *testing.T, d *database, questions int, sites ...int64) {
	t.Helper()
	last := slices.Sorted(slices.Values(d.last()))
	if got := d.questions(); got != questions || !slices.Equal(last, sites) {
		t.Errorf("%d questions, the last for %v, want %d, for %v", got, last, questions, sites)
	}
}
