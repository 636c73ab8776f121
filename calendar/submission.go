package calendar

import (
	"context"
	"errors"
	"io"
	"net/url"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// What can be wrong with what people send, beside its arguments.
var (
	ErrNoSubmissions = errors.New("site takes no submissions")
	ErrSettled       = errors.New("submission is decided already")
	ErrUnconfirmed   = errors.New("submission is not confirmed yet")
	ErrManySent      = errors.New("too many submissions")
	ErrLetter        = errors.New("letter could not be sent")
)

// WaitError is ErrManySent with the time after which one more is taken.
type WaitError struct{ Wait time.Duration }

func (e *WaitError) Error() string { return ErrManySent.Error() + ", again in " + e.Wait.String() }
func (e *WaitError) Unwrap() error { return ErrManySent }

// How long what was sent is kept: until somebody confirms it, and who sent it after
// it was decided.
const (
	UnconfirmedLife = 3 * 24 * time.Hour
	SenderLife      = 30 * 24 * time.Hour
)

// SubmissionLimits bound what of a site isn't decided yet. They are counted in the
// transaction that adds one.
type SubmissionLimits struct {
	Unconfirmed int           // of the site; beyond them the oldest go that are older than Fresh
	Fresh       time.Duration // how long none of these has to go
	OfEmail     int           // unconfirmed, of one address: more letters it doesn't get
	OfClient    int           // unconfirmed, of one client
	Waiting     int           // of the site
}

var submissionLimits = SubmissionLimits{Unconfirmed: 500, Fresh: time.Hour, OfEmail: 3, OfClient: 20, Waiting: 1000}

// SentPath is the path of the page where a sender sees what they sent, below the language.
// The token is in its query, which no log has.
func SentPath(token string) string { return "/submit/sent/?code=" + url.QueryEscape(token) }

// SubmissionStatus says what became of an event that was sent.
type SubmissionStatus string

// The statuses. All but Unconfirmed and Withdrawn are read off the event.
const (
	Unconfirmed SubmissionStatus = "unconfirmed" // its sender has not opened the letter
	Waiting     SubmissionStatus = "waiting"     // the event is pending
	Accepted    SubmissionStatus = "accepted"    // it is a draft
	Approved    SubmissionStatus = "approved"    // it is published, or will be
	Refused     SubmissionStatus = "refused"     // it is in the trash
	Withdrawn   SubmissionStatus = "withdrawn"   // the same, by its sender
)

// Sent is an event as its sender wrote it.
type Sent struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"` // plain text
	AllDay      bool   `json:"all_day,omitempty"`
	Start       string `json:"start"` // wall clock of the site
	End         string `json:"end"`
	Venue       string `json:"venue,omitempty"`
	Address     string `json:"address,omitempty"`
	City        string `json:"city,omitempty"`
	Cost        string `json:"cost,omitempty"`
	Website     string `json:"website,omitempty"`
	Category    int64  `json:"category,omitempty"`
	Name        string `json:"name"`
	Email       string `json:"email"`
	Note        string `json:"note,omitempty"` // to the editors
	Language    string `json:"language"`       // of letters
	Home        string `json:"home"`           // address of the site, as letters have it
}

// Submission is an event that somebody sent, with who did.
type Submission struct {
	Sent
	Event   *Event // nil while Unconfirmed
	Status  SubmissionStatus
	Proved  bool // the e-mail address is known to be the sender's
	Created time.Time
	Settled time.Time // when it was decided; zero: it isn't, or not here
	By      int64     // user id of who did, or 0
	Message string    // to the sender, of who refused it
	Expires time.Time // while Unconfirmed

	event int64
	hash  []byte
	image *Image // while Unconfirmed
}

// Held is what was sent and not confirmed yet.
type Held struct {
	Hash    []byte // of the token in the letter
	Client  []byte // digest of who sent it
	Sent    *Sent
	Image   *Image // without a row, only its files are there
	Created time.Time
	Expires time.Time
}

// Letters are written to those who send events.
type Letters interface {
	// Home returns the address of the scope's site as letters name it.
	Home(ctx context.Context) string
	// Confirm asks whether an address is the sender's. It returns when the letter is sent.
	Confirm(ctx context.Context, to *Sent, token string) error
	// Settled tells a sender what became of the event.
	Settled(ctx context.Context, s *Submission) error
}

// SubmissionWrite is what a write of an event does to its submission, in the same
// transaction.
type SubmissionWrite struct {
	Confirm  []byte // hash of what becomes the submission of a new event: ErrNotFound unless it is held
	Proved   bool   // of that
	Correct  *Sent  // replaces what was sent
	Settle   SubmissionStatus
	By       int64
	Message  string
	LetterAt time.Time // zero: none
}

type submissionKey struct{}

// SubmissionOf returns what the write of an event in this context does beside, nil for
// nothing.
func SubmissionOf(ctx context.Context) *SubmissionWrite {
	w, _ := ctx.Value(submissionKey{}).(*SubmissionWrite)
	return w
}

func besides(ctx context.Context, w *SubmissionWrite) context.Context {
	return context.WithValue(ctx, submissionKey{}, w)
}

// SubmissionQuery says which submissions to list: those that wait, the oldest first, or
// the others, the last decided first.
type SubmissionQuery struct {
	Waiting       bool
	Page, PerPage int
}

// StoredSubmission is a row of a submission.
type StoredSubmission struct {
	Event   int64
	Hash    []byte
	Sent    *Sent
	Proved  bool
	Created time.Time
	Settle  SubmissionStatus // what was noted last; "" for nothing
	Settled time.Time
	By      int64
	Message string
}

// SubmissionStore keeps what people send. Its calls raise no version of the site.
type SubmissionStore interface {
	// Hold keeps what is to be confirmed, within limits, or returns ErrManySent. It
	// returns the pictures of what had to go.
	Hold(ctx context.Context, h *Held, limits SubmissionLimits) ([]*Image, error)
	// Held returns what is held under a hash at an instant, or ErrNotFound.
	Held(ctx context.Context, hash []byte, at time.Time) (*Held, error)
	// Drop forgets what is held under a hash.
	Drop(ctx context.Context, hash []byte) error
	// Find returns the submission of a hash, or ErrNotFound.
	Find(ctx context.Context, hash []byte) (*StoredSubmission, error)
	// Get returns the submission that an event came as, or ErrNotFound.
	Get(ctx context.Context, event int64) (*StoredSubmission, error)
	List(ctx context.Context, q SubmissionQuery) (Page[StoredSubmission], error)
	// Due returns sites, 50 at most, with something to see to, and lets no other node
	// have them for some minutes. It needs no scope.
	Due(ctx context.Context, now time.Time) ([]*tenancy.Site, error)
	// Settle notes on the scope's site what became of events elsewhere, forgets what
	// is over, and says when to look again. It returns the pictures of what it forgot
	// and the submissions to write letters about, which no other node gets for some minutes.
	Settle(ctx context.Context, now time.Time) (gone []*Image, letters []*StoredSubmission, err error)
	// Told notes that the letter about an event is sent.
	Told(ctx context.Context, event int64) error
}

// Picture is a file that came with what was sent.
type Picture struct {
	Name    string
	Content io.Reader
}
