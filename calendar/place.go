package calendar

import (
	"strconv"
	"strings"
	"time"
)

// Place is a position in a list of events ordered by start. Pages that continue after a Place neither miss nor repeat
// unchanged events, whatever else changes.
type Place struct {
	Start time.Time // wall-clock time carried in time.UTC
	ID    int64     // 0 sorts before all events with that start
}

// Place returns the position of an event.
func (e *Event) Place() Place { return Place{e.Start, e.ID} }

const placeForm = "20060102T150405"

// String returns the place in the form "20270320T193000-21" that clients send back.
func (p Place) String() string { return p.Start.Format(placeForm) + "-" + strconv.FormatInt(p.ID, 10) }

// ParsePlace parses a place. The empty text is the zero Place, the start of a list.
func ParsePlace(text string) (Place, bool) {
	if text == "" {
		return Place{}, true
	}
	start, id, _ := strings.Cut(text, "-")
	at, err := time.Parse(placeForm, start)
	n, wrong := strconv.ParseInt(id, 10, 64)
	if err != nil || wrong != nil || n < 0 {
		return Place{}, false
	}
	return Place{at, n}, true
}
