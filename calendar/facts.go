package calendar

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// Facts are the facts that people want to know before they go to an event (rule 5.12). Each word is one that the
// argument allows.
type Facts struct {
	Accessibility []string // what helps people with disabilities, in the order of the argument's words; nil: nothing is said
	Audience      []string // whom the event is for, likewise
	Languages     []string // spoken languages, as BCP 47 tags in the order of the argument's words; zxx: none. nil: unknown
	Registration  string   // deadline of registration, as ClockForm; "": no registration
	Performers    string   // performers, one name per line; "": unknown
	Video         string   // URL of a video about it, or ""
	EndUnknown    bool     // the end is only a guess, for lists and calendar files
}

// EntryOf returns the accessibility of an event: that of the event itself or, if it has none, that of its venues that readers
// may see.
func (e *Event) EntryOf() []string {
	if len(e.Facts.Accessibility) > 0 {
		return e.Facts.Accessibility
	}
	var list []string
	for i := range e.Venues {
		for _, word := range e.Venues[i].Accessibility {
			if !slices.Contains(list, word) {
				list = append(list, word)
			}
		}
	}
	return list
}

// wholeDay is the time of day of a deadline that is given as a day.
const wholeDay = 24*time.Hour - time.Minute

// RegisterBy returns the deadline of registration, on the event's own clock and as an instant. Both are zero if there is none.
func (e *Event) RegisterBy() (wall, at time.Time) {
	wall, err := time.Parse(ClockForm, e.Facts.Registration)
	if err != nil {
		return time.Time{}, time.Time{}
	}
	return wall, args.Resolve(wall, e.Clock().Zone).UTC()
}

// OfferUntil returns the time until which an offer of the event is valid: the end of the ticket's sale or of
// registration, whichever comes first. t is nil for an offer without a ticket. It returns the zero time if neither
// has an end.
func (e *Event) OfferUntil(t *Ticket) time.Time {
	_, until := e.RegisterBy()
	if t != nil && t.Until != nil && (until.IsZero() || t.Until.Before(until)) {
		return *t.Until
	}
	return until
}

// WholeDay reports whether a deadline on the event's own clock is the end of a day.
func WholeDay(wall time.Time) bool { return wall.Sub(args.DayOf(wall)) == wholeDay }

// PerformersOf returns the names of the performers.
func (e *Event) PerformersOf() []string {
	if e.Facts.Performers == "" {
		return nil
	}
	return strings.Split(e.Facts.Performers, "\n")
}

// names returns names, one per line, without duplicates and empty lines.
func names(list args.Lines) string {
	var cleaned []string
	for _, name := range list {
		if name = wording.Tidy(name); name != "" && !slices.Contains(cleaned, name) {
			cleaned = append(cleaned, name)
		}
	}
	return strings.Join(cleaned, "\n")
}

// ForChildren are the audiences that mark an event as one for children.
var ForChildren = []string{"children", "families"}

// agesOf has the first and the last age for each word of the audience; 0 as the last age means no limit. It leaves
// out families, which have all ages.
var agesOf = map[string][2]int{"toddlers": {0, 3}, "children": {4, 12}, "teenagers": {13, 17}, "adults": {18, 0}, "seniors": {65, 0}}

// AgeRange returns the ages of the audience in the form of schema.org's typicalAgeRange: 4-12, 18-. It returns ""
// if the audience has no words with ages.
func (f *Facts) AgeRange() string {
	first, last := -1, -1
	for _, word := range f.Audience {
		ages, known := agesOf[word]
		switch {
		case !known:
			return ""
		case first < 0:
			first, last = ages[0], ages[1]
		case ages[1] == 0:
			last = 0
		case last != 0:
			last = max(last, ages[1])
		}
	}
	switch {
	case first < 0:
		return ""
	case last == 0:
		return strconv.Itoa(first) + "-"
	}
	return strconv.Itoa(first) + "-" + strconv.Itoa(last)
}

// eventArguments are the arguments of an event write.
var eventArguments = args.TableOf(reflect.TypeFor[EventFields]())

// wordsIn returns the words of a list that are among the choices of an argument, in the order of the choices and
// without duplicates. It returns nil if there are none.
func wordsIn(list args.Texts, choices []string) []string {
	var words []string
	for _, word := range choices {
		if slices.Contains(list, word) {
			words = append(words, word)
		}
	}
	return words
}

// choicesOf returns the words that an argument of a table allows.
func choicesOf(t *args.Table, name string) []string {
	if f := t.Field(name); f != nil {
		return f.Enum
	}
	return nil
}

// SetRegistration sets the deadline of registration, if it is given. A day without a time means the end of that day.
func (e *Event) SetRegistration(by args.Opt[args.Date], place *time.Location, now time.Time) {
	if !by.Given() {
		return
	}
	e.Facts.Registration = ""
	if d, ok := by.Get(); ok {
		wall := args.WallTime(d.In(place, now), place)
		if !d.HasTime() {
			wall = args.DayOf(wall).Add(wholeDay)
		}
		e.Facts.Registration = wall.Format(ClockForm)
	}
}
