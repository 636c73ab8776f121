package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/calendar/services"
)

var previewLink = regexp.MustCompile(`/preview/[A-Z0-9]+/`)

// TestNothingIsPublishedByAccident presses every button of the form of a new event, as every role that has it.
func TestNothingIsPublishedByAccident(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, c := range []struct{ role, do, status, want string }{
		{"editor", "", "draft", "draft"},
		{"editor", "save", "draft", "draft"},
		{"editor", "draft", "publish", "draft"},
		{"editor", "publish", "draft", "publish"},
		{"editor", "publish", "pending", "publish"},
		{"editor", "publish", "private", "private"},
		{"contributor", "save", "draft", "draft"},
		{"contributor", "publish", "draft", "pending"},
		{"contributor", "pending", "draft", "pending"},
	} {
		b := k.Person(c.role)
		form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {fmt.Sprint("Choir of ", c)}, "status": {c.status}, "do": {c.do}})
		m := kit.AdminEvent.FindStringSubmatch(b.Post("/admin/events/new", form).Header.Get("Location"))
		if m == nil {
			t.Fatalf("%v: %d %.2000s", c, b.Page.Status, b.Page.Body)
		}
		if got := k.Get("/events/"+m[1], "administrator").Body["status"]; got != c.want {
			t.Errorf("%v: %v", c, got)
		}
		if b.Follow(); b.Page.Shows(`class="first" type="submit" name="do" value="publish"`) != (c.role == "editor" && (c.want == "draft" || c.want == "pending")) {
			t.Errorf("%v: the buttons are those of another status", c)
		}
	}
	if b := k.Person("editor"); !strings.Contains(b.Get("/admin/events/new").Body, `<option value="draft" selected`) {
		t.Error("a new event is no draft")
	}
}

// TestFocusGoesToWhatIsWrong sends a form with two things wrong.
func TestFocusGoesToWhatIsWrong(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	p := b.Post("/admin/events/new", b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Choir"}, "end_date": {"2001-01-01T10:00"},
		"slug": {strings.Repeat("x", 999)}, "do": {"publish"}}))
	if m := regexp.MustCompile(`<input id="([^"]+)"[^>]* autofocus`).FindAllStringSubmatch(p.Body, -1); p.Status != 422 || len(m) != 1 || m[0][1] != "f-end_date" {
		t.Errorf("%d: the focus is on %v", p.Status, m)
	}
}

// TestPreviewLink follows the lifecycle of a draft's preview link.
func TestPreviewLink(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	right := time.Now()
	k.Clock = right
	b := k.Person("editor")
	id := k.Event(kit.Object{"title": "Secret choir", "status": "draft", "venue": kit.Object{"venue": "Boat house"}})
	path := fmt.Sprintf("/admin/events/%d", id)
	link := func() string {
		t.Helper()
		b.Get(path)
		if p := b.Post(path+"/preview", url.Values{"do": {"make"}}); p.Status != 303 {
			t.Fatalf("%d %.2000s", p.Status, p.Body)
		}
		return previewLink.FindString(b.Get(path).Body)
	}
	first := link()
	a := k.Look(first)
	if body := string(a.Raw); a.Status != 200 || !strings.Contains(body, "Secret choir") || !strings.Contains(body, "Boat house") ||
		strings.Contains(body, "application/ld+json") || strings.Contains(body, "canonical") {
		t.Fatalf("%d %.3000s", a.Status, a.Raw)
	}
	for name, want := range map[string]string{"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "same-origin", "Etag": ""} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if a := k.Look("/de" + first); a.Status != 200 || !strings.Contains(string(a.Raw), "Vorschau") {
		t.Errorf("in German: %d", a.Status)
	}
	none := func(why, link string) {
		t.Helper()
		if a := k.Look(link); a.Status != http.StatusNotFound || strings.Contains(string(a.Raw), "Secret choir") {
			t.Errorf("%s: %d", why, a.Status)
		}
	}
	none("a link that is none", "/preview/NONE/")
	second := link()
	none("replaced", first)
	k.Clock = right.Add(services.PreviewLife + time.Minute)
	none("expired", second)
	k.Clock = right.Add(services.PreviewLife - time.Minute)
	if a := k.Look(second); a.Status != 200 {
		t.Errorf("before it expires: %d", a.Status)
	}
	k.Clock = right
	b.Post(path+"/preview", url.Values{"do": {"revoke"}})
	none("revoked", second)
	third := link()
	k.Patch(fmt.Sprintf("/events/%d", id), "editor", kit.Object{"status": "publish"})
	if a := k.Look(third); a.Status != 200 || !strings.Contains(string(a.Raw), "published in the meantime") {
		t.Errorf("published: %d", a.Status)
	}
	k.Del(fmt.Sprintf("/events/%d", id), "editor")
	none("in the trash", third)
}

// Only those who may edit an event may create a preview, and links do not work on other sites.
func TestPreviewsOfOthers(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(kit.Object{"title": "Not theirs", "status": "draft"})
	path := fmt.Sprintf("/admin/events/%d/preview", id)
	for _, role := range []string{"subscriber", "contributor", "author"} {
		b := k.Person(role)
		b.Get("/admin/profile")
		if p := b.Post(path, url.Values{"do": {"make"}}); p.Status != http.StatusForbidden {
			t.Errorf("%s: %d", role, p.Status)
		}
	}
	b := k.Person("editor")
	b.Get("/admin")
	b.Post(path, url.Values{"do": {"make"}})
	token := previewLink.FindString(b.Get(fmt.Sprintf("/admin/events/%d", id)).Body)
	other := k.Browser()
	other.Host = "two.localhost"
	if p := other.Get(token); token == "" || p.Status != http.StatusNotFound {
		t.Errorf("on another site %q is %d", token, p.Status)
	}
	if p := b.Post("/admin/events/99999/preview", url.Values{"do": {"make"}}); p.Status != http.StatusNotFound {
		t.Errorf("of no event: %d", p.Status)
	}
	k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"categories": []int64{k.Made("/categories", kit.Object{"name": "Music"})}}).Want(t, 200, "")
	for _, do := range []string{"make", "revoke"} {
		if p := b.Post(path, url.Values{"do": {do}}); p.Status != http.StatusForbidden {
			t.Errorf("%s outside of their area: %d", do, p.Status)
		}
	}
}

// TestPreviewOfWhatIsTyped shows the input of a form as a page without storing it.
func TestPreviewOfWhatIsTyped(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	k.Post("/venues", "administrator", kit.Object{"venue": "Town hall", "city": "Bonn"})
	before := k.Version("demo")
	typed := url.Values{"title": {"<b>Typed</b>"}, "venue": {"Town hall"}, "new_organizer.organizer": {"New choir"}, "tags": {"new tag"},
		"description": {"<p>Words<script>alert(1)</script></p>"}, "do": {"look"}}
	p := b.Post("/admin/events/new", b.Fill("/admin/events/new", kit.EveryEditor, typed))
	for _, want := range []string{"&lt;b&gt;Typed", "Town hall", "Bonn", "New choir", "new tag", "<p>Words", "Nothing has been saved"} {
		if !strings.Contains(p.Body, want) {
			t.Errorf("no %q", want)
		}
	}
	if p.Status != 200 || strings.Contains(p.Body, "alert(1)") || p.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("%d %v", p.Status, p.Header)
	}
	typed["title"] = []string{""}
	if p := b.Post("/admin/events/new", b.Fill("/admin/events/new", kit.EveryEditor, typed)); p.Status != 422 || strings.Contains(p.Body, "<form class=\"editor\"") {
		t.Errorf("with something wrong: %d", p.Status)
	}
	if got := k.Version("demo"); got != before {
		t.Errorf("a preview of a new event raised the version from %d to %d", before, got)
	}
	series := kit.Weekly(k, nil)
	before = k.Version("demo")
	path := fmt.Sprintf("/admin/events/%v", kit.Happens(k, series, "")[1]["id"])
	if p := b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"title": {"One date"}, "do": {"look"}})); p.Status != 200 || !p.Shows("One date") {
		t.Errorf("a date of a series: %d", p.Status)
	}
	if got := k.Version("demo"); got != before {
		t.Errorf("a preview raised the version from %d to %d", before, got)
	}
}
