package sheets

import (
	"strings"

	"github.com/kalends/kalends/calendar"
)

// Report counts what an import did, or a dry run would do.
type Report struct {
	Read       int // rows
	Created    int // events
	Dates      int // occurrences that were changed
	Unchanged  int // events and changed occurrences that already existed
	Refused    int // rows that were rejected
	Venues     int // created, like the following
	Organizers int
	Categories int
	Tags       int
}

// tally counts results. Because a dry run stores nothing, it has to remember what earlier batches would have created.
type tally struct {
	report     Report
	remember   bool
	stored     int64 // occurrences of series
	events     map[calendar.ImportKey]bool
	terms      map[string]bool
	venues     map[string][]*calendar.Venue
	organizers map[string][]*calendar.Organizer
}

func newTally(remember bool) *tally {
	return &tally{remember: remember, events: map[calendar.ImportKey]bool{}, terms: map[string]bool{},
		venues: map[string][]*calendar.Venue{}, organizers: map[string][]*calendar.Organizer{}}
}

// count adds the result of one event.
func (t *tally) count(i *calendar.EventImport, became *calendar.Imported) {
	if became.Exists || t.events[i.Key()] {
		t.report.Unchanged++
		return
	}
	t.report.Created++
	t.stored += became.Stored
	if t.remember {
		t.events[i.Key()] = true
	}
	t.report.Venues += madeAnew(t, t.venues, became.Venues, func(v *calendar.Venue) string { return v.Name })
	t.report.Organizers += madeAnew(t, t.organizers, became.Organizers, func(o *calendar.Organizer) string { return o.Name })
	for _, term := range became.Terms {
		key := string(term.Taxonomy) + " " + strings.ToLower(term.Name)
		switch {
		case t.terms[key]:
			continue
		case term.Taxonomy == calendar.Categories:
			t.report.Categories++
		default:
			t.report.Tags++
		}
		t.terms[key] = t.remember
	}
}

// madeAnew returns how many of the created items no earlier batch created.
func madeAnew[T any](t *tally, before map[string][]*T, made []calendar.Link[T], name func(*T) string) int {
	fresh := 0
links:
	for _, link := range made {
		key := strings.ToLower(name(link.New))
		for _, one := range before[key] {
			if link.Same != nil && link.Same(one) {
				continue links
			}
		}
		fresh++
		if t.remember {
			before[key] = append(before[key], link.New)
		}
	}
	return fresh
}
