package reading

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// linesOf reads a list on Monday, 23 November 2026.
func linesOf(t *testing.T, text string, o Options) []Entry {
	t.Helper()
	o.Zone, o.Format, o.Languages, o.Now = zone(t, "Europe/Berlin"), Lines, []string{"de"}, time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC)
	file, err := Read([]byte(text), o)
	if err != nil {
		t.Fatalf("%.80q: %v", text, err)
	}
	return slices.Collect(file.Entries)
}

// shown is an entry with its cells or with what is wrong.
func shown(e *Entry) string {
	c := CellsOf(e)
	text := fmt.Sprintf("%d %s | %s %s | %s %s | %s | %s", e.Line, c["title"], c["start_date"], c["start_time"], c["end_date"], c["end_time"], c["venue"], c["cost"])
	for _, p := range e.Problems {
		text += " ?" + p.Code
	}
	return text
}

func TestLists(t *testing.T) {
	t.Parallel()
	const choir = "Chorkonzert | 2026-12-05 19:30 |   | Stadtkirche | 12 €"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a line each": {"Sa 5.12. 19:30 Chorkonzert, Stadtkirche, 12 €\n\n- Mo 7.12. 20 Uhr Probe, Probenraum\r\n", []string{
			"1 " + choir, "3 Probe | 2026-12-07 20:00 |   | Probenraum | "}},
		"headings": {"Samstag, 5. Dezember\n19:30 Chorkonzert, Stadtkirche, 12 €\n\nSonntag, 6. Dezember 2026\n10–12 Uhr Brunch, Café\nLesung\n", []string{
			"2 " + choir, "5 Brunch | 2026-12-06 10:00 |  12:00 | Café | ", "6 Lesung | 2026-12-06  |   |  | "}},
		"blocks": {"Chorkonzert\nSa 5.12. 19:30\nStadtkirche\n12 €\n\nProbe\nMo 7.12. 20 Uhr\n", []string{
			"1 " + choir, "6 Probe | 2026-12-07 20:00 |   |  | "}},
		"a heading behind a line with its own day": {"Sa 5.12. 19:30 Chorkonzert, Stadtkirche, 12 €\nSonntag, 6. Dezember\n10–12 Uhr Brunch, Café\n", []string{
			"1 " + choir, "3 Brunch | 2026-12-06 10:00 |  12:00 | Café | "}},
		"tabs": {"Sa 5.12.2026\t19:30\tChorkonzert\tStadtkirche\t12 €\n07.12.2026\t20:00\tProbe\t\t\n", []string{
			"1 " + choir, "2 Probe | 2026-12-07 20:00 |   |  | "}},
		"a table": {"Titel\tDatum\tUhrzeit\tOrt\tPreis\nChorkonzert\t5.12.2026\t19:30\tStadtkirche\t12 €\n", []string{"2 " + choir}},
		"what is not understood": {"Konzert 31.2. 19:30\nKurs jeden 2. Samstag 10 Uhr\nChor\nSo 5.12. 19:30 Chorkonzert\nKonzert Fr 18:30 19:30\nBrunch Fr 11 Uhr, Café, Tel. 0711/12345\nBall Fr 19 Uhr, Tel. 08152 123 45\n", []string{
			"1 Konzert | 31.2. 19:30 |   |  |  ?date-none", "2 Kurs | jeden 2. Samstag 10:00 |   |  |  ?repeats-unclear", "3 Chor |   |   |  |  ?start-missing",
			"4 Chorkonzert | So 5.12. 19:30 |   |  |  ?weekday-differs", "5 Konzert | 2026-11-27 18:30 |  19:30 |  |  ?time-second",
			"6 Brunch | 2026-11-27 11:00 |   | Café | ", "7 Ball | 2026-11-27 19:00 |   |  | "}},
		"series": {"Yoga jeden Montag 18 Uhr, Studio\n", []string{"1 Yoga | 2026-11-23 18:00 |   | Studio | "}},
	} {
		var got []string
		for _, e := range linesOf(t, c.text, Options{}) {
			got = append(got, shown(&e))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	if e := linesOf(t, "Yoga jeden Montag 18 Uhr, Studio\n", Options{}); fmt.Sprint(e[0].Values["recurrence"]) != "map[rrule:[FREQ=WEEKLY;BYDAY=MO]]" {
		t.Errorf("a series: %v", e[0].Values["recurrence"])
	}
	if e := linesOf(t, "Ball Fr 19 Uhr, Tel. 08152 99120, a<b@example.org\n", Options{}); e[0].Values["description"] != "Tel. 08152 99120, a&lt;b@example.org" {
		t.Errorf("a telephone number: %v", e[0].Values)
	}
	if _, err := Read([]byte(" \n\n"), Options{Format: Lines}); !errors.Is(err, ErrEmpty) {
		t.Errorf("nothing: %v", err)
	}
}

// What somebody writes into the cells of an entry counts, in every format, and everything else stays.
func TestEdits(t *testing.T) {
	t.Parallel()
	edit := map[string]string{"title": "Probe", "start_date": "2026-12-08", "start_time": "20 Uhr", "end_date": "8.12.2026", "end_time": "21.30 Uhr", "venue": "Saal", "cost": "5 €"}
	const want = "Probe | 2026-12-08 20:00 |  21:30 | Saal | 5 €"
	for format, text := range map[Format]string{
		Lines:    "Konzert 31.2. 19:30\n",
		CSV:      "Event Name,Event Start Date,Event Venue Name\nChor,2026-12-05 19:30,Kirche\n",
		Calendar: "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Chor\r\nDTSTART:20261205T193000\r\nLOCATION:Kirche\r\nDESCRIPTION:Text\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		JSON:     `[{"title": "Chor", "start_date": "2026-12-05 19:30:00", "end_date": "2026-12-05 21:00:00", "description": "Text"}]`,
	} {
		read := func(edits map[int]map[string]string) *Entry {
			o := Options{Zone: zone(t, "Europe/Berlin"), Format: format, Languages: []string{"de"}, Now: time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC), Edits: edits}
			file, err := Read([]byte(text), o)
			if err != nil {
				t.Fatal(format, err)
			}
			list := slices.Collect(file.Entries)
			return &list[0]
		}
		e := read(map[int]map[string]string{1: edit})
		if got := shown(e); !strings.HasSuffix(got, want) || len(e.Problems) > 0 || e.Title != "Probe" || e.Start != "2026-12-08 20:00:00" {
			t.Errorf("%s: %s, %s, %s", format, got, e.Title, e.Start)
		}
		if format == Calendar || format == JSON {
			if !strings.Contains(fmt.Sprint(e.Values["description"]), "Text") {
				t.Errorf("%s: lost %v", format, e.Values)
			}
			before := read(nil)
			if after := read(map[int]map[string]string{1: {"title": "Other"}}); after.Title != "Other" || fmt.Sprint(after.Values["venue"], after.Values["start_date"]) != fmt.Sprint(before.Values["venue"], before.Values["start_date"]) {
				t.Errorf("%s: %v, was %v", format, after.Values, before.Values)
			}
		}
		for code, wrong := range map[string]map[string]string{"title-missing": {"title": ""}, "date-unreadable": {"start_date": "soon"}, "date-none": {"start_date": "31.2."}, "left-out": {LeaveOut: "1"}} {
			all := maps.Clone(edit)
			maps.Copy(all, wrong)
			if e := read(map[int]map[string]string{1: all}); len(e.Problems) != 1 || e.Problems[0].Code != code || e.Values != nil {
				t.Errorf("%s: %s: %+v", format, code, e.Problems)
			}
		}
		all := maps.Clone(edit)
		all["start_date"], all["end_date"] = "morgen", ""
		if e := read(map[int]map[string]string{1: all}); e.Start != "2026-11-24 20:00:00" {
			t.Errorf("%s: tomorrow is %s %v", format, e.Start, e.Problems)
		}
	}
}

// A table whose columns nobody knows says which it has.
func TestColumnsOfUnknownTables(t *testing.T) {
	t.Parallel()
	file, err := Read([]byte("Was;Anfang\nChor;1.3.2027\n"), Options{Zone: time.UTC, Format: CSV})
	if !errors.Is(err, ErrColumns) || file == nil || len(file.Columns) != 2 || file.Columns[1].Header != "Anfang" {
		t.Errorf("%+v, %v", file, err)
	}
}

// A question about an entry stays until its cell is edited, and what was not understood stays in its cell.
func TestQuestionsStay(t *testing.T) {
	t.Parallel()
	for want, edit := range map[string]map[string]string{
		"Ball | 31.2. 19:30 |   |  |  ?date-none": {"title": "Ball"}, "Konzert | 31.2. 19:30 |   |  |  ?left-out": {LeaveOut: "1"},
		"Konzert | 2027-03-01 19:30 |   |  | ": {"start_date": "2027-03-01", "start_time": "19:30", "end_date": "", "end_time": ""},
	} {
		if e := linesOf(t, "Konzert 31.2. 19:30\n", Options{Edits: map[int]map[string]string{1: edit}})[0]; !strings.HasSuffix(shown(&e), want) {
			t.Errorf("%s, want %s", shown(&e), want)
		}
	}
}

// A name in parentheses, or beside a telephone number, may be the place. The report asks until there is a place.
func TestMayBeThePlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Sa 23.1.2027, 14–17 Uhr: Reparaturcafé (Mehrgenerationenhaus)\n": "Mehrgenerationenhaus",
		"Brunch Fr 11 Uhr, Café Tel. 0711/12345\n":                        "Café",
		"Brunch (Jazz) Fr 11 Uhr, Café\n":                                 "",
		"Brunch (ab 6 Jahren) Fr 11 Uhr\n":                                "",
		"Brunch (Jazz) Fr 11 Uhr online\n":                                "",
	} {
		e := linesOf(t, text, Options{})[0]
		if got := fmt.Sprint(e.Warnings); len(e.Problems) > 0 || (want == "") != (len(e.Warnings) == 0) || !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
		if e := linesOf(t, text, Options{Edits: map[int]map[string]string{1: {"venue": "Saal"}}})[0]; len(e.Warnings) > 0 {
			t.Errorf("%s: with a venue %v", text, e.Warnings)
		}
	}
}
