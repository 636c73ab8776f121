package rest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// courses has series, dates that differ from them, and what is wrong with either.
const courses = `Event Name,Event Start Date,Event Start Time,Event End Time,Recurrence Rule,Additional Dates,Excluded Dates,Series,Original Start,Event Status,Event Status Reason,Attendance Mode,Virtual URL,Cleared Fields,Timezone,Event Description
Choir,2030-03-05,19:30,21:30,FREQ=WEEKLY;BYDAY=TU;COUNT=6,2030-03-07 10:00,2030-03-12,choir,,,,online,https://x.example/live,,,Sing
,,20:00,,,,,choir,2030-03-19 19:30,,,,,,,
,2030-03-27,18:00,19:00,,,,choir,2030-03-26,cancelled,Flu,,,"description, virtual_url",,
Wrong rule,2030-03-05,19:30,21:30,FREQ=SOMETIMES,,,bad,,,,,,,,
,,,,,,,bad,2030-03-19 19:30,cancelled,,,,,,
Bad date,2030-03-05,19:30,21:30,FREQ=DAILY;COUNT=3,2030-02-30,,,,,,,,,,
,,,,,,,later,2030-05-01,cancelled,,,,,,
Later,2030-05-01,10:00,11:00,FREQ=DAILY;COUNT=3,,,later,,,,,,,,
,,,,,,,later,someday,cancelled,,,,,,
,,,,,,,later,2030-05-02,cancelled,,,,,Asia/Tokyo,
,,,,,,,later,2030-05-03,perhaps,,,,,,
`

// Series come with their rules, and dates that differ with what they have of their own; what is wrong is refused by its row, and an
// import that is run again changes nothing.
func TestImportedSeriesWithFaults(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 1, 2, 9, 0, 0, 0, time.UTC)
	for _, dry := range []string{"true", "false"} {
		r := k.Import(kit.Sent{Name: "courses.csv", File: courses, Fields: map[string]string{"dry_run": dry}})
		refused := map[string]bool{}
		for _, e := range r.Entries {
			if e["result"] == "refused" {
				refused[fmt.Sprint(e["line"])] = true
			}
		}
		for _, line := range []string{"5", "6", "7", "8", "10", "12"} {
			if !refused[line] {
				t.Errorf("dry run %s: line %s is not refused", dry, line)
			}
		}
		if len(refused) != 6 || len(r.Entries) != 11 || r.Body["state"] != "done" {
			t.Errorf("dry run %s: %s %v %v", dry, r.Counts(), r.Body["problem"], said(r))
		}
	}
	version := k.Version("demo")
	if again := k.Import(kit.Sent{Name: "courses.csv", File: courses}); again.Counts() != "read 11, same 5, refused 6" || k.Version("demo") != version {
		t.Errorf("again: %s, version %d of %d", again.Counts(), k.Version("demo"), version)
	}
}

// One event that the database refuses takes no others along, wherever it stands in its batch.
func TestImportPastRefusals(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Exec(`ALTER TABLE events ADD CONSTRAINT unlucky CHECK (title NOT LIKE 'Bad%')`)
	bad := map[int]bool{0: true, 130: true, 131: true, 249: true, 250: true, 599: true}
	file := many(600, func(i int, line string) string {
		if bad[i] {
			return strings.Replace(line, "SUMMARY:Event", "SUMMARY:Bad", 1)
		}
		return line
	})
	for _, dry := range []string{"true", "false"} {
		r := k.Import(kit.Sent{Name: "many.ics", File: file, Fields: map[string]string{"dry_run": dry}})
		if r.Counts() != "read 600, created 594, refused 6" {
			t.Errorf("dry run %s: %s", dry, r.Counts())
		}
		for i, e := range r.Entries {
			if (e["result"] == "refused") != bad[i] {
				t.Errorf("dry run %s: %v", dry, e)
			}
		}
	}
	if counts := k.Peek("demo", `SELECT string_agg(name || ' ' || count, ', ') FROM terms`); counts != "Music 594" {
		t.Errorf("counted: %s", counts)
	}
}
