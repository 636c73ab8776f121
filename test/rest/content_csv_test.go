package rest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar/reading"
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
	for _, want := range []string{"read 6, created 5, cancelled 1", "read 6, same 6"} {
		if got, refused := load(k, "copy", file, false); got != want || refused != nil {
			t.Fatalf("%s, refused %q\n%s", got, refused, file)
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
	unknown := 0
	for _, column := range columnsOf(t, file) {
		if !column.Known {
			unknown++
		}
	}
	if unknown != 28 { // 14 columns in two languages
		t.Errorf("a site of one language knows the columns of others: %d are unknown", unknown)
	}
}

// TestCSVTextsThatWontDo names what is wrong by its column.
func TestCSVTextsThatWontDo(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	file := "Event Name,Event Start Date,Event Name (DE),Event Venue Name,Venue Description (fr)\nChoir,2030-03-02," + kit.Letters(1001) + ",Hall,Grande\nTalk,2030-03-03,Vortrag,Hall,\n"
	counts, refused := load(k, "demo", file, false)
	if counts != "read 2, created 1, refused 1" || len(refused) != 1 || !strings.Contains(refused[0], "translations.de.title") {
		t.Errorf("%s %q", counts, refused)
	}
	k.Get("//de/calendar/events/v1/events?start_date=2030-01-01", "").Has(t, "events.0.title", "Vortrag")
	table := reading.File{Columns: columnsOf(t, file, "de", "fr")}
	if got := table.Column("translations.de.title"); got != "Event Name (DE)" {
		t.Errorf("column %q", got)
	}
	_, err := reading.Read([]byte("Event Name,Event Start Date,Event Name (de),Event Title (de)\n"), reading.Options{Zone: time.UTC, Languages: []string{"en", "de"}})
	if !errors.Is(err, reading.ErrTwice) {
		t.Errorf("two columns have the same meaning: %v", err)
	}
}

// columnsOf returns the columns of a table for a site in English and further languages.
func columnsOf(t *testing.T, file string, languages ...string) []reading.Column {
	t.Helper()
	table, err := reading.Read([]byte(file), reading.Options{Zone: time.UTC, Languages: append([]string{"en"}, languages...)})
	if err != nil {
		t.Fatal(err)
	}
	return table.Columns
}
