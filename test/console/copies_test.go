package console

import (
	"bytes"
	"mime/multipart"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

var copyNumber = regexp.MustCompile(`name="copy" value="(\d+)"`)

// shownTime is a moment as a page shows it.
var shownTime = regexp.MustCompile(`<time [^>]*>[^<]+</time>`)

// A copy of a site is made, listed and downloaded, and the site goes back to it, after what happens was said.
func TestConsoleCopies(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	const path = "/admin/provider/sites/demo/copies"
	if p := b.Get("/admin/provider/sites/demo"); !p.Shows(path) {
		t.Error("the page of the site doesn't lead to its copies")
	}
	if p := b.Get(path); !p.Shows("There are no copies yet.") {
		t.Error("an empty list doesn't say so")
	}
	k.Event(map[string]any{"title": "Concert"})
	sends(b, path, url.Values{"do": {"copy"}}, 303)
	if p := b.Get(path); !p.Shows("In progress") || p.Header.Get("Refresh") == "" && !p.Shows(`http-equiv="refresh"`) {
		t.Error("the copy isn't under way")
	}
	sends(b, path, url.Values{"do": {"copy"}}, 303) // its answer may have been lost
	sends(b, path, url.Values{"do": {"archive"}, "sure": {"1"}}, 409)
	k.Provider("PATCH", "/sites/demo", map[string]any{"state": "active"}).Want(t, 200, "")
	k.Work()
	p := b.Get(path)
	number := copyNumber.FindStringSubmatch(p.Body)
	if number == nil || !p.Shows("Kept until") || !p.Shows("Restore this copy") {
		t.Fatal("the copy isn't listed")
	}
	file := b.Get("/admin/provider/copies/" + number[1])
	if file.Status != 200 || !strings.HasPrefix(file.Body, "PK") || !strings.Contains(file.Header.Get("Content-Disposition"), ".kalends.zip") {
		t.Errorf("%d, %v", file.Status, file.Header)
	}
	k.Event(map[string]any{"title": "Spam"})
	events := func() string { return k.Peek("demo", "SELECT string_agg(title, ' ' ORDER BY id) FROM events") }
	if p := sends(b, path, url.Values{"do": {"back"}, "copy": {number[1]}}, 200); !p.Shows("will be reset to what it was") || events() != "Concert Spam" {
		t.Error("nobody is asked")
	}
	sends(b, path, url.Values{"do": {"back"}, "copy": {number[1]}, "sure": {"1"}}, 303)
	k.Work()
	if got := events(); got != "Concert" {
		t.Errorf("%q", got)
	}
	if p := b.Get(path); strings.Count(p.Body, "Restore this copy") != 2 || !p.Shows("Made before restoring") {
		t.Error("what was there before isn't a copy")
	}
	sends(b, path, url.Values{"do": {"drop"}, "copy": {number[1]}}, 303)
	if p := b.Get("/admin/provider/copies/" + number[1]); p.Status != 404 {
		t.Errorf("a copy that was deleted: %d", p.Status)
	}
	sends(b, path, url.Values{"do": {"back"}, "copy": {number[1]}, "sure": {"1"}}, 404)
	sends(b, path, url.Values{"do": {"back"}, "copy": {"x"}, "sure": {"1"}}, 400)
	sends(b, path, url.Values{"do": {"explode"}}, 400)
}

// sendsArchive sends the form that restores a site from a file. The fields come before the file, as in the page.
func sendsArchive(b *kit.Browser, path string, fields url.Values, data string) kit.Page {
	b.K.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, list := range fields {
		for _, text := range list {
			b.K.Must(form.WriteField(name, text))
		}
	}
	if data != "" {
		part, err := form.CreateFormFile("file", "club.zip")
		b.K.Must(err)
		_, err = part.Write([]byte(data))
		b.K.Must(err)
	}
	b.K.Must(form.Close())
	return b.Raw(path, form.FormDataContentType(), &body)
}

// A site is restored from a file, after what is replaced was said, with a tick and the provider's token.
func TestConsoleRestoresFromFile(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	const path = "/admin/provider/sites/demo/copies"
	k.Event(map[string]any{"title": "Concert"})
	if p := b.Get(path); !p.Shows("is replaced with the contents of an archive") {
		t.Error("the page doesn't say what is replaced")
	}
	sends(b, path, url.Values{"do": {"copy"}}, 303)
	k.Work()
	data := b.Get("/admin/provider/copies/" + copyNumber.FindStringSubmatch(b.Get(path).Body)[1]).Body
	k.Event(map[string]any{"title": "Spam"})
	events := func() string { return k.Peek("demo", "SELECT string_agg(title, ' ' ORDER BY id) FROM events") }
	good := url.Values{"csrf": {b.Cookies["csrf"]}, "do": {"file"}, "replace": {"0", "1"}, "token": {kit.ProviderToken}}
	for about, c := range map[string]struct {
		name, value string
		data        string
		status      int
		shows       string
	}{
		"no tick":        {"replace", "0", data, 422, "This field is required."},
		"no token":       {"token", "", data, 422, "This field is required."},
		"another token":  {"token", "wrong", data, 422, "f-token"},
		"no file":        {"", "", "", 422, "This field is required."},
		"no archive":     {"", "", "PK no archive", 422, "This is not the archive of a site, or it is incomplete."},
		"too large":      {"", "", strings.Repeat("x", 8<<20+1), 413, "The request is too large."},
		"of nobody":      {"csrf", "wrong", data, 403, ""},
		"a lot of typed": {"more", strings.Repeat("x", 70_000), data, 400, ""},
	} {
		form := kit.Clone(good)
		if c.name != "" {
			form.Set(c.name, c.value)
		}
		if p := sendsArchive(b, path, form, c.data); p.Status != c.status || !p.Shows(c.shows) {
			t.Errorf("%s: %d", about, p.Status)
		}
	}
	if p := sendsArchive(k.Browser(), path, good, data); p.Status != 303 || !strings.HasSuffix(p.Header.Get("Location"), "/login") {
		t.Errorf("without a session: %d", p.Status)
	}
	k.Work()
	if got := events(); got != "Concert Spam" {
		t.Fatalf("%q after what was refused", got)
	}
	if p := sendsArchive(b, path, good, data); p.Status != 303 {
		t.Fatalf("%d", p.Status)
	}
	if p := sendsArchive(b, path, good, data); p.Status != 409 || !p.Shows("already in progress") {
		t.Errorf("twice: %d", p.Status)
	}
	k.Work()
	if got := events(); got != "Concert" {
		t.Errorf("%q", got)
	}
	if p := b.Get(path); !p.Shows("Made before restoring from a file") {
		t.Error("what was there before isn't a copy")
	}
}

// A site that is archived is closed, and its copy is kept for a year. Another site can neither see nor use it.
func TestConsoleArchives(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	k.Site("two")
	const path = "/admin/provider/sites/demo/copies"
	b.Get(path)
	if p := sends(b, path, url.Values{"do": {"archive"}}, 200); !p.Shows("kept for 365 days") {
		t.Error("nobody is asked")
	}
	k.Provider("GET", "/sites/demo", nil).Has(t, "state", "active")
	sends(b, path, url.Values{"do": {"archive"}, "sure": {"1"}}, 303)
	k.Work()
	k.Provider("GET", "/sites/demo", nil).Has(t, "state", "closed")
	if days := k.Peek("demo", "SELECT extract(day FROM purge_at - finished_at)::text FROM jobs"); days != "365" {
		t.Errorf("kept for %s days", days)
	}
	number := copyNumber.FindStringSubmatch(b.Get(path).Body)
	if number == nil {
		t.Fatal("no copy")
	}
	const other = "/admin/provider/sites/two/copies"
	if p := b.Get(other); p.Shows(`name="copy" value="` + number[1]) {
		t.Error("another site lists it")
	}
	for _, do := range []string{"back", "drop"} {
		sends(b, other, url.Values{"do": {do}, "copy": {number[1]}, "sure": {"1"}}, 404)
	}
}
