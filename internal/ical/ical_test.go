package ical_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/ical"
)

func at(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := args.LocationOf(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// file writes a calendar of some events and parses it with another library.
func file(t *testing.T, events ...*ical.Event) (text string, read []*ics.VEvent) {
	t.Helper()
	var b bytes.Buffer
	w := ical.NewWriter(&b)
	w.Begin(&ical.Calendar{Product: "-//A//B//EN", Name: "Town, hall", Language: "de", Refresh: 90 * time.Minute})
	for _, e := range events {
		w.Event(e)
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(b.String(), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") || line != strings.ToValidUTF8(line, "") {
			t.Errorf("no content line: %q", line)
		}
	}
	calendar, err := ics.ParseCalendar(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatalf("%v in %s", err, b.String())
	}
	return strings.ReplaceAll(b.String(), "\r\n ", ""), calendar.Events()
}

func has(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(text, "\r\n"+line+"\r\n") {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
}

// Text of any content is read back unchanged by another library and cannot add a line.
func TestText(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"plain", `a\b;c,d:"e"`, "湖畔コンサート🎻" + strings.Repeat("ö", 200), "a\tb", strings.Repeat("x", 5000),
		"مهرجان", " leading", `\n`, "BEGIN:VEVENT"} {
		_, read := file(t, &ical.Event{UID: "1", Start: at("2027-07-01 19:30"), Summary: title, Description: title})
		if got := read[0].GetProperty(ics.ComponentPropertySummary).Value; got != title {
			t.Errorf("%q: %q", title, got)
		}
	}
	for _, title := range []string{"a\r\nEND:VEVENT", "a\nEND:VEVENT", "a\rEND:VEVENT", "a\x00b\x1bc\x7f\u0085d\u2028e", "\xff\xfe"} {
		text, read := file(t, &ical.Event{UID: "1\r\nX-A:b", Start: at("2027-07-01 19:30"), Summary: title, URL: "https://a.example/\r\nX-A:b",
			Location: title, Categories: []string{title, "b,c"}, Organizer: &ical.Organizer{Name: "A \"B\"\r\nX-A:b", Email: "a@example.org\r\nX-A:b"}})
		if len(read) != 1 || strings.Contains(text, "\r\nX-A") || strings.Count(text, "\r\nEND:VEVENT") != 1 || strings.ContainsAny(text, "\x00\x1b\x7f\u0085\u2028") {
			t.Errorf("%q: %s", title, text)
		}
	}
}

// DTEND of a whole day is the day after, if that can be written; fixed offsets are written in UTC unless the event
// recurs; every zone is described once, before its first event.
func TestTimes(t *testing.T) {
	t.Parallel()
	berlin := zone(t, "Europe/Berlin")
	text, read := file(t,
		&ical.Event{UID: "1", Start: at("2027-07-01 00:00"), End: at("2027-07-03 23:59"), AllDay: true, Zone: berlin},
		&ical.Event{UID: "2", Start: at("2027-07-01 19:30"), End: at("2027-07-01 22:00"), Zone: berlin},
		&ical.Event{UID: "3", Start: at("2027-07-01 19:30"), End: at("2027-07-01 19:30"), Zone: berlin},
		&ical.Event{UID: "4", Start: at("2027-07-01 19:30"), End: at("2027-07-01 20:30"), Zone: zone(t, "UTC+5:30")},
		&ical.Event{UID: "5", Start: at("2027-07-01 02:30"), Zone: zone(t, "UTC+5:30"), Rules: []string{"FREQ=WEEKLY;BYDAY=TH"}},
		&ical.Event{UID: "6", Start: at("2027-07-01 19:30"), End: at("2027-07-01 20:30")},
		&ical.Event{UID: "7", Start: at("1931-07-01 19:30"), Zone: berlin},
		&ical.Event{UID: "8", Start: at("9999-12-31 00:00"), End: at("9999-12-31 23:59"), AllDay: true},
		&ical.Event{UID: "9", Start: at("0001-01-01 00:00"), End: at("9999-12-31 23:59"), AllDay: true},
	)
	has(t, text, "DTSTART;VALUE=DATE:20270701", "DTEND;VALUE=DATE:20270704", "DTSTART;TZID=Europe/Berlin:20270701T193000",
		"DTEND;TZID=Europe/Berlin:20270701T220000", "DTSTART:20270701T140000Z", "DTEND:20270701T150000Z",
		"DTSTART;TZID=UTC+0530:20270701T023000", "RRULE:FREQ=WEEKLY;BYDAY=TH", "DTSTART:20270701T193000Z", "DTSTART:19310701T183000Z",
		"DTSTART;VALUE=DATE:99991231\r\nDURATION:P1D", "DTSTART;VALUE=DATE:00010101\r\nDURATION:P3652059D")
	if n := strings.Count(text, "TZID:Europe/Berlin"); n != 1 || strings.Count(text, "BEGIN:VTIMEZONE") != 2 {
		t.Errorf("zones: %s", text)
	}
	if strings.Index(text, "TZID:Europe/Berlin") > strings.Index(text, "UID:2") || strings.Contains(text, "DTEND;TZID=Europe/Berlin:20270701T193000") {
		t.Error(text)
	}
	for i, want := range []string{"2027-07-01 17:30", "2027-07-01 17:30", "2027-07-01 14:00"} {
		if got, err := read[i+1].GetStartAt(); err != nil || !got.Equal(at(want)) {
			t.Errorf("%d: %v %v", i, got, err)
		}
	}
	if end, err := read[0].GetAllDayEndAt(); err != nil || end.Day() != 4 {
		t.Errorf("%v %v", end, err)
	}
}

// Rules, dates and exceptions use the form of DTSTART.
func TestSeries(t *testing.T) {
	t.Parallel()
	berlin := zone(t, "Europe/Berlin")
	dates := []time.Time{}
	for i := range 250 {
		dates = append(dates, at("2028-01-01 19:30").AddDate(0, 0, i))
	}
	text, _ := file(t,
		&ical.Event{UID: "1", Start: at("2027-07-01 19:30"), Zone: berlin, Rules: []string{"FREQ=DAILY"}, Dates: dates, Except: dates[:1]},
		&ical.Event{UID: "1", Start: at("2027-07-02 20:30"), RecurrenceID: at("2027-07-02 19:30"), Zone: berlin, Status: ical.Cancelled, Sequence: 3},
		&ical.Event{UID: "2", Start: at("2027-07-01 00:00"), End: at("2027-07-01 23:59"), AllDay: true, Rules: []string{"FREQ=DAILY"}, Except: []time.Time{at("2027-07-04 00:00")}},
	)
	has(t, text, "EXDATE;TZID=Europe/Berlin:20280101T193000", "RECURRENCE-ID;TZID=Europe/Berlin:20270702T193000",
		"EXDATE;VALUE=DATE:20270704", "STATUS:CANCELLED", "SEQUENCE:3", "NAME;LANGUAGE=de:Town\\, hall", "X-WR-CALNAME:Town\\, hall",
		"REFRESH-INTERVAL;VALUE=DURATION:PT90M", "X-PUBLISHED-TTL:PT90M", "METHOD:PUBLISH")
	if n := strings.Count(text, "RDATE;TZID=Europe/Berlin:"); n != 3 {
		t.Errorf("%d lines of RDATE", n)
	}
}

// Properties are written if they are set and omitted otherwise.
func TestProperties(t *testing.T) {
	t.Parallel()
	text, _ := file(t, &ical.Event{UID: "1", Start: at("2027-07-01 19:30"), HTML: `<p class="a">x, y</p>`, Geo: &ical.Geo{Lat: 47.5, Lng: -9.75},
		Organizer: &ical.Organizer{Name: "Choir: a", Email: "a@example.org"}, Image: &ical.Image{URL: "https://a.example/b,c;d.png", Type: "image/png"},
		Conference: "https://meet.example/a", Comment: "ill", Class: "PUBLIC", Color: "red", Categories: []string{"a, b", "c", ""}})
	has(t, text, `X-ALT-DESC;FMTTYPE=text/html:<html><body><p class="a">x\, y</p></body></html>`, "GEO:47.500000;-9.750000",
		`ORGANIZER;CN="Choir: a":mailto:a@example.org`, "IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:https://a.example/b,c;d.png",
		"CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://meet.example/a", "COMMENT;LANGUAGE=de:ill", `CATEGORIES;LANGUAGE=de:a\, b,c`)
	asking, _ := file(t, &ical.Event{UID: "1", Start: at("2027-07-01 19:30"), Organizer: &ical.Organizer{Email: "a?cc=b@example.org"}})
	has(t, asking, "ORGANIZER:mailto:a%3Fcc=b@example.org")
	bare, _ := file(t, &ical.Event{UID: "1", Start: at("2027-07-01 19:30"), Organizer: &ical.Organizer{Name: "nobody"}})
	for _, name := range []string{"ORGANIZER", "GEO", "IMAGE", "SUMMARY", "X-ALT-DESC", "STATUS", "DTEND", "URL:", "CREATED"} {
		if strings.Contains(bare, "\r\n"+name) {
			t.Errorf("%s in %s", name, bare)
		}
	}
}

// refuses is a writer that always fails.
type refuses struct{ calls int }

var errRefused = errors.New("refused")

func (r *refuses) Write([]byte) (int, error) { r.calls++; return 0, errRefused }

// The first error ends the writing and is returned.
func TestError(t *testing.T) {
	t.Parallel()
	out := &refuses{}
	w := ical.NewWriter(out)
	w.Begin(&ical.Calendar{})
	w.Event(&ical.Event{UID: "1", Start: at("2027-07-01 19:30")})
	if err := w.End(); !errors.Is(err, errRefused) || !errors.Is(w.Err(), errRefused) || out.calls != 1 {
		t.Errorf("%v after %d", err, out.calls)
	}
}
