package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar"
)

// said is all that a site says of its events, venues and organizers in all languages.
func (k *kit) said(slug string) (list []any) {
	k.t.Helper()
	for _, path := range []string{"/events?start_date=2029-01-01&end_date=2033-01-01&per_page=50&", "/venues?", "/organizers?", "/categories?", "/tags?"} {
		a := k.send(request{Method: "GET", As: "administrator", Site: slug, Path: path + "translations=full"})
		list = append(list, unstamped(bare(a.want(k.t, http.StatusOK, "").Body)))
	}
	return list
}

// unstamped is an answer without the versions texts were written in.
func unstamped(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "made_from")
		for name, value := range v {
			v[name] = unstamped(value)
		}
	case []any:
		for i := range v {
			v[i] = unstamped(v[i])
		}
	}
	return v
}

// wordy fills the demo site with texts in several languages.
func wordy(k *kit) {
	hall := object{"venue": "Hall", "description": "<p>Big</p>", "translations": object{"de": object{"venue": "Saal; \"groß\"", "description": "<p>Groß</p>"}}}
	k.event(object{"title": "Choir", "start_date": "2030-03-02 10:00:00", "end_date": "2030-03-02 11:00:00", "venue": hall,
		"organizer": object{"organizer": "Friends", "translations": object{"de": object{"organizer": "Freunde"}, "fr": object{"organizer": "Amis"}}},
		"translations": object{"de": object{"title": "=Chor & mehr", "description": "<p>Eins,\nzwei</p>", "excerpt": "Kurz", "cost": "10 €, frei", "slug": "singen"},
			"fr": object{"title": "Chorale"}}})
	k.event(object{"title": "Choir again", "start_date": "2030-03-03 10:00:00", "end_date": "2030-03-03 11:00:00", "venue": hall,
		"translations": object{"de": object{"title": "=Chor & mehr", "slug": "singen"}, "fr": object{"description": "Sans titre"}}})
	k.event(object{"title": "Chorale", "slug": "singen-2", "start_date": "2030-03-04 10:00:00", "end_date": "2030-03-04 11:00:00"})
	series := k.event(object{"title": "Rehearsal", "start_date": "2030-03-05 19:30:00", "end_date": "2030-03-05 21:30:00", "recurrence": "FREQ=WEEKLY;COUNT=4",
		"translations": object{"de": object{"title": "Probe", "excerpt": "Immer", "description": "Lang"}, "fr": object{"title": "Répétition"}}})
	dates := datesOfSeries(k, series)
	k.patch("/events/"+dates[1], "administrator", object{"translations": object{"de": object{"title": "Sonderprobe", "excerpt": nil}, "fr": nil}}).want(k.t, 200, "")
	k.patch("/events/"+dates[2], "administrator", object{"event_status": "cancelled"}).want(k.t, 200, "")
}

// TestCSVRoundTripsTexts: what is exported and imported says the same in all languages.
func TestCSVRoundTripsTexts(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	k.clock = time.Date(2030, 1, 2, 9, 0, 0, 0, time.UTC)
	k.site("copy")
	k.write("copy", "en", "de", "fr")
	wordy(k)
	file := k.person("administrator").get("/admin/events/export").Body
	for _, column := range []string{"Event Name (de)", "Event Slug (fr)", "Venue Description (de)", "Event Organizer Name (fr)"} {
		if !strings.Contains(file, column) {
			t.Errorf("no column %s", column)
		}
	}
	for _, want := range []calendar.ImportReport{{Read: 6, Created: 4, Dates: 2, Venues: 1, Organizers: 1}, {Read: 6, Unchanged: 6}} {
		if got, refused := k.load("copy", file, false); got != want || refused != nil {
			t.Fatalf("%+v, refused %q\n%s", got, refused, file)
		}
	}
	demo, copied := k.said("demo"), k.said("copy")
	if diff := cmp.Diff(demo, copied); diff != "" {
		t.Errorf("(-demo +copy):\n%s", diff)
	}
	if text := fmt.Sprint(copied); !strings.Contains(text, "=Chor &amp; mehr") || !strings.Contains(text, "Sonderprobe") || !strings.Contains(text, "Répétition") {
		t.Error("texts are missing in both")
	}
	k.site("plain")
	source, err := calendar.NewCSV(strings.NewReader(file))
	k.must(err)
	if len(source.Unknown) != 18 {
		t.Errorf("a site of one language knows the columns of others: %q", source.Unknown)
	}
}

// TestCSVTextsThatWontDo names what is wrong by its column.
func TestCSVTextsThatWontDo(t *testing.T) {
	t.Parallel()
	k := bilingual(t)
	file := "Event Name,Event Start Date,Event Name (DE),Event Venue Name,Venue Description (fr)\nChoir,2030-03-02," + letters(1001) + ",Hall,Grande\nTalk,2030-03-03,Vortrag,Hall,\n"
	report, refused := k.load("demo", file, false)
	if report.Created != 1 || len(refused) != 1 || !strings.Contains(refused[0], "translations.de.title") {
		t.Errorf("%+v %q", report, refused)
	}
	k.get("//de/calendar/events/v1/events?start_date=2030-01-01", "").has(t, "events.0.title", "Vortrag")
	source, err := calendar.NewCSV(strings.NewReader(file), "de", "fr")
	k.must(err)
	if got := source.Column("translations.de.title"); got != "Event Name (DE)" {
		t.Errorf("column %q", got)
	}
	if _, err := calendar.NewCSV(strings.NewReader("Event Name,Event Start Date,Event Name (de),Event Title (de)\n"), "de"); err == nil {
		t.Error("two columns say the same")
	}
}
