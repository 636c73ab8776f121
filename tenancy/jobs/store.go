package jobs

import (
	"context"
	"io"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Hold is the lease of a job. It is measured by the clock of the store, which all nodes share, so that a wrong
// clock of a node can neither end nor extend it.
type Hold struct {
	Job int64
	Key string
	For time.Duration // how long the lease lasts after the last heartbeat

	Bytes  int64 // size of the archive that the job has made, 0 if there is none
	SHA256 string
}

// Store keeps jobs. Its calls need no Scope; those on a single job return ErrNoJob.
type Store interface {
	// Create stores a job that is held from the start and sets its id and creation time. It returns ErrExporting if the site
	// is already being exported, and ErrRestoring if it is already being restored.
	Create(ctx context.Context, j *Job, hold *Hold) error
	// List returns one page of jobs, newest first.
	List(ctx context.Context, f *Filter) (tenancy.Page[Job], error)
	Get(ctx context.Context, id int64) (*Job, error)
	// Copies returns the exports and restores of a site, the newest first.
	Copies(ctx context.Context, site int64) ([]*Job, error)
	// Take acquires the oldest job that nobody holds, or returns nil, and sets hold.Job. A lease that ends later
	// than possible results from a clock that was set back, and is ignored.
	Take(ctx context.Context, hold *Hold) (*Job, error)
	// Extend records the progress of a held job. Like all calls with a hold, it returns ErrLost if the lease is lost.
	Extend(ctx context.Context, hold *Hold, done, total int64) error
	// Release returns a job to the queue.
	Release(ctx context.Context, hold *Hold) error
	// End stores the result of a held job: state, bytes, digest and problem.
	End(ctx context.Context, hold *Hold, j *Job) error
	// Cancel cancels a job and returns its last state. It does not change a job that has ended.
	Cancel(ctx context.Context, id int64) (*Job, error)
	// Remove deletes a job that has ended.
	Remove(ctx context.Context, id int64) error
	// Expired returns some of the jobs that have expired.
	Expired(ctx context.Context) ([]*Job, error)
}

// Files stores archives where every node can access them but no visitor can.
type Files interface {
	// Keep stores size bytes under a name.
	Keep(ctx context.Context, name string, r io.Reader, size int64) error
	// Open opens a stored archive. The error is fs.ErrNotExist if there is none. The content can be read even after
	// the context has ended.
	Open(ctx context.Context, name string) (Content, int64, error)
	// Clear deletes the archive stored under a name, including partial uploads.
	Clear(ctx context.Context, name string) error
}

// Content is a stored archive.
type Content = interface {
	io.ReadSeekCloser
	io.ReaderAt
}
