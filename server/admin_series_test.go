package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// dateOf is the address of the form of a date of a series, counted from 0.
func dateOf(k *kit, series int64, n int) string {
	k.t.Helper()
	return fmt.Sprintf("/admin/events/%v", happens(k, series, "administrator")[n]["id"])
}

// answered is the form of the question which dates, answered so.
func answered(p page, scope string) url.Values {
	form := formAt(p, `<form class="stack narrow which"`)
	form.Set("applies_to", scope)
	return form
}

// TestAdminAsksWhichDates saves a date of a series as one, with what follows, and
// as the whole series: asked once, with everything typed carried along.
func TestAdminAsksWhichDates(t *testing.T) {
	t.Parallel()
	for scope, want := range map[string][]string{"this": {"Choir", "Concert", "Choir"}, "following": {"Choir", "Concert", "Concert"},
		"all": {"Concert", "Concert", "Concert"}} {
		t.Run(scope, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			b := k.person("editor")
			path := dateOf(k, weekly(k, nil), 1)
			form := b.fill(path, everyEditor, url.Values{"title": {"Concert"}, "description": {"<p>One</p>\r\n<p>Two</p>"}})
			before := k.version("demo")
			p := b.post(path, form)
			if p.Status != http.StatusOK || !p.shows("Which dates?") || !p.shows("every second Thursday") {
				t.Fatalf("not asked: %d %.2000s", p.Status, p.Body)
			}
			if k.version("demo") != before {
				t.Error("something is stored before the answer")
			}
			again := answered(p, scope)
			if p := b.post(path, again); p.Status != http.StatusSeeOther {
				t.Fatalf("answered: %d %.2000s", p.Status, p.Body)
			}
			if p := b.follow(); !p.shows("Saved.") || !p.shows(`value="Concert"`) {
				t.Errorf("then: %d", p.Status)
			}
			list := k.get("/events?start_date=2029-12-01&end_date=2030-02-01", "").Body["events"].([]any)
			titles := make([]string, 0, len(list))
			for _, one := range list {
				titles = append(titles, fmt.Sprint(one.(object)["title"]))
			}
			if len(titles) < 3 || !slices.Equal(titles[:3], want) {
				t.Errorf("%v, want %v", titles, want)
			}
		})
	}
}

// TestAdminAskedWhichDates: what can't be of one date isn't offered for one,
// nothing is asked where nothing changed, and the way back keeps what was typed.
func TestAdminAskedWhichDates(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("editor")
	path := dateOf(k, weekly(k, nil), 1)
	p := b.post(path, b.fill(path, everyEditor, url.Values{"status": {"draft"}}))
	if strings.Contains(p.Body, `value="this"`) || !strings.Contains(p.Body, `value="following" checked`) {
		t.Errorf("status of one date: %.2000s", p.Body)
	}
	form := b.fill(path, everyEditor, url.Values{"status": {"draft"}, "applies_to": {"this"}})
	if p := b.post(path, form); p.Status != http.StatusUnprocessableEntity || !strings.Contains(p.Body, `id="p-status"`) {
		t.Errorf("the status of one date: %d", p.Status)
	}
	if p := b.post(path, b.fill(path, everyEditor, nil)); p.Status != http.StatusSeeOther {
		t.Errorf("nothing changed: %d", p.Status)
	}
	p = b.post(path, b.fill(path, everyEditor, url.Values{"title": {"Concert"}}))
	back := answered(p, "this")
	back.Set("do", "show")
	if p := b.post(path, back); p.Status != http.StatusOK || !p.shows(`value="Concert"`) {
		t.Errorf("back: %d", p.Status)
	}
	if p := b.post(path, b.fill(path, everyEditor, url.Values{"title": {"Concert"}, "applies_to": {"none"}})); !p.shows("Which dates?") {
		t.Errorf("an answer there isn't: %d", p.Status)
	}
}

// TestAdminRemovesDates deletes a date of a series, what follows, and all.
func TestAdminRemovesDates(t *testing.T) {
	t.Parallel()
	for scope, left := range map[string]int{"this": -1, "following": 1, "all": 0} {
		t.Run(scope, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			b := k.person("editor")
			series := weekly(k, nil)
			before := len(happens(k, series, ""))
			path := dateOf(k, series, 1)
			p := b.post(path+"/remove", b.fill(path, `<form class="after"`, url.Values{"do": {"remove"}}))
			if p.Status != http.StatusOK || !p.shows("Which dates?") {
				t.Fatalf("not asked: %d", p.Status)
			}
			form := answered(p, scope)
			form.Set("do", "remove")
			if p := b.post(path+"/remove", form); p.Status != http.StatusSeeOther || b.follow().Status != http.StatusOK {
				t.Fatalf("%d %.1000s", p.Status, p.Body)
			}
			if left < 0 {
				left += before
			}
			if a := k.get("/events?start_date=2029-12-01&end_date=2030-12-01&per_page=50", ""); fmt.Sprint(a.Body["total"]) != fmt.Sprint(left) {
				t.Errorf("%v are left, want %d", a.Body["total"], left)
			}
			if want := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[scope == "all"]; scope != "all" && b.get(path).Status != want {
				t.Errorf("a date that is gone: %d", b.page.Status)
			}
		})
	}
}
