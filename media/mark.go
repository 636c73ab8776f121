package media

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// ErrOtherStore is returned for a store that is not the one in which the installation's nodes keep their files.
var ErrOtherStore = errors.New("media: other nodes keep their files in another place")

// mark is the file with which nodes recognize their shared store.
const mark = leaseSite + "/0/mark"

// marking is how long a node waits for the mark of another that starts at the same time.
const marking = 2 * time.Second

// Marks stores the installation's own copy of the mark of its store.
type Marks interface {
	// Marked returns the mark stored for the installation. If there is none, it stores fresh, unless that is "".
	Marked(ctx context.Context, fresh string) (string, error)
}

// Mark marks a store if the installation has none marked yet. It returns ErrOtherStore for a store without the installation's mark.
func Mark(ctx context.Context, s Store, in Marks) error {
	mine, err := marked(ctx, s)
	if err != nil {
		return err
	}
	fresh := mine
	if fresh == "" {
		fresh = strings.ToLower(rand.Text())
	}
	known, err := in.Marked(ctx, fresh)
	switch {
	case err != nil:
		return err
	case known == mine:
		return nil
	case mine == "" && known == fresh:
		return s.Put(ctx, mark, strings.NewReader(fresh), int64(len(fresh)), "text/plain")
	}
	for end := time.Now().Add(marking); mine == "" && time.Now().Before(end); { // another node may be about to write it
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(marking / 10):
		}
		if mine, err = marked(ctx, s); err != nil {
			return err
		}
	}
	if mine != known {
		return ErrOtherStore
	}
	return nil
}

// CheckMark returns ErrOtherStore for a store without the installation's mark. It changes nothing.
func CheckMark(ctx context.Context, s Store, in Marks) error {
	known, err := in.Marked(ctx, "")
	if err != nil || known == "" {
		return err
	}
	mine, err := marked(ctx, s)
	if err == nil && mine != known {
		err = ErrOtherStore
	}
	return err
}

// marked returns the mark of a store, or "" if it has none.
func marked(ctx context.Context, s Store) (string, error) {
	blob, _, err := s.Get(ctx, mark)
	if errors.Is(err, ErrNoBlob) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", mark, err)
	}
	text, err := io.ReadAll(io.LimitReader(blob, 1<<10))
	if err = errors.Join(err, blob.Close()); err != nil {
		return "", fmt.Errorf("read %s: %w", mark, err)
	}
	return string(text), nil
}
