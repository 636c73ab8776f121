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

	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/jobs"
)

// ProviderRequest sends a request of the provider.
func (k *Kit) ProviderRequest(method, path string, more ...func(*http.Request)) Answer {
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

// Sending adds an archive as the request body.
func Sending(data []byte) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
		r.Header.Set("Content-Type", "application/zip")
	}
}

// Work runs all pending jobs.
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

// Started expects a response that started a job, and returns the job's id.
func (a Answer) Started(t testing.TB) int64 {
	t.Helper()
	a.Want(t, 202, "")
	if at := fmt.Sprintf("http://localhost/platform/v1/jobs/%d", a.ID()); a.Header.Get("Location") != at || a.Body["state"] != "queued" {
		t.Errorf("started at %q: %s", a.Header.Get("Location"), a)
	}
	return a.ID()
}

// Hooks are called around the file operations of a node.
type Hooks struct {
	jobs.Files
	archive.Blobs
	OnKeep func()      // after an archive was stored
	OnOpen func()      // before an archive is read
	Blob   func(n int) // before the nth blob is written
	n      int
}

// Keep stores a file and then calls OnKeep.
func (h *Hooks) Keep(ctx context.Context, name string, r io.Reader, size int64) error {
	err := h.Files.Keep(ctx, name, r, size)
	if h.OnKeep != nil {
		h.OnKeep()
	}
	return err
}

// Open calls OnOpen and then opens a file.
func (h *Hooks) Open(ctx context.Context, name string) (jobs.Content, int64, error) {
	if h.OnOpen != nil {
		h.OnOpen()
	}
	return h.Files.Open(ctx, name)
}

// Write calls Blob and then writes a blob.
func (h *Hooks) Write(ctx context.Context, key, file string, r io.Reader, size int64) error {
	if h.n++; h.Blob != nil {
		h.Blob(h.n)
	}
	return h.Blobs.Write(ctx, key, file, r, size)
}

// Node returns the jobs of another node, with its own connections and the same files.
func (v *Vault) Node(h *Hooks) *Kit {
	v.T.Helper()
	other := v.SecondNode()
	other.Clock = v.Clock
	h.Files, h.Blobs = v.Shelf, v.Pictures
	other.Jobs = jobs.New(other.DB.Jobs(), h, archive.New(other.DB.Archives(), h, other.Platform.Sites, func() time.Time { return other.Clock }),
		other.Platform.Sites, jobs.Options{Dir: v.T.TempDir(), Clock: func() time.Time { return other.Clock }})
	return other
}
