package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Read implements archive.Blobs.
func (p *Pictures) Read(ctx context.Context, key, file string) (io.ReadCloser, error) {
	blob, _, err := p.Open(ctx, key, file)
	if errors.Is(err, ErrNoBlob) {
		return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return nil, err
	}
	return blob, nil
}

// Write implements archive.Blobs. The blob is served with the type that its name indicates.
func (p *Pictures) Write(ctx context.Context, key, file string, r io.Reader, size int64) error {
	name, err := blobKey(ctx, key, file)
	if err != nil {
		return err
	}
	return p.blobs.Put(ctx, name, r, size, mimeOf(file))
}

// Discard implements archive.Blobs.
func (p *Pictures) Discard(ctx context.Context, key, file string) error {
	name, err := blobKey(ctx, key, file)
	if err != nil {
		return err
	}
	return p.blobs.Delete(ctx, name)
}
