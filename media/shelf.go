package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Shelf stores files other than images in a Store, next to those of the sites. They cannot be requested, because
// addresses contain the numeric ids of sites.
type Shelf struct{ blobs Store }

// NewShelf returns a shelf in blobs.
func NewShelf(blobs Store) *Shelf { return &Shelf{blobs} }

// shelved returns the key for a name, each with a folder of its own.
func shelved(name string) string { return name + "/0/archive.zip" }

// Keep stores size bytes under a name, which must begin with a letter. It returns ErrBadSize if the size is wrong.
func (s *Shelf) Keep(ctx context.Context, name string, r io.Reader, size int64) error {
	return s.blobs.Put(ctx, shelved(name), r, size, "application/zip")
}

// Open opens a stored file and returns its size. The error is fs.ErrNotExist if there is none. The context must
// remain valid while reading.
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
		return nil, 0, errors.Join(fmt.Errorf("%T cannot be read at arbitrary offsets", blob), blob.Close())
	}
	return content, info.Size, nil
}

// Clear removes what is stored under a name, including partial uploads.
func (s *Shelf) Clear(ctx context.Context, name string) error { return s.blobs.Clear(ctx, name) }
