package admin

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// speaks chooses French in the form at the end of the page that a browser shows, and returns where that leads.
func speaks(b *kit.Browser) string {
	form := kit.FormAt(b.Page, `<form class="language"`)
	form.Del("do")
	form.Set("language", "fr")
	return b.Post("/admin/language", form).Header.Get("Location")
}

// Another language keeps people where they are. Before signing in that is the way to where they were going, and on the page of an
// invitation it is the invitation.
func TestLanguageKeepsThePage(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Password("editor")
	link := inSite(invite(k.Person("administrator"), "guest", "author"))
	const drafts = "/admin/events?status=draft"
	const way = "/admin/login?to=%2Fadmin%2Fevents%3Fstatus%3Ddraft"
	k.Event(map[string]any{"title": "Choir", "start_date": "2030-02-04 19:30", "end_date": "2030-02-04 21:00", "recurrence": "RRULE:FREQ=WEEKLY;COUNT=5"})
	for _, c := range []struct {
		name  string
		shown func(b *kit.Browser) kit.Page
		in    bool // somebody is signed in
		leads string
	}{
		{"a list", func(b *kit.Browser) kit.Page { return b.Get(drafts) }, true, drafts},
		{"the sign-in", func(b *kit.Browser) kit.Page { return b.Get(way) }, false, way},
		{"the sign-in to anything", func(b *kit.Browser) kit.Page { return b.Get("/admin/login") }, false, "/admin/login"},
		{"a wrong password", func(b *kit.Browser) kit.Page {
			return b.Post("/admin/login", url.Values{"login": {"editor"}, "password": {"no"}, "to": {drafts}})
		}, false, way},
		{"an invitation", func(b *kit.Browser) kit.Page { return b.Get(link) }, false, link},
		{"two passwords that differ", func(b *kit.Browser) kit.Page {
			return b.Post("/admin/welcome", url.Values{"code": {strings.TrimPrefix(link, "/admin/welcome?code=")}, "password": {"a long password"}, "again": {"another"}})
		}, false, link},
		{"a forgotten password", func(b *kit.Browser) kit.Page { return b.Get("/admin/forgotten") }, false, "/admin/forgotten"},
		{"a form that waits", func(b *kit.Browser) kit.Page { return b.Post("/admin/events/undo", url.Values{}) }, false, "/admin/login"},
		{"a pass that is over", func(b *kit.Browser) kit.Page { return b.Post("/admin/arrive", url.Values{"pass": {"over"}}) }, false, "/admin/login"},
		{"a form of another session", func(b *kit.Browser) kit.Page {
			return b.Post("/admin/events/undo", url.Values{"csrf": {"other"}, "writes": {"undo~1.1"}})
		}, true, "/admin"},
		{"a question", func(b *kit.Browser) kit.Page {
			date := k.Get("/events?start_date=2030-02-11&end_date=2030-02-11", "editor").At("events.0.id")
			return b.Post("/admin/events/"+numberText(date)+"/remove", url.Values{"do": {"remove"}})
		}, true, "/admin"},
		{"no page", func(b *kit.Browser) kit.Page { return b.Get("/admin/nothing?x=1") }, true, "/admin"},
		{"an event that is not there", func(b *kit.Browser) kit.Page { return b.Get("/admin/events/99999?draft=1") }, true, "/admin/events/99999?draft=1"},
	} {
		b := k.Browser()
		if c.in {
			b.SignIn("editor", kit.AdminPassword)
			b.Get("/admin/events")
		}
		if p := c.shown(b); !strings.Contains(p.Body, `class="language"`) || c.name == "a question" && !p.Shows(`name="applies_to"`) {
			t.Fatalf("%s: %d %s", c.name, p.Status, p.Body)
		}
		if to := speaks(b); to != c.leads {
			t.Errorf("%s leads to %s, want %s", c.name, to, c.leads)
		}
		if p := b.Follow(); p.Status >= 400 && p.Status != 404 || !strings.Contains(p.Body+p.Header.Get("Location"), "/") || p.Body != "" && !p.Shows(`lang="fr"`) {
			t.Errorf("%s: then %d", c.name, p.Status)
		}
	}
}

// A page about an error looks like all others of a browser: in its theme, with its way to the calendar.
func TestErrorsLookLikeOtherPages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Browser()
	b.Cookies["kalends-theme"] = "dark"
	if p := b.Get("/admin/nothing"); p.Status != 404 || !p.Shows(`data-theme="dark"`) {
		t.Errorf("before signing in: %d %.300s", p.Status, p.Body)
	}
	b = k.Person("editor")
	b.Get("/admin/desk")
	b.Post("/admin/desk", url.Values{"start": {"desk"}})
	for _, path := range []string{"/admin/events", "/admin/events/99999"} {
		if p := b.Get(path); !p.Shows(`href="/admin?view=month"`) {
			t.Errorf("%s: %d, without the way to the calendar", path, p.Status)
		}
	}
}

// An event whose times have seconds is copied to the time that is proposed.
func TestCopyOfAnEventWithSeconds(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	id := k.Event(map[string]any{"title": "Launch", "start_date": "2030-02-04 19:30:05", "end_date": "2030-02-04 21:00:10"})
	page := "/admin/events/" + idText(id) + "/copy"
	form := kit.FormAt(b.Get(page), `action="`+page+`"`)
	form.Set("do", "publish")
	p := b.Post(page, form)
	m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if m == nil {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	k.Get("/events/"+m[1], "editor").Has(t, "start_date", "2030-02-11 19:30:05", "end_date", "2030-02-11 21:00:10", "status", "publish")
}

func idText(id int64) string { return strconv.FormatInt(id, 10) }

// numberText is a number of an answer as text.
func numberText(n any) string { f, _ := n.(float64); return idText(int64(f)) }
