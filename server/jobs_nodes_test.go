package server_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/kalends/kalends/archive"
	"github.com/kalends/kalends/jobs"
)

// hooks are told what a node is about to do with files.
type hooks struct {
	jobs.Files
	archive.Blobs
	keep func()      // after an archive was kept
	open func()      // before one is read
	blob func(n int) // before the nth blob is written
	n    int
}

func (h *hooks) Keep(ctx context.Context, name string, r io.Reader, size int64) error {
	err := h.Files.Keep(ctx, name, r, size)
	if h.keep != nil {
		h.keep()
	}
	return err
}

func (h *hooks) Open(ctx context.Context, name string) (jobs.Content, int64, error) {
	if h.open != nil {
		h.open()
	}
	return h.Files.Open(ctx, name)
}

func (h *hooks) Write(ctx context.Context, key, file string, r io.Reader, size int64) error {
	if h.n++; h.blob != nil {
		h.blob(h.n)
	}
	return h.Blobs.Write(ctx, key, file, r, size)
}

// node returns another node's jobs: its own connections, the same files.
func (v *vault) node(h *hooks) *kit {
	v.t.Helper()
	other := v.twin()
	other.clock = v.clock
	h.Files, h.Blobs = v.shelf, v.pictures
	other.jobs = jobs.New(other.db.Jobs(), h, archive.New(other.db, h, other.platform.Sites, func() time.Time { return other.clock }),
		other.platform.Sites, jobs.Options{Dir: v.t.TempDir(), Clock: func() time.Time { return other.clock }})
	return other
}

// dies has a node do a job until it ends by itself, as a process that is killed:
// its connections end, and nothing is said or removed.
func dies(k *kit) {
	k.t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = k.jobs.Work(context.Background())
		k.t.Error("the node lives on")
	}()
	<-ended
}

// lapse lets all leases run out, on the clock they count on.
func (v *vault) lapse() { v.pass(30 * time.Second) }

// pass moves all leases as if the clock they count on were set forward, or back when
// that is less than nothing.
func (v *vault) pass(d time.Duration) {
	v.t.Helper()
	v.exec("UPDATE jobs SET lease_until = lease_until - $1::interval", d)
}

// TestJobsCancelledMidway: a job that is cancelled while a node is in the midst of
// it leaves neither site nor rows nor files, though that node hears of it last.
func TestJobsCancelledMidway(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.fill("demo")
	data := v.export("demo")
	untouched := v.untouched()
	for _, stop := range []int{1, 2} {
		id := v.provide("POST", "/imports?slug=copy", sending(data)).started(t)
		node := v.node(&hooks{blob: func(n int) {
			if n == stop {
				v.provide("DELETE", fmt.Sprintf("/jobs/%d", id)).want(t, 200, "")
			}
		}})
		node.work()
		if a := v.job(id); a.Body["state"] != "cancelled" {
			t.Errorf("%s", a)
		}
		untouched(fmt.Sprintf("cancelled at blob %d", stop))
		v.provide("GET", "/sites/copy").want(t, 404, "rest_site_not_found")
	}
	id := v.provide("POST", "/sites/demo/exports").started(t)
	v.node(&hooks{keep: func() { v.provide("DELETE", fmt.Sprintf("/jobs/%d", id)).want(t, 200, "") }}).work()
	if a := v.job(id); a.Body["state"] != "cancelled" || v.shelved() != 0 {
		t.Errorf("%d files, %s", v.shelved(), a)
	}
	v.ends(v.provide("POST", "/sites/demo/exports").started(t), "done", "")
}

// TestJobsNodeDies: what a node that was killed worked on is done by another, once,
// when its lease has run out.
func TestJobsNodeDies(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.fill("demo")
	data := v.export("demo")
	id := v.provide("POST", "/imports?slug=copy", sending(data)).started(t)
	dies(v.node(&hooks{blob: func(int) { runtime.Goexit() }}))
	if a := v.ends(id, "running", ""); a.Body["started"] == nil {
		t.Errorf("taken up while it is held: %s", a)
	}
	v.lapse()
	v.ends(id, "done", "")
	v.provide("GET", "/sites/copy").want(t, 200, "")
	if list := v.provide("GET", "/audit?action=import").Body["entries"].([]any); len(list) != 1 {
		t.Errorf("%d imports in the history", len(list))
	}

	id = v.provide("POST", "/sites/demo/exports").started(t)
	dies(v.node(&hooks{keep: func() { runtime.Goexit() }}))
	v.lapse()
	v.ends(id, "done", "")
	if n := v.shelved(); n != 1 {
		t.Errorf("%d archives, one by the node that died", n)
	}

	id = v.provide("POST", "/imports?slug=again", sending(data)).started(t)
	for range 3 {
		dies(v.node(&hooks{open: func() { runtime.Goexit() }}))
		v.lapse()
	}
	v.ends(id, "failed", "job_abandoned")
	if n := v.shelved(); n != 1 {
		t.Errorf("%d archives, one is an export", n)
	}
}

// TestJobsNodeDiesWhileSent: an archive that was never whole is known as that, and
// nothing is left of it.
func TestJobsNodeDiesWhileSent(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	data := v.export("demo")
	node := v.node(&hooks{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = node.jobs.Import(v.ctx, &dying{bytes.NewReader(data)}, &jobs.ImportFields{})
	}()
	<-ended
	if total := v.provide("GET", "/jobs").Body["total"]; total != 0.0 || v.shelved() != 0 {
		t.Errorf("%v jobs, %d files", total, v.shelved())
	}
	node = v.node(&hooks{keep: func() { runtime.Goexit() }})
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = node.jobs.Import(v.ctx, bytes.NewReader(data), &jobs.ImportFields{})
	}()
	<-ended
	v.work()
	list := v.provide("GET", "/jobs").Body["jobs"].([]any)
	if len(list) != 1 || list[0].(map[string]any)["state"] != "queued" {
		t.Errorf("while it is held: %v", list)
	}
	v.must(v.shelf.Clear(v.ctx, fmt.Sprintf("job-%v-0", list[0].(map[string]any)["id"]))) // it never was whole
	v.lapse()
	v.ends(int64(list[0].(map[string]any)["id"].(float64)), "failed", "job_abandoned")
}

// dying ends its process at the end.
type dying struct{ io.Reader }

func (d *dying) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err == io.EOF {
		runtime.Goexit()
	}
	return n, err
}

// TestJobsSlowNode: a node that was believed dead, and comes back when another has
// done its job, changes nothing.
func TestJobsSlowNode(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.fill("demo")
	data := v.export("demo")
	id := v.provide("POST", "/sites/demo/exports").started(t)
	var first answer
	v.node(&hooks{keep: func() {
		v.lapse()
		v.ends(id, "done", "")
		first = v.provide("GET", fmt.Sprintf("/jobs/%d/archive", id)).want(t, 200, "")
	}}).work()
	again := v.provide("GET", fmt.Sprintf("/jobs/%d/archive", id)).want(t, 200, "")
	if !bytes.Equal(first.Raw, again.Raw) || v.shelved() != 1 {
		t.Errorf("the archive changed, or %d are kept", v.shelved())
	}
	id = v.provide("POST", "/imports?slug=copy", sending(data)).started(t)
	v.node(&hooks{open: func() {
		v.lapse()
		v.ends(id, "done", "")
	}}).work()
	v.ends(id, "done", "")
	v.provide("GET", "/sites/copy").want(t, 200, "")
}

// TestJobsClocks: no clock of a node ends or lengthens a lease, and one of the
// database that is set back leaves no job to nobody.
func TestJobsClocks(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.fill("demo")
	data := v.export("demo")
	right := v.clock
	for _, jump := range []time.Duration{72 * time.Hour, -5 * time.Hour} {
		name := map[bool]string{true: "ahead", false: "behind"}[jump > 0]
		job := v.provide("POST", "/imports?slug="+name, sending(data)).started(t)
		lost := v.node(&hooks{blob: func(int) { runtime.Goexit() }})
		lost.clock = right.Add(jump)
		dies(lost)
		v.ends(job, "running", "")
		v.clock = right.Add(jump)
		v.ends(job, "running", "")
		v.clock = right.Add(-jump)
		v.ends(job, "running", "")
		v.clock = right
		v.lapse()
		v.ends(job, "done", "")
	}
	job := v.provide("POST", "/imports?slug=set-back", sending(data)).started(t)
	dies(v.node(&hooks{blob: func(int) { runtime.Goexit() }}))
	v.pass(-5 * time.Hour)
	if a := v.ends(job, "done", ""); a.Body["site_url"] != "http://localhost/platform/v1/sites/set-back" {
		t.Errorf("%s", a)
	}
	for _, slug := range []string{"ahead", "behind", "set-back"} {
		v.provide("GET", "/sites/"+slug).want(t, 200, "")
	}
}

// TestJobsStop: a node that is told to stop gives its job back, and another goes on
// at once.
func TestJobsStop(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.fill("demo")
	data := v.export("demo")
	id := v.provide("POST", "/imports?slug=copy", sending(data)).started(t)
	for range 4 { // being stopped is no failed attempt
		ctx, cancel := context.WithCancel(t.Context())
		_, err := v.node(&hooks{blob: func(int) { cancel() }}).jobs.Work(ctx)
		v.must(err)
		if a := v.job(id); a.Body["state"] != "queued" {
			t.Errorf("given back: %s", a)
		}
		v.must(err)
	}
	v.ends(id, "done", "")
}

// TestJobsTwoNodes: two nodes that look for work at once do each job once.
func TestJobsTwoNodes(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	data := v.export("demo")
	var ids []int64
	for i := range 6 {
		ids = append(ids, v.provide("POST", fmt.Sprintf("/imports?slug=copy-%d", i), sending(data)).started(t))
	}
	ended := make(chan struct{}, 2)
	for range 2 {
		node := v.node(&hooks{})
		go func() {
			defer func() { ended <- struct{}{} }()
			node.work()
		}()
	}
	<-ended
	<-ended
	for _, id := range ids {
		v.ends(id, "done", "")
	}
	if list := v.provide("GET", "/audit?action=import").Body["entries"].([]any); len(list) != 6 {
		t.Errorf("%d imports in the history", len(list))
	}
}
