package server_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
)

// fullStore has no space left from a certain moment.
type fullStore struct {
	media.Store
	full atomic.Bool
}

func (s *fullStore) Put(ctx context.Context, key string, r io.Reader, size int64, mime string) error {
	if s.full.Load() {
		return &fs.PathError{Op: "write", Path: key, Err: syscall.ENOSPC}
	}
	return s.Store.Put(ctx, key, r, size, mime)
}

// Uploading an image, or an archive with images, to a full disk returns a meaningful error and leaves nothing behind.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk, err := media.NewDisk(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.Close() })
	store := &fullStore{Store: disk}
	k := kit.NewOn(t, storagetest.Database(t), func(c *server.Config) { c.Pictures = media.NewPictures(store, nil, media.NewBudget(0)) })
	k.Upload("demo", "administrator", "first.png", kit.Picture(9, 9)).Want(t, http.StatusCreated, "")
	export := k.ProviderRequest("POST", "/sites/demo/exports").Started(t)
	k.Work()
	archive := k.ProviderRequest("GET", fmt.Sprintf("/jobs/%d/archive", export)).Want(t, http.StatusOK, "").Raw
	store.full.Store(true)
	const images = "SELECT count(*)::text FROM images WHERE site_id = $1"
	before := k.Peek("demo", images, k.Sites["demo"].ID)
	k.Upload("demo", "administrator", "second.png", kit.Picture(10, 10)).Want(t, http.StatusInsufficientStorage, "rest_insufficient_storage")
	if after := k.Peek("demo", images, k.Sites["demo"].ID); after != before {
		t.Errorf("%s pictures after %s", after, before)
	}
	id := k.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(bytes.Clone(archive))).Started(t)
	k.Work()
	problem, _ := k.ProviderRequest("GET", fmt.Sprint("/jobs/", id)).Want(t, http.StatusOK, "").Body["problem"].(map[string]any)
	if problem["code"] != "rest_insufficient_storage" {
		t.Errorf("the import ended with %v", problem)
	}
	k.ProviderRequest("GET", "/sites/copy").Want(t, http.StatusNotFound, "rest_site_not_found")
}

// Writing to a full database returns a meaningful error and leaves nothing behind.
func TestFullDatabase(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Event(kit.Object{"title": "First"})
	k.Exec(`
		CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			RAISE 'could not extend file' USING ERRCODE = 'disk_full';
		END $$;
		CREATE TRIGGER full_disk BEFORE INSERT ON changes EXECUTE FUNCTION full_disk()`)
	before := k.State()
	k.Post("/events", "editor", kit.NewEvent("Second")).Want(t, http.StatusInsufficientStorage, "rest_insufficient_storage")
	if after := k.State(); after != before {
		t.Errorf("%s, was %s", after, before)
	}
	k.Get("/events", "").Want(t, http.StatusOK, "")
}
