package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/kalends/kalends/media/mediatest"
)

// TestShelf stores archives in every store, inaccessible to what serves images.
func TestShelf(t *testing.T) {
	t.Parallel()
	for about, blobs := range stores(t) {
		s, ctx := NewShelf(blobs), context.Background()
		if _, _, err := s.Open(ctx, "job-1-1"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: nothing is there: %v", about, err)
		}
		for _, name := range []string{"job-1-1", "job-1-2"} {
			if err := s.Keep(ctx, name, strings.NewReader(name), 7); err != nil {
				t.Fatal(err)
			}
		}
		content, size, err := s.Open(ctx, "job-1-1")
		if err != nil || size != 7 {
			t.Fatalf("%s: %d bytes, %v", about, size, err)
		}
		var part [3]byte
		if _, err := content.ReadAt(part[:], 4); err != nil && !errors.Is(err, io.EOF) || string(part[:]) != "1-1" {
			t.Errorf("%s: %q, %v", about, part, err)
		}
		_ = content.Close()
		for range 2 {
			if err := s.Clear(ctx, "job-1-1"); err != nil {
				t.Errorf("%s: clear: %v", about, err)
			}
		}
		if _, _, err := s.Open(ctx, "job-1-1"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: cleared: %v", about, err)
		}
		if content, _, err := s.Open(ctx, "job-1-2"); err != nil || content.Close() != nil {
			t.Errorf("%s: the other one: %v", about, err)
		}
		if err := s.Keep(ctx, "../1", strings.NewReader(""), 0); !errors.Is(err, ErrBadKey) {
			t.Errorf("%s: a way up: %v", about, err)
		}
	}
}

// Blobs too large for memory are uploaded to S3 in parts, completely or not at all.
func TestLargeBlobs(t *testing.T) {
	t.Parallel()
	address, fake := mediatest.NewFake(t)
	s := s3At(t, address)
	data := bytes.Repeat([]byte("0123456789abcde\n"), (whole+1<<20)/16)
	for about, c := range map[string]struct{ announced, sent int }{
		"shorter": {len(data), len(data) - 1}, "longer": {len(data) - 1, len(data)}, "much shorter": {len(data), 10},
	} {
		if err := s.Put(t.Context(), "job-1-1/0/archive.zip", bytes.NewReader(data[:c.sent]), int64(c.announced), ""); !errors.Is(err, ErrBadSize) {
			t.Errorf("%s: %v", about, err)
		}
		if blobs, unended := fake.Blobs(); len(blobs) != 0 || unended {
			t.Errorf("%s: something is left", about)
		}
	}
	if err := s.Put(t.Context(), "job-1-1/0/archive.zip", bytes.NewReader(data), int64(len(data)), "application/zip"); err != nil {
		t.Fatal(err)
	}
	blobs, _ := fake.Blobs()
	if b := blobs["kalends/job-1-1/0/archive.zip"]; !bytes.Equal(b.Data, data) || b.MIME != "application/zip" {
		t.Errorf("%d bytes of %s, sent %d", len(b.Data), b.MIME, len(data))
	}
}
