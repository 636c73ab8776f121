package admin

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// waiting is a form that somebody sends whose session has ended, with what they see once they have signed in.
type waiting struct {
	name, path string
	form       url.Values
	leads      string // where that leads, or "" for a page
	shows      string // a part of the page
}

// afterwards sends the form without a session and signs in on the page that answers.
func (w *waiting) afterwards(b *kit.Browser) kit.Page {
	delete(b.Cookies, "kalends")
	if p := b.Post(w.path, w.form); p.Status != 401 || !p.Shows("You have been signed out") {
		b.K.T.Errorf("%s: %d %s", w.name, p.Status, p.Body)
	}
	form := kit.FormAt(b.Page, `<form method="post" action="/admin/login"`)
	form.Del("do")
	form.Set("login", "administrator")
	form.Set("password", kit.AdminPassword)
	return b.Post("/admin/login", form)
}

// stale sends the form with the token of another session, and then what the page offers.
func (w *waiting) stale(b *kit.Browser) kit.Page {
	form := kit.Clone(w.form)
	form.Set("csrf", "of another session")
	if p := b.Post(w.path, form); p.Status != 403 || !p.Shows("so nothing was changed") {
		b.K.T.Errorf("%s: %d %s", w.name, p.Status, p.Body)
	}
	form = kit.FormAt(b.Page, `<form method="post" action="`+w.path+`"`)
	form.Set("do", "show")
	return b.Post(w.path, form)
}

// whatWaits are forms of every kind that does more than save an entry.
func whatWaits(k *kit.Kit, b *kit.Browser) []waiting {
	id := func(n int64) string { return strconv.FormatInt(n, 10) }
	event := k.Event(map[string]any{"title": "Choir", "status": "draft", "start_date": "2030-02-04 19:30", "end_date": "2030-02-04 21:00"})
	k.Patch("/events/"+id(event), "administrator", map[string]any{"title": "Choir practice"}).Want(k.T, 200, "")
	form := "/admin/events/" + id(event)
	version := kit.FormIn(b.Get(form)).Get("version")
	one, other := k.Made("/venues", map[string]any{"venue": "Hall"}), k.Made("/venues", map[string]any{"venue": "Town hall"})
	merge := kit.MergeForm(b.Get("/admin/venues/merge?id=" + id(one) + "&id=" + id(other)))
	merge.Set("do", "merge")
	image := kit.InLibrary(k, b)
	restore := kit.FormAt(b.Get(form+"/revisions"), `<form method="post" action="`+form+`/revisions"`)
	restore.Del("do")
	_, rest, _ := strings.Cut(b.Get("/admin/users?search=author%40").Body, `class="name" href="/admin/users/`)
	author, _, _ := strings.Cut(rest, `"`)
	user := "/admin/users/" + author
	trash := k.Event(map[string]any{"title": "Old", "start_date": "2030-03-04 19:30", "end_date": "2030-03-04 21:00"})
	return []waiting{
		{"to the trash", form + "/remove", url.Values{"do": {"remove"}}, form, ""},
		{"a copy", form + "/copy", url.Values{"do": {"publish"}, "start_date": {"2031-05-06T10:00"}}, "", `value="2031-05-06T10:00"`},
		{"a preview", form + "/preview", url.Values{"do": {"make"}}, form, ""},
		{"a former version", form + "/revisions", restore, form + "/revisions", ""},
		{"a move", form + "/move", url.Values{"version": {version}, "start_date": {"2030-02-05T19:30"}}, "", `value="2030-02-05T19:30"`},
		{"a small form", form + "/row", url.Values{"version": {version}, "title": {"Band"}}, "", `value="Band"`},
		{"a line", "/admin/events/quick", url.Values{"text": {"Band tomorrow 19:30"}}, "", `value="Band tomorrow 19:30"`},
		{"an undo", "/admin/events/undo", url.Values{"writes": {"undo~" + id(event) + "." + version}, "to": {"/admin/events"}}, "/admin/events", ""},
		{"several events", "/admin/events", url.Values{"do": {"trash"}, "id": {id(trash)}, "to": {"/admin/events?view=all"}}, "/admin/events?view=all", ""},
		{"a merge", "/admin/venues/merge", merge, "", "Town hall"},
		{"an image to be deleted", image, url.Values{"do": {"delete"}, "sure": {"1"}}, "", `value="A choir"`},
		{"an alternative text", image, url.Values{"do": {"save"}, "alt": {"A band"}}, "", `value="A band"`},
		{"a category", "/admin/categories", url.Values{"do": {"save"}, "name": {"Music"}}, "", `value="Music"`},
		{"sessions of a person", user, url.Values{"do": {"end"}}, user, ""},
		{"a person to be deleted", user, url.Values{"do": {"delete"}, "sure": {"1"}}, user, ""},
		{"a person", user, url.Values{"do": {"save"}, "handle": {"writer"}, "role": {"editor"}}, "", `value="writer"`},
		{"a key", "/admin/keys", url.Values{"do": {"revoke"}, "id": {"1"}, "to": {"/admin/keys?user=" + author}}, "/admin/keys?user=" + author, ""},
	}
}

// A form that waited for a sign-in, or that belongs to another session, is shown again with what was typed. Nothing
// happens until somebody sends it anew.
func TestFormsThatWaitedAreShownAgain(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	k.Password("author")
	list := whatWaits(k, b)
	for _, w := range list {
		if w.name == "an alternative text" {
			b.Post(w.path, url.Values{"do": {"save"}, "alt": {"A choir"}})
		}
	}
	state := func() string {
		return k.Peek("demo", "SELECT concat_ws(' ', version, (SELECT count(*) FROM changes WHERE action <> 'sign_in')) FROM sites WHERE slug = 'demo'")
	}
	before := state()
	for _, w := range list {
		for way, send := range map[string]func(*kit.Browser) kit.Page{"signed in again": w.afterwards, "sent in another session": w.stale} {
			p := send(b)
			switch to := p.Header.Get("Location"); {
			case w.leads != "" && (p.Status != 303 || to != w.leads):
				t.Errorf("%s, %s: %d, leads to %q, want %q", w.name, way, p.Status, to, w.leads)
			case w.leads == "" && (p.Status != 200 || !p.Shows(w.shows)):
				t.Errorf("%s, %s: %d, without %s\n%s", w.name, way, p.Status, w.shows, p.Body)
			}
			if now := state(); now != before {
				t.Fatalf("%s, %s: something has changed, from %s to %s", w.name, way, before, now)
			}
		}
	}
}

// A note that offers what was typed before keeps it when its button waited for a sign-in: an empty form doesn't take its place.
func TestTypedTextOutlivesASignIn(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	b.Get("/admin/events/new")
	if p := b.Post("/admin/drafts", url.Values{"event": {"0"}, "title": {"Half a title"}}); p.Status != 200 {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	w := waiting{name: "a draft", path: "/admin/drafts", form: url.Values{"event": {"0"}, "do": {"drop"}}}
	if p := w.afterwards(b); p.Header.Get("Location") != "/admin/events/new" {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.Get("/admin/events/new?draft=1"); !p.Shows(`value="Half a title"`) {
		t.Error("what was typed is gone")
	}
}
