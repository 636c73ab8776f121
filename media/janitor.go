package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// ErrForeign says that a store belongs to another database.
var ErrForeign = errors.New("media: the files belong to another database")

// lease is a file that says whose a store is, and by its age when it was swept.
const (
	leaseSite = "sweep"
	lease     = leaseSite + "/0/owner"
	unnamed   = 24 * time.Hour // how long a file may be there before something names it
)

// Janitor removes files that nothing names: of a picture whose row was not stored
// after all, of a site that was deleted, of an attempt that died.
type Janitor struct {
	Blobs Store
	Named Named
	// Now returns the time of the database, and a name of it that no copy has:
	// a copy knows nothing of what came after it was made.
	Now func(ctx context.Context) (now time.Time, owner string, err error)
}

// Sweep removes files that nothing names and that are older than a day, unless
// somebody did so within the last day: any number of nodes may ask. The first
// sweep of a store only notes whose it is. It returns ErrForeign, and removes
// nothing, when that is another database.
func (j *Janitor) Sweep(ctx context.Context) (Swept, error) {
	now, owner, err := j.Now(ctx)
	if err != nil {
		return Swept{}, err
	}
	last, err := j.swept(ctx, owner)
	switch {
	case errors.Is(err, ErrNoBlob):
		return Swept{}, j.note(ctx, owner)
	case err != nil:
		return Swept{}, err
	case now.Sub(last) < unnamed:
		return Swept{}, nil
	}
	if err := j.note(ctx, owner); err != nil {
		return Swept{}, err
	}
	stored, err := j.swept(ctx, owner) // the store's own idea of now
	if err != nil {
		return Swept{}, err
	}
	if stored.Before(now) { // a clock that is ahead must not make files old
		now = stored
	}
	return j.Blobs.Sweep(ctx, now.Add(-unnamed), func(ctx context.Context, site string, ids []string) ([]string, error) {
		if site == leaseSite {
			return ids, nil
		}
		return j.Named(ctx, site, ids)
	})
}

// Check returns ErrForeign when the store belongs to another database.
func (j *Janitor) Check(ctx context.Context) error {
	_, owner, err := j.Now(ctx)
	if err == nil {
		_, err = j.swept(ctx, owner)
	}
	if errors.Is(err, ErrNoBlob) { // nobody swept yet
		return nil
	}
	return err
}

// swept returns when the store was swept last, by its own clock.
func (j *Janitor) swept(ctx context.Context, owner string) (time.Time, error) {
	blob, info, err := j.Blobs.Get(ctx, lease)
	if err != nil {
		return time.Time{}, err
	}
	text, err := io.ReadAll(io.LimitReader(blob, 1<<10))
	if err = errors.Join(err, blob.Close()); err != nil {
		return time.Time{}, fmt.Errorf("read %s: %w", lease, err)
	}
	if string(text) != owner {
		return time.Time{}, ErrForeign
	}
	return info.Modified, nil
}

func (j *Janitor) note(ctx context.Context, owner string) error {
	return j.Blobs.Put(ctx, lease, strings.NewReader(owner), int64(len(owner)), "text/plain")
}
