package imports

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Stores are the stores that the service uses.
type Stores interface {
	Events() calendar.EventStore
	Imports() Store
}

// Ref identifies an import of a site.
type Ref struct{ Site, Import int64 }

// Hold is the lease of an import.
type Hold struct {
	Key string
	For time.Duration // since the last heartbeat
}

// Task is an import to work on.
type Task struct {
	Site   *tenancy.Site
	Import *Import
	More   []*Import // further imports for the same turn: from other sites of the installation
}

// Key identifies an entry within its source.
type Key struct{ UID, Recurrence string }

// Identity identifies an imported event by its entry, and holds the entry's last arguments.
type Identity struct {
	Key
	Event    int64       `json:"event"` // of a date: its series
	Date     int64       `json:"date"`  // ID of a date of a series
	Place    []byte      `json:"place"` // digest of start, title and place
	Digest   []byte      `json:"digest"`
	Sequence int64       `json:"sequence"`
	Modified time.Time   `json:"modified"`
	Version  int64       `json:"version"` // of the site, when an import wrote the event last; set by the store
	Kept     []string    `json:"kept"`
	Said     args.Values `json:"said"` // arguments of the entry; nil if not requested

	Status calendar.Status `json:"-"` // of the event; "" if it no longer exists
	Series bool            `json:"-"` // the event is a series
	Title  string          `json:"-"` // of the event
	Start  time.Time       `json:"-"` // wall clock of the event
	Origin int64           `json:"-"` // ID of the source that the event belongs to; 0: none
}

// Alike is an event of the site that an entry may be recognized as.
type Alike struct {
	ID     int64
	Title  string
	Start  time.Time // wall clock
	Venues []int64
	Series bool
}

// Creation is an event to be made from an entry.
type Creation struct {
	calendar.EventImport
	Entry    *Entry
	Identity *Identity
	Part     *Identity // for a series made of single events: the identity of the first event; otherwise nil
}

// Change is a change of an event according to an entry. A batch can contain only changes that link to existing
// items.
type Change struct {
	Event    int64
	Do       func(*calendar.Event) (calendar.EventLinks, error)
	Entry    *Entry
	Identity *Identity // nil: the identity stays unchanged
	Refused  error     // what Do returned
}

// Batch is the content of one transaction. Storing it sets Event and Version of the entries.
type Batch struct {
	Import          int64
	Hold            *Hold
	Creations       []Creation
	Changes         []*Change
	Notes           []*Entry    // entries that write no event
	Known           []*Identity // identities to store in the same transaction
	Moved           []Moved
	Leads           []Lead            // addresses of another site
	NewCounterparts []*NewCounterpart // venues, organizers and terms of a copied site
	Counterparts    []*Counterpart    // with their new arguments
	Highest         Highest
	Gone            []int64 // events whose identities are forgotten
	GoneDate        int64   // a date of a series whose identity is forgotten, or 0
	Source          []byte

	Rehearse bool          // store nothing except the report
	Before   tenancy.Usage // usage that earlier batches of a dry run would have added
	Stored   tenancy.Usage // usage that this batch added
}

// Moved is an identity whose UID the source has changed.
type Moved struct{ From, To Key }

// Named holds the names of a site, with their ids.
type Named struct {
	Venues     []NamedPlace
	Organizers []NamedPlace
	Categories []NamedPlace
	Tags       []NamedPlace
}

// NamedPlace is a venue, organizer or term with the data that distinguishes it from others.
type NamedPlace struct {
	ID            int64
	Name          string
	Address, City string
	Status        calendar.Status
	Author        int64
	In            map[string]string // its names in other languages
}

// Names returns the item's names in all languages.
func (p *NamedPlace) Names() calendar.Naming { return calendar.Naming{Own: p.Name, In: p.In} }

// Kept holds, by event, the fields that were changed by others than imports after a version.
type Kept map[int64][]string

// Store keeps imports. Except for Take, its calls are for the scope's site. Calls on a single import return
// ErrNoImport. Calls with a hold return ErrLost if the lease is lost.
type Store interface {
	// Create stores an import and the pieces of its file, if it has one, and sets its id and creation time. It returns
	// ErrMany.
	Create(ctx context.Context, i *Import, file func(yield func([]byte) error) error) error
	// Hand stores imports from other sites of the installation, together with the state of their sources. If another node
	// holds one of the sources, it stores nothing and returns ErrLost.
	Hand(ctx context.Context, list []*Import) error
	// List returns imports, newest first. current leaves out dry runs that led to an import, or to a newer dry run of the same file.
	List(ctx context.Context, page, perPage int, user, source int64, current bool) (calendar.Page[Import], error)
	Get(ctx context.Context, id int64) (*Import, error)
	Entries(ctx context.Context, id int64, result Result, page, perPage int) (calendar.Page[Entry], error)
	// Copy stores an import with the file of another. It returns ErrNoFile.
	Copy(ctx context.Context, i *Import, from int64) error
	// Undo stores an import that undoes another, and marks the other as undone. It returns ErrUndone.
	Undo(ctx context.Context, i *Import) error
	// Cancel ends an import that has not ended.
	Cancel(ctx context.Context, id int64) error
	// Remove deletes an import that has ended, with its report.
	Remove(ctx context.Context, id int64) error

	// Take takes the oldest import that is waiting or whose node has died: of one site, or of any site if site is
	// 0. It returns nil if there is none. A site has only one turn at a time.
	Take(ctx context.Context, hold *Hold, site int64) (*Task, error)
	// Extend is the heartbeat of a hold.
	Extend(ctx context.Context, hold *Hold) error
	// Release returns a held import to the queue.
	Release(ctx context.Context, id int64, hold *Hold) error
	// Keep stores the file that was fetched for a held import.
	Keep(ctx context.Context, id int64, hold *Hold, data []byte) error
	// Survey stores what the survey of a held import's file has found out.
	Survey(ctx context.Context, i *Import, hold *Hold) error
	// End stores how held imports ended.
	End(ctx context.Context, list []*Import, hold *Hold) error
	// Purge deletes files and reports that have expired.
	Purge(ctx context.Context, now time.Time) error

	// File returns the file of an import, or ErrNoFile.
	File(ctx context.Context, id int64) ([]byte, error)
	// Noted returns the numbers of the entries that are in the report.
	Noted(ctx context.Context, id int64) (map[int]bool, error)
	// Identities returns the identities of a source, without Said.
	Identities(ctx context.Context, source []byte) ([]*Identity, error)
	// WarnedBefore reports whether an entry of the last file of a source before an import had a warning. Only files count that were
	// imported without a problem.
	WarnedBefore(ctx context.Context, source []byte, id int64, code string) (bool, error)
	// Said sets Said of identities of a source.
	Said(ctx context.Context, source []byte, list []*Identity) error
	// Names returns the names of a site.
	Names(ctx context.Context) (*Named, error)
	// Alike returns the events that start within a span of wall-clock time, its ends included, but not those in the trash.
	Alike(ctx context.Context, from, to time.Time) ([]Alike, error)
	// WithUID returns events by the UIDs that they got from files.
	WithUID(ctx context.Context, uids []string) (map[string]int64, error)
	// Kept returns the fields of events that were changed by others than imports, each after a version.
	Kept(ctx context.Context, after map[int64]int64) (Kept, error)
	// KeptNow returns, for events of sources, the fields that were changed by others than imports and that the sources
	// contain.
	KeptNow(ctx context.Context, list []Sourced) (Kept, error)
	// SaidOf returns the last content of an event in its source.
	SaidOf(ctx context.Context, of Sourced) (*Saying, error)
	// Counterparts returns the venues, organizers and terms of this site that correspond to those of a copied site.
	Counterparts(ctx context.Context, source []byte) ([]*Counterpart, error)
	// KeptOf returns the fields of a venue, organizer or term that were changed by others than imports after a version.
	KeptOf(ctx context.Context, kind string, id, after int64) ([]string, error)
	// Columns returns the meanings that people gave to the columns of a table, by the digest of its header, or nil if there
	// are none.
	Columns(ctx context.Context, header []byte) (map[string]string, error)
	SetColumns(ctx context.Context, header []byte, columns map[string]string) error

	// Write stores a batch in one transaction. It returns *args.Problems or calendar.ErrRefused if the database rejects an
	// event, and *tenancy.LimitError if the plan has no room. In these cases nothing is stored.
	Write(ctx context.Context, b *Batch) error
	// Written returns the entries of an import that wrote something, the last first.
	Written(ctx context.Context, id int64) ([]*Entry, error)
	// Made returns the venues, organizers, categories and tags that an import created: those that no event uses,
	// and those that are used.
	Made(ctx context.Context, id int64) (unused, used []Made, err error)
}

// Made is a venue, organizer, category or tag that an import created.
type Made struct {
	Kind string // venue, organizer, category, tag
	ID   int64
	Name string
}

type noteKey struct{}

// Noting returns a context in which the next write also stores a batch without creations or changes, which reports on that
// write. Storing it sets Version of the entry, and Event unless it is already set.
func Noting(ctx context.Context, b *Batch) context.Context {
	return context.WithValue(ctx, noteKey{}, b)
}

// NoteOf returns the batch that the next write stores, or nil.
func NoteOf(ctx context.Context) *Batch {
	b, _ := ctx.Value(noteKey{}).(*Batch)
	return b
}
