package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// ErrForeign is returned for a store that belongs to another database.
var ErrForeign = errors.New("media: the files belong to another database")

// lease is a file that names the owner of a store; its age tells when the store was last swept.
const (
	leaseSite = "sweep"
	lease     = leaseSite + "/0/owner"
	unnamed   = 24 * time.Hour // minimum age of unreferenced files to be removed
)

// Janitor removes unreferenced files: of images whose row was not stored, of deleted sites, of interrupted uploads.
type Janitor struct {
	Blobs Store
	Named Named
	// Now returns the time of the database and an id that copies of the database do not share, because a copy does
	// not know of files created after it.
	Now func(ctx context.Context) (now time.Time, owner string, err error)
}

// Sweep removes unreferenced files that are older than a day, unless the store was swept within the last day; any
// number of nodes may call it. The first sweep of a store only records its owner. If the store belongs to another
// database, it returns ErrForeign and removes nothing.
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
	stored, err := j.swept(ctx, owner) // by the clock of the store
	if err != nil {
		return Swept{}, err
	}
	if stored.Before(now) { // a clock that is ahead must not make files look old
		now = stored
	}
	return j.Blobs.Sweep(ctx, now.Add(-unnamed), func(ctx context.Context, site string, ids []string) ([]string, error) {
		if site == leaseSite {
			return ids, nil
		}
		return j.Named(ctx, site, ids)
	})
}

// Check returns ErrForeign if the store belongs to another database.
func (j *Janitor) Check(ctx context.Context) error {
	_, owner, err := j.Now(ctx)
	if err == nil {
		_, err = j.swept(ctx, owner)
	}
	if errors.Is(err, ErrNoBlob) { // never swept
		return nil
	}
	return err
}

// swept returns when the store was last swept, by its own clock.
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
