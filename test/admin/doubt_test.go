package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Somebody who publishes what is already over is asked first: the year may be wrong. Nothing is stored before the second press, and nothing
// typed is lost.
func TestPublishedTooLate(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	b := k.Person("editor")
	form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Fair"}, "start_date": {"2029-04-01T10:00"}, "end_date": {"2029-04-01T11:00"},
		"cost": {"12"}, "do": {"publish"}})
	p := b.Post("/admin/events/new", form)
	if p.Status != 422 || !p.Shows("Already over. Is the date right?") || !p.Shows("Publish anyway") || !p.Shows(`value="12"`) {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	if found := k.Get("/events?search=fair&start_date=2029-01-01&status=publish,draft", "editor").Body["total"]; found != 0.0 {
		t.Errorf("%v events are stored already", found)
	}
	again := kit.FormAt(p, kit.EveryEditor)
	again.Set("do", "publish")
	again.Set("end_date", "2029-04-01T12:00")
	if p = b.Post("/admin/events/new", again); p.Status != 422 {
		t.Errorf("another end, which is over as well, isn't asked about: %d", p.Status)
	}
	again = kit.FormAt(p, kit.EveryEditor)
	again.Set("do", "publish")
	if p = b.Post("/admin/events/new", again); p.Status != 303 || !b.Follow().Shows("Everyone can see it now.") {
		t.Fatalf("pressed again: %d %s", p.Status, p.Body)
	}
	address := p.Header.Get("Location")
	if same := b.Post("/admin/events/new", again); same.Header.Get("Location") != address {
		t.Errorf("the form sent twice leads to %d %q", same.Status, same.Header.Get("Location"))
	}
	if p := b.Post(address, b.Fill(address, kit.EveryEditor, url.Values{"title": {"Large fair"}, "do": {"save"}})); p.Status != 303 {
		t.Errorf("another title of what is over: %d", p.Status)
	}
	moved := b.Fill(address, kit.EveryEditor, url.Values{"start_date": {"2028-04-01T10:00"}, "end_date": {"2028-04-01T11:00"}, "do": {"save"}})
	if p := b.Post(address, moved); p.Status != 422 || !p.Shows("Save anyway") {
		t.Errorf("moved into the past: %d %s", p.Status, p.Body)
	}
	for _, no := range []url.Values{{"do": {"draft"}}, {"do": {"publish"}, "start_date": {"2031-04-01T10:00"}, "end_date": {"2031-04-01T11:00"}}} {
		no.Set("title", "Other fair")
		if !no.Has("start_date") {
			no.Set("start_date", "2029-04-01T10:00")
			no.Set("end_date", "2029-04-01T11:00")
		}
		if p := b.Post("/admin/events/new", b.Fill("/admin/events/new", kit.EveryEditor, no)); p.Status != 303 {
			t.Errorf("%v: %d", no, p.Status)
		}
	}
	if page := b.Get("/admin/events/new").Body; !strings.Contains(page, `max="9999-12-31T23:59"`) {
		t.Error("a year can have six digits")
	}
}

// A copy, the small form of the list and many at once ask as well.
func TestPublishedTooLateElsewhere(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	b := k.Person("editor")
	id := k.Event(map[string]any{"title": "Fair", "status": "draft", "start_date": "2029-04-01 10:00", "end_date": "2029-04-01 11:00"})
	address := fmt.Sprintf("/admin/events/%d", id)
	forms := map[string]struct {
		at, begins string
		typed      url.Values
	}{
		"copy": {address + "/copy", `<form class="stack narrow"`, url.Values{"start_date": {"2029-05-01T10:00"}, "do": {"publish"}}},
		"row":  {address + "/row?to=/admin/events", `<form class="row-form"`, url.Values{"status": {"publish"}, "do": {"save"}}},
	}
	for name, f := range forms {
		p := b.Post(strings.Split(f.at, "?")[0], b.Fill(f.at, f.begins, f.typed))
		if p.Status != 422 || !p.Shows("Already over. Is the date right?") {
			t.Fatalf("%s: %d %s", name, p.Status, p.Body)
		}
		again := kit.FormAt(p, f.begins)
		again.Set("do", f.typed.Get("do"))
		if p := b.Post(strings.Split(f.at, "?")[0], again); p.Status != 303 {
			t.Errorf("%s again: %d %s", name, p.Status, p.Body)
		}
	}
	other := k.Event(map[string]any{"title": "Other", "status": "draft", "start_date": "2029-04-01 10:00", "end_date": "2029-04-01 11:00"})
	b.Get("/admin/events?view=all")
	p := b.Post("/admin/events", url.Values{"id": {fmt.Sprint(other)}, "do": {"publish"}, "to": {"/admin/events"}, "seen": {"1000000"}})
	if p.Status != 200 || !p.Shows("Already over. Is the date right?") {
		t.Fatalf("many: %d %s", p.Status, p.Body)
	}
	again := kit.FormAt(p, `<form class="buttons" method="post" action="/admin/events"`)
	again.Set("do", "publish")
	if p := b.Post("/admin/events", again); p.Status != 303 {
		t.Fatalf("many again: %d %s", p.Status, p.Body)
	}
	if status := k.Get(fmt.Sprintf("/events/%d", other), "editor").Body["status"]; status != "publish" {
		t.Errorf("it is %v", status)
	}
}

// An event that is there already is named before it is published a second time.
func TestPublishedTwice(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	b := k.Person("editor")
	id := k.Event(map[string]any{"title": "Fair", "start_date": "2031-04-01 10:00", "end_date": "2031-04-01 11:00", "venue": map[string]any{"venue": "Town Hall"}})
	typed := func(title, start, venue string) url.Values {
		return b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {title}, "start_date": {"2031-04-01T" + start}, "end_date": {"2031-04-01T12:00"},
			"venue": {venue}, "do": {"publish"}})
	}
	p := b.Post("/admin/events/new", typed("FAIR", "10:00", "Town Hall"))
	if p.Status != 422 || !p.Shows("There is already an event") || !p.Shows(fmt.Sprintf(`href="/admin/events/%d"`, id)) || !p.Shows("Publish anyway") {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	again := kit.FormAt(p, kit.EveryEditor)
	again.Set("do", "publish")
	if p := b.Post("/admin/events/new", again); p.Status != 303 {
		t.Errorf("pressed again: %d", p.Status)
	}
	for _, other := range [][3]string{{"Fair in spring", "10:00", "Town Hall"}, {"Fair", "10:30", "Town Hall"}, {"Fair", "10:00", ""}} {
		if p := b.Post("/admin/events/new", typed(other[0], other[1], other[2])); p.Status != 303 {
			t.Errorf("%v is taken for the same: %d", other, p.Status)
		}
	}
}

// A category that is missing is made with the event, by those who may; others are told who may.
func TestNewCategoryInTheForm(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for role, may := range map[string]bool{"editor": true, "contributor": false} {
		b := k.Person(role)
		form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Choir of " + role}, "new_category": {"Made by " + role}, "do": {"draft"}})
		if b.Page.Shows(`name="new_category"`) != may || b.Page.Shows("Only editors can add categories.") == may {
			t.Errorf("%s: the form offers something else", role)
		}
		p := b.Post("/admin/events/new", form)
		m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
		if may != (m != nil) {
			t.Fatalf("%s: %d %s", role, p.Status, p.Body)
		}
		if may {
			k.Get("/events/"+m[1], "administrator").Has(t, "categories.0.name", "Made by "+role)
		} else if p.Status != 422 || !p.Shows(`id="p-categories"`) {
			t.Errorf("%s: %d %s", role, p.Status, p.Body)
		}
	}
}

// What is wrong with a date is said with a date as the language writes it, and with no name of the API.
func TestDatesInMessages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Choir"}, "start_date": {"202619-05-01T10:00"}, "do": {"draft"}})
	for language, want := range map[string]string{"en": "Enter a date such as Mar\u00a01,\u00a02027", "de": "Geben Sie ein Datum wie 1.\u00a0März\u00a02027"} {
		b.Cookies["kalends-language"] = language
		if p := b.Post("/admin/events/new", form); p.Status != 422 || !p.Shows(want) || p.Shows("2027-03-01") {
			t.Errorf("%s: %d %s", language, p.Status, p.Body)
		}
	}
}
