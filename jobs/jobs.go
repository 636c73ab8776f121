// Package jobs runs what takes longer than a request: exporting sites to archives and importing archives, on any node
// with capacity. A job is a row that all nodes see. The node working on it holds its lease; if that node dies, the
// lease expires and another node starts over. Results are stored under the lease, so that a node that was merely slow
// cannot overwrite those of another.
package jobs

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/kalends/kalends/archive"
	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// The errors of this package.
var (
	ErrNoJob     = errors.New("no such job")
	ErrNoArchive = errors.New("the job has no archive")
	ErrExporting = errors.New("the site is already being exported")
	ErrTooLarge  = errors.New("the archive is larger than allowed")
	ErrLost      = errors.New("the job has been taken over or cancelled")
)

// Kind is what a job does.
type Kind string

// The kinds.
const (
	Export Kind = "export"
	Import Kind = "import"
)

// State is the progress of a job.
type State string

// The states. Only Queued and Running are not final.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Job is an export or an import.
type Job struct {
	ID       int64
	Kind     Kind
	State    State
	Site     string // slug
	Object   int64  // id of the site; 0 for an import until the site is created
	Become   Become // only for an import
	Attempt  int    // number of attempts so far
	Done     int64  // bytes processed
	Total    int64  // bytes in total; 0 if unknown
	Bytes    int64  // size of the archive
	SHA256   string // hexadecimal digest of an exported archive
	Problem  *Problem
	By       tenancy.Source // who requested the job
	Created  time.Time      // all times are UTC; zero if not reached yet
	Started  time.Time
	Finished time.Time
	Expires  time.Time // when the job and its archive are deleted
}

// Ended reports whether the job has reached a final state.
func (j *Job) Ended() bool { return j.State != Queued && j.State != Running }

// Become lists changes to make to an imported site. Nil fields keep the archived values.
type Become struct {
	Slug    *string   `json:"slug,omitempty"`
	Name    *string   `json:"name,omitempty"`
	Domains *[]string `json:"domains,omitempty"`
}

// fields converts the changes to the arguments of the site service.
func (b *Become) fields() *platform.SiteFields {
	f := &platform.SiteFields{}
	if b.Slug != nil {
		f.Slug = args.Some(*b.Slug)
	}
	if b.Name != nil {
		f.Name = args.Some(*b.Name)
	}
	if b.Domains != nil {
		f.Domains = args.Some(args.Texts(*b.Domains))
	}
	return f
}

// Filter are the query arguments of a list of jobs.
type Filter struct {
	Page    args.Opt[int]    `arg:"page,default=1,min=1,max=1000000000,nonull"`
	PerPage args.Opt[int]    `arg:"per_page,default=15,min=1,nonull"`
	Kind    args.Opt[string] `arg:"kind,enum=export|import"`
	State   args.Opt[string] `arg:"state,enum=queued|running|done|failed|cancelled"`
	Site    args.Opt[string] `arg:"site,max=63"`
}

// Length returns the number of jobs per page, at most 50.
func (f *Filter) Length() int { return min(f.PerPage.Or(15), 50) }

// Hold is the lease of a job. It is measured by the clock of the store, which all nodes share, so that a node's own
// clock cannot end or extend it.
type Hold struct {
	Job int64
	Key string
	For time.Duration // duration since the last heartbeat
}

// Store keeps jobs. Its calls need no Scope; those on a single job return ErrNoJob.
type Store interface {
	// Create stores a job that is held from the start and sets its id and creation time. It returns ErrExporting if
	// the site is already being exported.
	Create(ctx context.Context, j *Job, hold *Hold) error
	// List returns one page of jobs, newest first.
	List(ctx context.Context, f *Filter) (tenancy.Page[Job], error)
	Get(ctx context.Context, id int64) (*Job, error)
	// Take acquires the oldest job that nobody holds, or returns nil, and sets hold.Job. A lease that ends later than
	// is possible results from a clock that was set back, and does not count.
	Take(ctx context.Context, hold *Hold) (*Job, error)
	// Extend records the progress of a held job. Like all calls with a hold, it returns ErrLost if the lease is lost.
	Extend(ctx context.Context, hold *Hold, done, total int64) error
	// Release returns a job to the queue.
	Release(ctx context.Context, hold *Hold) error
	// End stores the result of a held job: state, bytes, digest and problem.
	End(ctx context.Context, hold *Hold, j *Job) error
	// Cancel cancels a job and returns it as it is left. It does not change a job that has ended.
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
	// Clear deletes what is stored under a name, including partial uploads.
	Clear(ctx context.Context, name string) error
}

// Content is a stored archive.
type Content = interface {
	io.ReadSeekCloser
	io.ReaderAt
}

// Options configure an installation.
type Options struct {
	Dir      string           // for temporary, unlinked files; "" means the system's directory
	MaxBytes int64            // limit for uploaded archives; 0 means 2 GiB
	Clock    func() time.Time // nil means time.Now
	Logger   *slog.Logger     // nil disables logging
}

// DefaultMaxBytes is the default size limit of uploaded archives.
const DefaultMaxBytes = 2 << 30

// Jobs is the service over jobs. It is restricted to the provider; others get tenancy.ErrUnauthenticated or
// tenancy.ErrForbidden.
type Jobs struct {
	Options
	store    Store
	files    Files
	archives *archive.Archives
	sites    *platform.Sites
	wake     chan struct{}

	mu      sync.Mutex
	running map[int64]context.CancelCauseFunc // on this node
}

// New returns the service. Jobs are executed by Run.
func New(store Store, files Files, archives *archive.Archives, sites *platform.Sites, o Options) *Jobs {
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Jobs{Options: o, store: store, files: files, archives: archives, sites: sites,
		wake: make(chan struct{}, 1), running: map[int64]context.CancelCauseFunc{}}
}
