package reading

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
)

// inCalendar returns a calendar with components.
func inCalendar(components ...string) []byte {
	return []byte("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n" + strings.Join(components, "") + "END:VCALENDAR\r\n")
}

// inEvent returns an event that begins at a fixed time, with more lines.
func inEvent(uid string, lines ...string) string {
	return "BEGIN:VEVENT\r\nUID:" + uid + "\r\nDTSTART;TZID=Europe/Berlin:20270301T193000\r\nSUMMARY:Choir\r\n" +
		strings.Join(append(lines, ""), "\r\n") + "END:VEVENT\r\n"
}

func TestWholeFiles(t *testing.T) {
	t.Parallel()
	small := inCalendar(inEvent("1"))
	wide := func(order unicode.Endianness, mark unicode.BOMPolicy) []byte {
		text, err := unicode.UTF16(order, mark).NewEncoder().Bytes(small)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for name, c := range map[string]struct {
		data []byte
		said Format
		want error
	}{
		"nothing":                   {nil, "", ErrEmpty},
		"blanks":                    {[]byte("\ufeff \r\n\n"), "", ErrEmpty},
		"gzip":                      {[]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"), "", ErrPacked},
		"gzip as a calendar":        {[]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"), Calendar, ErrPacked},
		"a page as a calendar":      {[]byte("<!DOCTYPE html><html><body>Sign in</body></html>"), Calendar, ErrPage},
		"JSON as a calendar":        {[]byte(`{"error": "not found"}`), Calendar, ErrFormat},
		"a picture":                 {[]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), "", ErrUnknown},
		"an old workbook":           {[]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00\x00\x00"), "", ErrUnknown},
		"too large":                 {make([]byte, MaxBytes+1), "", ErrLarge},
		"a calendar":                {small, "", nil},
		"with a byte order mark":    {append([]byte("\ufeff"), small...), "", nil},
		"UTF-16":                    {wide(unicode.LittleEndian, unicode.UseBOM), "", nil},
		"UTF-16, big end first":     {wide(unicode.BigEndian, unicode.UseBOM), "", nil},
		"UTF-16, nothing before":    {wide(unicode.LittleEndian, unicode.IgnoreBOM), "", nil},
		"UTF-16, big end, no mark":  {wide(unicode.BigEndian, unicode.IgnoreBOM), "", nil},
		"too many entries":          {inCalendar(strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", MaxEntries+1)), "", ErrMany},
		"too many items in a page":  {[]byte("<html>" + strings.Repeat("<div itemscope></div>", mostItems+1)), "", ErrMany},
		"as many entries as may be": {inCalendar(strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", MaxEntries)), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := Read(c.data, Options{Zone: zone(t, "Europe/Berlin"), Format: c.said})
			if !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			if err == nil && file.Format != Calendar {
				t.Errorf("format %q", file.Format)
			}
		})
	}
}

// TestBlankLines reads a file as templates write it that leave blank lines for everything they leave out.
func TestBlankLines(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll("BEGIN:VEVENT\nUID:a\nDTSTART:20300101T100000Z\nSUMMARY:A\nEND:VEVENT\n", "\n", strings.Repeat("\r\n", longestName))
	file, err := Read(inCalendar(text+text), Options{Zone: zone(t, "Europe/Berlin")})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for e := range file.Entries {
		if n++; len(e.Problems) > 0 || e.Title != "A" {
			t.Errorf("%+v", e)
		}
	}
	if n != 2 || file.Cut {
		t.Errorf("%d entries, cut %t", n, file.Cut)
	}
}

// TestTraps reads files that are long in one way or another. Whoever reads one of them in quadratic time does not end. It measures the
// memory of the process, so no other test runs beside it.
func TestTraps(t *testing.T) {
	const many = 40_000
	var dates, dateLists, zones strings.Builder
	for i := range many {
		fmt.Fprintf(&dates, "BEGIN:VEVENT\nUID:s\nRECURRENCE-ID:%d0301T183000Z\nDTSTART:20270301T183000Z\nEND:VEVENT\n", 1000+i%9000)
		fmt.Fprintf(&zones, "BEGIN:VTIMEZONE\nTZID:Z%d\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0100\n"+
			"END:STANDARD\nEND:VTIMEZONE\n", i)
	}
	for range 15_000 {
		dateLists.WriteString(",20270308T193000")
	}
	for name, c := range map[string]struct {
		data    []byte
		entries int
		problem string // of the first entry
	}{
		"a line of 16 MB":          {inCalendar(inEvent("1", "DESCRIPTION:"+strings.Repeat("x", 16<<20)), inEvent("2")), 2, "entry-long"},
		"16 MB in folds":           {inCalendar(inEvent("1", "DESCRIPTION:"+strings.Repeat("x\r\n ", 4<<20)), inEvent("2")), 2, "entry-long"},
		"a UID of 16 MB":           {inCalendar(inEvent(strings.Repeat("x", 16<<20)), inEvent("2")), 2, "entry-long"},
		"16 MB without a line end": {append([]byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:"), bytes.Repeat([]byte("x"), 16<<20)...), 1, "entry-long"},
		"16 MB of line ends":       {inCalendar(inEvent("1", strings.Repeat("\n", 16<<20)), inEvent("2")), 2, "entry-long"},
		"many dates that differ":   {inCalendar(inEvent("s", "RRULE:FREQ=DAILY"), dates.String()), many + 1, ""},
		"dates before the series":  {inCalendar(dates.String(), inEvent("s", "RRULE:FREQ=DAILY")), many + 1, ""},
		"a long list of dates":     {inCalendar(inEvent("1", "RRULE:FREQ=DAILY", "EXDATE;TZID=Europe/Berlin:20270302T193000"+dateLists.String())), 1, ""},
		"nested components":        {inCalendar("BEGIN:VEVENT\n", strings.Repeat("BEGIN:VALARM\n", 1<<20), "END:VEVENT\n", inEvent("2")), 2, "entry-long"},
		"nested calendars":         {append(bytes.Repeat([]byte("BEGIN:VCALENDAR\n"), 100_000), inCalendar(inEvent("1"))...), 1, ""},
		"many zones":               {inCalendar(zones.String(), inEvent("1")), 1, ""},
		"colons in a parameter":    {inCalendar(inEvent("1", "DTEND;TZID=("+strings.Repeat(":", 200_000))), 1, ""},
		"quotes and colons":        {inCalendar(inEvent("1", `X-A;B="`+strings.Repeat(`:`, 200_000)+`"`)), 1, ""},
		"parameters":               {inCalendar(inEvent("1", "DTEND"+strings.Repeat(";A=B", 60_000)+":20270301T203000")), 1, ""},
		"garbage":                  {inCalendar(inEvent("1", strings.Repeat("?\n", 100_000))), 1, ""},
		"versions of one event":    {inCalendar(strings.Repeat(inEvent("1"), many)), many, ""},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := Read(c.data, Options{Zone: zone(t, "Europe/Berlin")})
			if err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n := 0
			for e := range file.Entries {
				if n++; n == 1 && c.problem != "" && (len(e.Problems) == 0 || e.Problems[0].Code != c.problem) {
					t.Errorf("problems %v, want %s", e.Problems, c.problem)
				}
			}
			runtime.ReadMemStats(&after)
			if n != c.entries {
				t.Errorf("%d entries, want %d", n, c.entries)
			}
			const perEntry = 8 << 20
			if took := after.TotalAlloc - before.TotalAlloc; took > perEntry+uint64(n)*64<<10 {
				t.Errorf("the entries took %d MiB", took>>20)
			}
		})
	}
}

// TestLongTextsAreNoTrees reads texts in JSON that hold much in few bytes. A tree of one takes ten times its length and more.
func TestLongTextsAreNoTrees(t *testing.T) {
	const length = 8 << 20
	small := strings.Repeat("[],", length/3) + "[]"
	event := `{"@type":"Event","name":"Choir","startDate":"2027-03-01","x":[` + small + `]}`
	for name, c := range map[string]struct {
		text   string
		format Format
	}{
		"elements of JSON-LD":       {`[{"@type":"Event","name":"Choir","startDate":"2027-03-01"},` + small + `]`, Schema},
		"members of JSON-LD":        {`{"@graph":[` + event + `]}`, Schema},
		"JSON-LD in a page":         {`<html><script type="application/ld+json">` + event + `</script></html>`, Schema},
		"nested":                    {`{"@graph":` + strings.Repeat("[", 60) + event + strings.Repeat("]", 60) + `}`, Schema},
		"an event with an own list": {`[{"title":"Choir","start_date":"2027-03-01","x":[` + small + `]}]`, JSON},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			file, err := Read([]byte(c.text), Options{Zone: zone(t, "Europe/Berlin"), Format: c.format})
			if err != nil {
				t.Fatal(err)
			}
			entries := 0
			for range file.Entries {
				entries++
			}
			runtime.ReadMemStats(&after)
			if entries != 1 {
				t.Errorf("%d entries, want 1", entries)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 7*length {
				t.Errorf("%d MiB for a text of %d MiB", took>>20, length>>20)
			}
		})
	}
}

func TestParts(t *testing.T) {
	for text, want := range map[string]string{
		``: ``, `1`: ``, `"[1]"`: ``, `[]`: ``, `{}`: ``,
		` [ 1 , "a,]" ,[2, {"b":3}], null ] `:         `=1 ="a,]" =[2, {"b":3}] =null`,
		`{"a" : -1.5e3,"b\"\u0063":"\\","":{"d":[]}}`: `a=-1.5e3 b"c="\\" ={"d":[]}`,
	} {
		var got []string
		for name, part := range parts([]byte(text)) {
			got = append(got, name+"="+string(part))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s has the parts %s, want %s", text, got, want)
		}
	}
}
