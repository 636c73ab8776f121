package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/test/kit"
)

// Some programs never write END:VCALENDAR. The report says so once, and all complete events are read. What such a file lacks is
// cancelled only if the last file of its source was not ended, and lacked nothing; and never if the file ends within an event.
func TestImportOfFilesWithoutEnd(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 6, 1, 12, 0, 0, 0, time.UTC)
	file := ""
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(file)) }))
	t.Cleanup(served.Close)
	k.Imports = imports.New(k.Calendar, k.DB, k.Editing, imports.Options{People: k.Platform.Authenticator,
		Clock: func() time.Time { return k.Clock },
		Files: media.NewFetcher(media.FetchConfig{AllowHosts: []string{strings.TrimPrefix(served.URL, "http://")}, MaxBytes: imports.MaxBytes})})
	const end = "END:VCALENDAR\r\n"
	for i, c := range []struct {
		lacks     int // an event; 0: none
		end, want string
	}{
		{0, end, "done, read 20, created 20"},
		{5, "", "import-cut, read 19, same 19, warned 1"},
		{0, "", "done, read 20, same 20, warned 1"},
		{5, "BEGIN:VEVENT\r\nUID:x\r\n", "import-cut, read 20, same 19, refused 1"},
		{5, "", "done, read 20, same 19, cancelled 1, warned 2"},
		{0, end, "done, read 20, changed 1, same 19"},
		{5, "", "import-cut, read 19, same 19, warned 1"},
	} {
		file = ""
		for n, event := range strings.SplitAfter(strings.TrimSuffix(many(20, nil), end), "END:VEVENT\r\n") {
			if n != c.lacks || n == 0 {
				file += event
			}
		}
		file += c.end
		a := k.With("POST", "/imports", "editor", map[string]any{"url": served.URL + "/a.ics", "gone": "cancel"}).Want(t, 202, "")
		k.RunImports()
		r := k.ReportOf("", a.ID())
		state := r.Body["state"]
		if problem, _ := r.Body["problem"].(map[string]any); problem != nil {
			state = problem["code"]
		}
		if got := fmt.Sprintf("%v, %s", state, r.Counts()); got != c.want {
			t.Errorf("reading %d: %s, want %s", i, got, c.want)
		}
	}
}

// A date that RDATE gives its own length keeps it, and is an entry of its own.
func TestImportOfPeriods(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	file := kit.Sent{Name: "periods.ics", File: `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Periods//EN
BEGIN:VEVENT
UID:p
DTSTAMP:20300101T000000Z
DTSTART;TZID=Europe/Berlin:20300301T180000
DTEND;TZID=Europe/Berlin:20300301T190000
RRULE:FREQ=WEEKLY;COUNT=2
RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20300403T180000/20300403T213000,20300404T180000/PT1H,20300405T180000/PT2H,20300406T180000/PT3H
EXDATE;TZID=Europe/Berlin:20300405T180000
SUMMARY:Course
END:VEVENT
BEGIN:VEVENT
UID:p
DTSTAMP:20300101T000000Z
RECURRENCE-ID;TZID=Europe/Berlin:20300406T180000
DTSTART;TZID=Europe/Berlin:20300406T200000
DTEND;TZID=Europe/Berlin:20300406T203000
SUMMARY:Course
END:VEVENT
END:VCALENDAR
`}
	dry := file
	dry.Fields = map[string]string{"dry_run": "true"}
	for _, sent := range []kit.Sent{dry, file} {
		if r := k.Import(sent); r.Counts() != "read 3, created 3" {
			t.Errorf("%s: %s", r.Counts(), r.Raw)
		}
	}
	if r := k.Import(file); r.Counts() != "read 3, same 3" {
		t.Errorf("again: %s: %s", r.Counts(), r.Raw)
	}
	got := k.Peek("demo", `
		SELECT string_agg(to_char(start_local, 'MM-DD HH24:MI') || to_char(end_local, '–HH24:MI'), ', ' ORDER BY start_local)
		FROM occurrences`)
	if got != "03-01 18:00–19:00, 03-08 18:00–19:00, 04-03 18:00–21:30, 04-04 18:00–19:00, 04-06 20:00–20:30" {
		t.Error(got)
	}
}
