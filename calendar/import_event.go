package calendar

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// ErrRefused says that the database refused an event for a reason no rule
// knows.
var ErrRefused = errors.New("refused by the database")

// EventImport is an event to store unless the site has it.
type EventImport struct {
	Event *Event
	Links EventLinks
}

// longestUID is how many bytes the name of an event in calendars may have.
const longestUID = 255

// foreignUID returns what calendars call an imported event, "" for what this site makes
// itself: that names an event by its id.
func foreignUID(ctx context.Context, uid string) (string, error) {
	scope, err := tenancy.From(ctx)
	switch {
	case err != nil:
		return "", err
	case strings.HasSuffix(strings.ToLower(uid), "@"+strings.ToLower(scope.Site.UID)):
		return "", nil
	case len(uid) > longestUID || strings.ContainsFunc(uid, unicode.IsControl):
		return "", args.Invalid("uid", "problem.import.uid", map[string]any{"N": longestUID})
	}
	return uid, nil
}

// Imported is what became of an EventImport.
type Imported struct {
	ID         int64             // of the event, or of the one that the site has; of a rehearsal it means nothing
	Exists     bool              // the site has it: nothing happened
	Venues     []Link[Venue]     // the links that had to be made, with what was made
	Organizers []Link[Organizer] //
	Terms      []Term            // the categories and tags that had to be made
	Stored     int64             // occurrences of a series that were stored
}

// ImportKey tells whether two events are the same to an import: title as
// written, start on the clock, and the venue's name whatever its letter case.
// A series holds events of one name at one time in several towns, so title and
// start alone are not enough. A series is the same as a series, and what happens
// once the same as that or as a date of a series.
type ImportKey struct {
	Title  string
	Start  int64
	Venue  string
	Series bool
}

// NewImportKey returns the key of an event, or of a series, with that wall clock and
// venue.
func NewImportKey(title string, start time.Time, venue string, series bool) ImportKey {
	return ImportKey{Title: title, Start: start.Unix(), Venue: strings.ToLower(venue), Series: series}
}

// Key returns the key of the event to be.
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
