// Package submissions handles events that anyone may send to a site: how senders send, confirm, correct and
// withdraw them, and how editors decide on them. A submitted event is an event like any other and follows the rules
// of package calendar.
package submissions

import (
	"context"
	"errors"
	"io"
	"net/url"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Errors of submissions besides invalid arguments.
var (
	ErrNoSubmissions = errors.New("site does not accept submissions")
	ErrSettled       = errors.New("submission is already decided")
	ErrUnconfirmed   = errors.New("submission is not confirmed yet")
	ErrManySent      = errors.New("too many submissions")
	ErrLetter        = errors.New("e-mail could not be sent")
)

// How long submissions are kept until confirmed, and their senders after the decision.
const (
	UnconfirmedLife = 3 * 24 * time.Hour
	SenderLife      = 30 * 24 * time.Hour
)

// Limits limit a site's undecided submissions. They are checked in the transaction that adds one.
type Limits struct {
	// Unconfirmed, per site; beyond that, the oldest ones of the networks with the most are deleted, so that nobody can block
	// the form for others.
	Unconfirmed int
	Bytes       int64 // of their images, per site, besides the site's own limit; beyond that as Unconfirmed
	OfEmail     int   // unconfirmed, per address, which limits the emails it receives
	OfClient    int   // unconfirmed, per client

	// Confirmed submissions are never deleted automatically. Instead, a network with many waiting submissions has
	// to wait: it may have OfNetwork of them, or only Few while at least Waiting are waiting in total, so that the
	// form stays open for others. When Most are waiting, the form closes for everyone.
	OfNetwork, Few, Waiting, Most int
}

var limits = Limits{Unconfirmed: 500, Bytes: 128 << 20, OfEmail: 3, OfClient: 20, OfNetwork: 200, Few: 5, Waiting: 1000, Most: 10_000}

// SentPath is the path, without the language, of the page where senders see their submission. The token is in the
// query, which is never logged.
func SentPath(token string) string { return "/submit/sent/?code=" + url.QueryEscape(token) }

// Status is the state of a submission.
type Status string

// The statuses. All but Unconfirmed and Withdrawn are derived from the event.
const (
	Unconfirmed Status = "unconfirmed" // the sender has not confirmed the email address
	Waiting     Status = "waiting"     // the event is pending
	Accepted    Status = "accepted"    // the event is a draft or private
	Returned    Status = "returned"    // the event is a draft with a note in which an editor asks the sender for changes
	Approved    Status = "approved"    // the event is published or scheduled
	Refused     Status = "refused"     // the event is in the trash
	Withdrawn   Status = "withdrawn"   // the event was moved to the trash by the sender
)

// Sent is a submission as its sender wrote it.
type Sent struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"` // plain text
	AllDay      bool   `json:"all_day,omitempty"`
	Start       string `json:"start"` // wall-clock time in the site's time zone
	End         string `json:"end"`
	Venue       string `json:"venue,omitempty"`
	Address     string `json:"address,omitempty"`
	City        string `json:"city,omitempty"`
	Cost        string `json:"cost,omitempty"`
	Website     string `json:"website,omitempty"`
	Category    int64  `json:"category,omitempty"`
	Name        string `json:"name"`
	Email       string `json:"email"`
	Note        string `json:"note,omitempty"`             // for the editors
	Language    string `json:"language"`                   // of emails to the sender
	Writing     string `json:"content_language,omitempty"` // of the texts; "": the site's own
	Home        string `json:"home"`                       // address of the site for use in emails
}

// Submission is a submitted event together with its sender.
type Submission struct {
	Sent
	Event   *calendar.Event // nil if Unconfirmed
	Status  Status
	Proved  bool // the email address has been confirmed
	Created time.Time
	Settled time.Time // when it was decided; zero if undecided or decided elsewhere
	By      int64     // user id of who decided, or 0
	Message string    // from the editor who refused or returned it to the sender
	Expires time.Time // if Unconfirmed
	Opened  bool      // the decision has just published a venue that came with it

	event int64
	hash  []byte
	image *calendar.Image // if Unconfirmed
}

// Held is a submission that is not confirmed yet.
type Held struct {
	Hash    []byte // of the token in the email
	Client  []byte // digest of the client that sent it
	Network []byte // digest of the network that the client is in
	Sent    *Sent
	Image   *calendar.Image // has files but no row yet
	Created time.Time
	Expires time.Time
}

// Letters sends emails to the senders of submissions.
type Letters interface {
	// Home returns the address of the scope's site for use in emails.
	Home(ctx context.Context) string
	// Confirm asks the owner of an address to confirm it. It returns once the email is sent.
	Confirm(ctx context.Context, to *Sent, token string) error
	// Settled tells a sender about the decision on the event.
	Settled(ctx context.Context, s *Submission) error
	// Returned tells a sender what an editor asks for. The token identifies the sender.
	Returned(ctx context.Context, s *Submission, token string) error
}

// Write is the change to a submission made in the same transaction as the write of its event.
type Write struct {
	Confirm  []byte // hash of the submission that a new event comes from: ErrNotFound unless it is held
	Proved   bool   // whether its address is confirmed
	Correct  *Sent  // replaces the content of the submission, which waits again if it was returned
	Settle   Status
	By       int64
	Message  string
	LetterAt time.Time // when to send an email; zero: none
}

type writeKey struct{}

// WriteOf returns the change to a submission that accompanies the write of an event in this context, or nil.
func WriteOf(ctx context.Context) *Write {
	w, _ := ctx.Value(writeKey{}).(*Write)
	return w
}

func besides(ctx context.Context, w *Write) context.Context {
	return context.WithValue(ctx, writeKey{}, w)
}

// Query selects submissions: the waiting ones, oldest first, or the others, latest decision first. Of reports it selects all.
type Query struct {
	Waiting       bool
	Page, PerPage int
	Area          tenancy.Area // only what is in it
	User          int64        // of reports, also those about what this user has entered
	About         Subject      // of reports, only those about this; zero: all
}

// Stored is a row of a submission.
type Stored struct {
	Event   int64
	Hash    []byte
	Link    []byte // hash of the token in the latest letter about a return; nil: there was none
	Sent    *Sent
	Proved  bool
	Created time.Time
	Settle  Status // last recorded status; "" if none
	Settled time.Time
	By      int64
	Message string
}

// Stores are the stores that the service uses.
type Stores interface {
	Events() calendar.EventStore
	Terms(taxonomy calendar.Taxonomy) calendar.TermStore
	Submissions() Store
}

// Store keeps submissions and reports. Its calls do not raise the version of the site unless they say so.
type Store interface {
	// Hold stores an unconfirmed submission within limits, or returns ErrManySent. It returns *tenancy.LimitError
	// if the site may not store its image in addition to the images of other unconfirmed submissions. It returns
	// the images of submissions that it deleted.
	Hold(ctx context.Context, h *Held, limits Limits) ([]*calendar.Image, error)
	// Held returns the unconfirmed submission with a hash at an instant, or ErrNotFound.
	Held(ctx context.Context, hash []byte, at time.Time) (*Held, error)
	// Drop deletes the unconfirmed submission with a hash. It returns ErrNotFound if there is none, or if it is confirmed.
	Drop(ctx context.Context, hash []byte) error
	// Find returns the submission with a hash, as Hash or Link, or ErrNotFound.
	Find(ctx context.Context, hash []byte) (*Stored, error)
	// Get returns the submission of an event, or ErrNotFound.
	Get(ctx context.Context, event int64) (*Stored, error)
	// Among returns the submissions of some events; most events have none.
	Among(ctx context.Context, events []int64) ([]*Stored, error)
	List(ctx context.Context, q Query) (calendar.Page[Stored], error)
	// Due returns up to 50 sites that need processing and reserves them for some minutes. It needs no scope.
	Due(ctx context.Context, now time.Time) ([]*tenancy.Site, error)
	// Settle records decisions made elsewhere on the scope's site, deletes expired submissions, and schedules the
	// next run.
	Settle(ctx context.Context, now time.Time) (*Settlement, error)
	// Report stores a report within limits, or returns ErrManySent. If the report is already stored, it stays unchanged.
	Report(ctx context.Context, r *Report, limits ReportLimits) error
	// Reports returns one page of reports of what is not in the trash, oldest first.
	Reports(ctx context.Context, q Query) (calendar.Page[Report], error)
	// DecideReport deletes a report and records the verdict in the history of the site, whose version rises. It returns ErrSettled if
	// there is no such report.
	DecideReport(ctx context.Context, id string, verdict Verdict) error
	// Link stores the hash of the token in a letter about a return. It returns ErrNotFound if there is a newer decision.
	Link(ctx context.Context, row *Stored, hash []byte) error
	// Told records that the email about a decision was sent. One about a later decision is still due.
	Told(ctx context.Context, row *Stored) error
}

// Settlement is the remaining work on a site after its decisions are recorded.
type Settlement struct {
	Gone     []*calendar.Image // of deleted submissions
	Reverted []*Stored         // whose approval was reverted, if they had one
	Letters  []*Stored         // that need an email; they are reserved for some minutes
}

// Picture is an image file attached to a submission.
type Picture struct {
	Name    string
	Content io.Reader
}
