package reading

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading/moments"
)

// calendarFile is a calendar file split into its components. The properties of an event are read only when its entry is
// requested.
type calendarFile struct {
	data    []byte
	options Options
	events  []*eventPart
	series  map[string]*icsSeries // series with dates that differ, by UID
}

// calendarPart holds what one calendar of a file says about all its events.
type calendarPart struct {
	method, name, product string
	old                   bool                // vCalendar 1.0
	floating              *time.Location      // of times without a zone
	named                 string              // X-WR-TIMEZONE as written
	zones                 map[string]zonePart // VTIMEZONE by TZID
	found                 map[string]foundZone
}

// zonePart is a VTIMEZONE as written in the file.
type zonePart struct{ data []byte }

// eventPart is one VEVENT: its position in the file, and the properties that determine which version of it is used.
type eventPart struct {
	calendar       *calendarPart
	number, line   int
	from, to       int
	fault          string // the code of what makes it unreadable; "" if nothing
	uid            string
	recurrence     *property // RECURRENCE-ID; nil if none
	sequence       int64
	modified       time.Time
	stamped, begun bool   // it has LAST-MODIFIED; it has DTSTART
	original       string // original start of a date of a series, as in Entry
	superseded     bool
	endMissing     bool            // it is the last one, and END:VCALENDAR is missing
	periods        bool            // RDATE has periods
	apart          map[string]bool // of the starts of periods: the date is an entry of its own
	period         *ownLength      // of an entry for a period; nil for a VEVENT
}

// EndMissing is the code of the warning that a calendar file does not end with END:VCALENDAR.
const EndMissing = "end-missing"

// readCalendar reads a calendar file.
func readCalendar(data []byte, o Options) (*File, error) {
	f := &calendarFile{data: data, options: o, series: map[string]*icsSeries{}}
	s := &scanner{file: f, beside: beside{}}
	for line := range contentLines(data, 1) {
		if err := s.line(line); err != nil {
			return nil, err
		}
	}
	s.bordered = s.ended && s.event == nil && s.zone < 0 && s.inner == 0
	s.close(len(data), "entry-unfinished")
	if s.first == nil {
		return nil, ErrFormat
	}
	if n := len(f.events); n > 0 && s.open && f.events[n-1].fault == "" {
		f.events[n-1].endMissing = true
	}
	s.findFloatingZones()
	f.chooseVersions()
	file := &File{Format: Calendar, Name: s.first.name, Product: s.first.product,
		Cut: s.open && !s.bordered, Unended: s.open, LeftOut: s.beside.leftOut()}
	if _, known := zoneNamed(s.first.named); known {
		file.Zone = s.first.floating.String()
	}
	file.Entries = f.entries()
	return file, nil
}

// entries returns the entries of the file. Each is read when it is requested.
func (f *calendarFile) entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, part := range f.events {
			if !yield(f.entry(part)) {
				return
			}
		}
	}
}

// scanner splits a file into its components in one pass.
type scanner struct {
	file      *calendarFile
	calendars []*calendarPart
	first     *calendarPart
	calendar  *calendarPart // the one that is open, or the last one
	open      bool          // it was not ended
	ended     bool          // the last line ends a component
	bordered  bool          // the file ends between two components
	event     *eventPart    // the event that is open, or nil
	zone      int           // start of the open VTIMEZONE; -1 if none is open
	inner     int           // components within the event or zone
	tzid      string
	beside    beside
}

// line processes the next line of the file.
func (s *scanner) line(l contentLine) error {
	s.ended = l.name == "END"
	switch l.name {
	case "BEGIN":
		return s.begin(l)
	case "END":
		s.end(l)
		return nil
	}
	switch {
	case s.calendar == nil:
	case s.event != nil && s.inner == 0:
		s.beside.count(l.name)
		s.event.record(l)
		s.event.periods = s.event.periods || l.hasPeriods()
	case s.zone >= 0 && s.inner == 0 && l.name == "TZID":
		if p, ok := l.parse(); ok {
			s.tzid = strings.TrimSpace(p.value)
		}
	case s.event == nil && s.zone < 0 && s.inner == 0:
		s.calendar.record(l)
	}
	return nil
}

// component returns the name of the component that a line begins or ends.
func component(l contentLine) string {
	if len(bytes.TrimSpace(l.raw)) > longestName { // blank lines after it don't count
		return "?"
	}
	p, _ := l.parse()
	return strings.ToUpper(strings.TrimSpace(p.value))
}

func (s *scanner) begin(l contentLine) error {
	name := component(l)
	switch {
	case name == "VCALENDAR":
		s.close(l.at, "entry-unfinished")
		s.start()
		s.open = true
	case name == "VEVENT":
		s.close(l.at, "entry-unfinished")
		if s.calendar == nil {
			s.start()
		}
		if len(s.file.events) == MaxEntries {
			return ErrMany
		}
		s.zone = -1
		s.event = &eventPart{calendar: s.calendar, number: len(s.file.events) + 1, line: l.number, from: l.at}
		s.file.events = append(s.file.events, s.event)
	case s.calendar == nil:
	case name == "VTIMEZONE" && s.event == nil:
		s.zone, s.tzid, s.inner = l.at, "", 0
	default:
		if s.inner == 0 && s.zone < 0 {
			s.beside.count(name)
		}
		s.inner++
	}
	return nil
}

// beside counts what a file has that is left out, by kind.
type beside map[string]int

func (b beside) count(name string) {
	if slices.Contains(LeftOutKinds(), name) {
		b[name]++
	}
}

func (b beside) leftOut() (list []LeftOut) {
	for _, kind := range LeftOutKinds() {
		if n := b[kind]; n > 0 {
			list = append(list, LeftOut{kind, n})
		}
	}
	return list
}

// start begins a calendar.
func (s *scanner) start() {
	s.calendar = &calendarPart{zones: map[string]zonePart{}, found: map[string]foundZone{}}
	s.calendars = append(s.calendars, s.calendar)
	s.first = cmp.Or(s.first, s.calendar)
	s.zone, s.inner = -1, 0
}

func (s *scanner) end(l contentLine) {
	switch name := component(l); {
	case s.calendar == nil:
	case name == "VCALENDAR":
		s.close(l.at, "entry-unfinished")
		s.open = false
	case name == "VEVENT":
		s.close(l.at, "")
	case name == "VTIMEZONE" && s.zone >= 0:
		s.calendar.zones[s.tzid] = zonePart{s.file.data[s.zone:l.at]}
		s.zone, s.inner = -1, 0
	default:
		s.inner = max(0, s.inner-1)
	}
}

// close ends the open event, if there is one.
func (s *scanner) close(at int, fault string) {
	if s.event == nil {
		return
	}
	e := s.event
	e.to = at
	if e.fault = fault; e.to-e.from > MaxEntry {
		e.fault = "entry-long"
	}
	s.event, s.inner = nil, 0
}

// findFloatingZones finds the zones of floating times of all calendars.
func (s *scanner) findFloatingZones() {
	for _, c := range s.calendars {
		c.floating = s.file.options.Zone
		if c.named == "" {
			continue
		}
		if zone, ok := zoneNamed(c.named); ok && !s.file.options.Fixed {
			c.floating = zone
		}
	}
}

// record records a property of the calendar.
func (c *calendarPart) record(l contentLine) {
	p, ok := l.parse()
	if !ok {
		return
	}
	switch text := oneLine(p.text()); l.name {
	case "METHOD":
		c.method = strings.ToUpper(text)
	case "PRODID":
		c.product = text
	case "VERSION":
		c.old = text == "1.0"
	case "X-WR-CALNAME":
		c.name = text
	case "NAME":
		c.name = cmp.Or(c.name, text)
	case "X-WR-TIMEZONE":
		c.named = text
	}
}

// record records a property that determines which version of the event is used.
func (e *eventPart) record(l contentLine) {
	if !deciding[l.name] || len(l.raw) > longestDeciding {
		return
	}
	p, ok := l.parse()
	if !ok {
		return
	}
	switch l.name {
	case "UID":
		e.uid = cmp.Or(e.uid, oneLine(p.text()))
	case "RECURRENCE-ID":
		e.recurrence = cmp.Or(e.recurrence, &p)
	case "SEQUENCE":
		e.sequence, _ = strconv.ParseInt(strings.TrimSpace(p.value), 10, 64)
	case "LAST-MODIFIED", "DTSTAMP":
		if at, ok := moments.ParseISO(p.value); ok && (l.name == "LAST-MODIFIED" || !e.stamped) {
			e.modified, e.stamped = at.Wall, l.name == "LAST-MODIFIED"
		}
	case "DTSTART":
		_, e.begun = moments.ParseISO(p.value)
	}
}

// deciding are the properties that note reads, and longestDeciding is the maximum length in bytes of one that it reads.
var deciding = setOf("UID RECURRENCE-ID SEQUENCE LAST-MODIFIED DTSTAMP DTSTART")

const longestDeciding = 8 << 10

// oneLine returns a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// icsComponent holds the properties of a component.
type icsComponent struct {
	all    map[string][]property
	broken []contentLine
}

// readComponent reads the properties of a component, without those of nested components.
func readComponent(data []byte, line int) icsComponent {
	c := icsComponent{all: map[string][]property{}}
	depth := 0
	for l := range contentLines(data, line) {
		switch p, ok := l.parse(); {
		case l.name == "BEGIN":
			depth++
		case l.name == "END":
			depth--
		case depth != 1:
		case !ok && len(bytes.TrimSpace(l.raw)) > 0:
			c.broken = append(c.broken, l)
		case ok:
			c.all[p.name] = append(c.all[p.name], p)
		}
	}
	return c
}

// first returns the first property with one of the names, in the order of the names.
func (c icsComponent) first(names ...string) (property, bool) {
	for _, name := range names {
		for _, p := range c.all[name] {
			if strings.TrimSpace(p.value) != "" {
				return p, true
			}
		}
	}
	return property{}, false
}

// text returns the text of the first property with a name on one line, or "".
func (c icsComponent) text(name string) string {
	p, _ := c.first(name)
	return oneLine(p.text())
}
