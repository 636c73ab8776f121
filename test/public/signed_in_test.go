package public

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// deskLinks are the links to the administration in a page, for its script to show.
var deskLinks = regexp.MustCompile(`(?s)<template id="desk">.*?</template>`)

// Pages have links to the form of what they show, which a script shows where somebody has signed in.
func TestLinksToForms(t *testing.T) {
	k := kit.PublicKit(t)
	series := k.Event(map[string]any{"title": "Choir", "slug": "choir", "start_date": "2027-03-01 19:00", "end_date": "2027-03-01 20:00",
		"recurrence": map[string]any{"rrule": []string{"FREQ=WEEKLY;COUNT=3"}}})
	date := k.Peek("demo", fmt.Sprintf("SELECT id FROM occurrences WHERE event_id = %d ORDER BY start_utc LIMIT 1 OFFSET 1", series))
	one := func(table, slug string) string {
		return k.Peek("demo", "SELECT id FROM "+table+" WHERE slug = '"+slug+"'")
	}
	for path, form := range map[string]string{
		"event/lake/":             "events/" + one("events", "lake"),
		"event/choir/2027-03-08/": "events/" + date,
		"venue/pier/":             "venues/" + one("venues", "pier"),
		"organizer/society/":      "organizers/" + one("organizers", "society"),
		"events/category/music/":  "categories/" + one("terms", "music"),
		"tag/outdoor/":            "tags/" + one("terms", "outdoor"),
		"events/":                 "",
	} {
		links := string(deskLinks.Find(k.Look("/en/" + path).Raw))
		if !strings.Contains(links, `href="/admin"`) || form != "" && !strings.Contains(links, `href="/admin/`+form+`"`) || (form == "") == strings.Contains(links, "/admin/") {
			t.Errorf("%s leads to %q, not to %q", path, links, form)
		}
	}
	if links := string(deskLinks.Find(k.Look("/ar/event/lake/").Raw)); !strings.Contains(links, "تعديل") || !strings.Contains(links, "الإدارة") {
		t.Errorf("in Arabic: %s", links)
	}
}

// The cookie that shows the links holds the same for everybody, goes with the session, and changes nothing in what is sent.
func TestSignedInHint(t *testing.T) {
	k := kit.PublicKit(t)
	k.KeepAnswers()
	const name = "kalends-signed"
	hint := func(p kit.Page) *http.Cookie {
		for _, c := range p.Cookies {
			if c.Name == name {
				return c
			}
		}
		return nil
	}
	var browsers []*kit.Browser
	for _, role := range []string{"editor", "contributor"} {
		k.Password(role)
		b := k.Browser()
		c := hint(b.SignIn(role, kit.AdminPassword))
		if c == nil || c.HttpOnly || c.Value != "1" || c.Path != "/" || c.Domain != "" || c.MaxAge != 30*24*60*60 || c.SameSite != http.SameSiteLaxMode {
			t.Fatalf("%s: %+v", role, c)
		}
		browsers = append(browsers, b)
	}
	b := browsers[0]
	without := k.Look("/en/event/lake/")
	with := k.Look("/en/event/lake/", "Cookie", name+"=1")
	for _, header := range []string{"ETag", "Cache-Control", "Vary", "Content-Security-Policy", "Set-Cookie"} {
		if without.Header.Get(header) != with.Header.Get(header) {
			t.Errorf("%s: %q without the cookie, %q with it", header, without.Header.Get(header), with.Header.Get(header))
		}
	}
	if string(without.Raw) != string(with.Raw) {
		t.Error("the page is another one with the cookie")
	}
	if p := k.Browser().Get("/admin/events"); hint(p) != nil {
		t.Errorf("somebody unknown is sent %v", hint(p))
	}
	b.Get("/admin/events")
	if c := hint(b.Post("/admin/logout", url.Values{})); c == nil || c.MaxAge >= 0 || b.Cookies[name] != "" {
		t.Errorf("after signing out: %+v", c)
	}
	other := browsers[1]
	delete(other.Cookies, "kalends") // the session has ended
	if c := hint(other.Get("/admin/events")); c == nil || c.MaxAge >= 0 {
		t.Errorf("after the end of the session: %+v", c)
	}
}

// The foot of every page leads people of the site to where they sign in. Pages that other sites show have no foot.
func TestSignInLink(t *testing.T) {
	k := kit.PublicKit(t)
	for path, word := range map[string]string{"/en/": "Administration", "/de/event/lake/": "Verwaltung", "/ar/events/month/": "الإدارة"} {
		_, foot, _ := strings.Cut(string(k.Look(path).Raw), `<footer`)
		if !strings.Contains(foot, `<a href="/admin" rel="nofollow">`+word+`</a>`) {
			t.Errorf("%s leads nowhere", path)
		}
	}
	for _, path := range []string{"/en/embed/", "/en/embed/month/", "/en/embed/event/lake/"} {
		if strings.Contains(string(k.Look(path).Raw), "/admin") {
			t.Errorf("%s leads to the administration", path)
		}
	}
}
