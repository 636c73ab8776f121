package rest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// fielded returns a site with a field of each kind.
func fielded(t *testing.T) *kit.Kit {
	t.Helper()
	k := kit.New(t)
	both := []string{"event", "venue"}
	for _, body := range []kit.Object{
		{"label": "Bühne", "kind": "choice", "of": both, "filter": true, "options": []kit.Object{{"key": "open_air", "label": "Open air"}, {"label": "Großer Saal"}}},
		{"label": "Dogs", "kind": "yes_no", "of": both, "filter": true},
		{"label": "Entrance", "kind": "text", "of": both, "hint": "Which door"},
		{"label": "Minimum age", "kind": "number", "unit": "years", "of": both},
		{"label": "Playlist", "kind": "link", "of": both},
		{"label": "Sold from", "key": "presale", "kind": "date", "of": both},
		{"label": "Notes", "kind": "text", "public": false, "of": both},
	} {
		k.Post("/fields", "administrator", body).Want(t, 201, "")
	}
	return k
}

// fieldCount is how many fields a list has.
func fieldCount(a kit.Answer) int {
	n, _ := a.At("fields.#").(int)
	return n
}

// Rule 23.1: keys are made from labels, once and for all.
func TestFieldDefinitions(t *testing.T) {
	t.Parallel()
	k := fielded(t)
	k.Get("/fields/buehne", "").Has(t, "key", "buehne", "options.0.key", "open_air", "options.1.key", "grosser_saal", "options.1.label", "Großer Saal", "public", true)
	k.Get("/fields/minimum_age", "").Has(t, "unit", "years", "kind", "number")
	if a := k.Get("/fields/MINIMUM_AGE", ""); a.Status != 200 {
		t.Errorf("paths are case-insensitive: %s", a)
	}
	again := k.Post("/fields", "administrator", kit.Object{"label": "Dogs", "kind": "text"}).Want(t, 201, "")
	again.Has(t, "key", "dogs_2")
	if where := again.Header.Get("Location"); !strings.HasSuffix(where, "/fields/dogs_2") {
		t.Errorf("it is at %q", where)
	}
	k.Post("/fields", "administrator", kit.Object{"label": "舞台", "kind": "text", "position": 1}).Has(t, "key", "field")
	if first := k.Get("/fields", ""); first.At("fields.0.key") != "field" {
		t.Errorf("the first field is %v", first.At("fields.0.key"))
	}
	for _, c := range []struct {
		arg  string
		body kit.Object
	}{
		{"key", kit.Object{"label": "A", "kind": "text", "key": "Not a key"}}, {"key", kit.Object{"label": "A", "kind": "text", "key": "dogs"}},
		{"key", kit.Object{"label": "A", "kind": "text", "key": "id"}}, {"kind", kit.Object{"label": "A", "kind": "colour"}},
		{"label", kit.Object{"label": " ", "kind": "text"}}, {"options", kit.Object{"label": "A", "kind": "choice"}},
		{"options", kit.Object{"label": "A", "kind": "text", "options": []kit.Object{{"label": "B"}}}},
		{"options", kit.Object{"label": "A", "kind": "choice", "options": []kit.Object{{"key": "b", "label": "B"}, {"key": "b", "label": "C"}}}},
		{"filter", kit.Object{"label": "A", "kind": "text", "filter": true}}, {"filter", kit.Object{"label": "A", "kind": "yes_no", "filter": true, "public": false}},
		{"of", kit.Object{"label": "A", "kind": "text", "of": []string{}}}, {"translations.xx", kit.Object{"label": "A", "kind": "text", "translations": kit.Object{"xx": kit.Object{"label": "B"}}}},
	} {
		k.Post("/fields", "administrator", c.body).Refused(t, c.arg)
	}
	k.Patch("/fields/dogs", "administrator", kit.Object{"kind": "text"}).Refused(t, "kind")
	k.Patch("/fields/dogs", "administrator", kit.Object{"key": "cats"}).Refused(t, "key")
	for n := fieldCount(k.Get("/fields", "administrator")); n < 30; n++ {
		k.Post("/fields", "administrator", kit.Object{"label": "More", "kind": "text"}).Want(t, 201, "")
	}
	k.Post("/fields", "administrator", kit.Object{"label": "Too many", "kind": "text"}).Refused(t, "label")
}

// Options keep their keys, whatever they are called; what has one that is gone shows nothing.
func TestFieldOptions(t *testing.T) {
	t.Parallel()
	k := fielded(t)
	path := kit.Item("events", k.Event(kit.Object{"fields": kit.Object{"buehne": "grosser_saal"}}))
	read := k.Get("/fields/buehne", "administrator")
	if a := k.Send(kit.Request{Method: "PUT", Path: "/fields/buehne", As: "administrator", JSON: read.Body}); a.Status != 200 || a.Header.Get("ETag") != read.Header.Get("ETag") {
		t.Errorf("what was read changes something: %s", a)
	}
	k.Patch("/fields/buehne", "administrator", kit.Object{"options": []kit.Object{{"key": "grosser_saal", "label": "Hall"}, {"label": "Open air"}, {"label": "Foyer"}}}).
		Has(t, "options.0.label", "Hall", "options.1.key", "open_air", "options.2.key", "foyer")
	k.Get(path, "").Has(t, "fields.buehne", "grosser_saal")
	k.Patch("/fields/buehne", "administrator", kit.Object{"options": []kit.Object{{"key": "foyer", "label": "Foyer"}}}).Want(t, 200, "")
	k.Get(path, "").Has(t, "fields", "-")
	stale := kit.Request{Method: "PATCH", Path: "/fields/buehne", As: "administrator", Headers: map[string]string{"If-Match": read.Header.Get("ETag")}, JSON: kit.Object{"label": "Stage"}}
	if a := k.Send(stale); a.Status != 412 {
		t.Errorf("it was changed meanwhile: %s", a)
	}
}

// Rule 23.3: values by key, of the kind of their field, of events and of venues.
func TestFieldValues(t *testing.T) {
	t.Parallel()
	k := fielded(t)
	all := kit.Object{"buehne": "open_air", "dogs": false, "entrance": " Door <b>B</b> ", "minimum_age": "12", "playlist": "https://music.example/x", "presale": "2027-03-01", "notes": "Call Ann"}
	for section, body := range map[string]kit.Object{"events": {"fields": all}, "venues": {"venue": "Hall", "fields": all}} {
		var id int64
		if section == "events" {
			id = k.Event(body)
		} else {
			id = k.Made("/venues", body)
		}
		path := kit.Item(section, id)
		k.Get(path, "").Has(t, "fields.buehne", "open_air", "fields.dogs", false, "fields.entrance", "Door B", "fields.minimum_age", 12.0, "fields.playlist",
			"https://music.example/x", "fields.presale", "2027-03-01", "fields.notes", "-")
		read := k.Get(path, "administrator").Has(t, "fields.notes", "Call Ann")
		was := k.Version("demo")
		if a := k.Send(kit.Request{Method: "PUT", Path: path, As: "administrator", JSON: read.Body}); a.Status != 200 || k.Version("demo") != was {
			t.Errorf("what was read changes something: %s", a)
		}
		k.Patch(path, "administrator", kit.Object{"fields": kit.Object{"dogs": nil, "entrance": "", "minimum_age": 1.5}}).
			Has(t, "fields.dogs", "-", "fields.entrance", "-", "fields.minimum_age", 1.5, "fields.buehne", "open_air")
		for key, wrong := range map[string]any{"buehne": "stairs", "dogs": "perhaps", "entrance": strings.Repeat("x", 1001), "minimum_age": "old", "playlist": "javascript:x", "presale": "soon",
			"none": "x"} {
			k.Patch(path, "administrator", kit.Object{"fields": kit.Object{key: wrong}}).Refused(t, "fields."+key)
		}
		for _, wrong := range []any{"x", kit.Object{"Not a key": 1}, []int{1}} {
			k.Patch(path, "administrator", kit.Object{"fields": wrong}).Refused(t, "fields")
		}
		k.Patch("/fields/minimum_age", "administrator", kit.Object{"archived": true}).Want(t, 200, "")
		k.Patch(path, "administrator", kit.Object{"fields": nil}).Has(t, "fields", "-")
		k.Patch("/fields/minimum_age", "administrator", kit.Object{"archived": false}).Want(t, 200, "")
		k.Get(path, "").Has(t, "fields.minimum_age", 1.5, "fields.buehne", "-")
	}
	k.Post("/fields", "administrator", kit.Object{"label": "Parking", "kind": "text", "of": []string{"venue"}}).Want(t, 201, "")
	k.Patch(kit.Item("events", k.Event(nil)), "administrator", kit.Object{"fields": kit.Object{"parking": "x"}}).Refused(t, "fields.parking")
}

// Rule 23.4: lists, feeds and tables are narrowed by fields that allow it, and by nothing that is hidden.
func TestFieldFilters(t *testing.T) {
	t.Parallel()
	k := fielded(t)
	names := map[string]string{}
	for title, more := range map[string]kit.Object{
		"open":   {"fields": kit.Object{"buehne": "open_air", "dogs": true}},
		"hall":   {"fields": kit.Object{"buehne": "grosser_saal", "dogs": false}},
		"locked": {"fields": kit.Object{"buehne": "open_air"}, "post_password": "anchor"},
		"none":   {},
	} {
		more["title"], more["start_date"], more["end_date"] = title, "2030-03-01 19:00:00", "2030-03-01 21:00:00"
		names[fmt.Sprint(k.Event(more))] = title
	}
	for filter, want := range map[string]string{
		"fields[buehne]=open_air":                                 "open",
		"fields[buehne]=open_air,grosser_saal":                    "hall open",
		"fields[buehne][]=open_air&fields[buehne][]=grosser_saal": "hall open",
		"fields[dogs]=true":                                       "open",
		"fields[dogs]=0":                                          "hall",
		"fields[dogs]=true&fields[buehne]=grosser_saal":           "",
		"fields[buehne]=open_air&password=anchor":                 "locked open",
		"fields[buehne]=":                                         "hall locked none open",
		"fields[dogs]=true&series=first":                          "open",
	} {
		list := k.Get("/events?starts_after=2029-12-31&orderby=title&"+filter, "").Want(t, 200, "")
		if got := list.Named(names); got != want {
			t.Errorf("%s finds %q, want %q", filter, got, want)
		}
	}
	for _, wrong := range []string{"entrance", "notes", "none"} {
		k.Get("/events?fields["+wrong+"]=x", "administrator").Refused(t, "fields."+wrong)
	}
	k.Get("/events?fields[buehne]=stairs", "").Refused(t, "fields.buehne")
	k.Get("/changes?fields[dogs]=true", "administrator").Refused(t, "fields")
	for _, path := range []string{"/events.ics", "/events.csv"} {
		raw := string(k.Get(path+"?starts_after=2029-12-31&fields[dogs]=true", "").Want(t, 200, "").Raw)
		if !strings.Contains(raw, "open") || strings.Contains(raw, "hall") {
			t.Errorf("%s has another selection", path)
		}
	}
	page := k.Get("/events?starts_after=2029-12-31&per_page=1&fields[buehne]=open_air,grosser_saal", "").Want(t, 200, "")
	next, _ := page.At("next_rest_url").(string)
	if !strings.Contains(next, "fields") || !strings.Contains(next, "open_air") {
		t.Errorf("the next page is at %q", next)
	}
}

// Rules 23.2 and 23.6: fields that go take what is in them along, and a new one of that key has nothing.
func TestFieldsGo(t *testing.T) {
	t.Parallel()
	k := fielded(t)
	venue := k.Made("/venues", kit.Object{"venue": "Hall", "fields": kit.Object{"dogs": true}})
	path := kit.Item("events", k.Event(kit.Object{"venue": venue, "fields": kit.Object{"dogs": true, "entrance": "Door"}}))
	k.Get(path, "").Has(t, "venue.fields.dogs", true)
	was := k.Version("demo")
	k.Send(kit.Request{Method: "DELETE", Path: "/fields/dogs", As: "administrator"}).Has(t, "key", "dogs")
	k.Get("/fields/dogs", "administrator").Want(t, 404, "rest-field-not-found")
	k.Get(path, "administrator").Has(t, "fields.dogs", "-", "fields.entrance", "Door", "venue.fields", "-")
	k.Post("/fields", "administrator", kit.Object{"label": "Dogs", "kind": "yes_no", "of": []string{"event", "venue"}}).Has(t, "key", "dogs")
	k.Get(path, "administrator").Has(t, "fields.dogs", "-", "venue.fields", "-")
	k.Send(kit.Request{Method: "DELETE", Path: "/fields/entrance", As: "administrator"}).Want(t, 200, "")
	k.Get(path, "administrator").Has(t, "fields", "-")
	if k.Version("demo") <= was {
		t.Error("the version of the site stays")
	}
}

// Labels are in the language of the reader, and stay when the site changes its language.
func TestFieldTranslations(t *testing.T) {
	t.Parallel()
	k := fielded(t)
	k.Provider("PATCH", "/sites/demo", kit.Object{"settings": kit.Object{"content_languages": []string{"en", "de"}}}).Want(t, 200, "")
	k.Patch("/fields/dogs", "administrator", kit.Object{"translations": kit.Object{"de": kit.Object{"label": "Hunde"}}}).Has(t, "label", "Dogs", "translations.de.label", "Hunde")
	k.Get("//de/calendar/events/v1/fields/dogs", "").Has(t, "label", "Hunde")
	k.Patch("/fields/buehne", "administrator", kit.Object{"translations": kit.Object{"de": kit.Object{"options": kit.Object{"open_air": "Draußen"}}}}).Want(t, 200, "")
	k.Get("//de/calendar/events/v1/fields/buehne", "").Has(t, "options.0.label", "Draußen", "options.1.label", "Großer Saal")
	k.Patch("/fields/dogs", "administrator", kit.Object{"translations": kit.Object{"de": nil}}).Has(t, "translations.de", "-")
	k.Patch("/fields/dogs", "administrator", kit.Object{"translations": kit.Object{"en": nil}}).Refused(t, "translations.en")
	k.Provider("PATCH", "/sites/demo", kit.Object{"language": "de"}).Want(t, 200, "")
	k.Get("/fields/dogs", "").Has(t, "label", "Dogs")
}
