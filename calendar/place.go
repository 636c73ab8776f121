package calendar

import (
	"strconv"
	"strings"
	"time"
)

// Place is where an event stands in a list by start: pages that begin behind one
// miss nothing and repeat nothing that stays as it is, whatever else changes.
type Place struct {
	Start time.Time // wall clock carried in time.UTC
	ID    int64     // 0 is before everything that starts then
}

// Place returns where an event stands.
func (e *Event) Place() Place { return Place{e.Start, e.ID} }

const placeForm = "20060102T150405"

// String returns the place as clients send it back: "20270320T193000-21".
func (p Place) String() string { return p.Start.Format(placeForm) + "-" + strconv.FormatInt(p.ID, 10) }

// ParsePlace reads a place. The empty text is the zero Place, where a list begins.
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
