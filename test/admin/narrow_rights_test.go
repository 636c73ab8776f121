package admin

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Who may not open something because of their area is told so, and led to where their area is named; others are told of their role.
func TestOutsideOfAnArea(t *testing.T) {
	t.Parallel()
	d := newAreaDesk(t, kit.New(t))
	d.limit()
	editor := d.Person("editor")
	other := d.Made("/events", kit.Object{"title": "Match", "venue": d.arena, "start_date": "2030-03-01 10:00", "end_date": "2030-03-01 11:00"})
	for _, path := range []string{kit.Item("admin/venues", d.arena), kit.Item("admin/submissions", d.out)} {
		if p := editor.Get(path); p.Status != 403 || !p.Shows("not in your part of the calendar") || !p.Shows(`href="/admin/profile#area"`) {
			t.Errorf("%s: %d %s", path, p.Status, p.Body)
		}
	}
	if p := editor.Get("/admin/users"); p.Status != 403 || p.Shows("your part") || !p.Shows("Your role") {
		t.Errorf("users: %d %s", p.Status, p.Body)
	}
	if p := d.Person("author").Get(kit.Item("admin/events", other)); p.Status != 403 || p.Shows("your part") {
		t.Errorf("an author without an area: %d %s", p.Status, p.Body)
	}
	if p := editor.Get("/admin/profile"); !p.Shows(`<h2 id="area">`) || !p.Shows("<bdi>Library</bdi>") || p.Shows("Arena") {
		t.Errorf("the profile: %s", p.Body)
	}
	if p := d.Person("administrator").Get("/admin/profile"); p.Shows(`<h2 id="area">`) {
		t.Error("an administrator has a part")
	}
}

// Lists of places let people choose what they may change, and offer what they may do with it.
func TestPlacesThatMayBeChanged(t *testing.T) {
	t.Parallel()
	d := newAreaDesk(t, kit.New(t))
	d.limit()
	for _, c := range []struct {
		who         string
		boxes       int
		merge, drop bool
	}{{"editor", 1, false, true}, {"author", 0, false, false}, {"administrator", 2, true, true}} {
		p := d.Person(c.who).Get("/admin/venues")
		if boxes := strings.Count(p.Body, `name="id"`); boxes != c.boxes || strings.Contains(p.Body, `value="merge"`) != c.merge || strings.Contains(p.Body, `value="trash"`) != c.drop {
			t.Errorf("%s: %d boxes, %s", c.who, boxes, p.Body)
		}
	}
}

// Editors with an area see categories and tags, which all parts share, without what they may not do with them.
func TestTermsAndAreas(t *testing.T) {
	t.Parallel()
	d := newAreaDesk(t, kit.New(t))
	music, tag := d.Made("/categories", kit.Object{"name": "Music"}), d.Made("/tags", kit.Object{"name": "Jazz"})
	d.limit()
	editor := d.Person("editor")
	for path, id := range map[string]int64{"admin/categories": music, "admin/tags": tag} {
		if p := editor.Get("/" + path); p.Status != 200 || strings.Contains(p.Body, `name="id"`) || strings.Contains(p.Body, `value="merge"`) || strings.Contains(p.Body, kit.Item(path, id)) || !strings.Contains(p.Body, `value="save"`) {
			t.Errorf("%s: %d %s", path, p.Status, p.Body)
		}
		if p := editor.Get(kit.Item(path, id)); p.Status != 403 || !p.Shows("your part") {
			t.Errorf("%s %d: %d", path, id, p.Status)
		}
		if p := d.Person("administrator").Get("/" + path); !strings.Contains(p.Body, `name="id"`) || !strings.Contains(p.Body, kit.Item(path, id)) {
			t.Errorf("%s of an administrator: %s", path, p.Body)
		}
	}
	d.Provider("PATCH", "/sites/demo/users/2", kit.Object{"venues": []int64{}, "categories": []int64{music}}).Want(t, 200, "")
	if p := editor.Get("/admin/categories"); p.Status != 403 || strings.Contains(p.Body, `href="/admin/categories"`) {
		t.Errorf("categories of an editor of some: %d %s", p.Status, p.Body)
	}
	d.Post("/categories", "editor", kit.Object{"name": "Folk"}).Want(t, 403, "rest_forbidden")
}

// The form of a venue has one field for its region, which is stored as the state or the province that it is in the country.
func TestRegionOfAVenue(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	for _, c := range []struct{ country, was, typed, state, province, shown string }{
		{"Deutschland", "", "Bayern", "", "Bayern", "Bayern"},
		{"United States", "", "Ohio", "Ohio", "", "Ohio"},
		{"Deutschland", "state", "Bayern", "Bayern", "", ""},
		{"Italia", "province", "Udine", "", "Udine", "Udine"},
	} {
		fields := kit.Object{"venue": "Hall", "country": c.country}
		if c.was != "" {
			fields[c.was] = "Before"
		}
		id := k.Made("/venues", fields)
		path := kit.Item("admin/venues", id)
		form := b.Fill(path, kit.EveryEditor, url.Values{"region": {c.typed}, "do": {"save"}})
		if p := b.Page; strings.Contains(p.Body, `id="f-state"`) || strings.Contains(p.Body, `id="f-province"`) || !strings.Contains(p.Body, `id="f-region"`) {
			t.Errorf("%+v: not one field for the region", c)
		}
		b.Post(path, form)
		got := k.Get(kit.Item("venues", id), "administrator").Want(t, 200, "")
		for name, want := range map[string]string{"state": c.state, "province": c.province, "stateprovince": c.shown} {
			if text, _ := got.At(name).(string); strings.Trim(text, "-") != want {
				t.Errorf("%+v: %s is %q", c, name, text)
			}
		}
		if p := b.Get(path); !p.Shows(`name="region" type="text" value="` + c.typed + `"`) {
			t.Errorf("%+v: the form has another region", c)
		}
	}
	both := k.Made("/venues", kit.Object{"venue": "Pier", "state": "Ontario", "province": "Peel"})
	if p := b.Get(kit.Item("admin/venues", both)); !p.Shows(`id="f-state"`) || !p.Shows(`id="f-province"`) || p.Shows(`id="f-region"`) {
		t.Error("a venue with a state and a province lacks a field for one of them")
	}
}

// A note leads to what its reader may change, and tells others who may.
func TestNoteThatNobodySubmits(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	if p := k.Person("editor").Get("/admin/submissions"); !p.Shows("An administrator can turn it on.") || p.Shows("/admin/settings") {
		t.Errorf("editor: %s", p.Body)
	}
	if p := k.Person("administrator").Get("/admin/submissions"); !p.Shows(`href="/admin/settings/visitors#f-submissions"`) || p.Shows("An administrator can") {
		t.Errorf("administrator: %s", p.Body)
	}
}
