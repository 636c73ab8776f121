package server_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Lists that nobody asked for before share their entries. Whatever changes, they say
// what a node says that has none, in every language, at every address and to everybody.
func TestEntriesOfLists(t *testing.T) {
	t.Parallel()
	_, k := cachedKit(t)
	id := k.event(map[string]any{"title": "Concert", "slug": "concert", "categories": []any{"Music"}, "venue": object{"venue": "Hall", "slug": "hall"},
		"cost": "5", "recurrence": object{"rrule": "FREQ=WEEKLY;COUNT=3"}})
	single := k.event(map[string]any{"title": "Talk", "slug": "talk", "categories": []any{"Music"}, "attendance_mode": "online",
		"virtual_url": "https://example.org/talk", "virtual_url_shown": "started"})
	e := k.get(item("events", single), "").want(t, 200, "")
	category := int64(e.Body["categories"].([]any)[0].(map[string]any)["id"].(float64))
	venue := int64(k.get("/venues/by-slug/hall", "").want(t, 200, "").Body["id"].(float64))
	never := 0
	fresh := func() string { never++; return fmt.Sprintf("/events?start_date=2029-01-01&never=%d", never) }
	for _, change := range []struct {
		what string
		make func()
	}{
		{"nothing", func() {}},
		{"a title", func() {
			k.post(item("events", single), "editor", map[string]any{"title": "Longer talk"}).want(t, 200, "")
		}},
		{"a series", func() {
			k.post(item("events", id), "editor", map[string]any{"website": "https://example.org", "applies_to": "all"}).want(t, 200, "")
		}},
		{"a venue", func() {
			k.post(item("venues", venue), "editor", map[string]any{"city": "Springfield"}).want(t, 200, "")
		}},
		{"a category", func() {
			k.post(item("categories", category), "editor", map[string]any{"name": "Loud"}).want(t, 200, "")
		}},
		{"how many a category has", func() { k.event(map[string]any{"title": "One more", "categories": []any{category}}) }},
		{"a password", func() {
			k.post(item("events", single), "editor", map[string]any{"post_password": "secret"}).want(t, 200, "")
		}},
		{"the site's currency", func() {
			k.configure(&tenancy.ConfigFields{SettingsFields: tenancy.SettingsFields{CurrencySymbol: args.Some("kr")}})
		}},
		{"the time", func() { k.clock = time.Date(2030, 3, 20, 12, 0, 0, 0, time.UTC) }},
	} {
		change.make()
		for _, r := range []request{{}, {Headers: map[string]string{"Accept-Language": "de"}}, {Headers: map[string]string{"Host": "other.localhost:8080"}},
			{As: "editor"}, {As: "subscriber"}} {
			r.Method = "GET"
			for range 3 {
				r.Path = fresh()
				k.send(r).want(t, 200, "")
			}
			r.Path = fresh()
			got, now := k.send(r), k.clock
			node := k.keeping("")
			k.clock, node.clock = now, now
			want := node.send(r)
			if !bytes.Equal(got.Raw, want.Raw) || len(got.Raw) < 1000 {
				t.Errorf("%s, %v as %q:\n%s\nwant\n%s", change.what, r.Headers, r.As, got.Raw, want.Raw)
			}
		}
	}
}
