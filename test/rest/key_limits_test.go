package rest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"

	"github.com/kalends/kalends/test/kit"
)

// limited returns an API key of the editor that opens some of what there is.
func limited(k *kit.Kit, scopes ...string) string {
	as, _ := k.LimitedKey(2, accounts.KeyFields{Scopes: args.Some(args.Texts(scopes))})
	return as
}

// lacks checks that a key was refused, and for what.
func lacks(t *testing.T, a kit.Answer, scope string) {
	t.Helper()
	a.Want(t, 403, "insufficient-scope").Has(t, "data.scope", scope, "data.status", 403)
}

// TestScopes: a key does what it opens and nothing else, whichever way it comes (rule 21.1).
func TestScopes(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	event := k.Event(kit.Object{"title": "Concert"})
	venue := k.Made("/venues", kit.Object{"venue": "Hall"})
	writes, reads := limited(k, "events:read", "events:write"), limited(k, "venues:read")

	k.Get("/events", writes).Want(t, 200, "").Has(t, "total", 1)
	k.Patch(kit.Item("events", event), writes, kit.Object{"title": "Recital", "venue": venue}).Want(t, 200, "").Has(t, "title", "Recital")
	k.Get(kit.Item("venues", venue), reads).Want(t, 200, "")
	state := k.State()
	lacks(t, k.Get("/events", reads), "events:read")
	lacks(t, k.Get("/events.ics", reads), "events:read")
	lacks(t, k.Get("/changes", reads), "changes:read")
	lacks(t, k.Get("/submissions", reads), "submissions:read")
	lacks(t, k.Post("/events", reads, kit.Times(nil)), "events:write")
	lacks(t, k.Get(kit.Item("venues", venue), writes), "venues:read")
	lacks(t, k.Post("/venues", writes, kit.Object{"venue": "x"}), "venues:write")
	lacks(t, k.Patch(kit.Item("venues", venue), reads, kit.Object{"venue": "x"}), "venues:write")
	lacks(t, k.Del(kit.Item("venues", venue), reads), "venues:write")
	lacks(t, k.Post("/tags", writes, kit.Object{"name": "x"}), "terms:write")
	lacks(t, k.Get("//wp-json/wp/v2/tribe_events", reads), "events:read")

	// What an event brings along takes its own scope, and without it nothing is made.
	lacks(t, k.Post("/events", writes, kit.Times(kit.Object{"venue": kit.Object{"venue": "New hall"}})), "venues:write")
	lacks(t, k.Post("/events", writes, kit.Times(kit.Object{"organizer": kit.Object{"organizer": "New"}})), "organizers:write")
	lacks(t, k.Post("/events", writes, kit.Times(kit.Object{"tags": []string{"new"}})), "terms:write")
	lacks(t, k.Patch(kit.Item("events", event), writes, kit.Object{"categories": []string{"new"}}), "terms:write")
	lacks(t, k.Post("/events", writes, kit.Times(kit.Object{"image": "https://example.org/a.png"})), "images:write")
	if now := k.State(); now != state {
		t.Errorf("a refused key changed something: %s, was %s", now, state)
	}
	said := k.Send(kit.Request{Method: "GET", Path: "/events", As: reads, Headers: map[string]string{"Accept-Language": "de"}})
	if text := fmt.Sprint(said.At("message")); !strings.Contains(text, "„events:read“") {
		t.Errorf("in German: %s", text)
	}
	if allow := k.Get(kit.Item("events", event), limited(k, "events:read")).Want(t, 200, "").Header.Get("Allow"); allow != "GET" {
		t.Errorf("Allow: %s", allow)
	}
}

// TestScopesWithinTheRole: a key opens nothing that its owner's role doesn't, as it is at that moment, and is dead without its owner.
func TestScopesWithinTheRole(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	as, _ := k.LimitedKey(2, accounts.KeyFields{Scopes: args.Some(args.Texts{"events:write", "events:read", "terms:write"})})
	k.Post("/tags", as, kit.Object{"name": "first"}).Want(t, 201, "")
	k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"role": "contributor"}).Want(t, 200, "")
	k.Post("/tags", as, kit.Object{"name": "second"}).Want(t, 403, "rest_forbidden")
	k.Provider("DELETE", "/sites/demo/users/2", nil).Want(t, 200, "")
	k.Get("/events", as).Want(t, 401, "rest_invalid_credentials")
}

// TestKeyCategories: a key with categories writes events in them and below them, before and after the write, and reads all.
func TestKeyCategories(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music := k.Made("/categories", kit.Object{"name": "Music"})
	jazz := k.Made("/categories", kit.Object{"name": "Jazz", "parent": music})
	sport := k.Made("/categories", kit.Object{"name": "Sport"})
	as, _ := k.LimitedKey(2, accounts.KeyFields{Categories: args.Some(args.IDs{music})})
	own := k.Post("/events", as, kit.Times(kit.Object{"title": "Given"})).Want(t, 201, "").Has(t, "categories.0.id", music).ID()
	both := k.Post("/events", as, kit.Times(kit.Object{"title": "Both", "categories": []int64{sport}})).Want(t, 201, "").
		Has(t, "categories.0.id", music, "categories.1.id", sport).ID()
	below := k.Event(kit.Object{"title": "Below", "categories": []int64{jazz}})
	foreign := k.Event(kit.Object{"title": "Foreign", "categories": []int64{sport}})
	none := k.Event(kit.Object{"title": "None"})
	dates := k.Event(kit.Object{"title": "Dates", "categories": []int64{sport}, "recurrence": kit.Object{"every": "day", "count": 3}})

	k.Get("/events", as).Want(t, 200, "").Has(t, "total", 8)
	k.Patch(kit.Item("events", below), as, kit.Object{"title": "Changed"}).Want(t, 200, "")
	k.Patch(kit.Item("events", own), as, kit.Object{"categories": []int64{jazz}}).Want(t, 200, "").Has(t, "categories.0.id", jazz)
	state := k.State()
	for name, a := range map[string]kit.Answer{
		"another's":         k.Patch(kit.Item("events", foreign), as, kit.Object{"title": "Mine"}),
		"of none":           k.Patch(kit.Item("events", none), as, kit.Object{"title": "Mine"}),
		"brought in":        k.Patch(kit.Item("events", foreign), as, kit.Object{"categories": []int64{music}}),
		"taken out":         k.Patch(kit.Item("events", both), as, kit.Object{"categories": []int64{sport}}),
		"emptied":           k.Patch(kit.Item("events", own), as, kit.Object{"categories": nil}),
		"to the trash":      k.Del(kit.Item("events", foreign), as),
		"deleted":           k.Del(kit.Item("events", foreign)+"?force=true", as),
		"one date":          k.Patch(kit.Item("events", dates), as, kit.Object{"title": "Mine", "applies_to": "this"}),
		"its dates":         k.Del(kit.Item("events", dates)+"?applies_to=all", as),
		"a category":        k.Post("/categories", as, kit.Object{"name": "Mine", "parent": music}),
		"a category's tree": k.Patch(kit.Item("categories", sport), as, kit.Object{"parent": music}),
	} {
		if a.Status != 403 || a.Code() != "insufficient-scope" || fmt.Sprint(a.At("data.categories")) != fmt.Sprint([]any{float64(music)}) {
			t.Errorf("%s: %s", name, a)
		}
	}
	if now := k.State(); now != state {
		t.Errorf("a refused key changed something: %s, was %s", now, state)
	}
	k.Post("/tags", as, kit.Object{"name": "anything else"}).Want(t, 201, "")
	k.Del(kit.Item("events", both)+"?force=true", as).Want(t, 200, "")

	// A category that goes takes the key's events with it.
	k.Del(kit.Item("categories", music), "administrator").Want(t, 200, "")
	k.Patch(kit.Item("events", below), as, kit.Object{"title": "Late"}).Want(t, 403, "insufficient-scope")
	k.Post("/events", as, kit.Times(nil)).Want(t, 403, "insufficient-scope")
}

// TestMergedKeyCategories: a key follows its category into the one that takes its place.
func TestMergedKeyCategories(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music, songs := k.Made("/categories", kit.Object{"name": "Music"}), k.Made("/categories", kit.Object{"name": "Songs"})
	event := k.Event(kit.Object{"title": "Song", "categories": []int64{songs}})
	as, _ := k.LimitedKey(2, accounts.KeyFields{Categories: args.Some(args.IDs{songs})})
	_, _, err := k.Calendar.Terms(calendar.Categories).Merge(within(k), services.Merging{Keep: music, Others: []int64{songs}})
	k.Must(err)
	k.Patch(kit.Item("events", event), as, kit.Object{"title": "Tune"}).Want(t, 200, "")
	k.Get("/me", as).Want(t, 200, "").Has(t, "categories.0", music)
}

// TestExpiredKeys: a key ends at its moment, and a day alone counts to its end in the site's zone.
func TestExpiredKeys(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	at := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	moment, _ := args.ParseDate(at.Format(time.RFC3339))
	as, _ := k.LimitedKey(2, accounts.KeyFields{Expires: args.Some(moment)})
	k.Get("/me", as).Want(t, 200, "").Has(t, "expires", at.Format(time.RFC3339))
	day, _ := args.ParseDate("2031-05-06")
	whole, _ := k.LimitedKey(2, accounts.KeyFields{Expires: args.Some(day)})
	end := time.Date(2031, 5, 7, 0, 0, 0, 0, k.Sites["demo"].Location).UTC()
	k.Get("/me", whole).Want(t, 200, "").Has(t, "expires", end.Format(time.RFC3339))
	k.Change("demo", `UPDATE credentials SET expires_at = now() - interval '1 second' WHERE expires_at < now() + interval '2 hours'`)
	k.Platform.Forget(k.Sites["demo"].ID)
	k.Get("/me", as).Want(t, 401, "rest_invalid_credentials")
	k.Get("/events", as).Want(t, 401, "rest_invalid_credentials")
}

// TestMe: who asks learns who they are, with which key, and what that opens now.
func TestMe(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.Get("/me", "").Want(t, 401, "rest_forbidden")
	all := k.Get("/me", "administrator").Want(t, 200, "").
		Has(t, "id", 1, "role", "administrator", "key.kind", "application_password", "expires", nil, "site.slug", "demo", "limits.events", nil)
	if n := len(kit.ListOf(all.At("scopes"))); n != len(tenancy.AccessNames()) {
		t.Errorf("an administrator has %d scopes", n)
	}
	if cache := all.Header.Get("Cache-Control"); cache != "private, no-store" {
		t.Errorf("Cache-Control: %s", cache)
	}
	as := limited(k, "events:read", "events:write", "users:read", "history:read")
	me := k.Get("/me", as).Want(t, 200, "").Has(t, "id", 2, "role", "editor", "key.kind", "api_key", "key.name", "limited")
	if scopes := fmt.Sprint(me.At("scopes")); scopes != "[events:read events:write]" {
		t.Errorf("an editor's key has %s", scopes)
	}
	reading, _ := k.Key(2, true)
	if scopes := fmt.Sprint(k.Get("/me", reading).At("scopes")); strings.Contains(scopes, ":write") || !strings.Contains(scopes, "venues:read") {
		t.Errorf("a read-only key has %s", scopes)
	}
}

// TestActing: what was made with a key is done with the rights that it has by now.
func TestActing(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music := k.Made("/categories", kit.Object{"name": "Music"})
	_, id := k.LimitedKey(2, accounts.KeyFields{Scopes: args.Some(args.Texts{"events:read"}), Categories: args.Some(args.IDs{music})})
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: k.Sites["demo"]})
	p, err := k.Platform.Authenticator.Acting(ctx, 2, id)
	k.Must(err)
	if p.UserID != 2 || p.Role != tenancy.Editor || p.Opens(tenancy.WriteEvents) || !slices.Equal(p.Limits.Categories, []int64{music}) {
		t.Errorf("by key: %+v", p)
	}
	person, err := k.Platform.Authenticator.Acting(ctx, 3, 0)
	k.Must(err)
	if person.Role != tenancy.Author || person.Limits != nil || person.Kind != "" {
		t.Errorf("by a person: %+v", person)
	}
	for name, of := range map[string][2]int64{"another's key": {3, id}, "no key": {2, id + 99}, "nobody": {4711, 0}, "no user": {0, 0}} {
		if _, err := k.Platform.Authenticator.Acting(ctx, of[0], of[1]); err != tenancy.ErrCredentials {
			t.Errorf("%s: %v", name, err)
		}
	}
	k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"role": "contributor"}).Want(t, 200, "")
	if p, err = k.Platform.Authenticator.Acting(ctx, 2, id); err != nil || p.Role != tenancy.Contributor {
		t.Errorf("demoted: %+v %v", p, err)
	}
	k.Change("demo", `UPDATE credentials SET expires_at = now() - interval '1 day' WHERE id = `+fmt.Sprint(id))
	if _, err := k.Platform.Authenticator.Acting(ctx, 2, id); err != tenancy.ErrCredentials {
		t.Errorf("expired: %v", err)
	}
}
