package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// leads checks where old addresses of dates lead: "" for a page that is there, "gone"
// for a date that was removed.
func leads(k *kit, what string, want map[string]string) {
	k.t.Helper()
	for from, to := range want {
		a := k.look(from)
		got := a.Header.Get("Location")
		switch {
		case a.Status == http.StatusGone:
			got = "gone"
		case a.Status == http.StatusNotFound:
			got = "nowhere"
		case a.Status != http.StatusMovedPermanently && a.Status != http.StatusOK:
			got = fmt.Sprint(a.Status)
		}
		if got != to {
			k.t.Errorf("%s: %s leads to %q, want %q", what, from, got, to)
		}
		if strings.HasPrefix(to, "/") && k.look(to).Status != http.StatusOK {
			k.t.Errorf("%s: %s is %d", what, to, k.look(to).Status)
		}
	}
}

// TestPublicDatesLeadOn: the address of a date leads to where the date is now, however
// often it moved and whatever series it is of.
func TestPublicDatesLeadOn(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := weekly(k, object{"recurrence": object{"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;COUNT=8"}})
	third := k.occurrence(id, "2030-01-03")
	fourth := k.occurrence(id, "2030-01-17")
	k.patch(fourth, "editor", object{"title": "Guests"}).want(t, 200, "")
	k.patch(third, "editor", object{"start_date": "2030-01-05 18:00:00", "end_date": "2030-01-05 20:00:00"}).want(t, 200, "")
	leads(k, "one is moved", map[string]string{"/event/choir/2030-01-03/": "", "/event/choir/2030-01-05/": "nowhere"})

	k.patch(item("events", id), "editor", object{"start_date": "2029-12-07 19:30:00", "end_date": "2029-12-07 21:30:00",
		"recurrence": "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;COUNT=8"}).want(t, 200, "")
	leads(k, "all are moved", map[string]string{"/event/choir/2029-12-20/": "/event/choir/2029-12-21/", "/event/choir/2030-01-17/": "/event/choir/2030-01-18/",
		"/de/event/choir/2029-12-20/": "/de/event/choir/2029-12-21/", "/event/choir/2029-12-20": "/event/choir/2029-12-21/", "/event/choir/2029-12-21/": "",
		"/event/choir/2029-12-19/": "nowhere", "/event/other/2029-12-20/": "nowhere"})

	k.patch(k.occurrence(id, "2030-01-18"), "editor", object{"applies_to": "following", "title": "Singers", "start_date": "2030-01-19 19:30:00",
		"end_date": "2030-01-19 21:30:00", "recurrence": "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA;COUNT=5"}).want(t, 200, "")
	rest := "/event/choir-2/"
	leads(k, "the following are moved", map[string]string{"/event/choir/2029-12-20/": "/event/choir/2029-12-21/", "/event/choir/2030-01-17/": rest + "2030-01-19/",
		"/event/choir/2030-01-18/": rest + "2030-01-19/", "/event/choir/2030-02-01/": rest + "2030-02-02/", rest + "2030-02-02/": "",
		"/ja/event/choir/2030-01-31/": "/ja" + rest + "2030-02-02/"})

	k.patch(item("events", id), "editor", object{"slug": "choir-of-old"}).want(t, 200, "")
	k.del(k.occurrence(int64(k.get(fourth, "").at("series.id").(float64)), "2030-02-02"), "editor").want(t, 200, "")
	leads(k, "with another name", map[string]string{"/event/choir/2029-12-20/": "/event/choir-of-old/2029-12-21/", "/event/choir/2030-01-17/": rest + "2030-01-19/",
		"/event/choir/2030-02-01/": "gone", "/event/choir-2/2030-02-02/": "gone", "/event/choir/2029-12-21/": "/event/choir-of-old/2029-12-21/"})
	k.patch(item("events", id), "editor", object{"recurrence": nil}).want(t, 200, "")
	leads(k, "once", map[string]string{"/event/choir/2029-12-07/": "/event/choir-of-old/", "/event/choir/2029-12-20/": "gone"})
	k.patch(item("events", id), "editor", object{"status": "draft"}).want(t, 200, "")
	leads(k, "a draft", map[string]string{"/event/choir/2029-12-07/": "nowhere", "/event/choir/2029-12-20/": "nowhere"})
}

// TestPublicRemovedDates: what was removed is gone and leads to its series in the
// language of the page; nothing is told of what the public may not see.
func TestPublicRemovedDates(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := weekly(k, nil)
	k.del(k.occurrence(id, "2029-12-20"), "editor").want(t, 200, "")
	a := k.look("/de/event/choir/2029-12-20/")
	if page := string(a.Raw); a.Status != http.StatusGone || !strings.Contains(page, `href="/de/event/choir/"`) || !strings.Contains(page, "Dieser Termin wurde entfernt") ||
		!strings.Contains(page, `content="noindex"`) {
		t.Errorf("%d %s", a.Status, page)
	}
	for _, hides := range []object{{"status": "draft"}, {"status": "publish", "post_password": "anchor"}, {"post_password": "", "status": "trash"}} {
		k.patch(item("events", id), "editor", hides).want(t, 200, "")
		for _, address := range []string{"/event/choir/2029-12-20/", "/event/choir/2030-01-03/"} {
			if a := k.look(address); a.Status != http.StatusNotFound {
				t.Errorf("%v: %s is %d", hides, address, a.Status)
			}
		}
	}
}

// TestPublicDatesOfUndoneDivision: where dates were while a series was divided leads to
// the series that is one again.
func TestPublicDatesOfUndoneDivision(t *testing.T) {
	t.Parallel()
	c := newUndoCase(t)
	undoDeeds["following by another rule"](c)
	c.b.follow()
	leads(c.k, "divided", map[string]string{"/event/choir/2030-01-17/": "/event/choir-2/2030-01-18/"})
	c.b.post(undoing(c.b))
	leads(c.k, "one again", map[string]string{"/event/choir-2/2030-01-18/": "/event/choir/2030-01-17/", "/event/choir-2/": "/event/choir/", "/event/choir/2030-01-17/": ""})
}
