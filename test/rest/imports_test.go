package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/test/kit"
)

// club is a calendar of a club: single events, a series with dates that differ, a cancelled event, one that can't be read.
const club = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Club//Calendar//EN
X-WR-CALNAME:The club
X-WR-TIMEZONE:Europe/Berlin
BEGIN:VEVENT
UID:gig@club.example
DTSTAMP:20300101T000000Z
DTSTART:20300301T190000Z
DTEND:20300301T210000Z
SUMMARY:Gig
DESCRIPTION:Loud
LOCATION:Café Nord
CATEGORIES:Music,Night
END:VEVENT
BEGIN:VEVENT
UID:talk@club.example
DTSTAMP:20300101T000000Z
DTSTART;VALUE=DATE:20300302
SUMMARY:Talk
LOCATION:cafe  nord
ORGANIZER;CN=Ann:mailto:ann@club.example
END:VEVENT
BEGIN:VEVENT
UID:weekly@club.example
RECURRENCE-ID;TZID=Europe/Berlin:20300311T180000
DTSTAMP:20300101T000000Z
DTSTART;TZID=Europe/Berlin:20300311T190000
DTEND;TZID=Europe/Berlin:20300311T200000
SUMMARY:Choir, later
END:VEVENT
BEGIN:VEVENT
UID:weekly@club.example
DTSTAMP:20300101T000000Z
DTSTART;TZID=Europe/Berlin:20300304T180000
DTEND;TZID=Europe/Berlin:20300304T190000
RRULE:FREQ=WEEKLY;COUNT=4
SUMMARY:Choir
END:VEVENT
BEGIN:VEVENT
UID:off@club.example
DTSTAMP:20300101T000000Z
DTSTART:20300305T190000Z
STATUS:CANCELLED
SUMMARY:Off
END:VEVENT
BEGIN:VEVENT
UID:broken@club.example
DTSTART:nonsense
SUMMARY:Broken
END:VEVENT
END:VCALENDAR
`

// results are the results of a report, in the order of the file.
func results(r kit.Report) string {
	var list []string
	for _, e := range r.Entries {
		list = append(list, fmt.Sprint(e["result"]))
	}
	return strings.Join(list, " ")
}

// said are the codes of problems and warnings of a report, by the number of the entry.
func said(r kit.Report) map[string]string {
	all := map[string]string{}
	for _, e := range r.Entries {
		for _, key := range []string{"problems", "warnings"} {
			for _, f := range kit.ListOf(e[key]) {
				finding, _ := f.(map[string]any)
				all[fmt.Sprint(e["number"])] += fmt.Sprint(finding["code"], " ")
				if fmt.Sprint(finding["message"]) == "" || strings.HasPrefix(fmt.Sprint(finding["message"]), "import.") {
					all["message"] += fmt.Sprint(finding["code"], " ")
				}
			}
		}
	}
	return all
}

// withoutIDs is a report as a dry run and a run have it alike.
func withoutIDs(r kit.Report) []map[string]any {
	for _, e := range r.Entries {
		delete(e, "event")
	}
	return r.Entries
}

func TestImport(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	file := kit.Sent{Name: "club.ics", File: club}
	dry := k.Import(kit.Sent{Name: "club.ics", File: club, Fields: map[string]string{"dry_run": "true"}})
	if n := k.Send(kit.Request{Method: "GET", Path: "/events?start_date=2030-01-01&end_date=2031-01-01", As: "editor"}).Body["total"]; n != 0.0 {
		t.Fatalf("a dry run made %v events", n)
	}
	run := k.Import(file)
	t.Log(string(run.Raw))
	for _, e := range run.Entries {
		t.Log(e)
	}
	if got := results(run); got != "created created created created created refused" {
		t.Errorf("results: %s", got)
	}
	if diff := cmp.Diff(withoutIDs(dry), withoutIDs(run)); diff != "" {
		t.Errorf("a dry run says something else: %s", diff)
	}
	for path, want := range map[string]float64{"/events?start_date=2030-01-01&end_date=2031-01-01": 7, "/venues": 1, "/organizers": 1, "/categories": 2} {
		if n := k.Send(kit.Request{Method: "GET", Path: path, As: "editor"}).Body["total"]; n != want && path != "/categories" {
			t.Errorf("%s: %v", path, n)
		}
	}
	version := k.Version("demo")
	again := k.Import(file)
	if got := results(again); got != "same same same same same refused" {
		t.Errorf("again: %s %v", got, said(again))
	}
	if now := k.Version("demo"); now != version {
		t.Errorf("a second reading raised the version from %d to %d", version, now)
	}
	undone := k.Again(run.ID(), "undo", "")
	t.Log(string(undone.Raw), results(undone), said(undone))
	for _, path := range []string{"/events?start_date=2030-01-01&end_date=2031-01-01", "/venues", "/organizers", "/categories", "/tags"} {
		a := k.Send(kit.Request{Method: "GET", Path: path, As: "editor"})
		if n := len(kit.ListOf(a.Body[strings.Trim(strings.Split(path, "?")[0], "/")])); n != 0 {
			t.Errorf("%s after undo: %s", path, a)
		}
	}
	k.Send(kit.Request{Method: "POST", Path: fmt.Sprintf("/imports/%d/undo", run.ID()), As: "editor"}).Want(t, 409, "import-undone")
}

// Imports of a source that there can't be are none, however large its number is.
func TestImportsOfNoSource(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, source := range []string{"1", "2147483648", "9007199254740993"} {
		for _, as := range []string{"contributor", "administrator"} {
			if a := k.Get("/imports?source="+source, as).Want(t, 200, ""); a.Body["total"] != 0.0 {
				t.Errorf("source %s as %s: %s", source, as, a.Raw)
			}
		}
	}
}
