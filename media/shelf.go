package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Shelf keeps files that are no pictures in a Store, beside those of the sites. No
// address leads to them: sites are named by numbers there.
type Shelf struct{ blobs Store }

// NewShelf returns a shelf in blobs.
func NewShelf(blobs Store) *Shelf { return &Shelf{blobs} }

// shelved returns the key of what has a name; its folder is its own.
func shelved(name string) string { return name + "/0/archive.zip" }

// Keep stores size bytes under a name that begins with a letter, or returns
// ErrBadSize.
func (s *Shelf) Keep(ctx context.Context, name string, r io.Reader, size int64) error {
	return s.blobs.Put(ctx, shelved(name), r, size, "application/zip")
}

// Open opens what is kept, with its size; an error that is fs.ErrNotExist says that
// there is none. The context must live as long as it is read.
func (s *Shelf) Open(ctx context.Context, name string) (interface {
	io.ReadSeekCloser
	io.ReaderAt
}, int64, error) {
	blob, info, err := s.blobs.Get(ctx, shelved(name))
	if errors.Is(err, ErrNoBlob) {
		return nil, 0, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return nil, 0, err
	}
	content, ok := blob.(interface {
		io.ReadSeekCloser
		io.ReaderAt
	})
	if !ok {
		return nil, 0, errors.Join(fmt.Errorf("%T can't be read at any place", blob), blob.Close())
	}
	return content, info.Size, nil
}

// Clear removes what is kept under a name, and what was left of an attempt to.
func (s *Shelf) Clear(ctx context.Context, name string) error { return s.blobs.Clear(ctx, name) }
