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

	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
)

// fullStore has no room left from a moment on.
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

// TestFullDisk: who sends a picture, or an archive with pictures, to a full disk is
// told what is amiss, and nothing of it stays.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk, err := media.NewDisk(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.Close() })
	store := &fullStore{Store: disk}
	k := newKitOn(t, storagetest.Database(t), func(c *server.Config) { c.Pictures = media.NewPictures(store, nil, media.NewBudget(0)) })
	k.upload("demo", "administrator", "first.png", picture(9, 9)).want(t, http.StatusCreated, "")
	export := k.provide("POST", "/sites/demo/exports").started(t)
	k.work()
	archive := k.provide("GET", fmt.Sprintf("/jobs/%d/archive", export)).want(t, http.StatusOK, "").Raw
	store.full.Store(true)
	const images = "SELECT count(*)::text FROM images WHERE site_id = $1"
	before := k.peek("demo", images, k.sites["demo"].ID)
	k.upload("demo", "administrator", "second.png", picture(10, 10)).want(t, http.StatusInsufficientStorage, "rest_insufficient_storage")
	if after := k.peek("demo", images, k.sites["demo"].ID); after != before {
		t.Errorf("%s pictures after %s", after, before)
	}
	id := k.provide("POST", "/imports?slug=copy", sending(bytes.Clone(archive))).started(t)
	k.work()
	problem, _ := k.provide("GET", fmt.Sprint("/jobs/", id)).want(t, http.StatusOK, "").Body["problem"].(map[string]any)
	if problem["code"] != "rest_insufficient_storage" {
		t.Errorf("the import ended with %v", problem)
	}
	k.provide("GET", "/sites/copy").want(t, http.StatusNotFound, "rest_site_not_found")
}

// TestFullDatabase: who writes to a database without room is told so, and nothing
// of it stays.
func TestFullDatabase(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.event(object{"title": "First"})
	k.exec(`
		CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			RAISE 'could not extend file' USING ERRCODE = 'disk_full';
		END $$;
		CREATE TRIGGER full_disk BEFORE INSERT ON changes EXECUTE FUNCTION full_disk()`)
	before := k.state()
	k.post("/events", "editor", newEvent("Second")).want(t, http.StatusInsufficientStorage, "rest_insufficient_storage")
	if after := k.state(); after != before {
		t.Errorf("%s, was %s", after, before)
	}
	k.get("/events", "").want(t, http.StatusOK, "")
}
