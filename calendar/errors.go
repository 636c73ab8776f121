package calendar

import (
	"errors"
	"fmt"
)

// What can be wrong with a request that is well formed and allowed.
var (
	ErrNotFound     = errors.New("not found")
	ErrWrongType    = errors.New("id of something else")     // rule 4.1 rest-invalid-event-id
	ErrGone         = errors.New("in the trash")             // 410 on deletes and updates
	ErrTrashed      = errors.New("no longer available")      // 403 on reads of trashed events
	ErrNotReadable  = errors.New("not accessible")           // 403 on reads of unpublished items
	ErrGuesses      = errors.New("too many wrong passwords") // 429, for the rest of the minute
	ErrPassword     = errors.New("protected by a password")  // 403 on reads of protected events
	ErrPrecondition = errors.New("precondition failed")      // 412, If-Match
	ErrPage         = errors.New("page past the end")        // 404 for events, venues, organizers
	ErrSlugTaken    = errors.New("slug in use")              // 400 duplicate_term_slug
	ErrUnavailable  = errors.New("database does not answer") // 503
)

// ExistsError reports that a term of that name is there already (rule
// 12.1); ID is the term's.
type ExistsError struct{ ID int64 }

func (e *ExistsError) Error() string { return fmt.Sprintf("term exists: %d", e.ID) }
