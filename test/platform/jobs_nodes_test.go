package platform

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy/jobs"

	"github.com/kalends/kalends/test/kit"
)

// dies runs a job on a node until the node dies like a killed process: its connections end, and nothing is reported
// or cleaned up.
func dies(k *kit.Kit) {
	k.T.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = k.Jobs.Work(context.Background())
		k.T.Error("the node lives on")
	}()
	<-ended
}

// lapse expires all leases on the clock that measures them.
func lapse(v *kit.Vault) { pass(v, 30*time.Second) }

// pass moves all leases as if the clock they count on were set forward, or back when
// that is less than nothing.
func pass(v *kit.Vault, d time.Duration) {
	v.T.Helper()
	v.Exec("UPDATE jobs SET lease_until = (lease_until AT TIME ZONE 'UTC' - $1::interval) AT TIME ZONE 'UTC'", d)
}

// A job cancelled while a node is executing it leaves neither site nor rows nor files, even though the node learns of
// it last.
func TestJobsCancelledMidway(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	untouched := untouched(v)
	for _, stop := range []int{1, 2} {
		id := v.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(data)).Started(t)
		node := v.Node(&kit.Hooks{Blob: func(n int) {
			if n == stop {
				v.ProviderRequest("DELETE", fmt.Sprintf("/jobs/%d", id)).Want(t, 200, "")
			}
		}})
		node.Work()
		if a := job(v.Kit, id); a.Body["state"] != "cancelled" {
			t.Errorf("%s", a)
		}
		untouched(fmt.Sprintf("cancelled at blob %d", stop))
		v.ProviderRequest("GET", "/sites/copy").Want(t, 404, "rest_site_not_found")
	}
	id := v.ProviderRequest("POST", "/sites/demo/exports").Started(t)
	v.Node(&kit.Hooks{OnKeep: func() { v.ProviderRequest("DELETE", fmt.Sprintf("/jobs/%d", id)).Want(t, 200, "") }}).Work()
	if a := job(v.Kit, id); a.Body["state"] != "cancelled" || shelved(v) != 0 {
		t.Errorf("%d files, %s", shelved(v), a)
	}
	ends(v.Kit, v.ProviderRequest("POST", "/sites/demo/exports").Started(t), "done", "")
}

// The work of a killed node is done once by another when the lease has expired.
func TestJobsNodeDies(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	id := v.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(data)).Started(t)
	dies(v.Node(&kit.Hooks{Blob: func(int) { runtime.Goexit() }}))
	if a := ends(v.Kit, id, "running", ""); a.Body["started"] == nil {
		t.Errorf("taken up while it is held: %s", a)
	}
	lapse(v)
	ends(v.Kit, id, "done", "")
	v.ProviderRequest("GET", "/sites/copy").Want(t, 200, "")
	if list := v.ProviderRequest("GET", "/audit?action=import").Body["entries"].([]any); len(list) != 1 {
		t.Errorf("%d imports in the history", len(list))
	}

	id = v.ProviderRequest("POST", "/sites/demo/exports").Started(t)
	dies(v.Node(&kit.Hooks{OnKeep: func() { runtime.Goexit() }}))
	lapse(v)
	ends(v.Kit, id, "done", "")
	if n := shelved(v); n != 1 {
		t.Errorf("%d archives, one by the node that died", n)
	}

	id = v.ProviderRequest("POST", "/imports?slug=again", kit.Sending(data)).Started(t)
	for range 3 {
		dies(v.Node(&kit.Hooks{OnOpen: func() { runtime.Goexit() }}))
		lapse(v)
	}
	ends(v.Kit, id, "failed", "job_abandoned")
	if n := shelved(v); n != 1 {
		t.Errorf("%d archives, one is an export", n)
	}
}

// An archive whose upload was interrupted is recognized as incomplete and removed.
func TestJobsNodeDiesWhileSent(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	data := v.Export("demo")
	node := v.Node(&kit.Hooks{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = node.Jobs.Import(v.Ctx, &dying{bytes.NewReader(data)}, &jobs.ImportFields{})
	}()
	<-ended
	if total := v.ProviderRequest("GET", "/jobs").Body["total"]; total != 0.0 || shelved(v) != 0 {
		t.Errorf("%v jobs, %d files", total, shelved(v))
	}
	node = v.Node(&kit.Hooks{OnKeep: func() { runtime.Goexit() }})
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = node.Jobs.Import(v.Ctx, bytes.NewReader(data), &jobs.ImportFields{})
	}()
	<-ended
	v.Work()
	list := v.ProviderRequest("GET", "/jobs").Body["jobs"].([]any)
	if len(list) != 1 || list[0].(map[string]any)["state"] != "queued" {
		t.Errorf("while it is held: %v", list)
	}
	v.Must(v.Shelf.Clear(v.Ctx, fmt.Sprintf("job-%v-0", list[0].(map[string]any)["id"]))) // it never was whole
	lapse(v)
	ends(v.Kit, int64(list[0].(map[string]any)["id"].(float64)), "failed", "job_abandoned")
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

// A node presumed dead that returns after another has done its job changes nothing.
func TestJobsSlowNode(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	id := v.ProviderRequest("POST", "/sites/demo/exports").Started(t)
	var first kit.Answer
	v.Node(&kit.Hooks{OnKeep: func() {
		lapse(v)
		ends(v.Kit, id, "done", "")
		first = v.ProviderRequest("GET", fmt.Sprintf("/jobs/%d/archive", id)).Want(t, 200, "")
	}}).Work()
	again := v.ProviderRequest("GET", fmt.Sprintf("/jobs/%d/archive", id)).Want(t, 200, "")
	if !bytes.Equal(first.Raw, again.Raw) || shelved(v) != 1 {
		t.Errorf("the archive changed, or %d are kept", shelved(v))
	}
	id = v.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(data)).Started(t)
	v.Node(&kit.Hooks{OnOpen: func() {
		lapse(v)
		ends(v.Kit, id, "done", "")
	}}).Work()
	ends(v.Kit, id, "done", "")
	v.ProviderRequest("GET", "/sites/copy").Want(t, 200, "")
}

// No node's clock ends or extends a lease, and a database clock that is set back leaves no job orphaned.
func TestJobsClocks(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	right := v.Clock
	for _, jump := range []time.Duration{72 * time.Hour, -5 * time.Hour} {
		name := map[bool]string{true: "ahead", false: "behind"}[jump > 0]
		job := v.ProviderRequest("POST", "/imports?slug="+name, kit.Sending(data)).Started(t)
		lost := v.Node(&kit.Hooks{Blob: func(int) { runtime.Goexit() }})
		lost.Clock = right.Add(jump)
		dies(lost)
		ends(v.Kit, job, "running", "")
		v.Clock = right.Add(jump)
		ends(v.Kit, job, "running", "")
		v.Clock = right.Add(-jump)
		ends(v.Kit, job, "running", "")
		v.Clock = right
		lapse(v)
		ends(v.Kit, job, "done", "")
	}
	job := v.ProviderRequest("POST", "/imports?slug=set-back", kit.Sending(data)).Started(t)
	dies(v.Node(&kit.Hooks{Blob: func(int) { runtime.Goexit() }}))
	pass(v, -5*time.Hour)
	if a := ends(v.Kit, job, "done", ""); a.Body["site_url"] != "http://localhost/platform/v1/sites/set-back" {
		t.Errorf("%s", a)
	}
	for _, slug := range []string{"ahead", "behind", "set-back"} {
		v.ProviderRequest("GET", "/sites/"+slug).Want(t, 200, "")
	}
}

// A node that is stopped releases its job, and another continues immediately.
func TestJobsStop(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	id := v.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(data)).Started(t)
	for range 4 { // being stopped is no failed attempt
		ctx, cancel := context.WithCancel(t.Context())
		_, err := v.Node(&kit.Hooks{Blob: func(int) { cancel() }}).Jobs.Work(ctx)
		v.Must(err)
		if a := job(v.Kit, id); a.Body["state"] != "queued" {
			t.Errorf("given back: %s", a)
		}
		v.Must(err)
	}
	ends(v.Kit, id, "done", "")
}

// TestJobsTwoNodes: two nodes that look for work at once do each job once.
func TestJobsTwoNodes(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	data := v.Export("demo")
	var ids []int64
	for i := range 6 {
		ids = append(ids, v.ProviderRequest("POST", fmt.Sprintf("/imports?slug=copy-%d", i), kit.Sending(data)).Started(t))
	}
	ended := make(chan struct{}, 2)
	for range 2 {
		node := v.Node(&kit.Hooks{})
		go func() {
			defer func() { ended <- struct{}{} }()
			node.Work()
		}()
	}
	<-ended
	<-ended
	for _, id := range ids {
		ends(v.Kit, id, "done", "")
	}
	if list := v.ProviderRequest("GET", "/audit?action=import").Body["entries"].([]any); len(list) != 6 {
		t.Errorf("%d imports in the history", len(list))
	}
}
