// Package jobs runs work that takes longer than a request: exporting sites to archives and importing archives, on
// any node with capacity. A job is a row that all nodes see. The node working on it holds its lease; if that node
// dies, the lease expires and another node starts over. Results are stored under the lease, so that a node that was
// only slow cannot overwrite the results of another.
package jobs

import (
	"errors"
	"log/slog"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/leased"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
)

// The errors of this package.
var (
	ErrNoJob     = errors.New("no such job")
	ErrNoArchive = errors.New("the job has no archive")
	ErrExporting = errors.New("the site is already being exported")
	ErrRestoring = errors.New("the site is already becoming what it was")
	ErrTooLarge  = errors.New("the archive is larger than allowed")
	ErrLost      = errors.New("the job has been taken over or cancelled")
)

// Kind is the kind of work that a job does.
type Kind string

// The kinds.
const (
	Export  Kind = "export"
	Import  Kind = "import"
	Restore Kind = "restore" // restores a copy into its site
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

// Job is an export, an import, or the restoring of a site.
type Job struct {
	ID       int64
	Kind     Kind
	State    State
	Site     string // slug
	Object   int64  // id of the site; 0 for an import until the site is created
	Keep     int    // days for which the job and its archive are kept after its end; 0 means one day
	Become   Become // only for an import or a restore
	Attempt  int    // number of attempts so far
	Done     int64  // bytes processed
	Total    int64  // bytes in total; 0 if unknown
	Bytes    int64  // size of the archive
	SHA256   string // hexadecimal digest of the archive that the job has made
	Problem  *Problem
	By       tenancy.Source // who requested the job
	Created  time.Time      // all times are in UTC; zero if not reached yet
	Started  time.Time
	Finished time.Time
	Expires  time.Time // when the job and its archive are deleted
}

// Ended reports whether the job has reached a final state.
func (j *Job) Ended() bool { return j.State != Queued && j.State != Running }

// HasArchive reports whether the job has made an archive: an export of the site, or for a restore a copy of the
// site before it.
func (j *Job) HasArchive() bool { return j.Kind != Import && j.State == Done }

// Become lists changes to make to an imported site. Nil fields keep the archived values.
type Become struct {
	Copy    int64     `json:"copy,omitempty"` // ID of the job whose archive a restore reads
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
	args.Paging
	Kind  args.Opt[string] `arg:"kind,enum=export|import|restore"`
	State args.Opt[string] `arg:"state,enum=queued|running|done|failed|cancelled"`
	Site  args.Opt[string] `arg:"site,max=63"`
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

// Jobs is the service for jobs. It is restricted to the provider; others get tenancy.ErrUnauthenticated or
// tenancy.ErrForbidden.
type Jobs struct {
	Options
	store    Store
	files    Files
	archives *archive.Archives
	sites    *platform.Sites
	works    *leased.Works[int64] // by id
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
		works: leased.New[int64](ErrLost, beat, storeTimeout)}
}
