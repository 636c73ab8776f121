package reading

import (
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// icsEvent is the state of reading a VEVENT.
type icsEvent struct {
	icsComponent
	part     *eventPart
	series   *icsSeries // the series that the event is a date of; nil if the file has none
	entry    *Entry
	values   args.Values
	start    time.Time      // as wall-clock time
	end      time.Time      // the same for the end; for whole days, the last day
	zone     *time.Location // of both
	wholeDay bool

	unmoved   bool // it is a date of a series, without a start of its own
	midnights bool // it has whole days, written as times at midnight
}

// entry reads an event of the file.
func (f *calendarFile) entry(part *eventPart) Entry {
	if part.period != nil {
		return part.ownEntry()
	}
	e := Entry{Number: part.number, Line: part.line, UID: part.uid, Recurrence: part.original, Sequence: part.sequence,
		Modified: part.modified, Superseded: part.superseded, Void: part.calendar.method == "CANCEL"}
	if part.fault != "" {
		e.refuse(part.fault, "", "")
		if part.fault == "entry-long" {
			return e
		}
	}
	if part.recurrence != nil && part.original == "" {
		e.refuse("date-unreadable", "recurrence", part.recurrence.value)
	}
	event := &icsEvent{icsComponent: readComponent(f.data[part.from:part.to], part.line), part: part, entry: &e, values: args.Values{}}
	if part.recurrence != nil {
		event.series = f.series[part.uid]
		e.Following = strings.EqualFold(part.recurrence.params["RANGE"], "THISANDFUTURE")
	}
	notice := part.recurrence != nil && event.text("SUMMARY") == "" && event.cancelled()
	if notice || strings.EqualFold(event.text("X-KALENDS-STATUS"), "gone") { // it only says what is cancelled
		e.Void = true
	}
	if event.read(); part.endMissing {
		e.warn(EndMissing, "", "")
	}
	if e.Values = event.values; len(e.Problems) > 0 {
		e.Values = nil
	} else if event.series != nil {
		event.series.differing(e.Values)
	}
	return e
}

// refuse adds a problem.
func (e *Entry) refuse(code, param, value string) {
	e.Problems = append(e.Problems, Finding{code, param, args.Shortened(value)})
}

// warn adds a warning.
func (e *Entry) warn(code, param, value string) {
	e.Warnings = append(e.Warnings, Finding{code, param, args.Shortened(value)})
}

func (e *icsEvent) read() {
	for _, line := range e.broken {
		e.entry.warn("line-unreadable", "", readable(line.raw[:min(len(line.raw), longestName)]))
	}
	e.leftOut()
	e.title()
	e.times()
	e.state()
	e.description()
	e.place()
	e.people()
	e.links()
	e.terms()
}

// leftOut warns of properties that say something to people and have no place in an event: second values of what an event
// has once, and notes.
func (e *icsEvent) leftOut() {
	for _, name := range []string{"DTSTART", "DTEND", "SUMMARY", "DESCRIPTION", "LOCATION", "URL", "GEO", "ORGANIZER", "STATUS"} {
		used, _ := e.first(name)
		for _, p := range e.all[name] {
			if strings.TrimSpace(p.value) != "" && p.value != used.value {
				e.entry.warn("value-left-out", "", name+":"+p.value)
			}
		}
	}
	_, ours := e.first("X-KALENDS-FACTS")
	for _, name := range []string{"CONTACT", "COMMENT", "RESOURCES"} {
		for _, p := range e.all[name] {
			switch text := oneLine(p.text()); {
			case text == "":
			case ours && name == "COMMENT":
				e.values["event_status_reason"] = text
			default:
				e.entry.warn("value-left-out", "", name+":"+text)
			}
		}
	}
}

func (e *icsEvent) title() {
	title := e.text("SUMMARY")
	e.entry.Title = wording.CleanTitle(title)
	switch {
	case e.entry.Title != "":
		e.values["title"] = title
	case e.series == nil && !e.entry.Void:
		e.entry.refuse("title-missing", "title", "")
	}
}

// cancelled reports whether STATUS says that the event does not take place.
func (e *icsEvent) cancelled() bool {
	status := e.text("STATUS")
	return strings.EqualFold(status, "CANCELLED") || strings.EqualFold(status, "CANCELED")
}

// state reads STATUS and CLASS.
func (e *icsEvent) state() {
	exact := strings.ToLower(e.text("X-KALENDS-STATUS"))
	switch status := strings.ToUpper(e.text("STATUS")); {
	case exact == "postponed", exact == "rescheduled":
		e.values["event_status"] = exact
	case status == "", status == "CONFIRMED", e.cancelled():
	case status == "TENTATIVE":
		e.entry.warn("tentative", "event_status", "")
	default:
		e.entry.warn("value-left-out", "event_status", status)
	}
	if e.cancelled() || e.entry.Void {
		e.entry.Cancelled = true
		e.values["event_status"] = "cancelled"
	}
	switch strings.ToUpper(e.text("CLASS")) {
	case "", "PUBLIC":
	default: // any other class means PRIVATE (RFC 5545 §3.8.1.3)
		e.values["status"] = "private"
	}
}

// times reads when the event takes place, and how it repeats.
func (e *icsEvent) times() {
	p, found := e.first("DTSTART")
	if !found && e.series != nil { // as in the notice that a date is cancelled
		p, found, e.unmoved = *e.part.recurrence, true, true
	}
	if !found {
		if !e.entry.Void {
			e.entry.refuse("start-missing", "start_date", "")
		}
		return
	}
	start, ok := e.part.calendar.when(p)
	if !ok {
		e.entry.refuse("date-unreadable", "start_date", p.value)
		return
	}
	e.entry.Warnings = append(e.entry.Warnings, start.notes...)
	e.zone = e.zoneFor(start)
	e.start, e.wholeDay = start.in(e.zone), start.Day
	if e.series != nil && start.zone != nil && !start.UTC && !start.Wall.Equal(e.start) {
		e.entry.warn("date-zone", "timezone", start.zone.String())
	}
	if e.ending(); len(e.entry.Problems) > 0 {
		return
	}
	if e.midnights = !e.wholeDay && e.markedAllDay() && isMidnight(e.start) && isMidnight(e.end); e.midnights {
		e.wholeDay = true
		if e.end.After(e.start) {
			e.end = e.end.AddDate(0, 0, -1)
		}
	}
	e.within()
	e.entry.Start = e.start.Format(layout)
	form := layout
	if e.wholeDay {
		form = time.DateOnly
	}
	e.values["all_day"] = e.wholeDay
	e.values["timezone"] = e.zone.String()
	if e.midnights && start.UTC {
		e.values["timezone"] = e.part.calendar.floating.String()
	}
	e.values["start_date"], e.values["end_date"] = e.start.Format(form), e.end.Format(form)
	if e.part.recurrence == nil {
		e.repeats()
	}
}

// zoneFor returns the event's zone: that of its start. Times in UTC become local times, as people expect. An event
// with a rule in UTC stays in UTC, because in another zone the rule would mean other instants.
func (e *icsEvent) zoneFor(start when) *time.Location {
	_, repeats := e.first("RRULE")
	local := e.part.calendar.floating
	switch {
	case e.series != nil:
		return e.series.zone
	case start.zone == nil:
		return local
	case start.zone == time.UTC && start.UTC && e.markedAllDay() && isMidnight(start.in(local)):
		return local
	case start.zone == time.UTC && start.UTC && !repeats && !(e.markedAllDay() && isMidnight(start.Wall)):
		return local
	}
	return start.zone
}

// ending reads the end of the event, after its start. Without DTEND and DURATION, the end is the start.
func (e *icsEvent) ending() {
	e.end = e.start
	last, hasEnd := e.first("DTEND")
	long, hasLength := e.first("DURATION")
	switch {
	case hasEnd:
		end, ok := e.part.calendar.when(last)
		if !ok {
			e.entry.refuse("date-unreadable", "end_date", last.value)
			return
		}
		e.entry.Warnings = appendNew(e.entry.Warnings, end.notes)
		e.end = end.in(e.zone)
		if e.wholeDay && isMidnight(e.end) && e.end.After(e.start) { // it is the day after the last
			e.end = e.end.AddDate(0, 0, -1)
		}
		if length, ok := moments.ParseDuration(long.value); ok && !e.wholeDay && !length.After(e.start, e.zone).Equal(e.end) {
			e.entry.warn("value-left-out", "end_date", long.value)
		}
		if e.wholeDay && e.end.Equal(e.start.AddDate(0, 0, -1)) {
			e.entry.warn("value-left-out", "end_date", last.value)
		}
	case hasLength:
		length, ok := moments.ParseDuration(long.value)
		if !ok {
			e.entry.refuse("date-unreadable", "end_date", long.value)
			return
		}
		e.end = length.After(e.start, e.zone)
		if e.wholeDay {
			e.end = args.DayOf(e.end.Add(-time.Second))
		}
	case e.unmoved:
		e.end = e.start.Add(e.series.length)
	}
	if e.wholeDay && e.end.Before(e.start) && e.end.Equal(e.start.AddDate(0, 0, -1)) {
		e.end = e.start
	}
	if e.wholeDay {
		e.end = args.DayOf(e.end)
	}
}

// markedAllDay reports whether a Microsoft program marks the event as all-day.
func (e *icsEvent) markedAllDay() bool {
	return strings.EqualFold(e.text("X-MICROSOFT-CDO-ALLDAYEVENT"), "TRUE") ||
		strings.EqualFold(e.text("X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT"), "TRUE")
}

func isMidnight(t time.Time) bool { return args.DayOf(t).Equal(t) }

// within adapts a changed date to its series, which alone decides whether it is all-day.
func (e *icsEvent) within() {
	switch {
	case e.series == nil || e.series.wholeDay == e.wholeDay:
		return
	case e.series.wholeDay:
		e.start, e.end = args.DayOf(e.start), args.DayOf(e.end)
	default:
		e.end = args.LastSecond(e.end)
	}
	e.entry.warn("all-day-differs", "all_day", "")
	e.wholeDay = e.series.wholeDay
}

// appendNew adds the findings that the list does not contain yet.
func appendNew(list, more []Finding) []Finding {
	for _, finding := range more {
		known := false
		for _, there := range list {
			known = known || there == finding
		}
		if !known {
			list = append(list, finding)
		}
	}
	return list
}
