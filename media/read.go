package media

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// loaded is a file that is already in memory and need not be copied.
type loaded interface{ Whole() []byte }

// readUpTo returns all of r, or ErrTooLarge if it exceeds limit.
func readUpTo(r io.Reader, limit int64) ([]byte, error) {
	if file, ok := r.(loaded); ok {
		if int64(len(file.Whole())) > limit {
			return nil, ErrTooLarge
		}
		return file.Whole(), nil
	}
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case errors.Is(err, ErrTooLarge):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("read image: %w", err)
	case int64(len(data)) > limit:
		return nil, ErrTooLarge
	}
	return data, nil
}

// contextReader stops a decoder, which knows no context, at its next read. It returns little at a time, because a few
// bytes may request another pass over a large image.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	const little = 512
	return c.r.Read(p[:min(len(p), little)])
}
