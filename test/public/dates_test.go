package public

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// leads checks where old addresses of dates lead: "" for a page that is there, "gone"
// for a date that was removed.
func leads(k *kit.Kit, what string, want map[string]string) {
	k.T.Helper()
	for from, to := range want {
		a := k.Look(from)
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
			k.T.Errorf("%s: %s leads to %q, want %q", what, from, got, to)
		}
		if strings.HasPrefix(to, "/") && k.Look(to).Status != http.StatusOK {
			k.T.Errorf("%s: %s is %d", what, to, k.Look(to).Status)
		}
	}
}

// TestPublicDatesLeadOn: the address of a date leads to where the date is now, however
// often it moved and whatever series it is of.
func TestPublicDatesLeadOn(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := kit.Weekly(k, kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;COUNT=8"}})
	third := occurrence(k, id, "2030-01-03")
	fourth := occurrence(k, id, "2030-01-17")
	k.Patch(fourth, "editor", kit.Object{"title": "Guests"}).Want(t, 200, "")
	k.Patch(third, "editor", kit.Object{"start_date": "2030-01-05 18:00:00", "end_date": "2030-01-05 20:00:00"}).Want(t, 200, "")
	leads(k, "one is moved", map[string]string{"/event/choir/2030-01-03/": "", "/event/choir/2030-01-05/": "302", "/event/choir/2030-01-06/": "nowhere"})

	k.Patch(kit.Item("events", id), "editor", kit.Object{"start_date": "2029-12-07 19:30:00", "end_date": "2029-12-07 21:30:00",
		"recurrence": "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;COUNT=8"}).Want(t, 200, "")
	leads(k, "all are moved", map[string]string{"/event/choir/2029-12-20/": "/event/choir/2029-12-21/", "/event/choir/2030-01-17/": "/event/choir/2030-01-18/",
		"/de/event/choir/2029-12-20/": "/de/event/choir/2029-12-21/", "/event/choir/2029-12-20": "/event/choir/2029-12-21/", "/event/choir/2029-12-21/": "",
		"/event/choir/2029-12-19/": "nowhere", "/event/other/2029-12-20/": "nowhere"})

	k.Patch(occurrence(k, id, "2030-01-18"), "editor", kit.Object{"applies_to": "following", "title": "Singers", "start_date": "2030-01-19 19:30:00",
		"end_date": "2030-01-19 21:30:00", "recurrence": "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA;COUNT=5"}).Want(t, 200, "")
	rest := "/event/choir-2/"
	leads(k, "the following are moved", map[string]string{"/event/choir/2029-12-20/": "/event/choir/2029-12-21/", "/event/choir/2030-01-17/": rest + "2030-01-19/",
		"/event/choir/2030-01-18/": rest + "2030-01-19/", "/event/choir/2030-02-01/": rest + "2030-02-02/", rest + "2030-02-02/": "",
		"/ja/event/choir/2030-01-31/": "/ja" + rest + "2030-02-02/"})

	k.Patch(kit.Item("events", id), "editor", kit.Object{"slug": "choir-of-old"}).Want(t, 200, "")
	k.Del(occurrence(k, int64(k.Get(fourth, "").At("series.id").(float64)), "2030-02-02"), "editor").Want(t, 200, "")
	leads(k, "with another name", map[string]string{"/event/choir/2029-12-20/": "/event/choir-of-old/2029-12-21/", "/event/choir/2030-01-17/": rest + "2030-01-19/",
		"/event/choir/2030-02-01/": "gone", "/event/choir-2/2030-02-02/": "gone", "/event/choir/2029-12-21/": "/event/choir-of-old/2029-12-21/"})
	k.Patch(kit.Item("events", id), "editor", kit.Object{"recurrence": nil}).Want(t, 200, "")
	leads(k, "once", map[string]string{"/event/choir/2029-12-07/": "/event/choir-of-old/", "/event/choir/2029-12-20/": "gone"})
	k.Patch(kit.Item("events", id), "editor", kit.Object{"status": "draft"}).Want(t, 200, "")
	leads(k, "a draft", map[string]string{"/event/choir/2029-12-07/": "nowhere", "/event/choir/2029-12-20/": "nowhere"})
}

// TestPublicRemovedDates: what was removed is gone and leads to its series in the
// language of the page; nothing is told of what the public may not see.
func TestPublicRemovedDates(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := kit.Weekly(k, nil)
	k.Del(occurrence(k, id, "2029-12-20"), "editor").Want(t, 200, "")
	a := k.Look("/de/event/choir/2029-12-20/")
	if page := string(a.Raw); a.Status != http.StatusGone || !strings.Contains(page, `href="/de/event/choir/"`) || !strings.Contains(page, "Dieser Termin wurde entfernt") ||
		!strings.Contains(page, `content="noindex"`) {
		t.Errorf("%d %s", a.Status, page)
	}
	for _, hides := range []kit.Object{{"status": "draft"}, {"status": "publish", "post_password": "anchor"}, {"post_password": "", "status": "trash"}} {
		k.Patch(kit.Item("events", id), "editor", hides).Want(t, 200, "")
		for _, address := range []string{"/event/choir/2029-12-20/", "/event/choir/2030-01-03/"} {
			if a := k.Look(address); a.Status != http.StatusNotFound {
				t.Errorf("%v: %s is %d", hides, address, a.Status)
			}
		}
	}
}

// TestPublicDatesOfUndoneDivision: where dates were while a series was divided leads to
// the series that is one again.
func TestPublicDatesOfUndoneDivision(t *testing.T) {
	t.Parallel()
	c := kit.NewUndoCase(t)
	kit.UndoDeeds["following by another rule"](c)
	c.B.Follow()
	leads(c.K, "divided", map[string]string{"/event/choir/2030-01-17/": "/event/choir-2/2030-01-18/"})
	c.B.Post(kit.Undoing(c.B))
	leads(c.K, "one again", map[string]string{"/event/choir-2/2030-01-18/": "/event/choir/2030-01-17/", "/event/choir-2/": "/event/choir/", "/event/choir/2030-01-17/": ""})
}

// TestPublicDatesOfManyDivisions: a series that is divided again and again notes each division, not each date; all dates lead
// to the part that has them now, and where they moved within that part.
func TestPublicDatesOfManyDivisions(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := kit.Weekly(k, kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=TH;COUNT=12"}})
	for i, day := range []string{"2030-01-03", "2030-01-10", "2030-01-17", "2030-01-24"} {
		date := occurrence(k, id, day)
		k.Patch(date, "editor", kit.Object{"applies_to": "following", "title": fmt.Sprint("Singers ", i)}).Want(t, 200, "")
		id = int64(k.Get(date, "").At("series.id").(float64))
	}
	site := k.Sites["demo"].ID
	if rows := k.Peek("demo", `SELECT (SELECT count(*) FROM divided_series d WHERE d.site_id = $1) || ' ' ||
		(SELECT count(*) FROM former_dates f WHERE f.site_id = $1)`, site); rows != "4 0" {
		t.Errorf("divisions and dates noted: %s", rows)
	}
	leads(k, "divided", map[string]string{"/event/choir/2029-12-27/": "", "/event/choir/2030-01-03/": "/event/choir-2/2030-01-03/",
		"/event/choir/2030-01-31/": "/event/choir-2-2-2-2/2030-01-31/", "/event/choir-2-2/2030-02-07/": "/event/choir-2-2-2-2/2030-02-07/",
		"/event/choir-2/2030-01-10/": "/event/choir-2-2/2030-01-10/", "/event/choir/2030-02-01/": "nowhere", "/event/choir-2/2029-12-27/": "nowhere"})
	k.Patch(kit.Item("events", id), "editor", kit.Object{"start_date": "2030-01-25 19:30:00", "end_date": "2030-01-25 21:30:00",
		"recurrence": "FREQ=WEEKLY;BYDAY=FR;COUNT=5"}).Want(t, 200, "")
	leads(k, "the last part is moved", map[string]string{"/event/choir/2030-01-31/": "/event/choir-2-2-2-2/2030-02-01/",
		"/event/choir-2-2-2/2030-02-07/": "/event/choir-2-2-2-2/2030-02-08/"})
	k.Del(occurrence(k, id, "2030-02-08"), "editor").Want(t, 200, "")
	k.Del(kit.Item("events", id), "editor").Want(t, 200, "")
	leads(k, "the last part is in the trash", map[string]string{"/event/choir/2030-01-31/": "nowhere", "/event/choir/2030-01-10/": "/event/choir-2-2/2030-01-10/"})
}
