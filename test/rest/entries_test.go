package rest

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// Lists that nobody asked for before share their entries. Whatever changes, they say
// what a node says that has none, in every language, at every address and to everybody.
func TestEntriesOfLists(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	id := k.Event(map[string]any{"title": "Concert", "slug": "concert", "categories": []any{"Music"}, "venue": kit.Object{"venue": "Hall", "slug": "hall"},
		"cost": "5", "recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=3"}})
	single := k.Event(map[string]any{"title": "Talk", "slug": "talk", "categories": []any{"Music"}, "attendance_mode": "online",
		"virtual_url": "https://example.org/talk", "virtual_url_shown": "started"})
	e := k.Get(kit.Item("events", single), "").Want(t, 200, "")
	category := int64(e.Body["categories"].([]any)[0].(map[string]any)["id"].(float64))
	venue := int64(k.Get("/venues/by-slug/hall", "").Want(t, 200, "").Body["id"].(float64))
	never := 0
	fresh := func() string { never++; return fmt.Sprintf("/events?start_date=2029-01-01&never=%d", never) }
	for _, change := range []struct {
		what string
		make func()
	}{
		{"nothing", func() {}},
		{"a title", func() {
			k.Post(kit.Item("events", single), "editor", map[string]any{"title": "Longer talk"}).Want(t, 200, "")
		}},
		{"a series", func() {
			k.Post(kit.Item("events", id), "editor", map[string]any{"website": "https://example.org", "applies_to": "all"}).Want(t, 200, "")
		}},
		{"a venue", func() {
			k.Post(kit.Item("venues", venue), "editor", map[string]any{"city": "Springfield"}).Want(t, 200, "")
		}},
		{"a category", func() {
			k.Post(kit.Item("categories", category), "editor", map[string]any{"name": "Loud"}).Want(t, 200, "")
		}},
		{"how many a category has", func() { k.Event(map[string]any{"title": "One more", "categories": []any{category}}) }},
		{"a password", func() {
			k.Post(kit.Item("events", single), "editor", map[string]any{"post_password": "secret"}).Want(t, 200, "")
		}},
		{"the site's currency", func() {
			k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{CurrencySymbol: args.Some("kr")}})
		}},
		{"the time", func() { k.Clock = time.Date(2030, 3, 20, 12, 0, 0, 0, time.UTC) }},
	} {
		change.make()
		for _, r := range []kit.Request{{}, {Headers: map[string]string{"Accept-Language": "de"}}, {Headers: map[string]string{"Host": "other.localhost:8080"}},
			{As: "editor"}, {As: "subscriber"}} {
			r.Method = "GET"
			for range 3 {
				r.Path = fresh()
				k.Send(r).Want(t, 200, "")
			}
			r.Path = fresh()
			got, now := k.Send(r), k.Clock
			node := k.WithCache()
			k.Clock, node.Clock = now, now
			want := node.Send(r)
			if !bytes.Equal(got.Raw, want.Raw) || len(got.Raw) < 1000 {
				t.Errorf("%s, %v as %q:\n%s\nwant\n%s", change.what, r.Headers, r.As, got.Raw, want.Raw)
			}
		}
	}
}
