// Package jobs does what takes longer than a request: it exports sites to archives
// and imports archives, on whichever node has time. A job is a row that all nodes
// see. Who works on it holds its lease; a node that dies lets go of it, and another
// begins anew. What a job is done with is stored under that lease, so that a node
// that was only slow can't undo what another did.
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
)

// The errors of jobs.
var (
	ErrNoJob     = errors.New("no such job")
	ErrNoArchive = errors.New("the job has no archive")
	ErrExporting = errors.New("the site is being exported already")
	ErrTooLarge  = errors.New("the archive is larger than may be sent")
	ErrLost      = errors.New("the job is somebody else's by now, or was cancelled")
)

// Kind says what a job does.
type Kind string

// The kinds.
const (
	Export Kind = "export"
	Import Kind = "import"
)

// State says how far a job is.
type State string

// The states. Only Queued and Running lead to others.
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
	Object   int64  // number of the site; of an import 0 until it is made
	Become   Become // of an import
	Attempt  int    // how often somebody began
	Done     int64  // bytes
	Total    int64  // bytes; 0: not known
	Bytes    int64  // of the archive
	SHA256   string // of an exported archive, in hexadecimal
	Problem  *Problem
	By       tenancy.Source // who asked for it
	Created  time.Time      // UTC, as all times here; zero: not yet
	Started  time.Time
	Finished time.Time
	Expires  time.Time // when it is forgotten, with its archive
}

// Ended reports whether nothing more becomes of the job.
func (j *Job) Ended() bool { return j.State != Queued && j.State != Running }

// Become is what an imported site is to be other than it was; nil is as it was.
type Become struct {
	Slug    *string   `json:"slug,omitempty"`
	Name    *string   `json:"name,omitempty"`
	Domains *[]string `json:"domains,omitempty"`
}

// fields reads it as the import does.
func (b *Become) fields() *tenancy.SiteFields {
	f := &tenancy.SiteFields{}
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

// Length is how many jobs a page has; more than 50 become 50.
func (f *Filter) Length() int { return min(f.PerPage.Or(15), 50) }

// Hold is the lease of a job. It counts on the clock that all nodes share, the
// store's, so no node's own can end or lengthen it.
type Hold struct {
	Job int64
	Key string
	For time.Duration // from the last sign of life
}

// Store keeps jobs. Its calls need no Scope; those on one job return ErrNoJob.
type Store interface {
	// Create stores a job that is held from the beginning, and fills in id and
	// time of creation. It returns ErrExporting for a second export of a site.
	Create(ctx context.Context, j *Job, hold *Hold) error
	// List returns one page of the jobs, the newest first.
	List(ctx context.Context, f *Filter) (tenancy.Page[Job], error)
	Get(ctx context.Context, id int64) (*Job, error)
	// Take takes up the oldest job that nobody holds, nil for none, and fills in
	// which one is held. A lease that ends later than any can comes of a clock
	// that was set back since, and holds nothing.
	Take(ctx context.Context, hold *Hold) (*Job, error)
	// Extend notes how far a held job is. It returns ErrLost, as all calls with
	// a hold do, when the job is held no longer.
	Extend(ctx context.Context, hold *Hold, done, total int64) error
	// Release lets a job wait for whoever has time.
	Release(ctx context.Context, hold *Hold) error
	// End stores how a held job ended: state, bytes, digest and problem.
	End(ctx context.Context, hold *Hold, j *Job) error
	// Cancel cancels a job, and returns it as it is left: one that had ended
	// stays.
	Cancel(ctx context.Context, id int64) (*Job, error)
	// Remove forgets a job that has ended.
	Remove(ctx context.Context, id int64) error
	// Expired returns some of the jobs whose time is up.
	Expired(ctx context.Context) ([]*Job, error)
}

// Files keeps archives where every node finds them and no visitor does.
type Files interface {
	// Keep stores size bytes under a name.
	Keep(ctx context.Context, name string, r io.Reader, size int64) error
	// Open opens what is kept; an error that is fs.ErrNotExist says that
	// nothing is. It can be read when the context has ended.
	Open(ctx context.Context, name string) (Content, int64, error)
	// Clear removes what is kept under a name, and what was only begun.
	Clear(ctx context.Context, name string) error
}

// Content is an archive that is kept.
type Content = interface {
	io.ReadSeekCloser
	io.ReaderAt
}

// Options are what the installation chooses.
type Options struct {
	Dir      string           // of files under way, which have no names; "": the system's
	MaxBytes int64            // of an archive that is sent; 0: 2 GiB
	Clock    func() time.Time // nil: time.Now
	Logger   *slog.Logger     // nil: nothing is logged
}

// DefaultMaxBytes is how large an archive that is sent may be.
const DefaultMaxBytes = 2 << 30

// Jobs is the service over jobs. Everything in it belongs to the provider: others
// get tenancy.ErrUnauthenticated or tenancy.ErrForbidden.
type Jobs struct {
	Options
	store    Store
	files    Files
	archives *archive.Archives
	sites    *tenancy.Sites
	wake     chan struct{}

	mu      sync.Mutex
	running map[int64]context.CancelCauseFunc // here
}

// New returns the service. Run has it work.
func New(store Store, files Files, archives *archive.Archives, sites *tenancy.Sites, o Options) *Jobs {
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
