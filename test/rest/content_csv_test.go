package rest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar/sheets"
	"github.com/kalends/kalends/test/kit"
)

// wordy fills the demo site with texts in several languages.
func wordy(k *kit.Kit) {
	hall := kit.Object{"venue": "Hall", "description": "<p>Big</p>", "translations": kit.Object{"de": kit.Object{"venue": "Saal; \"groß\"", "description": "<p>Groß</p>"}}}
	k.Event(kit.Object{"title": "Choir", "seo_title": "Sing & be heard", "seo_description": "Come,\nsing", "start_date": "2030-03-02 10:00:00", "end_date": "2030-03-02 11:00:00", "venue": hall,
		"organizer": kit.Object{"organizer": "Friends", "translations": kit.Object{"de": kit.Object{"organizer": "Freunde"}, "fr": kit.Object{"organizer": "Amis"}}},
		"translations": kit.Object{"de": kit.Object{"title": "=Chor & mehr", "description": "<p>Eins,\nzwei</p>", "excerpt": "Kurz", "cost": "10 €, frei", "slug": "singen",
			"seo_title": "=Singen & hören", "seo_description": "Komm, sing"}, "fr": kit.Object{"title": "Chorale"}}})
	k.Event(kit.Object{"title": "Choir again", "start_date": "2030-03-03 10:00:00", "end_date": "2030-03-03 11:00:00", "venue": hall,
		"translations": kit.Object{"de": kit.Object{"title": "=Chor & mehr", "slug": "singen"}, "fr": kit.Object{"description": "Sans titre"}}})
	k.Event(kit.Object{"title": "Chorale", "slug": "singen-2", "start_date": "2030-03-04 10:00:00", "end_date": "2030-03-04 11:00:00"})
	series := k.Event(kit.Object{"title": "Rehearsal", "start_date": "2030-03-05 19:30:00", "end_date": "2030-03-05 21:30:00", "recurrence": "FREQ=WEEKLY;COUNT=4",
		"translations": kit.Object{"de": kit.Object{"title": "Probe", "excerpt": "Immer", "description": "Lang", "seo_title": "Proben"}, "fr": kit.Object{"title": "Répétition"}}})
	dates := datesOfSeries(k, series)
	k.Patch("/events/"+dates[1], "administrator", kit.Object{"translations": kit.Object{"de": kit.Object{"title": "Sonderprobe", "excerpt": nil, "seo_title": nil}, "fr": nil}}).Want(k.T, 200, "")
	k.Patch("/events/"+dates[2], "administrator", kit.Object{"event_status": "cancelled"}).Want(k.T, 200, "")
}

// TestCSVRoundTripsTexts: what is exported and imported says the same in all languages.
func TestCSVRoundTripsTexts(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	k.Clock = time.Date(2030, 1, 2, 9, 0, 0, 0, time.UTC)
	k.Site("copy")
	k.Write("copy", "en", "de", "fr")
	wordy(k)
	file := k.Person("administrator").Get("/admin/events/export").Body
	for _, column := range []string{"Event Name (de)", "Event Slug (fr)", "Event SEO Title", "Event SEO Description (de)", "Venue Description (de)", "Venue City (de)", "Event Organizer Name (fr)"} {
		if !strings.Contains(file, column) {
			t.Errorf("no column %s", column)
		}
	}
	for _, want := range []sheets.Report{{Read: 6, Created: 4, Dates: 2, Venues: 1, Organizers: 1}, {Read: 6, Unchanged: 6}} {
		if got, refused := load(k, "copy", file, false); got != want || refused != nil {
			t.Fatalf("%+v, refused %q\n%s", got, refused, file)
		}
	}
	demo, copied := k.TextSnapshot("demo"), k.TextSnapshot("copy")
	if diff := cmp.Diff(demo, copied); diff != "" {
		t.Errorf("(-demo +copy):\n%s", diff)
	}
	if text := fmt.Sprint(copied); !strings.Contains(text, "=Chor &amp; mehr") || !strings.Contains(text, "Sonderprobe") || !strings.Contains(text, "=Singen & hören") ||
		!strings.Contains(text, "Sing & be heard") || !strings.Contains(text, "Répétition") {
		t.Error("texts are missing in both")
	}
	k.Site("plain")
	source, err := sheets.NewCSV(strings.NewReader(file))
	k.Must(err)
	if len(source.Unknown) != 28 { // 14 columns in two languages
		t.Errorf("a site of one language knows the columns of others: %q", source.Unknown)
	}
}

// TestCSVTextsThatWontDo names what is wrong by its column.
func TestCSVTextsThatWontDo(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	file := "Event Name,Event Start Date,Event Name (DE),Event Venue Name,Venue Description (fr)\nChoir,2030-03-02," + kit.Letters(1001) + ",Hall,Grande\nTalk,2030-03-03,Vortrag,Hall,\n"
	report, refused := load(k, "demo", file, false)
	if report.Created != 1 || len(refused) != 1 || !strings.Contains(refused[0], "translations.de.title") {
		t.Errorf("%+v %q", report, refused)
	}
	k.Get("//de/calendar/events/v1/events?start_date=2030-01-01", "").Has(t, "events.0.title", "Vortrag")
	source, err := sheets.NewCSV(strings.NewReader(file), "de", "fr")
	k.Must(err)
	if got := source.Column("translations.de.title"); got != "Event Name (DE)" {
		t.Errorf("column %q", got)
	}
	if _, err := sheets.NewCSV(strings.NewReader("Event Name,Event Start Date,Event Name (de),Event Title (de)\n"), "de"); err == nil {
		t.Error("two columns have the same meaning")
	}
}
