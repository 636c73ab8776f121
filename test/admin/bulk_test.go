package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// bulkForm asks for a change of many events and returns the page; more are names and values of fields.
func bulkForm(b *kit.Browser, ids []int64, step string, more ...string) kit.Page {
	form := url.Values{"do": {"bulk"}, "to": {"/admin/events?view=all"}}
	for _, id := range ids {
		form.Add("id", fmt.Sprint(id))
	}
	if step != "" {
		form.Set("step", step)
	}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return b.Post("/admin/events", form)
}

// bulkSaving is the form of a page that shows what would change, as it is confirmed.
func bulkSaving(p kit.Page) url.Values {
	form := kit.FormAt(p, `<form class="stack"`)
	form.Set("do", "bulk")
	form.Set("step", "save")
	return form
}

// One form changes the venue, the terms, the price, and the time of several events: it shows what would change first, and one press takes
// everything back.
func TestBulk(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	music, jazz := k.Made("/categories", kit.Object{"name": "Music"}), k.Made("/categories", kit.Object{"name": "Jazz"})
	wrong, right := k.Made("/venues", kit.Object{"venue": "Wrong hall"}), k.Made("/venues", kit.Object{"venue": "Right hall"})
	var ids []int64
	for i := range 3 {
		ids = append(ids, k.Event(kit.Object{"title": fmt.Sprint("Talk ", i), "venue": wrong, "categories": []int64{music}, "tags": []string{"old"},
			"start_date": "2031-01-10 10:00", "end_date": "2031-01-10 11:00"}))
	}
	days := k.Event(kit.Object{"title": "Fair", "all_day": true, "venue": right, "start_date": "2031-01-31", "end_date": "2031-01-31"})
	ids = append(ids, days)
	b := k.Person("editor")
	if p := b.Get("/admin/events?view=all"); !strings.Contains(p.Body, `value="bulk"`) {
		t.Fatal("the list offers no change of many")
	}
	if p := bulkForm(b, ids, ""); p.Status != 200 || !p.Shows("Change 4 events") || !p.Shows("Talk 2") || strings.Contains(p.Body, `value="save"`) {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	if p := b.Page; strings.Count(p.Body, `placeholder="Leave as it is"`) < 5 {
		t.Error("empty fields do not say that they leave things as they are")
	}
	before := k.Version("demo")
	fields := []string{"set_venue", fmt.Sprint(right), "add_category", fmt.Sprint(jazz), "remove_category", fmt.Sprint(music), "add_tags", "new, open",
		"remove_tags", "OLD", "cost", "5 €", "move_days", "1", "move_hours", "-2"}
	p := bulkForm(b, ids, "look", fields...)
	for _, text := range []string{"Wrong hall", "Right hall", "Jazz", "new, open", "5 €", "Sat, Jan\u00a011,\u00a02031", "8:00"} {
		if !p.Shows(text) {
			t.Errorf("what would change lacks %s: %.6000s", text, p.Body)
		}
	}
	if k.Version("demo") != before {
		t.Error("looking has changed something")
	}
	b.Post("/admin/events", bulkSaving(p))
	if got := k.Version("demo"); got != before+1 {
		t.Errorf("%d writes, want one", got-before)
	}
	p = b.Follow()
	if !p.Shows("4 events changed.") {
		t.Fatalf("%.3000s", p.Body)
	}
	for _, id := range ids {
		e := k.Get(fmt.Sprintf("/events/%d", id), "administrator").Body
		start := "2031-01-11 08:00:00"
		if id == days {
			start = "2031-02-01 00:00:00"
		}
		if e["start_date"] != start || fmt.Sprint(e["cost"]) != "5€" || !strings.Contains(fmt.Sprint(e["venue"]), "Right hall") {
			t.Errorf("%v: %v %v %v", e["title"], e["start_date"], e["cost"], e["venue"])
		}
		if terms := fmt.Sprint(e["categories"], e["tags"]); !strings.Contains(terms, "Jazz") || strings.Contains(terms, "Music") || !strings.Contains(terms, "open") || strings.Contains(terms, "old") {
			t.Errorf("%v: %s", e["title"], terms)
		}
	}
	undo := kit.FormAt(p, `<form class="said undo"`)
	b.Post("/admin/events/undo", undo)
	for _, id := range ids[:3] {
		e := k.Get(fmt.Sprintf("/events/%d", id), "administrator").Body
		if terms := fmt.Sprint(e["categories"], e["tags"], e["venue"]); e["start_date"] != "2031-01-10 10:00:00" || !strings.Contains(terms, "Music") || !strings.Contains(terms, "Wrong hall") {
			t.Errorf("not taken back: %v %s", e["start_date"], terms)
		}
	}
}

// A form that is empty or wrong says so and changes nothing.
func TestBulkWrong(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(kit.Object{"title": "Talk"})
	madeBy(k, "/fields", kit.Object{"label": "Seats", "key": "seats", "kind": "number", "of": []string{"event"}})
	b := k.Person("editor")
	b.Get("/admin/events?view=all")
	before := k.Version("demo")
	for _, c := range []struct{ field, value, says string }{
		{"event_status_reason", "Rain", "Fill in what should change."},
		{"move_days", "many", "at most 3660"}, {"move_days", "3661", "at most 3660"}, {"move_hours", "-3661", "at least -3660"},
		{"set_venue", "999", "This venue no longer exists."}, {"set_organizer", "999", "This organizer no longer exists."},
		{"add_category", "999", "This category no longer exists."}, {"remove_category", "999", "This category no longer exists."},
		{"event_status", "happy", "Choose one of the values offered"}, {"add_audience", "cats", "Choose one of the values offered"}, {"remove_event_language", "xx", "Choose one of the values offered"},
		{"registration_until", "soon", "Enter a date such as"}, {"video_url", "no address", "complete address"}, {"attendance_mode", "abroad", "Choose one of the values offered"},
		{"featured", "perhaps", "must be true or false"}, {"fields.seats", "many", "number"},
	} {
		for _, step := range []string{"look", "save"} {
			if p := bulkForm(b, []int64{id}, step, c.field, c.value); p.Status != 422 || !p.Shows(c.says) {
				t.Errorf("%s %s, %s: %d %.1500s", c.field, c.value, step, p.Status, p.Body)
			}
		}
	}
	if k.Version("demo") != before {
		t.Error("something was changed")
	}
}

// A date of a series changes alone, the series with all its dates.
func TestBulkSeries(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	choir := kit.Weekly(k, nil)
	hall := k.Made("/venues", kit.Object{"venue": "Right hall"})
	b := k.Person("editor")
	b.Get("/admin/events?view=all")
	date := kit.Happens(k, choir, "")[1]
	id := int64(date["id"].(float64)) // an id
	save := func(id int64, more ...string) kit.Page {
		t.Helper()
		form := bulkSaving(bulkForm(b, []int64{id}, "look", more...))
		other := kit.Clone(form)
		other.Set("cost", "9")
		if p := b.Post("/admin/events", other); p.Status != 200 || !p.Shows("What would change") {
			t.Errorf("what was not shown is saved: %d", p.Status)
		}
		if p := b.Post("/admin/events", form); p.Status != 303 {
			t.Fatalf("%d %.2000s", p.Status, p.Body)
		}
		return b.Follow()
	}
	save(id, "set_venue", fmt.Sprint(hall), "move_hours", "1")
	held := 0
	for _, one := range kit.Happens(k, choir, "") {
		if strings.Contains(fmt.Sprint(one["venue"]), "Right hall") {
			held++
		}
	}
	if held != 1 {
		t.Errorf("%d dates are in the hall, want 1", held)
	}
	starts := func() string {
		var list []string
		for _, one := range kit.Happens(k, choir, "") {
			list = append(list, strings.ReplaceAll(fmt.Sprint(one["start_date"]), " ", "T"))
		}
		return strings.Join(list, " ")
	}
	before := starts()
	if p := save(choir, "move_days", "1"); !p.Shows("1 event changed.") {
		t.Errorf("%.2000s", p.Body)
	}
	if got := starts(); got == before || len(strings.Split(got, " ")) != len(strings.Split(before, " ")) {
		t.Errorf("the dates were %s and are %s", before, got)
	}
}
