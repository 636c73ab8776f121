// Package imports takes events from files and addresses into a site. It defines who may import, what happens to
// each entry, how entries are recognized again, what a dry run reports, and how an import is undone. Package
// reading knows the formats. An import is a row that all nodes see. The node that works on it holds its lease. It
// stores events together with their entries of the report, so that if a node dies, no entry is lost or imported
// twice.
package imports

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/moving"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/leased"
	"github.com/kalends/kalends/tenancy"
)

// The errors of this package.
var (
	ErrNoImport = errors.New("no such import")
	ErrRunning  = errors.New("the import has not ended yet")
	ErrNotDry   = errors.New("only a dry run can be run for real")
	ErrNoFile   = errors.New("the file of the import is not kept any more")
	ErrUndone   = errors.New("the import was undone before")
	ErrTooLate  = errors.New("the import is too old to be undone, or made nothing")
	ErrMany     = errors.New("too many imports of the site wait")
	ErrLost     = errors.New("the import has been taken over or cancelled")
)

// State is the state of an import.
type State string

// The states. All but Queued and Running are final.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// States lists all states.
func States() []State { return []State{Queued, Running, Done, Failed, Cancelled} }

// Undo is the format of an import that undoes another one.
const Undo = "undo"

// Site is the format of an import of a whole site with The Events Calendar.
const Site = string(reading.TEC)

// Formats lists the formats of imports.
func Formats() []string {
	return []string{string(reading.Calendar), string(reading.CSV), string(reading.XLSX), string(reading.JSON),
		string(reading.Schema), string(reading.Lines), Site, string(reading.Gift), string(reading.Kalends), Undo}
}

// Policies for entries that were imported before.
const (
	Update  = "update"  // changes in the file since its last import are applied, except to fields that people have changed here
	Skip    = "skip"    // events stay unchanged
	Replace = "replace" // the file always wins
)

// What happens to events that an earlier import created from the same source and that are now missing.
const (
	Keep   = "keep"
	Cancel = "cancel"
	Trash  = "trash"
)

// Result is the result of an entry.
type Result string

// The results.
const (
	Created Result = "created"
	Changed Result = "changed"
	Same    Result = "same"
	Off     Result = "cancelled"
	Refused Result = "refused"
)

// Results lists all results.
func Results() []Result { return []Result{Created, Changed, Same, Off, Refused} }

// Counts holds the number of entries with each result. Warned counts entries with a warning, whatever their result.
type Counts struct{ Read, Created, Changed, Same, Cancelled, Refused, Warned int }

// Add counts an entry.
func (c *Counts) Add(e *Entry) {
	c.Read++
	switch e.Result {
	case Created:
		c.Created++
	case Changed:
		c.Changed++
	case Same:
		c.Same++
	case Off:
		c.Cancelled++
	case Refused:
		c.Refused++
	}
	if len(e.Warnings) > 0 {
		c.Warned++
	}
}

// Import is an import and its results.
type Import struct {
	ID       int64
	State    State
	Format   string // "" until it is known
	DryRun   bool
	Policy   string
	Name     string // of the file
	URL      string // without its private parts; "" for a file that was sent
	Undoes   int64  // id of the import that this one undoes, or 0
	Counts   Counts
	Total    int // entries of the file; 0 until it is known
	Columns  []reading.Column
	LeftOut  []reading.LeftOut // what the file has that is no event, or that events do not have
	Problem  *Problem          // why nothing was stored, or why it ended early
	Created  time.Time
	Started  time.Time // zero if not reached yet, like the following
	Finished time.Time
	Undone   time.Time

	By         tenancy.Source // who asked
	Credential int64          // id of their credential; 0: none
	Asked      args.Values    // the arguments as sent, without file and address
	Address    string         // URL of a file that must still be fetched; not for responses
	Secret     []byte         // sealed user and password of the address, or nil; not for responses
	Source     []byte         // digest of the origin of the file; nil until it is known
	From       int64          // source of the site that was read; 0: none
	Handed     *Handed        // state that this source stores when the import is queued

	attempt int // how often a node has begun it
}

// LeftOutKey returns the key of the text that says what was left out.
func LeftOutKey(left reading.LeftOut) string { return "import.left." + strings.ToLower(left.Kind) }

// Ended reports whether the import has reached a final state.
func (i *Import) Ended() bool { return i.State != Queued && i.State != Running }

// Progress returns how much of the import is done, from 0 to 1.
func (i *Import) Progress() float64 {
	switch {
	case i.State == Done:
		return 1
	case i.Total == 0:
		return 0
	}
	return min(1, float64(i.Counts.Read)/float64(i.Total))
}

// undoLife is how long an import can be undone after it ended.
const undoLife = 30 * 24 * time.Hour

// UndoableUntil returns until when the import can be undone, or the zero time if it can't.
func (i *Import) UndoableUntil() time.Time {
	wrote := i.Counts.Created + i.Counts.Changed + i.Counts.Cancelled
	if !i.Ended() || i.DryRun || i.Format == string(reading.Gift) || i.Undoes != 0 || !i.Undone.IsZero() || wrote == 0 {
		return time.Time{}
	}
	return i.Finished.Add(undoLife)
}

// Problem says why an import failed, as an API error.
type Problem struct {
	Status int            `json:"status"`
	Code   string         `json:"code"`
	Data   map[string]any `json:"data,omitempty"`
}

// Entry is the report on one entry of the file.
type Entry struct {
	Number, Line int
	UID          string // "" if the file has none
	Recurrence   string // "" unless it is one date of a series
	Title, Start string // as the file has them
	Result       Result
	Event        int64    // 0: there is no event here
	Fields       []string // that changed
	Problems     []Finding
	Warnings     []Finding

	Version int64     // of the site, when the entry was written; 0: nothing was written
	Was     *Identity // what a change replaced
}

// Finding is a problem or a warning about an entry.
type Finding struct {
	Code  string         `json:"code"`
	Param string         `json:"param,omitempty"`
	Key   string         `json:"key"` // of its text
	Data  map[string]any `json:"data,omitempty"`
	Inner *Finding       `json:"inner,omitempty"` // what is wrong with a field of an object
}

// Options configure the service.
type Options struct {
	Files  Fetcher                                    // nil: addresses are refused
	Box    Box                                        // encrypts users and passwords of other sites
	Wait   func(context.Context, time.Duration) error // between two tries to read from a site; nil: it waits
	People People                                     // returns the person who asked for an import, when it runs
	Logger *slog.Logger                               // nil disables logging
	Clock  func() time.Time                           // nil means time.Now
}

// Accept is the Accept header of requests for files.
const Accept = "text/calendar, text/csv, application/json, application/ld+json, text/html;q=0.8, */*;q=0.5"

// Fetcher fetches files from addresses that people enter. It refuses private addresses.
type Fetcher interface {
	Fetch(ctx context.Context, url string) (data []byte, contentType, final string, err error)
	moving.Door
}

// Box encrypts secrets that must be read again.
type Box interface {
	Seal(secret []byte, about string) []byte
	Open(sealed []byte, about string) ([]byte, error)
}

// People looks up the current rights of users.
type People interface {
	// Acting returns the current principal of a user of the scope's site, with the credential of this id unless that is 0. It
	// returns tenancy.ErrCredentials if either no longer exists.
	Acting(ctx context.Context, user, credential int64) (tenancy.Principal, error)
}

// Service is the service over the imports of sites.
type Service struct {
	Options
	calendar *services.Calendar
	events   calendar.EventStore
	editing  *editing.Service
	store    Store
	works    *leased.Works[Ref]
}

// New returns the service. Imports are executed by Run.
func New(c *services.Calendar, stores Stores, e *editing.Service, o Options) *Service {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &Service{Options: o, calendar: c, events: stores.Events(), editing: e, store: stores.Imports(),
		works: leased.New[Ref](ErrLost, beat, storeTimeout)}
}

// Begun sets how often nodes have begun the import.
func (i *Import) Begun(attempt int) { i.attempt = attempt }
