package rest

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// followed are arguments of GET /events that followers may filter by, each with an event that it selects and one that it does not. Changing
// one into the other moves it across the filter. A nil event cannot be changed into by its own fields.
type followed struct {
	value   string
	in, out kit.Object
}

// refused are the arguments of GET /events that followers may not filter by, each with a value that the list takes.
var refused = map[string]string{
	"start_date": "2029-01-01", "end_date": "2029-01-01", "starts_before": "2029-01-01", "starts_after": "2029-01-01", "ends_before": "2029-01-01",
	"ends_after": "2029-01-01", "strict_dates": "true", "on": "tonight", "longer_than": "1", "fields": "x", "accessibility": "wheelchair", "status": "publish",
	"password": "x", "page": "1", "after": "2030-01-01T00:00:00Z_1", "orderby": "title", "order": "desc",
}

// meansElse are arguments that GET /changes has with a meaning of its own, and those that say how an answer is written.
var meansElse = map[string]bool{"per_page": true, "include": true, "content_language": true, "translations": true, "_fields": true, "_embed": true, "context": true}

// TestChangesByEachArgument walks all arguments of the list of events: each is either followed, so that a follower has what the list has
// whenever events cross the filter, or refused by its name.
func TestChangesByEachArgument(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := func(path string, body kit.Object) int64 { return k.Post(path, "editor", body).Want(t, 201, "").ID() }
	category, tag := id("/categories", kit.Object{"name": "Music"}), id("/tags", kit.Object{"name": "Free"})
	near := id("/venues", kit.Object{"venue": "Near", "address": "1 Street", "geo_lat": 50.7, "geo_lng": 7.1})
	far := id("/venues", kit.Object{"venue": "Far", "address": "2 Street", "geo_lat": 10.0, "geo_lng": 10.0})
	host := id("/organizers", kit.Object{"organizer": "Club"})
	parent := k.Event(kit.Object{"title": "Fair"})
	series := k.Post("/events", "editor", kit.Times(kit.Object{"title": "Weekly", "recurrence": kit.Object{"every": "week", "count": 3}})).Want(t, 201, "")
	number := func(n int64) string { return fmt.Sprint(n) }
	table := map[string]followed{
		"search":             {"jazz", kit.Object{"title": "Jazz"}, kit.Object{"title": "Chess"}},
		"categories":         {number(category), kit.Object{"categories": []int64{category}}, kit.Object{"categories": []int64{}}},
		"categories_exclude": {number(category), kit.Object{"categories": []int64{}}, kit.Object{"categories": []int64{category}}},
		"tags":               {number(tag), kit.Object{"tags": []int64{tag}}, kit.Object{"tags": []int64{}}},
		"tags_exclude":       {number(tag), kit.Object{"tags": []int64{}}, kit.Object{"tags": []int64{tag}}},
		"venue":              {number(near), kit.Object{"venue": near}, kit.Object{"venue": far}},
		"venue_exclude":      {number(far), kit.Object{"venue": near}, kit.Object{"venue": far}},
		"organizer":          {number(host), kit.Object{"organizer": host}, kit.Object{"organizer": []int64{}}},
		"featured":           {"true", kit.Object{"featured": true}, kit.Object{"featured": false}},
		"ticketed":           {"false", kit.Object{"title": "Without"}, nil},
		"geoloc":             {"true", kit.Object{"venue": near}, kit.Object{"venue": 0}},
		"geoloc_lat":         {"50.7&geoloc_lng=7.1", kit.Object{"venue": near}, kit.Object{"venue": far}},
		"geoloc_lng":         {"7.1&geoloc_lat=50.7", kit.Object{"venue": near}, kit.Object{"venue": far}},
		"geoloc_radius":      {"9&geoloc_lat=50.7&geoloc_lng=7.1", kit.Object{"venue": near}, kit.Object{"venue": far}},
		"post_parent":        {number(parent), nil, kit.Object{"title": "Of no other"}},
		"series":             {number(series.ID()), nil, kit.Object{"title": "Single"}},
		"source":             {"1", nil, kit.Object{"title": "Of nobody"}},
		"recurring":          {"false", kit.Object{"title": "Single"}, nil},
		"event_status":       {"cancelled", kit.Object{"event_status": "cancelled"}, kit.Object{"event_status": "scheduled"}},
		"attendance_mode":    {"online", kit.Object{"attendance_mode": "online"}, kit.Object{"attendance_mode": "offline"}},
		"event_language":     {"de", kit.Object{"event_language": []string{"de"}}, kit.Object{"event_language": []string{"en"}}},
		"audience":           {"families", kit.Object{"audience": []string{"families"}}, kit.Object{"audience": []string{"adults"}}},
		"translated":         {"true", kit.Object{"title": "English"}, nil},
	}
	for _, name := range listArguments(k) {
		value, no := refused[name]
		one, yes := table[name]
		switch {
		case no == yes && !meansElse[name]:
			t.Errorf("%s: say whether followers may filter by it: in none or both of the tables", name)
		case no:
			a := k.Get("/changes?types=event&"+name+"="+url.QueryEscape(value), "editor").Want(t, 400, "rest_invalid_param")
			if a.Params()[name] == nil {
				t.Errorf("%s is refused by another name: %s", name, a)
			}
		case yes:
			crosses(t, k, name+"="+one.value, &one)
		}
	}
	k.Get("/changes?series=first", "").Want(t, 400, "rest_invalid_param")
	for name, value := range refused { // nor may webhooks and sources
		if name == "page" || name == "after" || name == "orderby" || name == "order" {
			continue
		}
		a := k.Post("/webhooks", "administrator", kit.Object{"url": "https://example.org/", "events": []string{"*"}, "filter": kit.Object{name: value}})
		if a.Want(t, 400, "rest_invalid_param"); a.Params()["filter"] == nil && a.Params()["filter["+name+"]"] == nil && a.Params()["filter."+name] == nil {
			t.Errorf("%s in a filter: %s", name, a)
		}
	}
}

// listArguments are the arguments of GET /events, as the document of the interface has them.
func listArguments(k *kit.Kit) (names []string) {
	k.T.Helper()
	for _, one := range k.Get("/doc", "").Want(k.T, 200, "").Body["paths"].(map[string]any)["/events"].(map[string]any)["get"].(map[string]any)["parameters"].([]any) {
		p := one.(map[string]any)
		if name, ok := p["name"].(string); ok && p["in"] == "query" {
			names = append(names, strings.TrimSuffix(name, "[]"))
		}
	}
	if len(names) < 30 {
		k.T.Fatalf("the document has only %v", names)
	}
	return names
}

// crosses moves events across a filter and compares what its follower has with the list.
func crosses(t *testing.T, k *kit.Kit, filter string, of *followed) {
	t.Helper()
	f := following(k, "", "types=event&"+filter)
	compare := func(what string) {
		t.Helper()
		f.catchUp()
		has, listed := slices.Sorted(maps.Keys(f.objects)), f.listed()
		if !slices.Equal(has, listed) {
			t.Errorf("%s, %s: follower has %v, listed are %v", filter, what, has, listed)
		}
	}
	compare("before")
	var events []int64
	for _, fields := range []kit.Object{of.in, of.out} {
		if fields != nil {
			events = append(events, k.Event(fields))
		}
	}
	compare("made")
	if got := strings.Join(f.told, " "); of.in != nil && !strings.Contains(got, fmt.Sprintf("event %d created", events[0])) {
		t.Errorf("%s: of event %d it is told %q", filter, events[0], got)
	}
	if of.in == nil || of.out == nil {
		return
	}
	k.Patch(kit.Item("events", events[0]), "editor", of.out).Want(t, 200, "")
	k.Patch(kit.Item("events", events[1]), "editor", of.in).Want(t, 200, "")
	compare("changed")
	if got := strings.Join(f.told, " "); !strings.Contains(got, fmt.Sprintf("event %d deleted", events[0])) || !strings.Contains(got, fmt.Sprintf("event %d created", events[1])) {
		t.Errorf("%s: events %v cross it, it is told %q", filter, events, got)
	}
}

// TestChangesTokensOfOthers: a token tells nothing of another site, or of rights that somebody had, and none can be made up.
func TestChangesTokensOfOthers(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.Site("two")
	get := func(site, as, query string) kit.Answer {
		return k.Send(kit.Request{Method: "GET", Path: "/changes?" + query, Site: site, As: as})
	}
	k.Event(kit.Object{"title": "Of demo"})
	k.Send(kit.Request{Method: "POST", Path: "/events", Site: "two", As: "administrator", JSON: kit.Times(kit.Object{"title": "Of two"})}).Want(t, 201, "")
	token := get("demo", "", "").Want(t, 200, "").Body["next"].(string)
	draft := k.Event(kit.Object{"title": "Draft", "status": "draft"})
	theirs := get("demo", "editor", "").Want(t, 200, "").Body["next"].(string)
	for _, as := range []string{"", "editor", "administrator"} {
		get("two", as, "since="+token).Want(t, 410, "sync-token-expired")
		get("two", as, "wait=1&since="+token).Want(t, 410, "sync-token-expired")
	}
	for i := range len(token) { // any letter changed or left out, and any end cut off
		other := "A"
		if token[i] == 'A' {
			other = "B"
		}
		for _, forged := range []string{token[:i] + other + token[i+1:], token[:i] + token[i+1:], token[:i]} {
			if forged == "" {
				continue
			}
			if a := get("demo", "", "since="+forged); a.Status != 400 || a.Params()["since"] == nil {
				t.Errorf("%s of %s: %s", forged, token, a)
			}
		}
	}
	// Who was an editor is told nothing with that token, and nothing of drafts without.
	users := k.Provider("GET", "/sites/demo/users?search=editor", nil).Want(t, 200, "")
	editor, _ := users.At("users.0.id").(float64)
	k.Provider("PATCH", fmt.Sprintf("/sites/demo/users/%d", int64(editor)), kit.Object{"role": "subscriber"}).Want(t, 200, "")
	get("demo", "editor", "since="+theirs).Want(t, 410, "sync-token-expired")
	if a := get("demo", "editor", "").Want(t, 200, ""); strings.Contains(string(a.Raw), fmt.Sprintf(`"id":%d,`, draft)) {
		t.Errorf("a subscriber is told of a draft: %s", a)
	}
}
