package kit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/kalends/kalends/archive"
	"github.com/kalends/kalends/jobs"
)

// Provide is a request of the provider.
func (k *Kit) Provide(method, path string, more ...func(*http.Request)) Answer {
	k.T.Helper()
	req := httptest.NewRequest(method, "/platform/v1"+path, nil)
	req.Host = "localhost"
	req.Header.Set("Authorization", "Bearer "+ProviderToken)
	for _, change := range more {
		change(req)
	}
	res, err := k.App.Test(req, -1)
	k.Must(err)
	defer func() { _ = res.Body.Close() }()
	return k.read(res)
}

// Sending has an archive sent.
func Sending(data []byte) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
		r.Header.Set("Content-Type", "application/zip")
	}
}

// Work does the jobs that are there.
func (k *Kit) Work() {
	k.T.Helper()
	for {
		worked, err := k.Jobs.Work(context.Background())
		k.Must(err)
		if !worked {
			return
		}
	}
}

// Started wants a job, and returns its number.
func (a Answer) Started(t testing.TB) int64 {
	t.Helper()
	a.Want(t, 202, "")
	if at := fmt.Sprintf("http://localhost/platform/v1/jobs/%d", a.ID()); a.Header.Get("Location") != at || a.Body["state"] != "queued" {
		t.Errorf("started at %q: %s", a.Header.Get("Location"), a)
	}
	return a.ID()
}

// Hooks are told what a node is about to do with files.
type Hooks struct {
	jobs.Files
	archive.Blobs
	OnKeep func()      // after an archive was kept
	OnOpen func()      // before one is read
	Blob   func(n int) // before the nth blob is written
	n      int
}

// Keep keeps a file, and then calls OnKeep.
func (h *Hooks) Keep(ctx context.Context, name string, r io.Reader, size int64) error {
	err := h.Files.Keep(ctx, name, r, size)
	if h.OnKeep != nil {
		h.OnKeep()
	}
	return err
}

// Open calls OnOpen, and then opens a file.
func (h *Hooks) Open(ctx context.Context, name string) (jobs.Content, int64, error) {
	if h.OnOpen != nil {
		h.OnOpen()
	}
	return h.Files.Open(ctx, name)
}

// Write calls Blob, and then writes one.
func (h *Hooks) Write(ctx context.Context, key, file string, r io.Reader, size int64) error {
	if h.n++; h.Blob != nil {
		h.Blob(h.n)
	}
	return h.Blobs.Write(ctx, key, file, r, size)
}

// Node returns another node's jobs: its own connections, the same files.
func (v *Vault) Node(h *Hooks) *Kit {
	v.T.Helper()
	other := v.Twin()
	other.Clock = v.Clock
	h.Files, h.Blobs = v.Shelf, v.Pictures
	other.Jobs = jobs.New(other.DB.Jobs(), h, archive.New(other.DB.Archives(), h, other.Platform.Sites, func() time.Time { return other.Clock }),
		other.Platform.Sites, jobs.Options{Dir: v.T.TempDir(), Clock: func() time.Time { return other.Clock }})
	return other
}
