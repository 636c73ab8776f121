package public

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// A visitor writes the name of a venue in the language of the page. It is the venue that the site has under another name, and an event
// there at the same time is found. A name of several venues is asked about, as in forms of the administration.
func TestSubmittedVenueIsKnownInEveryLanguage(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Write("demo", "en", "de", "fr")
	takesSubmissions(k, "")
	german := func(name string) kit.Object { return kit.Object{"de": kit.Object{"venue": name}} }
	hall := k.Made("/venues", kit.Object{"venue": "Town Hall", "city": "Lindau", "translations": german("Rathaus")})
	k.Made("/venues", kit.Object{"venue": "Lake museum", "city": "Lindau", "translations": german("Seemuseum")})
	other := k.Made("/venues", kit.Object{"venue": "Museum of the lake", "city": "Bregenz", "translations": german("Seemuseum")})
	k.Event(kit.Object{"title": "Something else", "start_date": "2027-06-04 19:30", "end_date": "2027-06-04 21:00", "venue": hall, "slug": "something-else"})
	b := k.Browser()
	if p := b.Get("/de/submit/"); !p.Shows(`<option value="Rathaus">`) || p.Shows(`<option value="Town Hall">`) {
		t.Error("the form does not offer names in its language")
	}
	sends := func(path, venue, city string) kit.Page {
		form := concert()
		form.Del("address")
		form.Set("venue", venue)
		form.Set("city", city)
		return b.Post(path, form)
	}
	at := func() string {
		return k.Peek("demo", `SELECT venue_ids[1]::text FROM events WHERE status = 'pending' ORDER BY id DESC LIMIT 1`)
	}
	for _, c := range []struct {
		path, venue, city string
		want              int64
	}{{"/de/submit/", "rathaus", "", hall}, {"/de/submit/", "Town Hall", "", hall}, {"/en/submit/", "Rathaus", "Lindau", hall}, {"/de/submit/", "Seemuseum", "Bregenz", other}} {
		k.Tries = k.Tries.Add(24 * time.Hour)
		p := sends(c.path, c.venue, c.city)
		if got := at(); p.Status != http.StatusOK || got != fmt.Sprint(c.want) {
			t.Errorf("%s, %s %s: %d, at %s, want %d", c.path, c.venue, c.city, p.Status, got, c.want)
		}
		if c.want == hall && !p.Shows("Something else") {
			t.Errorf("%s: the event at the same place and time is not found", c.venue)
		}
	}
	k.Tries = k.Tries.Add(24 * time.Hour)
	if p := sends("/de/submit/", "Seemuseum", ""); p.Status != http.StatusUnprocessableEntity || !p.Shows("Mehrere Veranstaltungsorte heißen „Seemuseum“.") {
		t.Errorf("a name of two venues: %d", p.Status)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM venues`); n != "3" {
		t.Errorf("%s venues, want 3", n)
	}
	k.Send(kit.Request{Method: "POST", Path: "/submissions", JSON: kit.Object{"title": "Choir", "start_date": "2027-06-04 19:30", "venue": "Seemuseum",
		"contact_name": "Ada", "contact_email": "ada@example.net"}}).Want(t, 400, "rest_invalid_param")
}
