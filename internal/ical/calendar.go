package ical

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Calendar holds the properties of a calendar. Empty texts are omitted.
type Calendar struct {
	Product  string // PRODID
	Name     string
	Language string        // BCP 47, applies to all texts
	Color    string        // a CSS3 color name (RFC 7986 §5.9)
	URL      string        // page that shows the same events to people
	Refresh  time.Duration // how often clients should poll; 0 omits it
}

// Begin writes the header of a calendar.
func (w *Writer) Begin(c *Calendar) {
	w.language = c.Language
	w.property("BEGIN", "VCALENDAR")
	w.property("VERSION", "2.0")
	w.property("PRODID", escape(c.Product))
	w.property("CALSCALE", "GREGORIAN")
	w.property("METHOD", "PUBLISH")
	w.text("NAME", c.Name)
	w.optional("X-WR-CALNAME", escape(c.Name))
	w.optional("COLOR", c.Color)
	w.optional("URL", c.URL)
	if c.Refresh > 0 {
		w.property("REFRESH-INTERVAL;VALUE=DURATION", duration(c.Refresh))
		w.property("X-PUBLISHED-TTL", duration(c.Refresh))
	}
}

// End writes the footer of a calendar and returns the first write error.
func (w *Writer) End() error {
	w.property("END", "VCALENDAR")
	return w.err
}

// Err returns the first write error so far.
func (w *Writer) Err() error { return w.err }

// duration formats d in whole minutes (§3.3.6).
func duration(d time.Duration) string {
	minutes := int(d.Minutes())
	if minutes%60 == 0 {
		return "PT" + strconv.Itoa(minutes/60) + "H"
	}
	return "PT" + strconv.Itoa(minutes) + "M"
}

// The values of Event.Status (§3.8.1.11).
const (
	Confirmed = "CONFIRMED"
	Tentative = "TENTATIVE"
	Cancelled = "CANCELLED"
)

// Event is one VEVENT. Start, End, RecurrenceID, Dates and Except are wall-clock times carried in time.UTC; Stamp,
// Created and Modified are instants. Empty fields are omitted.
type Event struct {
	UID          string
	Sequence     int
	Stamp        time.Time
	Created      time.Time
	Modified     time.Time
	Start, End   time.Time
	Zone         *time.Location // nil means UTC
	AllDay       bool           // if set, End is the last day, inclusive
	RecurrenceID time.Time      // the occurrence of the series with this UID
	Rules        []string       // values of RRULE
	Dates        []time.Time    // RDATE
	Except       []time.Time
	Status       string //
	Class        string // PUBLIC or PRIVATE

	Summary     string
	Description string // plain text
	HTML        string // the same description, formatted
	Comment     string
	Location    string
	Geo         *Geo
	URL         string
	Conference  string // address for taking part online
	Image       *Image
	Organizer   *Organizer
	Categories  []string
	Color       string // a CSS3 color name

	Facts int      // how many lines at the end of the texts are not of the description itself
	Cost  string   // as people write it
	Tags  []string // those of Categories that are tags
	Exact string   // a status that STATUS cannot have
}

// Geo is a position in WGS 84 degrees.
type Geo struct{ Lat, Lng float64 }

// Image is the address and media type of an image.
type Image struct{ URL, Type string }

// Organizer is the organizer of an event. Email is required.
type Organizer struct{ Name, Email string }

// recurs reports whether the event is a series or part of one.
func (e *Event) recurs() bool { return len(e.Rules)+len(e.Dates) > 0 || !e.RecurrenceID.IsZero() }

// Event writes an event. It is preceded by its time zone unless the calendar already describes that.
func (w *Writer) Event(e *Event) {
	form := w.form(e)
	w.property("BEGIN", "VEVENT")
	w.property("UID", escape(e.UID))
	w.instant("DTSTAMP", e.Stamp)
	w.times(e, form)
	w.property("SEQUENCE", strconv.Itoa(e.Sequence))
	w.instant("CREATED", e.Created)
	w.instant("LAST-MODIFIED", e.Modified)
	w.optional("STATUS", e.Status)
	w.optional("CLASS", e.Class)
	w.text("SUMMARY", e.Summary)
	w.text("DESCRIPTION", e.Description)
	if e.HTML != "" {
		w.property("X-ALT-DESC;FMTTYPE=text/html", escape("<html><body>"+e.HTML+"</body></html>"))
	}
	w.text("COMMENT", e.Comment)
	w.text("LOCATION", e.Location)
	if e.Geo != nil {
		w.property("GEO", degrees(e.Geo.Lat)+";"+degrees(e.Geo.Lng))
	}
	w.optional("URL", e.URL)
	w.optional("CONFERENCE;VALUE=URI;FEATURE=VIDEO", e.Conference)
	if e.Image != nil {
		kind := ""
		if e.Image.Type != "" {
			kind = ";FMTTYPE=" + parameter(e.Image.Type)
		}
		w.property("IMAGE;VALUE=URI;DISPLAY=BADGE"+kind, e.Image.URL)
	}
	if o := e.Organizer; o != nil && o.Email != "" {
		name := ""
		if o.Name != "" {
			name = ";CN=" + parameter(o.Name)
		}
		w.property("ORGANIZER"+name, "mailto:"+url.PathEscape(strings.Join(strings.Fields(o.Email), "")))
	}
	w.texts("CATEGORIES", e.Categories)
	w.optional("COLOR", e.Color)
	w.own(e)
	w.property("END", "VEVENT")
}

// own writes what calendar programs do not read, so that another installation gets the event as it is.
func (w *Writer) own(e *Event) {
	w.texts("X-TAGS", e.Tags)
	w.optional("X-COST", escape(e.Cost))
	w.optional("X-KALENDS-STATUS", e.Exact)
	if e.Facts > 0 {
		w.property("X-KALENDS-FACTS", strconv.Itoa(e.Facts))
	}
}

func degrees(f float64) string { return strconv.FormatFloat(f, 'f', 6, 64) }

// times writes when an event takes place.
func (w *Writer) times(e *Event, in clockForm) {
	if !e.RecurrenceID.IsZero() {
		w.moments("RECURRENCE-ID", in, e.RecurrenceID)
	}
	w.moments("DTSTART", in, e.Start)
	switch behind := e.End.AddDate(0, 0, 1); {
	case e.AllDay && behind.Year() > 9999: // a date has four digits
		w.property("DURATION", "P"+strconv.FormatInt((behind.Unix()-e.Start.Unix())/(24*3600), 10)+"D")
	case e.AllDay:
		w.moments("DTEND", in, behind) // DTEND is exclusive
	case e.End.After(e.Start):
		w.moments("DTEND", in, e.End)
	}
	for _, rule := range e.Rules {
		w.property("RRULE", rule)
	}
	w.moments("RDATE", in, e.Dates...)
	w.moments("EXDATE", in, e.Except...)
}

// moments writes a property that holds one or more wall-clock times.
func (w *Writer) moments(name string, in clockForm, list ...time.Time) {
	const most = 100 // per line: some programs read lines into a fixed buffer
	for len(list) > 0 {
		n := min(most, len(list))
		values := make([]string, 0, n)
		for _, t := range list[:n] {
			values = append(values, in.text(t))
		}
		w.property(name+in.parameters, strings.Join(values, ","))
		list = list[n:]
	}
}
