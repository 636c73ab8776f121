package rest

import (
	"fmt"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// A venue, organizer, category or tag is found by its name in another language before a new one is created.
func TestLinksByNamesInOtherLanguages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Provider("PATCH", "/sites/demo", kit.Object{"settings": kit.Object{"content_languages": []string{"en", "de"}}}).Want(t, 200, "")
	german := func(member, name string) kit.Object { return kit.Object{"de": kit.Object{member: name}} }
	hall := k.Made("/venues", kit.Object{"venue": "Town Hall", "translations": german("venue", "Rathaus")})
	choir := k.Made("/organizers", kit.Object{"organizer": "City choir", "translations": german("organizer", "Stadtchor")})
	concerts := k.Made("/categories", kit.Object{"name": "Concerts", "translations": german("name", "Große Konzerte")})
	for _, name := range []string{"Lake museum", "Museum of the lake"} {
		k.Made("/venues", kit.Object{"venue": name, "translations": german("venue", "Seemuseum")})
	}
	event := kit.Object{"title": "Choir", "start_date": "2030-02-01 10:00", "end_date": "2030-02-01 11:00", "venue": kit.Object{"venue": "RATHAUS"},
		"organizer": kit.Object{"organizer": "Stadtchor"}, "categories": []string{"grosse konzerte"}}
	made := k.Event(event)
	if got := k.Peek("demo", `SELECT venue_ids[1] || ' ' || organizer_ids[1] || ' ' || term_ids[1] FROM events WHERE site_id = $1 AND id = $2`, k.Sites["demo"].ID, made); got != fmt.Sprint(hall, " ", choir, " ", concerts) {
		t.Errorf("the event is linked to %s, want %s", got, fmt.Sprint(hall, " ", choir, " ", concerts))
	}
	event["venue"] = kit.Object{"venue": "Seemuseum"}
	k.Post("/events", "administrator", event).Refused(t, "venue")
	event["venue"] = kit.Object{"venue": "Theatre"}
	k.Event(event)
	if got := k.Peek("demo", `SELECT count(*)::text FROM venues WHERE site_id = $1`, k.Sites["demo"].ID); got != "4" {
		t.Errorf("%s venues", got)
	}
}
