// Package archive implements the portable form of a site: a zip with one JSON Lines file per table, the blobs of the
// images, and a manifest with the SHA-256 of every member (docs/archive.md). It exports sites to archives, imports
// archives as sites, and maintains backups of a whole installation. It knows no SQL.
package archive

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// Reasons for rejecting an entire archive before anything is written.
var (
	ErrNoArchive = errors.New("this is not an archive of Kalends")
	ErrDamaged   = errors.New("the archive is damaged")
	ErrTooNew    = errors.New("the archive was made by a newer Kalends")
	ErrTooLarge  = errors.New("the archive unpacks to more than an archive of its size can hold")
	ErrChanged   = errors.New("the site was changed meanwhile")
)

// Table is the part of a database table that an archive contains.
type Table struct {
	Name    string
	Columns []string // of every row
}

// Lines calls yield with rows in storage order, each a JSON object on one line without line end. It can be called
// repeatedly and stops at the first error. yield must not retain the line.
type Lines func(yield func(line []byte) error) error

// Overview is the schema and the sites of an installation, as a backup needs them.
type Overview struct {
	Tables []Table // of a site
	Sites  []Origin
}

// Store reads and writes whole sites.
type Store interface {
	// Overview returns the schema and the sites of the installation at one moment.
	Overview(ctx context.Context) (*Overview, error)
	// ReadSite calls show with a consistent snapshot of the Scope's site.
	ReadSite(ctx context.Context, show func(context.Context, Snapshot) error) error
	// NoteExport records in the provider's history that the Scope's site was exported at a version.
	NoteExport(ctx context.Context, version int64) error
	// WriteSite creates a site in one transaction. It stores row, which has these columns, with slug and name
	// replaced by those of site, and then everything that fill writes to the Sink in a context within the new site.
	// It completes site. If fill fails, nothing is stored. Values that the database rejects are *args.Problems.
	WriteSite(ctx context.Context, site *tenancy.Site, columns []string, row []byte, fill func(context.Context, Sink) error) error
	// ReplaceSite replaces the contents of a site with everything that fill writes to the Sink, in one transaction.
	// It takes the site's settings from row, which has these columns. It keeps the slug, domains, plan, limits and
	// state of the site, its history, and everything that archives leave out; it keeps ways to sign in only if
	// moved is false. It calls locked with the site's version once nobody else can write to the site; if that fails,
	// nothing changes. It completes site.
	ReplaceSite(ctx context.Context, site *tenancy.Site, moved bool, columns []string, row []byte, locked Locked,
		fill func(context.Context, Sink) error) error
	// ReadInstallation calls show with a snapshot of the data that belongs to no site.
	ReadInstallation(ctx context.Context, show func(context.Context, Snapshot) error) error
	// WriteInstallation stores data that belongs to no site, in one transaction. It keeps rows that already exist.
	WriteInstallation(ctx context.Context, fill func(context.Context, Sink) error) error
}

// Locked is called with the version of a site to which nobody else can write until the transaction ends.
type Locked func(ctx context.Context, version int64) error

// Snapshot is a consistent state of the data.
type Snapshot interface {
	// Site returns the site, or nil for an installation.
	Site() *tenancy.Site
	// Tables returns the tables, each after those it references.
	Tables() []Table
	// Rows yields the rows of a table in key order.
	Rows(ctx context.Context, table string, yield func(line []byte) error) error
	// Blobs yields key and file of every image blob.
	Blobs(ctx context.Context, yield func(key, file string) error) error
	// Bytes returns the total size of all rows and blobs in bytes.
	Bytes(ctx context.Context) (int64, error)
}

// Sink receives the contents of a site.
type Sink interface {
	// Rows stores rows of a table. It returns ErrTooNew for an unknown table or column.
	Rows(ctx context.Context, t Table, lines Lines) error
}

// Blobs stores the image files of the Scope's site.
type Blobs interface {
	// Read opens a blob. The error is fs.ErrNotExist if there is none.
	Read(ctx context.Context, key, file string) (io.ReadCloser, error)
	// Write stores a blob of size bytes.
	Write(ctx context.Context, key, file string, r io.Reader, size int64) error
	// Discard removes a blob. It is no error if it does not exist.
	Discard(ctx context.Context, key, file string) error
}

// Archives is the service for archives. It is restricted to the provider: others get tenancy.ErrUnauthenticated or
// tenancy.ErrForbidden.
type Archives struct {
	store Store
	blobs Blobs
	sites *platform.Sites
	clock func() time.Time
	trial bool // nothing is kept
}

// errTried rolls back the transaction of a trial after all rows have been written.
var errTried = errors.New("tried")

// Trial returns the service for dry runs: Import, Restore and RestoreSite read and check everything, report taken slugs and
// domains, and keep nothing. Files are read, but not stored.
func (s *Archives) Trial() *Archives {
	trial := *s
	trial.trial = true
	return &trial
}

// New returns the service. A nil clock means time.Now.
func New(store Store, blobs Blobs, sites *platform.Sites, clock func() time.Time) *Archives {
	if clock == nil {
		clock = time.Now
	}
	return &Archives{store: store, blobs: blobs, sites: sites, clock: clock}
}

// Progress is called with the number of bytes done and the total number. It may be nil.
type Progress func(done, total int64)

func (p Progress) tell(done, total int64) {
	if p != nil {
		p(done, total)
	}
}
