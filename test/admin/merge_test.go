package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestAdminMergeVenues(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	venue := func(name, slug, city, phone string) int64 {
		return k.Post("/venues", "administrator", map[string]any{"venue": name, "slug": slug, "city": city, "phone": phone}).ID()
	}
	keep, gone, other := venue("Town Hall", "town-hall", "Berlin", ""), venue("TOWN  hall", "old-hall", "Berlin", "+49 30"), venue("Barn", "barn", "", "")
	event := k.Event(map[string]any{"title": "Concert", "venue": []int64{gone, other}})
	k.Event(map[string]any{"title": "Dance", "venue": []int64{keep}})
	before := k.Get(fmt.Sprintf("/events/%d", event), "").Header.Get("ETag")

	b := k.Person("editor")
	if list := b.Get("/admin/venues"); !list.Shows(`<a href="/admin/venues/twins">1 possible duplicate</a>`) {
		t.Error("the list suspects", list.Body)
	}
	if page := b.Get("/admin/venues/twins"); !page.Shows(fmt.Sprintf(`value="%d" checked`, keep)) || !page.Shows(fmt.Sprintf(`value="%d" checked`, gone)) || page.Shows(fmt.Sprintf(`value="%d" checked`, other)) {
		t.Error("the page suspects", page.Body)
	}
	if p := b.Get(fmt.Sprintf("/admin/venues/%d", keep)); !p.Shows("1 possible duplicate") || !p.Shows("Dance") {
		t.Error("the page of one of them")
	}
	b.Post("/admin/venues", url.Values{"do": {"merge"}, "id": {fmt.Sprint(keep), fmt.Sprint(gone)}})
	p := b.Follow()
	if p.Status != 200 || !p.Shows("1 event will be moved to “Town Hall”.") || !p.Shows("“Town Hall” stays.") || !p.Shows("+49 30") || p.Shows("City") {
		t.Error("the comparison", p.Status, p.Body)
	}
	form := kit.MergeForm(p)
	if form.Get("keep") != fmt.Sprint(keep) {
		t.Errorf("keeps %v", form)
	}
	form["take.phone"] = []string{fmt.Sprint(gone)}
	form["take.venue"] = []string{fmt.Sprint(keep)}
	form.Set("do", "merge")
	b.Post("/admin/venues/merge", form)
	if p := b.Follow(); p.Status != 200 || !p.Shows("Merged. 1 event was moved to it.") || !p.Shows("Concert") || !p.Shows("Dance") {
		t.Error("merged", p.Status, p.Body)
	}
	a := k.Get(fmt.Sprintf("/events/%d", event), "")
	if !strings.Contains(string(a.Raw), `"venue":"Town Hall"`) || strings.Contains(string(a.Raw), "TOWN") || a.Header.Get("ETag") == before {
		t.Error("the event", a)
	}
	if v := k.Get(fmt.Sprintf("/venues/%d", keep), ""); v.Body["phone"] != "+49 30" || v.Body["venue"] != "Town Hall" {
		t.Error("the one you keep", v)
	}
	k.Get(fmt.Sprintf("/venues/%d", gone), "").Want(t, 404, "rest-venue-not-found")
	k.Get("/venues/by-slug/old-hall", "").Want(t, 404, "rest-venue-not-found")
	for path, to := range map[string]string{"/venue/old-hall/": "/venue/town-hall/", "/de/venue/old-hall/": "/de/venue/town-hall/", "/ar/venue/old-hall": "/ar/venue/town-hall/"} {
		if p := b.Get(path); p.Status != 301 || p.Header.Get("Location") != to {
			t.Errorf("%s: %d %s", path, p.Status, p.Header.Get("Location"))
		}
	}
	if again := b.Post("/admin/venues/merge", form); again.Status != 303 || !b.Follow().Shows("Nothing was merged") {
		t.Error("merged again", again.Status)
	}
	if p := b.Get("/admin/venues"); p.Shows("possible duplicate") {
		t.Error("still suspected")
	}
}

// The button merges into the entry that is chosen, not into the one that the page had explained. If the entries differ, the page first
// explains the new choice; a value that a person chose stays.
func TestMergeKeepsWhatIsChosen(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	venue := func(fields kit.Object) string { return fmt.Sprint(k.Made("/venues", fields)) }
	shown, chosen := venue(kit.Object{"venue": "Town Hall", "phone": "1", "city": "Bonn"}), venue(kit.Object{"venue": "Town hall", "phone": "2"})
	b := k.Person("editor")
	form := kit.MergeForm(b.Get("/admin/venues/merge?id=" + shown + "&id=" + chosen + "&keep=" + shown))
	form.Set("keep", chosen)
	form.Set("take.phone", chosen)
	form.Set("do", "merge")
	p := b.Post("/admin/venues/merge", form)
	if p.Status != 422 || !p.Shows("You are now keeping “Town hall”.") || p.Shows("was merged") {
		t.Fatalf("without asking: %d", p.Status)
	}
	form = kit.MergeForm(p)
	if got := form.Get("keep") + form.Get("take.venue") + form.Get("take.phone") + form.Get("take.city"); got != chosen+chosen+chosen+shown {
		t.Errorf("explained: %s", got)
	}
	form.Set("do", "merge")
	if p := b.Post("/admin/venues/merge", form); p.Status != 303 {
		t.Fatalf("confirmed: %d", p.Status)
	}
	if v := k.Get("/venues/"+chosen, ""); v.Body["venue"] != "Town hall" || v.Body["phone"] != "2" || v.Body["city"] != "Bonn" {
		t.Errorf("kept: %v", v.Body)
	}
	k.Get("/venues/"+shown, "").Want(t, 404, "rest-venue-not-found")
	shown, chosen = venue(kit.Object{"venue": "Mill"}), venue(kit.Object{"venue": "Mill", "slug": "other-mill"})
	form = kit.MergeForm(b.Get("/admin/venues/merge?id=" + shown + "&id=" + chosen + "&keep=" + shown))
	form.Set("keep", chosen)
	form.Set("do", "merge")
	if p := b.Post("/admin/venues/merge", form); p.Status != 303 || p.Header.Get("Location") != "/admin/venues/"+chosen {
		t.Errorf("alike: %d %s", p.Status, p.Header.Get("Location"))
	}
}

// An earlier version of an event that is restored has what its places and terms were merged into since, once each.
func TestRestoreAfterMerge(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	for section, names := range map[string][2]string{"venues": {"venue", "venue"}, "organizers": {"organizer", "organizer"}, "categories": {"name", "categories"}, "tags": {"name", "tags"}} {
		made := func(name string) int64 { return k.Made("/"+section, kit.Object{names[0]: name}) }
		first, second, third, deleted := made("First"), made("Second"), made("Third"), made("Deleted")
		id := k.Event(kit.Object{"title": "Ball", names[1]: []int64{first, second, deleted}})
		was := k.Version("demo")
		k.Patch(fmt.Sprintf("/events/%d", id), "administrator", kit.Object{"title": "Dance", names[1]: []int64{}})
		for _, pair := range [][2]int64{{second, first}, {third, second}} {
			form := kit.MergeForm(b.Get(fmt.Sprintf("/admin/%s/merge?id=%d&id=%d&keep=%[2]d", section, pair[0], pair[1])))
			form.Set("do", "merge")
			if p := b.Post("/admin/"+section+"/merge", form); p.Status != 303 {
				t.Fatalf("%s: %d %s", section, p.Status, p.Body)
			}
		}
		k.Ask(kit.Request{Method: "DELETE", Path: fmt.Sprintf("/calendar/events/v1/%s/%d?force=true", section, deleted), As: "administrator"})
		page := fmt.Sprintf("/admin/events/%d/revisions", id)
		b.Get(page)
		p := b.Post(page, url.Values{"version": {fmt.Sprint(was)}, "expected": {k.Peek("demo", fmt.Sprintf("SELECT version::text FROM events WHERE id = %d", id))}})
		if p.Status != 200 || !p.Shows("Deleted") || p.Shows("First") || p.Shows(": <bdi>Second") {
			t.Errorf("%s: %d %s", section, p.Status, p.Body)
		}
		has := k.Get(fmt.Sprintf("/events/%d", id), "").Body[names[1]]
		links, several := has.([]any)
		if !several {
			links = []any{has}
		}
		if len(links) != 1 || links[0] == nil || links[0].(map[string]any)["id"] != float64(third) {
			t.Errorf("%s: the event has %v", section, has)
		}
	}
}

// A version that was restored after a merge is called restored like any other, and no page shows the address that the trash gives.
func TestVersionsAfterMergeAndTrash(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	first, second := k.Made("/venues", kit.Object{"venue": "First"}), k.Made("/venues", kit.Object{"venue": "Second"})
	id := k.Event(kit.Object{"title": "Vernissage", "venue": first})
	was := k.Version("demo")
	k.Patch(fmt.Sprintf("/events/%d", id), "administrator", kit.Object{"title": "Dance", "venue": []int64{}})
	form := kit.MergeForm(b.Get(fmt.Sprintf("/admin/venues/merge?id=%d&id=%d&keep=%[2]d", first, second)))
	form.Set("do", "merge")
	b.Post("/admin/venues/merge", form)
	page := fmt.Sprintf("/admin/events/%d/revisions", id)
	b.Get(page)
	b.Post(page, url.Values{"version": {fmt.Sprint(was)}, "expected": {k.Peek("demo", fmt.Sprintf("SELECT version::text FROM events WHERE id = %d", id))}})
	if p := b.Get(page); strings.Count(p.Body, "<b>Restored</b>") != 1 {
		t.Errorf("restored %d times", strings.Count(p.Body, "<b>Restored</b>"))
	}
	before := k.Version("demo")
	k.Ask(kit.Request{Method: "DELETE", Path: fmt.Sprintf("/calendar/events/v1/events/%d", id), As: "administrator"})
	gone := k.Version("demo")
	k.Patch(fmt.Sprintf("/events/%d", id), "administrator", kit.Object{"status": "publish"})
	p := b.Get(fmt.Sprintf("%s?from=%d&to=%d", page, before, gone))
	if p.Status != 200 || strings.Contains(p.Body, "__trashed") || p.Shows("Web address") || p.Shows("Slug") {
		t.Errorf("the address in the trash is shown: %d", p.Status)
	}
}

// Undo takes a merge apart: what went comes back with its id, its address and its events, but for those that somebody has moved since.
func TestAdminMergeUndone(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	venue := func(name, slug, phone string) int64 {
		return k.Made("/venues", kit.Object{"venue": name, "slug": slug, "phone": phone, "description": "<p>At the <b>lake</b>.</p>", "city": "Berlin"})
	}
	keep, gone, barn := venue("Town Hall", "town-hall", ""), venue("TOWN hall", "old-hall", "+49 30"), venue("Barn", "barn", "")
	told := func() string {
		return k.Peek("demo", fmt.Sprintf("SELECT string_agg(id || ' ' || apart::text, ', ' ORDER BY id) FROM venues WHERE apart <> '{}' AND id <> %d", gone))
	}
	k.Change("demo", fmt.Sprintf("UPDATE venues SET apart = CASE id WHEN %d THEN ARRAY[%d] ELSE ARRAY[%[1]d] END WHERE site_id = $1 AND id IN (%[1]d, %[2]d)", gone, barn), k.Sites["demo"].ID)
	both := k.Event(kit.Object{"title": "Concert", "venue": []int64{gone, barn}})
	renamed, moved := k.Event(kit.Object{"title": "Dance", "venue": gone}), k.Event(kit.Object{"title": "Market", "venue": gone})
	choir := kit.Weekly(k, kit.Object{"venue": gone})
	date := int64(kit.Happens(k, choir, "")[1]["id"].(float64)) // an id
	k.Patch(fmt.Sprintf("/events/%d", date), "administrator", kit.Object{"venue": []int64{barn, gone}})
	b := k.Person("editor")
	form := kit.MergeForm(b.Get(fmt.Sprintf("/admin/venues/merge?id=%d&id=%d&keep=%d", keep, gone, keep)))
	if b.Page.Shows("This cannot be undone.") {
		t.Error("the page says that a merge is final")
	}
	form.Set("keep", fmt.Sprint(keep))
	form["take.phone"] = []string{fmt.Sprint(gone)}
	form.Set("do", "merge")
	b.Post("/admin/venues/merge", form)
	if p := b.Follow(); !p.Shows("Merged.") || !p.Shows(kit.UndoAction) {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	if got, want := told(), fmt.Sprintf("%d {%d,%d}", barn, gone, keep); got != want {
		t.Errorf("merged: apart are %s, want %s", got, want)
	}
	k.Patch(fmt.Sprintf("/events/%d", renamed), "administrator", kit.Object{"title": "Ball"})
	k.Patch(fmt.Sprintf("/events/%d", moved), "administrator", kit.Object{"venue": barn})
	path, undo := kit.Undoing(b)
	for range 2 {
		if p := b.Post(path, undo); p.Status != 200 || !p.Shows("Not everything was undone") || !p.Shows("Market") || p.Shows("Ball") {
			t.Fatalf("%d %.3000s", p.Status, p.Body)
		}
		if v := k.Get(fmt.Sprintf("/venues/%d", gone), ""); v.Status != 200 || v.Body["venue"] != "TOWN hall" || v.Body["slug"] != "old-hall" || v.Body["phone"] != "+49 30" || v.Body["city"] != "Berlin" || !strings.Contains(fmt.Sprint(v.Body["description"]), "<b>lake</b>") {
			t.Fatalf("what went: %s", v)
		}
		if v := k.Get(fmt.Sprintf("/venues/%d", keep), ""); fmt.Sprint(v.Body["phone"]) == "+49 30" {
			t.Errorf("what stayed: %s", v)
		}
		for id, want := range map[int64]string{both: "TOWN hall, Barn", renamed: "TOWN hall", moved: "Barn", choir: "TOWN hall", date: "Barn, TOWN hall"} {
			if got := venueNamesOf(k.Get(fmt.Sprintf("/events/%d", id), "administrator").Body["venue"]); got != want {
				t.Errorf("%d is at %s, want %s", id, got, want)
			}
		}
	}
	if got, want := told(), fmt.Sprintf("%d {%d}", barn, gone); got != want {
		t.Errorf("undone: apart are %s, want %s", got, want)
	}
	if p := b.Get("/venue/old-hall/"); p.Status != 200 || !p.Shows("TOWN hall") {
		t.Errorf("its address: %d", p.Status)
	}
}

// venueNamesOf are the names of the venues of an event, which are one or a list.
func venueNamesOf(value any) string {
	list, several := value.([]any)
	if !several {
		list = []any{value}
	}
	var names []string
	for _, one := range list {
		venue, _ := one.(kit.Object)
		names = append(names, fmt.Sprint(venue["venue"]))
	}
	return strings.Join(names, ", ")
}

func TestAdminMergeStale(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	keep, gone := k.Post("/organizers", "administrator", map[string]any{"organizer": "A"}).ID(), k.Post("/organizers", "administrator", map[string]any{"organizer": "B"}).ID()
	b := k.Person("editor")
	path := fmt.Sprintf("/admin/organizers/merge?id=%d&id=%d&keep=%[1]d", keep, gone)
	form := kit.MergeForm(b.Get(path))
	form.Set("do", "merge")
	k.Patch(fmt.Sprintf("/organizers/%d", gone), "administrator", map[string]any{"phone": "123"})
	p := b.Post("/admin/organizers/merge", form)
	if p.Status != 409 || !p.Shows("Someone changed one of them") || !p.Shows("123") || k.Get(fmt.Sprintf("/organizers/%d", gone), "").Status != 200 {
		t.Error("one changed meanwhile", p.Status, p.Body)
	}
	form = kit.MergeForm(p)
	form.Set("do", "merge")
	if p := b.Post("/admin/organizers/merge", form); p.Status != 303 || k.Get(fmt.Sprintf("/organizers/%d", keep), "").Body["phone"] != "123" {
		t.Error("looked at again", p.Status, p.Body)
	}
}

func TestAdminMergeRights(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("other")
	ids := map[string][]string{}
	for _, kind := range []string{"venues", "organizers", "categories", "tags"} {
		name := map[string]string{"venues": "venue", "organizers": "organizer"}[kind]
		if name == "" {
			name = "name"
		}
		for _, one := range []string{"One", "Two"} {
			ids[kind] = append(ids[kind], fmt.Sprint(k.Post("/"+kind, "administrator", map[string]any{name: one}).ID()))
		}
		for _, one := range []string{"Three", "Four", "Five", "Six", "Seven", "Eight"} {
			k.Send(kit.Request{Method: "POST", Path: "/" + kind, As: "administrator", Site: "other", JSON: map[string]any{name: one}})
		}
	}
	for role, open := range map[string]string{"editor": "venues organizers categories tags", "author": "categories", "contributor": "", "subscriber": ""} {
		b := k.Person(role)
		b.Get("/admin/profile")
		for kind, list := range ids {
			form := url.Values{"keep": {list[0]}, "id": {list[0], "99"}, "do": {"merge"}}
			want := 403
			if strings.Contains(open, kind) {
				want = 303 // there is no 99: nothing happens
			}
			if p := b.Post("/admin/"+kind+"/merge", form); p.Status != want {
				t.Errorf("%s merges %s: %d, want %d", role, kind, p.Status, want)
			}
			if p := b.Get("/admin/" + kind + "/merge?id=" + list[0] + "&id=" + list[1]); p.Status != map[int]int{403: 403, 303: 200}[want] {
				t.Errorf("%s looks at the merge of %s: %d", role, kind, p.Status)
			}
		}
	}
	b := k.Person("administrator")
	b.Get("/admin/profile")
	foreign := k.Peek("other", `SELECT max(id)::text FROM venues`)
	if p := b.Get("/admin/venues/merge?id=" + ids["venues"][0] + "&id=" + foreign); p.Status != 404 {
		t.Error("looks at another site's", p.Status)
	}
	form := url.Values{"keep": {ids["venues"][0]}, "id": {ids["venues"][0], foreign}, "do": {"merge"}}
	if b.Post("/admin/venues/merge", form); !b.Follow().Shows("Nothing was merged") || k.Peek("other", `SELECT count(*)::text FROM venues`) != "6" {
		t.Error("merges another site's")
	}
	for what, form := range map[string]url.Values{
		"nothing to merge":       {"keep": {ids["tags"][0]}, "id": {ids["tags"][0]}},
		"a field of another":     {"keep": {ids["tags"][0]}, "id": ids["tags"], "take.name": {"77"}},
		"nobody said what stays": {"id": ids["tags"]},
	} {
		form.Set("do", "merge")
		if p := b.Post("/admin/tags/merge", form); p.Status != 422 {
			t.Errorf("%s: %d", what, p.Status)
		}
	}
	if p := b.Post("/admin/tags/merge", url.Values{"csrf": {"wrong"}, "keep": {ids["tags"][0]}, "id": ids["tags"], "do": {"merge"}}); p.Status == 303 {
		t.Error("merged without the token of the form")
	}
}

func TestAdminMergeCategories(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	category := func(name string, parent int64) int64 {
		return k.Post("/categories", "administrator", map[string]any{"name": name, "parent": parent}).ID()
	}
	top := category("Arts", 0)
	music := category("Music", top)
	jazz := category("Jazz", music)
	concerts := category("Concerts", 0)
	k.Event(map[string]any{"title": "One", "categories": []int64{concerts, jazz}})
	k.Event(map[string]any{"title": "Two", "categories": []int64{concerts}})
	b := k.Person("editor")
	p := b.Get(fmt.Sprintf("/admin/categories/merge?id=%d", music))
	if !p.Shows("What should be merged with “Music”?") {
		t.Error("one alone", p.Body)
	}
	if p := b.Get(fmt.Sprintf("/admin/categories/merge?id=%d&search=conc", music)); !p.Shows("Concerts – concerts") || p.Shows("Arts – arts") {
		t.Error("offers", p.Body)
	}
	form := kit.MergeForm(b.Get(fmt.Sprintf("/admin/categories/merge?id=%d&id=%d&keep=%[1]d", music, concerts)))
	form.Set("do", "merge")
	form["take.name"] = []string{fmt.Sprint(concerts)}
	b.Post("/admin/categories/merge", form)
	if p := b.Follow(); !p.Shows("2 events were moved to it.") {
		t.Error("merged", p.Status, p.Body)
	}
	if got := k.Get(fmt.Sprintf("/categories/%d", music), ""); got.Body["count"] != 2.0 || got.Body["name"] != "Concerts" {
		t.Error("stays", got)
	}
	if p := b.Get("/events/category/concerts/"); p.Status != 301 || p.Header.Get("Location") != "/events/category/arts/music/" {
		t.Error("the page of the one that went", p.Status, p.Header.Get("Location"))
	}

	b.Get("/admin/categories")
	b.Post("/admin/categories", url.Values{"do": {"move"}, "id": {fmt.Sprint(jazz)}, "below": {fmt.Sprint(top)}})
	if p := b.Follow(); !p.Shows("1 entry moved.") || k.Get(fmt.Sprintf("/categories/%d", jazz), "").Body["parent"] != float64(top) {
		t.Error("moved", p.Body)
	}
	b.Post("/admin/categories", url.Values{"do": {"move"}, "id": {fmt.Sprint(top)}, "below": {fmt.Sprint(jazz)}})
	if p := b.Follow(); !p.Shows("1 entry could not be changed.") {
		t.Error("moved below itself", p.Body)
	}
	p = b.Post(fmt.Sprintf("/admin/categories/%d", top), url.Values{"do": {"delete"}})
	if !p.Shows("These move up one level: Concerts, Jazz.") || !p.Shows("0 events will lose it.") {
		t.Error("asks before it deletes", p.Body)
	}
}

func TestRenamedSlugsLead(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	event := k.Event(map[string]any{"title": "Concert", "slug": "concert"})
	path := fmt.Sprintf("/events/%d", event)
	k.Patch(path, "editor", map[string]any{"slug": "gala"})
	b := k.Browser()
	leads := func(from, to string) {
		t.Helper()
		if p := b.Get(from); p.Status != 301 || p.Header.Get("Location") != to {
			t.Errorf("%s: %d %s", from, p.Status, p.Header.Get("Location"))
		}
	}
	leads("/event/concert/", "/event/gala/")
	leads("/ja/event/concert/", "/ja/event/gala/")
	other := k.Event(map[string]any{"title": "Other", "slug": "concert"})
	if p := b.Get("/event/concert/"); p.Status != 200 || !p.Shows("Other") {
		t.Error("a later event doesn't win:", p.Status)
	}
	k.Send(kit.Request{Method: "DELETE", Path: fmt.Sprintf("/events/%d?force=true", other), As: "editor"})
	k.Del(path, "editor")
	if p := b.Get("/event/gala/"); p.Status != 404 {
		t.Error("in the trash", p.Status)
	}
	k.Patch(path, "editor", map[string]any{"status": "publish"})
	if p := b.Get("/event/gala/"); p.Status != 200 {
		t.Error("restored", p.Status)
	}
	category := k.Post("/categories", "editor", map[string]any{"name": "Music"}).ID()
	k.Patch(fmt.Sprintf("/categories/%d", category), "editor", map[string]any{"slug": "sound"})
	leads("/events/category/music/", "/events/category/sound/")
	draft := k.Event(map[string]any{"title": "Draft", "slug": "draft-one", "status": "draft"})
	k.Patch(fmt.Sprintf("/events/%d", draft), "editor", map[string]any{"slug": "draft-two"})
	if n := k.Peek("demo", `SELECT count(*)::text FROM redirects WHERE slug = 'draft-one'`); n != "0" {
		t.Error("the slug of a draft was nobody's address")
	}
}
