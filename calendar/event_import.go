package calendar

import (
	"errors"
	"time"
)

// ErrRefused is returned if the database rejects an event for a reason that no rule covers.
var ErrRefused = errors.New("refused by the database")

// EventImport is an event that an import creates.
type EventImport struct {
	Event *Event
	Links EventLinks

	Wanted int64    // its id unless that is taken; 0: any id
	Former []string // slugs that redirect to it as well
}

// Replaced holds hidden data that a write replaced, each nil if unchanged: the digest of the password, and the
// original start before the event was rescheduled.
type Replaced struct {
	Password      *[]byte
	PreviousStart *time.Time
}

// Write restores the replaced data.
func (r Replaced) Write(e *Event, _ bool) error {
	if r.Password != nil {
		e.Password = *r.Password
	}
	if r.PreviousStart != nil {
		e.PreviousStart = *r.PreviousStart
	}
	return nil
}
