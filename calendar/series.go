package calendar

import (
	"reflect"
	"slices"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/recur"
)

// Series says which occurrence of which series an event is.
type Series struct {
	ID            int64
	OriginalStart time.Time // the start its rule gives it, wall clock: it stays when the occurrence is moved
	Changed       []string  // the fields it has of its own, nil when it is as the series says
	Title         string    // of the series, as single reads know it
}

// Day returns how the address of an occurrence names it: its day, and its time of
// day where a day may have several.
func (s *Series) Day(several bool) string {
	if several {
		return s.OriginalStart.Format("2006-01-02-1504")
	}
	return s.OriginalStart.Format("2006-01-02")
}

// Span is a span of the wall clock, from its start up to its end, which isn't of it.
type Span struct{ From, To time.Time }

// ParseDay reads what Day writes. An address without the time of day means the whole
// day.
func ParseDay(text string) (Span, bool) {
	if day, err := time.Parse("2006-01-02", text); err == nil {
		return Span{day, day.AddDate(0, 0, 1)}, true
	}
	at, err := time.Parse("2006-01-02-1504", text)
	return Span{at, at.Add(time.Minute)}, err == nil
}

// Path returns the path of an event's public page, the language aside; of an
// occurrence it names the day.
func (e *Event) Path() string {
	path := e.WholePath()
	if e.Series != nil {
		path += e.Series.Day(e.Several) + "/"
	}
	return path
}

// WholePath is Path, but of an occurrence that of its series.
func (e *Event) WholePath() string { return "/event/" + EncodedSlug(e.Slug) + "/" }

// Date is an occurrence of a series as others lead to it.
type Date struct {
	Original   time.Time // the start its rule gives it
	Start, End time.Time // wall clock
	Happening  Happening // without the reason
}

// Neighbours are what surrounds an occurrence: its series, and the dates before and
// after it, nil where there is none.
type Neighbours struct {
	Whole          *Event
	Previous, Next *Date
}

// DatePath is Path of another occurrence of an occurrence's series, or of a series.
func (e *Event) DatePath(d *Date) string {
	return e.WholePath() + (&Series{OriginalStart: d.Original}).Day(e.Several) + "/"
}

// Coming is when a series happens next, or happened last, and the id of that
// occurrence. Times are of the wall clock.
type Coming struct {
	ID         int64
	Start, End time.Time
}

// Recurring reports whether the event is a series: what is in lists are its
// occurrences.
func (e *Event) Recurring() bool { return e.Recurrence != nil }

// Clock returns the wall clock that the rules of the event speak of.
func (e *Event) Clock() recur.Clock {
	place, err := args.LocationOf(e.Timezone)
	if err != nil {
		place = time.UTC
	}
	return recur.Clock{Zone: place, AllDay: e.AllDay, Start: e.Start}
}

// Occur makes of a series its occurrence with an id, that starts and ends at
// these times of the wall clock.
func (e *Event) Occur(id int64, original, start, end time.Time) {
	place := e.Clock().Zone
	e.Series = &Series{ID: e.ID, OriginalStart: original, Title: e.Title}
	e.ID, e.Recurrence, e.StoredUntil, e.Exceptions = id, nil, time.Time{}, nil
	e.Start, e.End = start, end
	e.StartUTC, e.EndUTC = args.Resolve(start, place).UTC(), args.Resolve(end, place).UTC()
}

// Occurrence is when a series happens once.
type Occurrence struct {
	Original         time.Time // the start its rule gives it
	Start, End       time.Time // wall clock; what falls into a gap is moved (RFC 5545 §3.3.5)
	StartUTC, EndUTC time.Time
}

// The bounds of what is stored of a series: so many years ahead, or so few where
// it seldom happens, and so much by one write. The rest follows by and by, up to
// MostStored.
const (
	yearsAhead   = 10
	fewestStored = 20
	StoredAtOnce = 10_000
	MostStored   = 100_000
)

// Horizon returns until when occurrences are stored, as of now, on a wall clock
// carried in time.UTC.
func Horizon(now time.Time) time.Time { return day(now.UTC()).AddDate(yearsAhead, 0, 0) }

// Starts returns the starts that the rules of a series give, from its beginning up to
// a horizon or, if it ends, to its end, and until which wall clock that is all: the zero
// time for all of it. There are no more than a number.
func (e *Event) Starts(horizon time.Time, most int) (list []time.Time, until time.Time) {
	return e.starts(time.Time{}, horizon, fewestStored, most)
}

// More is Starts of what comes after a wall clock, of a series of which so
// many are stored, and of which so many more may be.
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

// occurrence localises an occurrence. It keeps its local end: a night with a
// change of clocks is longer or shorter than others.
func occurrence(original time.Time, length time.Duration, place *time.Location) Occurrence {
	o := Occurrence{Original: original}
	o.StartUTC = args.Resolve(original, place).UTC()
	o.EndUTC = args.Resolve(original.Add(length), place).UTC()
	if o.EndUTC.Before(o.StartUTC) { // its end is the hour that the gap moved its start by
		o.EndUTC = o.StartUTC.Add(length)
	}
	o.Start, o.End = wall(o.StartUTC, place), wall(o.EndUTC, place)
	return o
}

// Several reports whether a day may have more than one occurrence, so that its
// address names the time of day, too.
func (e *Event) several() bool {
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
		if day(date).Add(e.Start.Sub(day(e.Start))) != date {
			return true
		}
	}
	return false
}

// shared are the fields that an occurrence can't have of its own.
var shared = []struct {
	name string
	same func(a, b *Event) bool
}{
	{"status", func(a, b *Event) bool { return a.Status == b.Status }},
	{"author", func(a, b *Event) bool { return a.Author == b.Author }},
	{"date", func(a, b *Event) bool { return a.Date.Equal(b.Date) || !b.Dated }},
	{"slug", func(a, b *Event) bool { return a.Slug == b.Slug }},
	{"timezone", func(a, b *Event) bool { return a.Timezone == b.Timezone }},
	{"all_day", func(a, b *Event) bool { return a.AllDay == b.AllDay }},
	{"hide_from_listings", func(a, b *Event) bool { return a.Hidden == b.Hidden }},
	{"post_password", func(a, b *Event) bool { return slices.Equal(a.Password, b.Password) }},
	{"post_parent", func(a, b *Event) bool { return a.Parent == b.Parent }},
}

// ofWhole returns the problems of a write to one occurrence that changes what
// only the whole series has.
func ofWhole(was, e *Event) error {
	found := &args.Problems{}
	for _, field := range shared {
		if !field.same(was, e) {
			found.Invalid(field.name, "problem.series.whole", nil)
		}
	}
	return found.Err()
}

// OfWhole reports whether an argument can be written to a whole series or a part of
// it alone, and not to one occurrence.
func OfWhole(argument string) bool {
	return argument == "recurrence" || argument == "exceptions" ||
		slices.ContainsFunc(shared, func(field struct {
			name string
			same func(a, b *Event) bool
		}) bool {
			return field.name == argument
		})
}

// own are the fields that an occurrence can have of its own, each with how it is
// taken over from another event. Links are compared by what they name.
var own = []struct {
	name string
	same func(a, b *Event) bool
	take func(e, from *Event)
}{
	{"title", func(a, b *Event) bool { return a.Title == b.Title }, func(e, from *Event) { e.Title = from.Title }},
	{"description", func(a, b *Event) bool { return a.Description == b.Description },
		func(e, from *Event) { e.Description = from.Description }},
	{"excerpt", func(a, b *Event) bool { return a.Excerpt == b.Excerpt }, func(e, from *Event) { e.Excerpt = from.Excerpt }},
	{"seo_title", func(a, b *Event) bool { return a.SEO.Title == b.SEO.Title }, func(e, from *Event) { e.SEO.Title = from.SEO.Title }},
	{"seo_description", func(a, b *Event) bool { return a.SEO.Description == b.SEO.Description },
		func(e, from *Event) { e.SEO.Description = from.SEO.Description }},
	{"translations", func(a, b *Event) bool { return a.Texts.Equal(b.Texts) }, func(e, from *Event) { e.Texts = from.Texts }},
	{"image", func(a, b *Event) bool { return imageID(a) == imageID(b) }, func(e, from *Event) { e.Image = from.Image }},
	{"cost", func(a, b *Event) bool { return slices.Equal(a.Cost, b.Cost) }, func(e, from *Event) { e.Cost = from.Cost }},
	{"website", func(a, b *Event) bool { return a.Website == b.Website }, func(e, from *Event) { e.Website = from.Website }},
	{"show_map", func(a, b *Event) bool { return a.ShowMap == b.ShowMap }, func(e, from *Event) { e.ShowMap = from.ShowMap }},
	{"show_map_link", func(a, b *Event) bool { return a.ShowMapLink == b.ShowMapLink },
		func(e, from *Event) { e.ShowMapLink = from.ShowMapLink }},
	{"sticky", func(a, b *Event) bool { return a.Sticky == b.Sticky }, func(e, from *Event) { e.Sticky = from.Sticky }},
	{"featured", func(a, b *Event) bool { return a.Featured == b.Featured }, func(e, from *Event) { e.Featured = from.Featured }},
	{"tickets", func(a, b *Event) bool { return slices.EqualFunc(a.Tickets, b.Tickets, sameTicket) },
		func(e, from *Event) { e.Tickets = from.Tickets }},
	{"event_status", func(a, b *Event) bool { return a.Happening == b.Happening }, func(e, from *Event) { e.Happening = from.Happening }},
	{"attendance_mode", func(a, b *Event) bool { return a.Attendance == b.Attendance },
		func(e, from *Event) { e.Attendance = from.Attendance }},
	{"venue", func(a, b *Event) bool {
		return slices.EqualFunc(a.Venues, b.Venues, func(a, b Venue) bool { return a.ID == b.ID })
	},
		func(e, from *Event) { e.Venues = from.Venues }},
	{"organizer", func(a, b *Event) bool {
		return slices.EqualFunc(a.Organizers, b.Organizers, func(a, b Organizer) bool { return a.ID == b.ID })
	}, func(e, from *Event) { e.Organizers = from.Organizers }},
	{"categories", func(a, b *Event) bool { return sameTerms(a.Categories, b.Categories) },
		func(e, from *Event) { e.Categories = from.Categories }},
	{"tags", func(a, b *Event) bool { return sameTerms(a.Tags, b.Tags) }, func(e, from *Event) { e.Tags = from.Tags }},
}

// ownTimes is the name of an occurrence's times among the fields it has of its own.
const ownTimes = "start_date"

// Differ notes which fields an occurrence has of its own after a write that found
// it as was.
func (e *Event) Differ(was *Event) {
	changed := slices.Clone(e.Series.Changed)
	for _, field := range own {
		if !field.same(was, e) {
			changed = append(changed, field.name)
		}
	}
	if !was.Start.Equal(e.Start) || !was.End.Equal(e.End) {
		changed = append(changed, ownTimes)
	}
	slices.Sort(changed)
	e.Series.Changed = slices.Compact(changed)
}

// Back notes that an occurrence which was so has not of its own any more what a write
// made as its series has it, and reports whether it has nothing of its own.
func (s *Series) Back(was, e, series *Event) bool {
	when := series.OccurrenceAt(s.OriginalStart)
	s.Changed = slices.DeleteFunc(slices.Clone(s.Changed), func(name string) bool {
		if name == ownTimes {
			moved := !was.Start.Equal(e.Start) || !was.End.Equal(e.End)
			return moved && e.Start.Equal(when.Start) && e.End.Equal(when.End)
		}
		for _, field := range own {
			if field.name == name {
				return !field.same(was, e) && field.same(series, e)
			}
		}
		return false
	})
	return len(s.Changed) == 0
}

// Inherit gives an occurrence that differs what its series has, but for the
// fields it has of its own. An occurrence with its own times keeps them.
func (e *Event) Inherit(series *Event, when Occurrence) {
	e.Status, e.Author, e.Date, e.Dated = series.Status, series.Author, series.Date, series.Dated
	e.Hidden, e.Password, e.Parent = series.Hidden, series.Password, series.Parent
	e.Timezone, e.AllDay, e.Several, e.UID = series.Timezone, series.AllDay, series.Several, series.UID
	e.Series.ID, e.Series.OriginalStart = series.ID, when.Original
	e.Slug = series.Slug
	for _, field := range own {
		if !slices.Contains(e.Series.Changed, field.name) {
			field.take(e, series)
		}
	}
	if slices.Contains(e.Series.Changed, ownTimes) {
		place := e.Clock().Zone
		e.StartUTC, e.EndUTC = args.Resolve(e.Start, place).UTC(), args.Resolve(e.End, place).UTC()
		return
	}
	e.Start, e.End, e.StartUTC, e.EndUTC = when.Start, when.End, when.StartUTC, when.EndUTC
}

// OccurrenceSlug is how the slug of an occurrence that differs from its series is
// stored: no event can have it, for slugs have no slashes.
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
		return -1 // a new one
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

// MostID is the largest id of an event or occurrence: many clients hold ids in 32
// bits.
const MostID = 1<<31 - 1

// OccurrenceAt returns the occurrence of a series whose rules give it a start.
func (e *Event) OccurrenceAt(original time.Time) Occurrence {
	return occurrence(original, e.End.Sub(e.Start), e.Clock().Zone)
}

// HappensAt reports whether the rules of a series give it a start.
func (e *Event) HappensAt(original time.Time) bool {
	return has(*e.Recurrence, e.Clock(), original)
}

// ExtendAt returns when more of a series is to be stored that is stored until a
// wall clock.
func ExtendAt(storedUntil time.Time) time.Time {
	return storedUntil.Add(time.Second).AddDate(-yearsAhead, 0, 0)
}

// Rescheduled reports whether a change is one of time, place or status, which
// calendars count (RFC 5545 §3.8.7.4).
func Rescheduled(was, e *Event) bool {
	venue := func(a, b Venue) bool { return a.ID == b.ID }
	return !was.Start.Equal(e.Start) || !was.End.Equal(e.End) || was.Timezone != e.Timezone || was.AllDay != e.AllDay ||
		was.Happening.Status != e.Happening.Status || was.Status != e.Status || was.Hidden != e.Hidden ||
		!slices.EqualFunc(was.Venues, e.Venues, venue) || !reflect.DeepEqual(was.Recurrence, e.Recurrence)
}
