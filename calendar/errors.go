package calendar

import (
	"errors"
	"fmt"
	"time"
)

// Errors of requests that are well-formed and permitted.
var (
	ErrNotFound     = errors.New("not found")
	ErrWrongType    = errors.New("id of another kind of item") // the id belongs to an item of another kind; rest-invalid-event-id
	ErrGone         = errors.New("in the trash")               // 410 for deletes and updates
	ErrTrashed      = errors.New("no longer available")        // 403 for reads of trashed events
	ErrNotReadable  = errors.New("not accessible")             // 403 for reads of unpublished items
	ErrGuesses      = errors.New("too many wrong passwords")   // 429 for the rest of the minute
	ErrPassword     = errors.New("protected by a password")    // 403 for reads of protected events
	ErrPrecondition = errors.New("precondition failed")        // 412, If-Match
	ErrPage         = errors.New("page past the end")          // 404 for events, venues, organizers
	ErrSlugTaken    = errors.New("slug in use")                // 400 duplicate_term_slug
	ErrUnavailable  = errors.New("database does not answer")   // 503
)

// BusyError reports that too many images are waiting to be processed, so another one would take too long: 429. Wait
// is the time until the waiting ones are finished.
type BusyError struct{ Wait time.Duration }

func (e *BusyError) Error() string { return "too many images, again in " + e.Wait.String() }

// ExistsError reports that a term with the same name already exists (rule 12.1). ID is the ID of the existing term.
type ExistsError struct{ ID int64 }

func (e *ExistsError) Error() string { return fmt.Sprintf("term exists: %d", e.ID) }
