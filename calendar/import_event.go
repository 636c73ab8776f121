package calendar

import (
	"errors"
	"strings"
	"time"
)

// ErrRefused is returned if the database rejects an event for a reason that no rule covers.
var ErrRefused = errors.New("refused by the database")

// EventImport is an event to store unless the site already has it.
type EventImport struct {
	Event *Event
	Links EventLinks
	Anew  bool // whatever the site has that is like it

	Wanted int64    // its id, unless something has it; 0 for any
	Former []string // slugs that lead to it, too
}

// Imported is the result of an EventImport.
type Imported struct {
	ID         int64             // of the new or existing event; meaningless in a dry run
	Exists     bool              // the site already had the event
	Venues     []Link[Venue]     // new venues that were created
	Organizers []Link[Organizer] // new organizers that were created
	Terms      []Term            // new categories and tags that were created
	Stored     int64             // number of stored occurrences of a series
}

// ImportKey identifies an event for imports: its title as written, its wall-clock start, and the name of its venue in
// any letter case. Title and start alone are not enough, because a tour may have events of the same name at the same
// time in several towns. A series matches only a series; a single event matches a single event or an occurrence.
type ImportKey struct {
	Title  string
	Start  int64
	Venue  string
	Series bool
}

// NewImportKey returns the key of an event or series.
func NewImportKey(title string, start time.Time, venue string, series bool) ImportKey {
	return ImportKey{Title: title, Start: start.Unix(), Venue: strings.ToLower(venue), Series: series}
}

// Key returns the key of the event to be imported.
func (i *EventImport) Key() ImportKey {
	venue := ""
	if links := i.Links.Venues; links != nil {
		for _, link := range *links {
			if link.New != nil {
				venue = link.New.Name
				break
			}
		}
	}
	return NewImportKey(i.Event.Title, i.Event.Start, venue, i.Event.Recurring())
}

// Replaced holds hidden data that a write replaced, nil if unchanged: the digest of the password, and the original
// start before the event was rescheduled.
type Replaced struct {
	Password      *[]byte
	PreviousStart *time.Time
}

// write restores the replaced data.
func (r Replaced) write(e *Event, _ bool) error {
	if r.Password != nil {
		e.Password = *r.Password
	}
	if r.PreviousStart != nil {
		e.PreviousStart = *r.PreviousStart
	}
	return nil
}
