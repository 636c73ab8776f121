package archives_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/archives"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/test/sitetest"
)

// queue is the jobs of an installation.
type queue struct {
	*sitetest.Site
	jobs.Store
}

func newQueue(t *testing.T) queue {
	t.Helper()
	b := sitetest.New(t)
	return queue{&sitetest.Site{TB: t, Bench: b}, archives.Jobs(b.DB.Engine())}
}

// add queues a job that nobody holds.
func (q queue) add(kind jobs.Kind, site string, object int64) *jobs.Job {
	q.Helper()
	j := &jobs.Job{Kind: kind, State: jobs.Queued, Site: site, Object: object, Bytes: 100, By: tenancy.Source{Who: "bot", Via: tenancy.ViaProvider, Address: "192.0.2.1"}}
	q.Must(q.Create(q.Context(), j, &jobs.Hold{}))
	return j
}

func (q queue) take(key string) (*jobs.Job, *jobs.Hold) {
	q.Helper()
	hold := &jobs.Hold{Key: key, For: time.Hour}
	j, err := q.Take(q.Context(), hold)
	q.Must(err)
	return j, hold
}

// lapse ends all leases, as time would.
func (q queue) lapse(to string) {
	q.Helper()
	_, err := q.DB.Across("a test lets time pass").Exec(q.Context(), `UPDATE jobs SET lease_until = statement_timestamp() + $1::text::interval WHERE lease IS NOT NULL`, to)
	q.Must(err)
}

func (q queue) state(id int64) string {
	q.Helper()
	j, err := q.Get(q.Context(), id)
	q.Must(err)
	return fmt.Sprint(j.State, " ", j.Attempt, " ", j.Done, "/", j.Total)
}

// The oldest job that nobody holds is next. Whoever's lease is over has lost it, whatever they then say of it.
func TestLeases(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	if j, hold := q.take("none"); j != nil || hold.Job != 0 {
		t.Errorf("a job of none: %+v", j)
	}
	held := &jobs.Hold{Key: "uploading", For: time.Hour}
	first := &jobs.Job{Kind: jobs.Import, State: jobs.Queued, Site: "new", Become: jobs.Become{Slug: new("new"), Domains: &[]string{}}}
	q.Must(q.Create(q.Context(), first, held))
	q.Equal("held from the start", held.Job, first.ID)
	second, third := q.add(jobs.Export, "one", 1), q.add(jobs.Export, "two", 2)
	j, hold := q.take("a")
	q.Equal("the oldest that is free", []any{j.ID, hold.Job, j.State, j.Attempt, j.Started}, []any{second.ID, second.ID, jobs.Running, 1, sitetest.Noon})
	q.Must(q.Extend(q.Context(), hold, 30, 90))
	q.Equal("so far", q.state(second.ID), "running 1 30/90")
	next, _ := q.take("b")
	q.Equal("the next", next.ID, third.ID)
	if j, _ := q.take("c"); j != nil {
		t.Errorf("a job that others hold: %+v", j)
	}
	q.Must(q.Release(q.Context(), held))
	uploaded, _ := q.take("d")
	q.Equal("when it is uploaded", []any{uploaded.ID, *uploaded.Become.Slug, *uploaded.Become.Domains, uploaded.By}, []any{first.ID, "new", []string{}, tenancy.Source{}})
	q.lapse("-1 second")
	again, later := q.take("e")
	q.Equal("begun again", []any{again.ID, again.Attempt, again.Done}, []any{first.ID, 2, int64(0)})
	for what, err := range map[string]error{
		"extend": q.Extend(q.Context(), &jobs.Hold{Job: first.ID, Key: "d", For: time.Hour}, 1, 2), "release": q.Release(q.Context(), &jobs.Hold{Job: first.ID, Key: "d"}),
		"end": q.End(q.Context(), &jobs.Hold{Job: first.ID, Key: "d"}, &jobs.Job{State: jobs.Done}), "another's": q.Release(q.Context(), &jobs.Hold{Job: second.ID, Key: "e"}),
		"none": q.Release(q.Context(), &jobs.Hold{Job: 999, Key: "e"}), "no key": q.Release(q.Context(), &jobs.Hold{Job: third.ID}),
	} {
		if q.Wants(err, jobs.ErrLost); err == nil {
			t.Error(what)
		}
	}
	q.Equal("nothing of it counts", q.state(first.ID), "running 2 0/0")
	q.Must(q.Release(q.Context(), later))
	q.Equal("given back, it wasn't begun", q.state(first.ID), "queued 1 0/0")
	q.lapse("3 hours") // by a clock that was set back since
	if j, _ := q.take("f"); j == nil || j.ID != first.ID {
		t.Errorf("the one that waits: %+v", j)
	}
	if j, _ := q.take("g"); j == nil || j.ID != second.ID {
		t.Errorf("one whose lease ends later than any can: %+v", j)
	}
}

// A site is exported once at a time, an export that has ended is in nobody's way, and imports aren't either.
func TestExportsOfASite(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.add(jobs.Export, "one", 1)
	err := q.Create(q.Context(), &jobs.Job{Kind: jobs.Export, State: jobs.Queued, Site: "renamed", Object: 1}, &jobs.Hold{})
	q.Wants(err, jobs.ErrExporting)
	q.add(jobs.Import, "one", 0)
	q.add(jobs.Import, "one", 0)
	q.add(jobs.Export, "two", 2)
	for _, state := range []jobs.State{jobs.Done, jobs.Failed} {
		j, hold := q.take("a")
		q.Equal("export", []any{j.Kind, j.Object}, []any{jobs.Export, int64(1)})
		q.Wants(q.Create(q.Context(), &jobs.Job{Kind: jobs.Export, State: jobs.Queued, Site: "one", Object: 1}, &jobs.Hold{}), jobs.ErrExporting)
		j.State, j.Bytes, j.SHA256, j.Problem = state, 77, "sum", &jobs.Problem{Status: 400, Code: "c", Params: []jobs.Param{{Arg: "a", Key: "k", Data: map[string]any{"Max": "5"}}}}
		q.Must(q.End(q.Context(), hold, j))
		ended, err := q.Get(q.Context(), j.ID)
		q.Must(err)
		q.Equal("ended", []any{ended.Ended(), ended.Bytes, ended.SHA256, ended.Problem, ended.Finished, ended.Expires},
			[]any{true, int64(77), "sum", j.Problem, sitetest.Noon, sitetest.Noon.Add(24 * time.Hour)})
		want := "done 1 77/77"
		if state == jobs.Failed {
			want = "failed 1 0/0"
		}
		q.Equal("counts", q.state(j.ID), want)
		q.Wants(q.End(q.Context(), hold, j), jobs.ErrLost)
		_, err = q.DB.Across("a test puts a job before others").Exec(q.Context(), `UPDATE jobs SET lease = 'x', lease_until = statement_timestamp() + '1 hour' WHERE state = 'queued'`)
		q.Must(err)
		q.add(jobs.Export, "one", 1)
	}
}

// Cancelling ends what has not ended and leaves the rest. What has not ended can't be removed.
func TestCancel(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	waits, runs := q.add(jobs.Import, "a", 0), q.add(jobs.Import, "b", 0)
	_, err := q.Cancel(q.Context(), waits.ID)
	q.Must(err)
	_, hold := q.take("k")
	q.Wants(q.Remove(q.Context(), runs.ID), jobs.ErrNoJob)
	j, err := q.Cancel(q.Context(), runs.ID)
	q.Must(err)
	q.Equal("cancelled", []any{j.State, j.Attempt, j.Expires}, []any{jobs.Cancelled, 1, sitetest.Noon.Add(24 * time.Hour)})
	q.Wants(q.Extend(q.Context(), hold, 1, 1), jobs.ErrLost)
	q.Wants(q.End(q.Context(), hold, &jobs.Job{State: jobs.Done}), jobs.ErrLost)
	if j, _ := q.take("l"); j != nil {
		t.Errorf("a cancelled job is taken: %+v", j)
	}
	done := q.add(jobs.Import, "c", 0)
	_, hold = q.take("m")
	q.Must(q.End(q.Context(), hold, &jobs.Job{State: jobs.Done, Bytes: 5}))
	j, err = q.Cancel(q.Context(), done.ID)
	q.Must(err)
	q.Equal("done stays done", j.State, jobs.Done)
	q.Must(q.Remove(q.Context(), done.ID))
	for _, id := range []int64{done.ID, 999} {
		_, err = q.Cancel(q.Context(), id)
		q.Wants(err, jobs.ErrNoJob)
		_, err = q.Get(q.Context(), id)
		q.Wants(err, jobs.ErrNoJob)
		q.Wants(q.Remove(q.Context(), id), jobs.ErrNoJob)
	}
	list, err := q.Expired(q.Context())
	q.Must(err)
	q.Equal("expired before a day is over", len(list), 0)
	_, err = q.DB.Across("a test lets time pass").Exec(q.Context(), `UPDATE jobs SET purge_at = '2001-01-01' WHERE id = $1`, runs.ID)
	q.Must(err)
	list, err = q.Expired(q.Context())
	q.Must(err)
	q.Equal("expired", len(list) == 1 && list[0].ID == runs.ID, true)
}

// Lists are of a kind, a state and a site, the newest first, and totals name what there is none of.
func TestJobLists(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	for n := range 3 {
		q.add(jobs.Export, fmt.Sprint("site-", n), int64(n+1))
		q.add(jobs.Import, fmt.Sprint("site-", n), 0)
	}
	j, hold := q.take("a")
	j.State = jobs.Failed
	q.Must(q.End(q.Context(), hold, j))
	for what, c := range map[string]struct {
		filter jobs.Filter
		want   []string
		total  int
	}{
		"all":      {jobs.Filter{}, []string{"import site-2", "export site-2", "import site-1", "export site-1", "import site-0", "export site-0"}, 6},
		"a kind":   {jobs.Filter{Kind: args.Some("export")}, []string{"export site-2", "export site-1", "export site-0"}, 3},
		"a state":  {jobs.Filter{State: args.Some("failed")}, []string{"export site-0"}, 1},
		"a site":   {jobs.Filter{Site: args.Some("SITE-1")}, []string{"import site-1", "export site-1"}, 2},
		"a page":   {jobs.Filter{Paging: args.Paging{Page: args.Some(2), PerPage: args.Some(4)}}, []string{"import site-0", "export site-0"}, 6},
		"too late": {jobs.Filter{Paging: args.Paging{Page: args.Some(9)}}, nil, 6},
		"together": {jobs.Filter{Kind: args.Some("import"), State: args.Some("queued"), Site: args.Some("site-0")}, []string{"import site-0"}, 1},
	} {
		page, err := q.List(q.Context(), &c.filter)
		q.Must(err)
		var got []string
		for _, j := range page.Items {
			got = append(got, string(j.Kind)+" "+j.Site)
		}
		q.Equal(what, got, c.want)
		q.Equal(what+", in all", page.Total, c.total)
	}
	totals, err := archives.JobTotals(q.Context(), q.DB.Engine())
	q.Must(err)
	sum := 0
	for _, one := range totals {
		sum += one.N
	}
	q.Equal("totals", []int{len(totals), sum}, []int{15, 6})
	for most, want := range map[int]int{0: 15, 1: 1, 50: 50, 51: 50} {
		f := jobs.Filter{}
		if most > 0 {
			f.PerPage = args.Some(most)
		}
		q.Equal(fmt.Sprint(most, " a page"), f.Length(), want)
	}
}

// However many nodes look for work at once, each job is taken by one of them.
func TestTakenOnce(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	const many = 12
	for n := range many {
		q.add(jobs.Import, fmt.Sprint("site-", n), 0)
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	seen := map[int64]int{}
	for node := range 4 {
		all.Go(func() {
			for {
				j, err := q.Take(t.Context(), &jobs.Hold{Key: fmt.Sprint("node-", node), For: time.Hour})
				if err != nil {
					t.Error(err)
				}
				if j == nil || err != nil {
					return
				}
				mu.Lock()
				seen[j.ID]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for id, n := range seen {
		if n != 1 {
			t.Errorf("job %d was taken %d times", id, n)
		}
	}
	q.Equal("taken", len(seen), many)
}
