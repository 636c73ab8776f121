package events

import (
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/storage/terms"
)

// FuzzEvent reads events, and what they are linked to, from any fields: wrong ones are
// an error or nonsense, never a crash.
func FuzzEvent(f *testing.F) {
	f.Add([]byte{0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1, 255, 255, 255, 255, 0, 0, 0, 1, 'a'})
	f.Add([]byte{0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(_ *testing.T, b []byte) {
		unpacked := func() *pg.Fields {
			f := &pg.Fields{}
			f.Unpack(b)
			return f
		}
		_ = Read(unpacked(), NewLinked(nil))
		_ = places.Venues.Decode(unpacked())
		_ = places.Organizers.Decode(unpacked())
		_ = terms.Read(unpacked())
		ReadSeries(unpacked(), Read(unpacked(), NewLinked(nil)))
	})
}

func TestColumnsAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	storagetest.Columns(t, "events", storedColumns.Types(), "site_id", "waiting_dates")
}

// TestUpdateNamesWhatDiffers changes an event in several ways and looks at what is written.
func TestUpdateNamesWhatDiffers(t *testing.T) {
	t.Parallel()
	at := time.Date(2031, 5, 6, 19, 0, 0, 0, time.UTC)
	was := calendar.Event{Title: "Choir", Start: at, Cost: []string{"5"}}
	was.ID = 7
	for want, change := range map[string]func(*calendar.Event){
		"":                           func(e *calendar.Event) { e.Start, e.Cost = at.In(time.FixedZone("", 3600)), []string{"5"} },
		"version":                    func(e *calendar.Event) { e.Version = 3 },
		"title search texts_indexed": func(e *calendar.Event) { e.Title = "Band" },
		"cost":                       func(e *calendar.Event) { e.Cost = nil },
		"password":                   func(e *calendar.Event) { e.Password = []byte{1} },
		"event_status":               func(e *calendar.Event) { e.Happening.Status = "cancelled" },
		"tickets":                    func(e *calendar.Event) { e.Tickets = []calendar.Ticket{{Name: "a"}} },
		"venue_ids":                  func(e *calendar.Event) { e.Venues = []calendar.Venue{{Post: calendar.Post{ID: 9}}} },
		"series_id original_start":   func(e *calendar.Event) { e.Series = &calendar.Series{ID: 5, OriginalStart: at} },
		"start_local stored_until":   func(e *calendar.Event) { e.Start, e.StoredUntil = at.Add(1), at },
		"parent_id image_id":         func(e *calendar.Event) { e.Parent, e.Image = 3, &calendar.Image{ID: 4} },
		"description seo_title search texts_indexed":    func(e *calendar.Event) { e.Description, e.SEO.Title = "Songs", "Songs" },
		"title previous_start uid search texts_indexed": func(e *calendar.Event) { e.Title, e.PreviousStart, e.UID = "A", at, "a@b" },
	} {
		now := was
		change(&now)
		sql, parameters := storedColumns.Update("events", 1, &row{Event: &was}, &row{Event: &now})
		var got []string
		if sql != "" {
			_, set, _ := strings.Cut(sql, " SET ")
			set, _, _ = strings.Cut(set, " WHERE ")
			for part := range strings.SplitSeq(set, ", ") {
				got = append(got, strings.Fields(part)[0])
			}
			if len(parameters) != len(got)+2 {
				t.Errorf("%d parameters for %q", len(parameters), sql)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q is written for %q", got, want)
		}
	}
}
