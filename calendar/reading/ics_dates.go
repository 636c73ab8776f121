package reading

import (
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/internal/args"
)

// singleDate is a date of an RDATE or EXDATE.
type singleDate struct {
	text   string // as written
	at     when
	wall   time.Time // in the zone of the series
	period string    // end or length; "" if it is no period
}

// singleDates returns the dates of an RDATE or EXDATE. It leaves out unreadable ones.
func (e *icsEvent) singleDates(p property) iter.Seq[singleDate] {
	return func(yield func(singleDate) bool) {
		for text := range strings.FieldsFuncSeq(p.value, func(r rune) bool { return r == ',' || r == ';' }) {
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			start, period, _ := strings.Cut(text, "/")
			one := p
			one.value = start
			at, ok := e.part.calendar.when(one)
			if !ok {
				e.entry.warn("date-left-out", "recurrence", p.name+":"+text)
				continue
			}
			e.entry.Warnings = appendNew(e.entry.Warnings, at.notes)
			if !yield(singleDate{text, at, at.in(e.zone), period}) {
				return
			}
		}
	}
}

// dates reads the dates of an RDATE or EXDATE in the zone of the series.
func (e *icsEvent) dates(p property) []any {
	list := []any{}
	for d := range e.singleDates(p) {
		if d.period != "" && !e.asUsual(p, d) && !e.part.apart[d.wall.Format(layout)] {
			e.entry.warn("period-length", "recurrence", d.text)
		}
		form := layout
		if e.wholeDay || d.at.Day {
			form = time.DateOnly
		}
		list = append(list, d.wall.Format(form))
	}
	return list
}

// asUsual reports whether a date is as long as the series says.
func (e *icsEvent) asUsual(p property, d singleDate) bool {
	end, ok := e.endOf(p, d)
	return ok && end.Equal(e.usualEnd(d))
}

// usualEnd returns the end that a date has as a date of the series.
func (e *icsEvent) usualEnd(d singleDate) time.Time { return d.wall.Add(e.end.Sub(e.start)) }

// endOf returns the end of a date of an RDATE, and false if it is unreadable.
func (e *icsEvent) endOf(p property, d singleDate) (time.Time, bool) {
	if length, ok := moments.ParseDuration(d.period); ok {
		return length.After(d.wall, e.zone), true
	}
	p.value = d.period
	end, ok := e.part.calendar.when(p)
	return end.in(e.zone), ok && !end.in(e.zone).Before(d.wall)
}

// hasPeriods reports whether a line has dates with a length of their own.
func (l contentLine) hasPeriods() bool {
	if l.name != "RDATE" {
		return false
	}
	p, ok := l.parse()
	return ok && strings.Contains(p.value, "/")
}

// ownLength is a date of a series whose RDATE gives it another length than the series has.
type ownLength struct {
	title string
	end   time.Time
}

// setApart adds an entry for each date of a series with a length of its own. It does so after all others of the file, because these
// are numbered already. dates are the dates that have a VEVENT.
func (f *calendarFile) setApart(dates map[string]*eventPart) {
	for _, part := range slices.Clone(f.events) {
		if !part.periods || part.uid == "" || part.recurrence != nil || part.superseded || part.fault != "" {
			continue
		}
		e := f.whole(part)
		if e.zone == nil || e.wholeDay || e.entry.Cancelled || len(e.entry.Problems) > 0 || part.calendar.method == "CANCEL" {
			continue
		}
		part.apart = map[string]bool{}
		for _, p := range e.all["EXDATE"] {
			for d := range e.singleDates(p) {
				part.apart[d.wall.Format(layout)] = true
			}
		}
		for _, p := range e.all["RDATE"] {
			for d := range e.singleDates(p) {
				if d.period != "" && !e.asUsual(p, d) {
					f.addOwn(e, p, d, dates)
				}
			}
		}
	}
}

// addOwn adds an entry for a date with a length of its own, unless the date is excluded or has a VEVENT.
func (f *calendarFile) addOwn(e *icsEvent, p property, d singleDate, dates map[string]*eventPart) {
	original := d.wall.Format(layout)
	end, ok := e.endOf(p, d)
	if !ok || e.part.apart[original] || len(f.events) == MaxEntries {
		return
	}
	e.part.apart[original] = true
	if dates[e.part.uid+"\x00"+original] != nil {
		return
	}
	own := *e.part
	own.number, own.original, own.period = len(f.events)+1, original, &ownLength{e.entry.Title, end}
	f.events = append(f.events, &own)
}

// ownEntry returns the entry for a date with a length of its own.
func (e *eventPart) ownEntry() Entry {
	return Entry{Number: e.number, Line: e.line, UID: e.uid, Recurrence: e.original, Sequence: e.sequence, Modified: e.modified,
		Title: e.period.title, Start: e.original,
		Values: args.Values{"start_date": e.original, "end_date": e.period.end.Format(layout)}}
}
