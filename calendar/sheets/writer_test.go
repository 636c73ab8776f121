package sheets

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
)

// wall is a wall-clock time.
func wall(text string) time.Time {
	at, err := time.Parse(time.DateTime, text)
	if err != nil {
		panic(err)
	}
	return at
}

// written returns the rows of events as their columns by header without the blank ones, and the file.
func written(t *testing.T, form Form, languages []string, events ...services.FeedEvent) (rows []map[string]string, file string) {
	t.Helper()
	site := &tenancy.Site{Language: "en", UID: "Site.Example"}
	site.Settings.ContentLanguages = append([]string{"en"}, languages...)
	form.Picture = func(i *calendar.Image) string { return fmt.Sprintf("https://site.example/%d", i.ID) }
	var b bytes.Buffer
	c, err := newTable(&b, form, site, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.principal, c.now = tenancy.Principal{}, wall("2027-01-01 00:00:00")
	for i := range events {
		if err := c.Write(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	table := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.String(), "\uFEFF")))
	if form.Semicolons {
		table.Comma = ';'
	}
	records, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		row := map[string]string{}
		for n, text := range record {
			if text != "" {
				row[records[0][n]] = text
			}
		}
		rows = append(rows, row)
	}
	return rows, b.String()
}

// concert is an event without anything that can be left out.
func concert() *calendar.Event {
	e := &calendar.Event{Title: "Concert", Timezone: "Europe/Berlin", Start: wall("2027-03-01 19:30:00"), End: wall("2027-03-01 22:00:00")}
	e.ID, e.Status, e.Slug = 7, calendar.Publish, "concert"
	return e
}

// plain are the cells of concert.
func plain() map[string]string {
	return map[string]string{"Event Name": "Concert", "Event Start Date": "2027-03-01", "Event Start Time": "19:30", "Event End Date": "2027-03-01",
		"Event End Time": "22:00", "All Day Event": "FALSE", "Timezone": "Europe/Berlin", "Event Status": "scheduled", "Attendance Mode": "offline",
		"Virtual URL Shown": "always", "Feature Event": "FALSE", "Event Sticky in Month View": "FALSE", "Hide Event From Event Listings": "FALSE",
		"Event Show Map": "FALSE", "Event Show Map Link": "FALSE", "Publication Status": "publish", "Event Slug": "concert", "Event UID": "7@site.example"}
}

// venue is a published venue of a name.
func venue(name string) calendar.Venue {
	v := calendar.Venue{Name: name}
	v.Status = calendar.Publish
	return v
}

// Each thing of an event is in its cells, and only there.
func TestCellsOfEvents(t *testing.T) {
	t.Parallel()
	price, north, east := 12.5, 47.55, -0.5
	for name, c := range map[string]struct {
		change func(*calendar.Event)
		want   map[string]string // cells that differ from plain
	}{
		"nothing else": {func(*calendar.Event) {}, nil},
		"all day": {func(e *calendar.Event) {
			e.AllDay, e.Start, e.End = true, wall("2027-03-01 00:00:00"), wall("2027-03-02 23:59:59")
		},
			map[string]string{"All Day Event": "TRUE", "Event Start Time": "", "Event End Time": "", "Event End Date": "2027-03-02"}},
		"a time with seconds": {func(e *calendar.Event) { e.End = wall("2027-03-01 23:59:59") }, map[string]string{"Event End Time": "23:59:59"}},
		"a date of publication": {func(e *calendar.Event) { e.Dated, e.Date = true, wall("2027-01-02 03:04:05") },
			map[string]string{"Publication Date": "2027-01-02T03:04:05Z"}},
		"a date that nobody chose": {func(e *calendar.Event) { e.Date = wall("2027-01-02 03:04:05") }, nil},
		"a draft":                  {func(e *calendar.Event) { e.Status = calendar.Draft }, map[string]string{"Publication Status": "draft"}},
		"its own UID":              {func(e *calendar.Event) { e.UID = "x@elsewhere.example" }, map[string]string{"Event UID": "x@elsewhere.example"}},
		"switches": {func(e *calendar.Event) {
			e.Hidden, e.Sticky, e.Featured, e.ShowMap, e.ShowMapLink = true, true, true, true, true
		}, map[string]string{"Feature Event": "TRUE", "Event Sticky in Month View": "TRUE", "Hide Event From Event Listings": "TRUE", "Event Show Map": "TRUE",
			"Event Show Map Link": "TRUE"}},
		"a title that looks like HTML": {func(e *calendar.Event) { e.Title = "R&amp;B <b>" }, map[string]string{"Event Name": "R&amp;amp;B &lt;b&gt;"}},
		"a title like a formula":       {func(e *calendar.Event) { e.Title = "=1+1" }, map[string]string{"Event Name": "'=1+1"}},
		"texts": {func(e *calendar.Event) {
			e.Description, e.Excerpt, e.SEO = "<p>a\nb</p>", "c", calendar.SEO{Title: "d", Description: "e"}
		}, map[string]string{"Event Description": "<p>a\nb</p>", "Event Excerpt": "c", "Event SEO Title": "d", "Event SEO Description": "e"}},
		"an image":  {func(e *calendar.Event) { e.Image = &calendar.Image{ID: 4} }, map[string]string{"Event Featured Image": "https://site.example/4"}},
		"prices":    {func(e *calendar.Event) { e.Cost = []string{"5", "10"} }, map[string]string{"Event Cost": "5, 10"}},
		"a website": {func(e *calendar.Event) { e.Website = "https://x.example/" }, map[string]string{"Event Website": "https://x.example/"}},
		"cancelled": {func(e *calendar.Event) { e.Happening = calendar.Happening{Status: "cancelled", Reason: "Ice"} }, map[string]string{"Event Status": "cancelled", "Event Status Reason": "Ice"}},
		"online":    {func(e *calendar.Event) { e.Attendance = calendar.Attendance{Mode: "online", URL: "https://x.example/"} }, map[string]string{"Attendance Mode": "online", "Virtual URL": "https://x.example/"}},
		"online, told to those who edit": {func(e *calendar.Event) {
			e.Attendance = calendar.Attendance{Mode: "online", URL: "https://x.example/", Shown: "never"}
		}, map[string]string{"Attendance Mode": "online", "Virtual URL Shown": "never"}},
		"tickets": {func(e *calendar.Event) {
			e.Tickets = []calendar.Ticket{{Name: "R&amp;B", Price: &price, Currency: "EUR"}}
		},
			map[string]string{"Event Tickets": `[{"name":"R\u0026amp;amp;B","price":12.5,"currency":"EUR"}]`}},
		"terms": {func(e *calendar.Event) {
			e.Categories, e.Tags = []calendar.Term{{Name: "Music, live"}, {Name: "Jazz"}}, []calendar.Term{{Name: "2027"}, {Name: `the "best"`}}
		}, map[string]string{"Event Category": `"Music, live", Jazz`, "Event Tags": `"2027", "the ""best"""`}},
		"venues": {func(e *calendar.Event) {
			hidden, hall := venue("Secret"), venue("Hall")
			hidden.Status = calendar.Draft
			hall.Address, hall.City, hall.Country, hall.State, hall.StateProvince = "<Door> 1", "Lindau", "Germany", "Bavaria", "Bavaria"
			hall.Zip, hall.Phone, hall.Website, hall.Description, hall.GeoLat, hall.GeoLng = "88131", "+49 8382", "https://hall.example", "<p>x</p>", &north, &east
			e.Venues = []calendar.Venue{hidden, hall, venue("Park, north"), venue("Lake")}
		}, map[string]string{"Event Venue Name": "Hall", "Venue Address": "&lt;Door&gt; 1", "Venue Zip": "88131", "Venue City": "Lindau", "Venue State": "Bavaria", "Venue State/Province": "Bavaria",
			"Venue Country": "Germany", "Venue Latitude": "47.55", "Venue Longitude": "'-0.5", "Venue Phone": "'+49 8382", "Venue Website": "https://hall.example",
			"Venue Description": "<p>x</p>", "Further Venues": `"Park, north", Lake`}},
		"organizers": {func(e *calendar.Event) {
			ann, gone, ben := calendar.Organizer{Name: "Ann, Ltd", Email: "a@x.example", Phone: "1", Website: "https://a.example", Description: "y"}, calendar.Organizer{Name: "Gone"},
				calendar.Organizer{Name: "12"}
			ann.Status, gone.Status, ben.Status = calendar.Publish, calendar.Trash, calendar.Publish
			e.Organizers = []calendar.Organizer{ann, gone, ben}
		}, map[string]string{"Event Organizer Name": "Ann, Ltd", "Organizer Email": "a@x.example", "Organizer Phone": "1", "Organizer Website": "https://a.example",
			"Organizer Description": "y", "Event Organizers": `"12"`}},
	} {
		e, want := concert(), plain()
		c.change(e)
		maps.Copy(want, c.want)
		maps.DeleteFunc(want, func(_, text string) bool { return text == "" })
		rows, _ := written(t, Form{}, nil, services.FeedEvent{Event: e})
		if diff := cmp.Diff([]map[string]string{want}, rows); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Texts in other languages have columns of their own, and only the languages of the site have.
func TestCellsOfTexts(t *testing.T) {
	t.Parallel()
	e, hall := concert(), venue("Hall")
	e.Texts = translations.Of(map[string]translations.Text{"de": {Title: "Konzert", Slug: "konzert", Cost: []string{"frei"}, SEOTitle: "Konzert in Lindau"}, "it": {Title: "Concerto"}})
	hall.Texts = translations.Of(map[string]translations.Text{"de": {Title: "Saal", Description: "Groß"}})
	e.Venues = []calendar.Venue{hall}
	rows, file := written(t, Form{}, []string{"de", "fr"}, services.FeedEvent{Event: e})
	want := plain()
	maps.Copy(want, map[string]string{"Event Venue Name": "Hall", "Event Name (de)": "Konzert", "Event Slug (de)": "konzert", "Event Cost (de)": "frei",
		"Event SEO Title (de)": "Konzert in Lindau", "Event Venue Name (de)": "Saal", "Venue Description (de)": "Groß"})
	if diff := cmp.Diff([]map[string]string{want}, rows); diff != "" {
		t.Error(diff)
	}
	if header, _, _ := strings.Cut(file, "\n"); !strings.Contains(header, "Event Excerpt (fr)") || strings.Contains(header, "(it)") {
		t.Errorf("the columns are %s", header)
	}
	row := rowsOf(t, file, "de", "fr")[0]
	if len(row.Problems) > 0 || len(row.Warnings) > 0 {
		t.Fatalf("%+v", row)
	}
	texts := map[string]any{"de": map[string]any{"title": "Konzert", "slug": "konzert", "cost": "frei", "seo_title": "Konzert in Lindau"}}
	if diff := cmp.Diff(texts, row.Values["translations"]); diff != "" {
		t.Error(diff)
	}
	places := []any{map[string]any{"venue": "Hall", "translations": map[string]any{"de": map[string]any{"venue": "Saal", "description": "Groß"}}}}
	if diff := cmp.Diff(places, row.Values["venue"]); diff != "" {
		t.Error(diff)
	}
}

// A series is a row with its rule, and each date that differs is a row with what differs and what it hasn't.
func TestCellsOfSeries(t *testing.T) {
	t.Parallel()
	e := concert()
	rule, problems := recur.ParseRule("FREQ=WEEKLY;COUNT=9", e.Clock())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	other, _ := recur.ParseRule("FREQ=YEARLY", e.Clock())
	e.Recurrence = &recur.Set{Rules: []recur.Rule{rule, other}, Dates: []time.Time{wall("2027-03-03 18:00:00")},
		Except: []time.Time{wall("2027-03-08 19:30:00"), wall("2027-03-15 19:30:00")}}
	date := func(day string, changed ...string) *calendar.Event {
		x := concert()
		x.Start, x.End = wall(day+" 19:30:00"), wall(day+" 22:00:00")
		x.Series = &calendar.Series{ID: 7, OriginalStart: x.Start, Changed: changed}
		return x
	}
	moved := date("2027-03-22", "start_date")
	moved.Start, moved.End = wall("2027-03-23 20:00:00"), wall("2027-03-24 01:00:00")
	off := date("2027-03-29", "event_status", "venue", "title", "attendance_mode")
	off.Title, off.Happening.Status = "No concert", "cancelled"
	told := date("2027-04-05", "event_status", "translations")
	told.Happening = calendar.Happening{Status: "postponed", Reason: "Ice"}
	told.Texts = translations.Of(map[string]translations.Text{"de": {Title: "Konzert", Excerpt: "Später"}})
	rows, file := written(t, Form{}, []string{"de", "fr"}, services.FeedEvent{Event: e, Exceptions: []*calendar.Event{moved, off, told}})
	series := plain()
	maps.Copy(series, map[string]string{"Recurrence Rule": rule.Text(e.Clock()) + "\n" + other.Text(e.Clock()), "Additional Dates": "2027-03-03 18:00:00",
		"Excluded Dates": "2027-03-08 19:30:00, 2027-03-15 19:30:00", "Series": "7"})
	want := []map[string]string{series,
		{"Series": "7", "Original Start": "2027-03-22 19:30:00", "Event Start Date": "2027-03-23", "Event Start Time": "20:00", "Event End Date": "2027-03-24",
			"Event End Time": "01:00"},
		{"Series": "7", "Original Start": "2027-03-29 19:30:00", "Event Start Date": "2027-03-29", "Event Start Time": "19:30", "Event End Date": "2027-03-29",
			"Event End Time": "22:00", "Event Name": "No concert", "Event Status": "cancelled", "Attendance Mode": "offline", "Virtual URL Shown": "always",
			"Cleared Fields": "event_status_reason, venue, virtual_url"},
		{"Series": "7", "Original Start": "2027-04-05 19:30:00", "Event Start Date": "2027-04-05", "Event Start Time": "19:30", "Event End Date": "2027-04-05",
			"Event End Time": "22:00", "Event Status": "postponed", "Event Status Reason": "Ice", "Event Name (de)": "Konzert", "Event Excerpt (de)": "Später",
			"Cleared Fields": "translations.de.description, translations.de.cost, translations.de.seo_title, translations.de.seo_description, translations.fr"},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	for n, row := range rowsOf(t, file, "de", "fr") {
		if len(row.Problems) > 0 || row.Series != "7" || row.Recurrence != want[n]["Original Start"] {
			t.Errorf("row %d is read as %+v", n+1, row)
		}
	}
}

// An all-day series has its dates without times, which a rule of days reads back.
func TestCellsOfSeriesOfDays(t *testing.T) {
	t.Parallel()
	e := concert()
	e.AllDay, e.Start, e.End = true, wall("2027-03-01 00:00:00"), wall("2027-03-01 23:59:59")
	rule, _ := recur.ParseRule("FREQ=DAILY;COUNT=5", e.Clock())
	e.Recurrence = &recur.Set{Rules: []recur.Rule{rule}, Dates: []time.Time{wall("2027-04-01 00:00:00")}, Except: []time.Time{wall("2027-03-02 00:00:00")}}
	x := concert()
	x.AllDay, x.Start, x.End = true, wall("2027-03-03 00:00:00"), wall("2027-03-04 23:59:59")
	x.Series = &calendar.Series{ID: 7, OriginalStart: wall("2027-03-03 00:00:00"), Changed: []string{"start_date"}}
	rows, _ := written(t, Form{}, nil, services.FeedEvent{Event: e, Exceptions: []*calendar.Event{x}})
	if rows[0]["Additional Dates"] != "2027-04-01" || rows[0]["Excluded Dates"] != "2027-03-02" || rows[1]["Original Start"] != "2027-03-03" ||
		rows[1]["Event End Date"] != "2027-03-04" || rows[1]["Event Start Time"] != "" {
		t.Errorf("%+v", rows)
	}
}

// Excel gets a byte order mark, and semicolons where it expects them; the reader takes every form.
func TestFormsOfFiles(t *testing.T) {
	t.Parallel()
	e := concert()
	e.Title = "Soup; bread, \"wine\" and cheese"
	for name, c := range map[string]struct {
		form  Form
		start string
	}{
		"plain":              {Form{}, "Event Name,Event Start Date,"},
		"Excel":              {Form{Excel: true}, "\uFEFFEvent Name,"},
		"Excel by semicolon": {Form{Excel: true, Semicolons: true}, "\uFEFFEvent Name;"},
	} {
		_, file := written(t, c.form, nil, services.FeedEvent{Event: e})
		rows := rowsOf(t, file)
		if !strings.HasPrefix(file, c.start) || len(rows) != 1 || rows[0].Values["title"] != e.Title {
			t.Errorf("%s: %+v of %.200s", name, rows, file)
		}
	}
}

// What an export writes is valid for an import: no cell of a full event is refused.
func TestExportIsValid(t *testing.T) {
	t.Parallel()
	e, hall := concert(), venue("Hall")
	hall.Website, hall.Phone = "https://hall.example/", "+49 8382"
	e.Venues, e.Cost, e.Website, e.Dated, e.Date = []calendar.Venue{hall, venue("Lake")}, []string{"5", "10"}, "https://x.example/", true, wall("2027-01-02 03:04:05")
	e.Categories = []calendar.Term{{Name: "2027"}}
	e.Attendance = calendar.Attendance{Mode: "mixed", URL: "https://x.example/live"}
	_, file := written(t, Form{}, nil, services.FeedEvent{Event: e})
	rows := rowsOf(t, file)
	fields := &calendar.EventFields{}
	if err := args.TableOf(reflect.TypeFor[calendar.EventFields]()).Parse(rows[0].Values, args.Creating, fields); err != nil {
		t.Fatal(err)
	}
	if fields.Title.Or("") != "Concert" || string(fields.Website.Or("")) != e.Website || rows[0].UID != "7@site.example" || len(rows[0].Problems) > 0 {
		t.Errorf("%+v of %+v", fields, rows[0])
	}
}

// rowsOf reads the entries of a file of a site in English and further languages, all of whose columns are known.
func rowsOf(t *testing.T, text string, languages ...string) []reading.Entry {
	t.Helper()
	file, err := reading.Read([]byte(text), reading.Options{Zone: time.UTC, Languages: append([]string{"en"}, languages...)})
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range file.Columns {
		if !column.Known {
			t.Errorf("the column %s is unknown", column.Header)
		}
	}
	return slices.Collect(file.Entries)
}
