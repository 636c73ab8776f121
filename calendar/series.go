package calendar

import (
	"reflect"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
)

// Series identifies the occurrence that an event is, and its series.
type Series struct {
	ID            int64
	OriginalStart time.Time // the wall-clock start that the rule yields; it stays the same when the occurrence is moved
	Changed       []string  // fields that differ from the series; nil if none
	Title         string    // title of the series; set only in single reads
}

// Day returns how the address of an occurrence identifies it: by day, and by time of day if there may be several on
// one day.
func (s *Series) Day(several bool) string {
	if several {
		return s.OriginalStart.Format("2006-01-02-1504")
	}
	return s.OriginalStart.Format("2006-01-02")
}

// Span is a range of wall-clock time that excludes its end.
type Span struct{ From, To time.Time }

// ParseDay parses the result of Day. Without a time of day it returns the whole day.
func ParseDay(text string) (Span, bool) {
	if day, err := time.Parse("2006-01-02", text); err == nil {
		return Span{day, day.AddDate(0, 0, 1)}, true
	}
	at, err := time.Parse("2006-01-02-1504", text)
	return Span{at, at.Add(time.Minute)}, err == nil
}

// Path returns the path of an event's public page without the language. That of an occurrence includes the day.
func (e *Event) Path() string {
	path := e.WholePath()
	if e.Series != nil {
		path += e.Series.Day(e.Several) + "/"
	}
	return path
}

// WholePath is Path, except that an occurrence has the path of its series.
func (e *Event) WholePath() string { return "/event/" + wording.EncodedSlug(e.Slug) + "/" }

// Date is the link to an occurrence of a series.
type Date struct {
	Original   time.Time // the start that the rule yields
	Start, End time.Time // wall-clock time
	Happening  Happening // without the reason
}

// Neighbours are the series of an occurrence and the dates before and after it, which are nil if there are none.
type Neighbours struct {
	Whole          *Event
	Previous, Next *Date
}

// DatePath returns the path of another occurrence of the same series.
func (e *Event) DatePath(d *Date) string {
	return e.WholePath() + (&Series{OriginalStart: d.Original}).Day(e.Several) + "/"
}

// Coming is the next occurrence of a series, or the last if there is none, in wall-clock time. ID is the ID of that
// occurrence.
type Coming struct {
	ID         int64
	Start, End time.Time
}

// Recurring reports whether the event is a series. Lists contain its occurrences.
func (e *Event) Recurring() bool { return e.Recurrence != nil }

// Clock returns the clock that the rules of the event refer to.
func (e *Event) Clock() recur.Clock {
	place, err := args.LocationOf(e.Timezone)
	if err != nil {
		place = time.UTC
	}
	return recur.Clock{Zone: place, AllDay: e.AllDay, Start: e.Start}
}

// Occur turns a series into its occurrence with an id and the given wall-clock times.
func (e *Event) Occur(id int64, original, start, end time.Time) {
	place := e.Clock().Zone
	e.Series = &Series{ID: e.ID, OriginalStart: original, Title: e.Title}
	e.ID, e.Recurrence, e.StoredUntil, e.Exceptions = id, nil, time.Time{}, nil
	e.Start, e.End = start, end
	e.StartUTC, e.EndUTC = args.Resolve(start, place).UTC(), args.Resolve(end, place).UTC()
}

// Occurrence is the time of one occurrence of a series.
type Occurrence struct {
	Original         time.Time // the start that the rule yields
	Start, End       time.Time // wall-clock time; a time in a gap is shifted (RFC 5545 §3.3.5)
	StartUTC, EndUTC time.Time
}

// Limits of the occurrences stored for a series: years ahead, a minimum number for rare series, and the maximum per
// write. The rest follows gradually, up to MostStored.
const (
	yearsAhead   = 10
	fewestStored = 20
	StoredAtOnce = 10_000
	MostStored   = 100_000
)

// Horizon returns the wall-clock time, carried in time.UTC, up to which occurrences are currently stored.
func Horizon(now time.Time) time.Time { return args.DayOf(now.UTC()).AddDate(yearsAhead, 0, 0) }

// Starts returns the starts of a series from its beginning up to a horizon, up to a maximum number. It also returns
// the wall-clock time up to which they are complete, or the zero time if the series ends before it.
func (e *Event) Starts(horizon time.Time, most int) (list []time.Time, until time.Time) {
	return e.starts(time.Time{}, horizon, fewestStored, most)
}

// More is Starts for the starts after a wall-clock time. stored is the number of occurrences already stored, room how many the
// site may still store.
func (e *Event) More(after, horizon time.Time, stored, room int) (list []time.Time, until time.Time) {
	return e.starts(after.Add(time.Second), horizon, 0, min(max(MostStored-stored, 0), room))
}

func (e *Event) starts(from, horizon time.Time, least, most int) (list []time.Time, until time.Time) {
	endless := e.Recurrence.Endless()
	for original := range e.Recurrence.All(e.Clock(), from) {
		if endless && original.After(horizon) && len(list) >= least || len(list) == most {
			return list, original.Add(-time.Second)
		}
		list = append(list, original)
	}
	return list, time.Time{}
}

// occurrence resolves an occurrence in a time zone. It keeps the wall-clock end, so that the duration changes when
// clocks do.
func occurrence(original time.Time, length time.Duration, place *time.Location) Occurrence {
	o := Occurrence{Original: original}
	o.StartUTC = args.Resolve(original, place).UTC()
	o.EndUTC = args.Resolve(original.Add(length), place).UTC()
	if !o.EndUTC.After(o.StartUTC) { // the shift of the start out of a gap reached the end
		o.EndUTC = o.StartUTC.Add(length)
	}
	o.Start, o.End = args.WallTime(o.StartUTC, place), args.WallTime(o.EndUTC, place)
	return o
}

// SeveralADay reports whether there may be several occurrences on one day, so that addresses need the time of day.
func (e *Event) SeveralADay() bool {
	if e.Recurrence == nil {
		return false
	}
	if len(e.Recurrence.Rules) > 1 {
		return true
	}
	for _, r := range e.Recurrence.Rules {
		if len(r.ByHour)*max(len(r.ByMinute), 1) > 1 || len(r.ByMinute) > 1 {
			return true
		}
	}
	for _, date := range e.Recurrence.Dates {
		if args.DayOf(date).Add(e.Start.Sub(args.DayOf(e.Start))) != date {
			return true
		}
	}
	return false
}

// CheckOccurrence returns the problems of a write to one occurrence that changes fields of the whole series.
func CheckOccurrence(was, e *Event) error {
	found := &args.Problems{}
	for i := range eventFields {
		if f := &eventFields[i]; f.Whole && !f.Same(was, e) {
			found.Invalid(f.Name, "problem.series.whole", nil)
		}
	}
	return found.Err()
}

// OfWhole reports whether an argument can only be written to a series or the rest of it, but not to one occurrence.
func OfWhole(argument string) bool {
	f := EventFieldNamed(argument)
	return f != nil && f.Whole
}

// ownTimes is the entry of Series.Changed for an occurrence's times.
const ownTimes = "start_date"

// Differ updates which fields of an occurrence differ from the series, given its state before the write.
func (e *Event) Differ(was *Event) {
	changed := e.spelledOut(was)
	changed = append(changed, differingTexts(was, e)...)
	for i := range eventFields {
		if f := &eventFields[i]; f.own() && !f.Same(was, e) {
			changed = append(changed, f.Name)
		}
	}
	if !was.Start.Equal(e.Start) || !was.End.Equal(e.End) {
		changed = append(changed, ownTimes)
	}
	e.Series.Changed = summed(changed)
}

// Back removes fields that a write has reset to the series' values from the list of differing fields. It reports
// whether the list is then empty.
func (s *Series) Back(was, e, series *Event) bool {
	when := series.OccurrenceAt(s.OriginalStart)
	s.Changed = summed(slices.DeleteFunc(slices.Clone(s.Changed), func(name string) bool {
		if language, field, is := ownText(name); is {
			text := e.textIn(language, field)
			return text != was.textIn(language, field) && text == series.textIn(language, field)
		}
		if name == ownTimes {
			moved := !was.Start.Equal(e.Start) || !was.End.Equal(e.End)
			return moved && e.Start.Equal(when.Start) && e.End.Equal(when.End)
		}
		f := EventFieldNamed(name)
		return f != nil && f.own() && !f.Same(was, e) && f.Same(series, e)
	}))
	return len(s.Changed) == 0
}

// Inherit copies the fields of a series to an occurrence, except those in which it differs. An occurrence with its
// own times keeps them.
func (e *Event) Inherit(series *Event, when Occurrence) {
	e.Several, e.UID, e.Origin, e.Elsewhere = series.Several, series.UID, series.Origin, series.Elsewhere
	e.Series.ID, e.Series.OriginalStart = series.ID, when.Original
	for i := range eventFields {
		if f := &eventFields[i]; f.Whole || f.own() && !slices.Contains(e.Series.Changed, f.Name) {
			f.Take(e, series)
		}
	}
	e.inheritTexts(series)
	if slices.Contains(e.Series.Changed, ownTimes) {
		place := e.Clock().Zone
		e.StartUTC, e.EndUTC = args.Resolve(e.Start, place).UTC(), args.Resolve(e.End, place).UTC()
		return
	}
	e.Start, e.End, e.StartUTC, e.EndUTC = when.Start, when.End, when.StartUTC, when.EndUTC
}

// OccurrenceSlug returns the stored slug of an occurrence that differs. No event can have it, because slugs contain
// no slashes.
func OccurrenceSlug(series string, original time.Time) string {
	if series == "" {
		return ""
	}
	return series + "/" + original.Format("2006-01-02-150405")
}

func imageID(e *Event) int64 {
	if e.Image == nil {
		return 0
	}
	if e.Image.ID == 0 {
		return -1 // a new image
	}
	return e.Image.ID
}

func sameTicket(a, b Ticket) bool {
	sameTime := func(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }
	samePrice := a.Price == b.Price || a.Price != nil && b.Price != nil && *a.Price == *b.Price
	return a.Name == b.Name && a.URL == b.URL && samePrice && a.Currency == b.Currency && a.Status == b.Status &&
		sameTime(a.Available, b.Available) && sameTime(a.Until, b.Until)
}

func sameTerms(a, b []Term) bool {
	return slices.EqualFunc(a, b, func(a, b Term) bool { return a.ID == b.ID })
}

// MostID is the largest id of an event or occurrence, because many clients store ids in 32 bits.
const MostID = 1<<31 - 1

// OccurrenceAt returns the occurrence of a series with a given original start.
func (e *Event) OccurrenceAt(original time.Time) Occurrence {
	return occurrence(original, e.End.Sub(e.Start), e.Clock().Zone)
}

// HappensAt reports whether the rules of a series yield a start.
func (e *Event) HappensAt(original time.Time) bool {
	return recurrence.Yields(*e.Recurrence, e.Clock(), original)
}

// ExtendAt returns when to store more occurrences of a series that is stored up to a wall-clock time.
func ExtendAt(storedUntil time.Time) time.Time {
	return storedUntil.Add(time.Second).AddDate(-yearsAhead, 0, 0)
}

// Rescheduled reports whether a change affects time, place or status, and therefore raises SEQUENCE (RFC 5545
// §3.8.7.4).
func Rescheduled(was, e *Event) bool {
	return !was.Start.Equal(e.Start) || !was.End.Equal(e.End) || was.Timezone != e.Timezone || was.AllDay != e.AllDay ||
		was.Happening.Status != e.Happening.Status || was.Status != e.Status || was.Hidden != e.Hidden ||
		!slices.EqualFunc(was.Venues, e.Venues, sameVenue) || !reflect.DeepEqual(was.Recurrence, e.Recurrence)
}

// Differing returns the arguments in which two states of an event differ, except its links. Texts are compared by what they say.
func Differing(a, b *Event) []string {
	var names []string
	for i := range eventFields {
		f := &eventFields[i]
		switch f.Name {
		case "venue", "organizer", "categories", "tags":
			continue
		case "description", "excerpt":
			if wording.PlainText(a.Description) == wording.PlainText(b.Description) &&
				wording.PlainText(a.Excerpt) == wording.PlainText(b.Excerpt) {
				continue
			}
		}
		if (f.Whole || f.own()) && !f.Same(a, b) {
			names = append(names, f.Name)
		}
	}
	if !a.Start.Equal(b.Start) {
		names = append(names, "start_date")
	}
	if !a.End.Equal(b.End) {
		names = append(names, "end_date")
	}
	if !reflect.DeepEqual(a.Recurrence, b.Recurrence) {
		names = append(names, "recurrence")
	}
	return names
}

// Upcoming is Next from an instant on.
func (e *Event) Upcoming(now time.Time, most int) []Occurrence {
	return e.Next(args.WallTime(now, e.Clock().Zone), most)
}

// Next returns up to most occurrences of a series from a wall-clock time on. For a single event it returns its only
// one.
func (e *Event) Next(from time.Time, most int) []Occurrence {
	if e.Recurrence == nil {
		return []Occurrence{{e.Start, e.Start, e.End, e.StartUTC, e.EndUTC}}
	}
	clock := e.Clock()
	var list []Occurrence
	for original := range e.Recurrence.All(clock, from) {
		if len(list) == most {
			break
		}
		list = append(list, occurrence(original, e.End.Sub(e.Start), clock.Zone))
	}
	return list
}
