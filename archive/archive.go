// Package archive knows the portable form of a site: a zip with one file of JSON
// Lines per table, the blobs of the pictures, and a manifest with the SHA-256 of
// every member (docs/archive.md). It makes archives of sites, makes sites of
// archives, and keeps backups of a whole installation. It knows no SQL.
package archive

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// The reasons for which an archive is refused whole, before anything is written.
var (
	ErrNoArchive = errors.New("this is no archive of Kalends")
	ErrDamaged   = errors.New("the archive is damaged")
	ErrTooNew    = errors.New("the archive was made by a newer Kalends")
	ErrTooLarge  = errors.New("the archive unpacks to more than an archive of its size can hold")
)

// Table is what an archive keeps of one table of the database.
type Table struct {
	Name    string
	Columns []string // of every row
}

// Lines gives rows to yield, each a JSON object on one line without its end, in
// the order in which they are stored. It can be run again, and stops with the
// first error. Yield must not keep the line.
type Lines func(yield func(line []byte) error) error

// Overview is what a backup goes by.
type Overview struct {
	Tables []Table // of a site
	Sites  []Origin
}

// Store reads and writes whole sites.
type Store interface {
	// Overview returns the form and the sites of the installation at one moment.
	Overview(ctx context.Context) (*Overview, error)
	// ReadSite shows the Scope's site as it is at one moment.
	ReadSite(ctx context.Context, show func(context.Context, Snapshot) error) error
	// NoteExport notes in the provider's history that the Scope's site left in an
	// archive, as of a version.
	NoteExport(ctx context.Context, version int64) error
	// WriteSite makes a site in one transaction: of row, which has these columns
	// and of which slug and name are replaced by the site's; and of what fill
	// stores in a context within the new site. It fills in the rest of the site.
	// Nothing stays when fill fails. Values the database refuses are
	// *args.Problems.
	WriteSite(ctx context.Context, site *tenancy.Site, columns []string, row []byte, fill func(context.Context, Sink) error) error
	// ReadInstallation shows what belongs to no site.
	ReadInstallation(ctx context.Context, show func(context.Context, Snapshot) error) error
	// WriteInstallation stores what belongs to no site and isn't there yet, in
	// one transaction.
	WriteInstallation(ctx context.Context, fill func(context.Context, Sink) error) error
}

// Snapshot is one moment of the data.
type Snapshot interface {
	// Site returns the site, nil of an installation.
	Site() *tenancy.Site
	// Tables returns the tables, each after those it refers to.
	Tables() []Table
	// Rows gives the rows of a table in the order of its key.
	Rows(ctx context.Context, table string, yield func(line []byte) error) error
	// Blobs gives key and file of every blob of the pictures.
	Blobs(ctx context.Context, yield func(key, file string) error) error
	// Bytes returns how many bytes the lines of all rows and the blobs are
	// together.
	Bytes(ctx context.Context) (int64, error)
}

// Sink takes in what a site consists of.
type Sink interface {
	// Rows stores rows of a table. It returns ErrTooNew for a table or column
	// that it doesn't know.
	Rows(ctx context.Context, t Table, lines Lines) error
}

// Blobs keeps the files of the Scope's site's pictures.
type Blobs interface {
	// Read opens a blob; an error that is fs.ErrNotExist says that there is none.
	Read(ctx context.Context, key, file string) (io.ReadCloser, error)
	// Write stores size bytes.
	Write(ctx context.Context, key, file string, r io.Reader, size int64) error
	// Discard removes a blob; one that isn't there is no error.
	Discard(ctx context.Context, key, file string) error
}

// Archives is the service over archives. Everything in it belongs to the
// provider: others get tenancy.ErrUnauthenticated or tenancy.ErrForbidden.
type Archives struct {
	store Store
	blobs Blobs
	sites *tenancy.Sites
	clock func() time.Time
}

// New returns the service. A nil clock is time.Now.
func New(store Store, blobs Blobs, sites *tenancy.Sites, clock func() time.Time) *Archives {
	if clock == nil {
		clock = time.Now
	}
	return &Archives{store: store, blobs: blobs, sites: sites, clock: clock}
}

// Progress is told how many bytes of how many are done. Nil is fine.
type Progress func(done, total int64)

func (p Progress) tell(done, total int64) {
	if p != nil {
		p(done, total)
	}
}
