package rest

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestNamesAreSeen: a name of which nothing can be seen is as good as none.
func TestNamesAreSeen(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.Change("demo", `UPDATE sites SET submissions = true WHERE id = $1`, k.Sites["demo"].ID)
	event := k.Event(nil)
	for _, unseen := range []string{"\u200b", "\u3164 \u200d"} {
		for path, body := range map[string]kit.Object{
			"/events":                 kit.Times(kit.Object{"title": unseen}),
			kit.Item("events", event): {"title": unseen},
			"/venues":                 {"venue": unseen},
			"/organizers":             {"organizer": unseen},
			"/categories":             {"name": unseen},
			"/tags":                   {"name": unseen},
			"/fields":                 {"kind": "text", "label": unseen},
			"/sources":                {"name": unseen, "kind": "ics", "url": "https://calendar.example/a.ics"},
			"/submissions": {"title": "Choir", "start_date": "2031-01-01 19:00", "contact_name": unseen,
				"contact_email": "ada@example.net"},
			"/events?with=a+venue": kit.Times(kit.Object{"venue": kit.Object{"venue": unseen}}),
			"/events?with=a+tag":   kit.Times(kit.Object{"tags": []any{unseen}}),
		} {
			if got := k.Post(path, "administrator", body); got.Status != 400 {
				t.Errorf("%s takes %q: %d %s", path, unseen, got.Status, got.Raw)
			}
		}
		k.Post(kit.Item("events", event), "administrator", kit.Object{"performers": []any{unseen, "Ada"}}).Want(t, 200, "").
			Has(t, "performers.#", 1, "performers.0", "Ada")
	}
}
