package server_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/url"
	"strings"

	"github.com/kalends/kalends/tenancy"
)

// How forms begin: those of events, venues and organizers, and narrow ones.
const (
	everyEditor = `<form class="editor"`
	narrowForm  = `<form class="stack narrow"`
)

// lateForms are the forms of the administration: the path of the route, and
// which form of it that is.
var lateForms = map[string]func(k *kit) *filled{
	"/admin/login": func(k *kit) *filled {
		k.password("editor")
		b := k.browser()
		b.get("/admin/login")
		return &filled{who: b, path: "/admin/login", form: url.Values{"login": {"editor"}, "to": {"/admin/venues"}},
			secret: url.Values{"password": {adminPassword}}, typed: []string{`value="editor"`}}
	},
	"/admin/login/passkey": func(k *kit) *filled {
		b := k.person("editor")
		d := newDevice(k, "localhost")
		b.register(d)
		other := k.browser()
		return &filled{who: other, path: "/admin/login/passkey", form: url.Values{"to": {"/admin/venues"}},
			credential: d.signed(k, other.question()), device: true, means: 422}
	},
	"/admin/forgotten": func(k *kit) *filled {
		b := k.browser()
		return &filled{who: b, path: "/admin/forgotten", form: url.Values{"login": {"editor"}}, typed: []string{`value="editor"`}, means: 200}
	},
	"/admin/welcome": func(k *kit) *filled {
		link := inSite(k.person("administrator").invite("guest", "author"))
		b := k.browser()
		code := b.get(link).hidden("code")
		return &filled{who: b, path: "/admin/welcome", form: url.Values{"code": {code}, "name": {"A guest"}},
			secret: url.Values{"password": {"a new long password"}, "again": {"a new long password"}}, typed: []string{"A guest"},
			makes: map[string]int{"vouchers": -1}, done: `SELECT name = 'A guest' FROM users WHERE login = 'guest'`, over: true}
	},
	"/admin/events/new": func(k *kit) *filled {
		b := k.person("administrator")
		typed := everyField(k)
		typed.Set("once", b.get("/admin/events/new").hidden("once"))
		typed.Del("post_password")
		return &filled{who: b, path: "/admin/events/new", form: typed, typed: []string{"Recital & more", "Town Hall", "choir@example.org", "<p>Two</p>", "organ, 2026", "Front"},
			makes: map[string]int{"events": 1, "venues": 1, "organizers": 1, "terms": 2, "event_venues": 1, "event_organizers": 1, "event_terms": 3, "occurrences": 6}}
	},
	"/admin/events/new with a picture": func(k *kit) *filled {
		b := k.person("editor")
		form := b.fill("/admin/events/new", everyEditor, url.Values{"title": {"Exhibition"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T12:00"}})
		return &filled{who: b, path: "/admin/events/new", form: form, files: map[string][]byte{"image_file": stripes(k)}, typed: []string{"Exhibition"},
			makes: map[string]int{"events": 1, "images": 1, "occurrences": 1}, steps: true}
	},
	"/admin/events/#": func(k *kit) *filled {
		b := k.person("editor")
		path := "/admin/events/" + fmt.Sprint(k.event(nil))
		return &filled{who: b, path: path, form: b.fill(path, everyEditor, url.Values{"title": {"Another name"}, "new_venue.venue": {"Barn"}}),
			typed: []string{"Another name", "Barn"}, makes: map[string]int{"venues": 1, "event_venues": 1}, done: `SELECT title = 'Another name' FROM events`}
	},
	"/admin/events/#/move": func(k *kit) *filled {
		b := k.person("editor")
		id := k.event(nil)
		b.get("/admin")
		return &filled{who: b, path: fmt.Sprintf("/admin/events/%d/move", id), form: moving(k, id, "2030-04-02T10:00", ""),
			typed: []string{"2030-04-02T10:00"}, done: `SELECT start_local = '2030-04-02 10:00' FROM events`}
	},
	"/admin/events/#/remove": func(k *kit) *filled {
		b := k.person("editor")
		path := fmt.Sprintf("/admin/events/%v", happens(k, weekly(k, nil), "")[1]["id"])
		return &filled{who: b, path: path + "/remove", form: b.fill(path, `<form class="after"`, url.Values{"do": {"remove"}, "applies_to": {"this"}}), gone: true,
			makes: map[string]int{"occurrences": -1, "removed_occurrences": 1}}
	},
	"/admin/events/undo": func(k *kit) *filled {
		b := k.person("editor")
		path := fmt.Sprintf("/admin/events/%d", k.event(object{"title": "As it was"}))
		b.post(path, b.fill(path, everyEditor, url.Values{"title": {"Otherwise"}}))
		b.follow()
		where, form := undoing(b)
		return &filled{who: b, path: where, form: form, gone: true, done: `SELECT title = 'As it was' FROM events`}
	},
	"/admin/events/quick": func(k *kit) *filled {
		b := k.person("editor")
		b.get("/admin")
		return &filled{who: b, path: "/admin/events/quick", form: url.Values{"text": {"Tea tomorrow 14:00"}, "once": {"QUICK"}}, typed: []string{"Tea tomorrow 14:00"},
			makes: map[string]int{"events": 1, "occurrences": 1}}
	},
	"/admin/events/#/copy": func(k *kit) *filled {
		b := k.person("editor")
		id := k.event(nil)
		b.get("/admin")
		return &filled{who: b, path: fmt.Sprintf("/admin/events/%d/copy", id), form: url.Values{"start_date": {"2030-04-02T10:00"}, "once": {"COPY"}, "do": {"draft"}},
			typed: []string{"2030-04-02T10:00"}, makes: map[string]int{"events": 1, "occurrences": 1}}
	},
	"/admin/events/#/preview": func(k *kit) *filled {
		b := k.person("editor")
		id := k.event(map[string]any{"status": "draft"})
		path := fmt.Sprintf("/admin/events/%d", id)
		b.get(path)
		return &filled{who: b, path: path + "/preview", form: url.Values{"do": {"make"}}, gone: true, makes: map[string]int{"previews": 1}}
	},
	"/admin/events/# of a series": func(k *kit) *filled {
		b := k.person("editor")
		twelve := weekly(k, object{"recurrence": object{"rrule": "FREQ=WEEKLY;BYDAY=TH;COUNT=12"}})
		path := fmt.Sprintf("/admin/events/%v", happens(k, twelve, "")[1]["id"])
		return &filled{who: b, path: path, form: b.fill(path, everyEditor, url.Values{"title": {"Carols"}, "applies_to": {"following"}}), typed: []string{"Carols"},
			makes: map[string]int{"events": 1, "former_dates": 11}, done: `SELECT count(*) = 1 FROM events WHERE title = 'Carols'`}
	},
	"/admin/events of many": func(k *kit) *filled {
		b := k.person("editor")
		b.get("/admin/events")
		ids := []string{fmt.Sprint(k.event(nil)), fmt.Sprint(k.event(nil)), fmt.Sprint(k.event(nil))}
		return &filled{who: b, path: "/admin/events", form: url.Values{"do": {"draft"}, "id": ids, "to": {"/admin/events?page=1"}}, steps: true,
			done: `SELECT count(*) = 3 FROM events WHERE status = 'draft'`}
	},
	"/admin/events deleted": func(k *kit) *filled {
		b := k.person("editor")
		b.get("/admin/trash")
		ids := []string{fmt.Sprint(k.event(nil)), fmt.Sprint(k.event(nil))}
		return &filled{who: b, path: "/admin/events", form: url.Values{"do": {"delete"}, "sure": {"1"}, "id": ids, "to": {"/admin/trash"}}, steps: true,
			makes: map[string]int{"events": -2, "occurrences": -2}}
	},
	"/admin/events/#/revisions": func(k *kit) *filled {
		b := k.person("editor")
		id := k.event(map[string]any{"title": "First"})
		made := k.version("demo")
		k.patch(fmt.Sprintf("/events/%d", id), "editor", map[string]any{"title": "Second"})
		path := fmt.Sprintf("/admin/events/%d/revisions", id)
		b.get(path)
		return &filled{who: b, path: path, form: url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(made + 1)}},
			done: `SELECT title = 'First' FROM events`}
	},
	"/admin/venues/#/revisions":     func(k *kit) *filled { return revisedPlace(k, "venue", "venues") },
	"/admin/organizers/#/revisions": func(k *kit) *filled { return revisedPlace(k, "organizer", "organizers") },
	"/admin/venues/new":             func(k *kit) *filled { return newPlace(k, "venue", "venues") },
	"/admin/organizers/new":         func(k *kit) *filled { return newPlace(k, "organizer", "organizers") },
	"/admin/venues/#":               func(k *kit) *filled { return changedPlace(k, "venue", "venues") },
	"/admin/organizers/#":           func(k *kit) *filled { return changedPlace(k, "organizer", "organizers") },
	"/admin/venues":                 func(k *kit) *filled { return manyPlaces(k, "venue", "venues") },
	"/admin/organizers":             func(k *kit) *filled { return manyPlaces(k, "organizer", "organizers") },
	"/admin/venues/merge":           func(k *kit) *filled { return merged(k, "venue", "venues", "venues") },
	"/admin/organizers/merge":       func(k *kit) *filled { return merged(k, "organizer", "organizers", "organizers") },
	"/admin/categories/merge":       func(k *kit) *filled { return merged(k, "name", "categories", "terms") },
	"/admin/tags/merge":             func(k *kit) *filled { return merged(k, "name", "tags", "terms") },
	"/admin/categories":             func(k *kit) *filled { return newTerm(k, "categories") },
	"/admin/tags":                   func(k *kit) *filled { return newTerm(k, "tags") },
	"/admin/categories/#":           func(k *kit) *filled { return changedTerm(k, "categories") },
	"/admin/tags/#":                 func(k *kit) *filled { return changedTerm(k, "tags") },
	"/admin/categories moved": func(k *kit) *filled {
		b := k.person("editor")
		b.get("/admin/categories")
		ids := []string{k.madeBy("/categories", map[string]any{"name": "Choir"}), k.madeBy("/categories", map[string]any{"name": "Organ"})}
		top := k.madeBy("/categories", map[string]any{"name": "Music"})
		return &filled{who: b, path: "/admin/categories", form: url.Values{"do": {"move"}, "id": ids, "below": {top}}, steps: true,
			done: `SELECT count(*) = 2 FROM terms WHERE parent_id = ` + top}
	},
	"/admin/media": func(k *kit) *filled {
		b := k.person("editor")
		b.get("/admin/media")
		return &filled{who: b, path: "/admin/media", form: url.Values{}, files: map[string][]byte{"files": stripes(k)}, makes: map[string]int{"images": 1}}
	},
	"/admin/media/#": func(k *kit) *filled {
		b := k.person("editor")
		path := inLibrary(k, b)
		return &filled{who: b, path: path, form: url.Values{"alt": {"Stripes in a row"}, "do": {"save"}}, typed: []string{"Stripes in a row"},
			done: `SELECT alt = 'Stripes in a row' FROM images`}
	},
	"/admin/media/# deleted": func(k *kit) *filled {
		b := k.person("editor")
		return &filled{who: b, path: inLibrary(k, b), form: url.Values{"sure": {"1"}, "do": {"delete"}}, makes: map[string]int{"images": -1}, gone: true}
	},
	"/admin/submissions/#": func(k *kit) *filled {
		b := k.person("editor")
		path := fmt.Sprintf("/admin/submissions/%d", k.submitted())
		return &filled{who: b, path: path, form: b.fill(path, refusalForm, url.Values{"do": {"refuse"}, "message": {"Too far away"}}),
			typed: []string{"Too far away"}, done: `SELECT bool_or(status = 'trash') FROM events`}
	},
	"/admin/settings": func(k *kit) *filled {
		b := k.person("administrator")
		return &filled{who: b, path: "/admin/settings", form: b.fill("/admin/settings", settingsForm, url.Values{"name": {"The other name"}, "currency_symbol": {"kr"}}),
			typed: []string{"The other name"}, done: `SELECT name = 'The other name' FROM sites WHERE slug = 'demo'`}
	},
	"/admin/users/new": func(k *kit) *filled {
		b := k.person("administrator")
		form := b.fill("/admin/users/new", narrowForm, url.Values{"handle": {"guest"}, "name": {"A guest"}, "email": {"guest@example.org"}, "role": {"author"}})
		return &filled{who: b, path: "/admin/users/new", form: form, typed: []string{"A guest", "guest@example.org"}, means: 200,
			makes: map[string]int{"users": 1, "vouchers": 1}, steps: true}
	},
	"/admin/users/#": func(k *kit) *filled {
		b := k.person("administrator")
		path := userPath(k, "author")
		return &filled{who: b, path: path, form: b.fill(path, narrowForm, url.Values{"name": {"Another name"}, "role": {"editor"}}), typed: []string{"Another name"},
			done: `SELECT name = 'Another name' AND role = 'editor' FROM users WHERE login = 'author'`}
	},
	"/admin/users/# deleted": func(k *kit) *filled {
		b := k.person("administrator")
		path := userPath(k, "author")
		b.get(path)
		return &filled{who: b, path: path, form: url.Values{"do": {"delete"}, "sure": {"1"}}, makes: map[string]int{"users": -1, "credentials": -1}, gone: true}
	},
	"/admin/users/# invited": func(k *kit) *filled {
		b := k.person("administrator")
		path := userPath(k, "author")
		b.get(path)
		return &filled{who: b, path: path, form: url.Values{"do": {"voucher"}}, makes: map[string]int{"vouchers": 1}, means: 200}
	},
	"/admin/profile of a person": func(k *kit) *filled {
		b := k.person("editor")
		b.get("/admin/profile")
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"person"}, "name": {"E. Ditor"}, "email": {"other@example.org"}, "language": {"de"}, "theme": {"dark"}},
			secret: url.Values{"present": {adminPassword}}, typed: []string{"E. Ditor", "other@example.org"},
			done: `SELECT name = 'E. Ditor' AND email = 'other@example.org' FROM users WHERE login = 'editor'`}
	},
	"/admin/profile with a password": func(k *kit) *filled {
		b := k.person("editor")
		b.get("/admin/profile")
		old := k.peek("demo", "SELECT password_hash FROM users WHERE login = 'editor'")
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"password"}},
			secret: url.Values{"old": {adminPassword}, "password": {"a new long password"}, "again": {"a new long password"}},
			done:   `SELECT password_hash <> '` + old + `' FROM users WHERE login = 'editor'`, ends: true}
	},
	"/admin/profile with a passkey": func(k *kit) *filled {
		b := k.person("editor")
		d := newDevice(k, "localhost")
		b.get("/admin/profile")
		question := b.post("/admin/profile/passkey", url.Values{"confirm": {adminPassword}})
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"passkey"}, "passkey_name": {"My phone"}}, credential: d.made(k, question.Body),
			device: true, typed: []string{"My phone"}, means: 200}
	},
	"/admin/profile with a passkey renamed": func(k *kit) *filled {
		b, key := keyed(k)
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"passkey.rename"}, "passkey": {key}, "passkey_name": {"My phone"}},
			typed: []string{"My phone"}, done: `SELECT name = 'My phone' FROM passkeys`}
	},
	"/admin/profile with a passkey removed": func(k *kit) *filled {
		b, key := keyed(k)
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"passkey.remove"}, "passkey": {key}, "sure": {"1"}},
			secret: url.Values{"confirm": {adminPassword}}, makes: map[string]int{"passkeys": -1}}
	},
	"/admin/profile and the other sessions": func(k *kit) *filled {
		b := k.person("editor")
		k.browser().signIn("editor", adminPassword)
		b.get("/admin/profile")
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"others"}}, done: `SELECT count(*) = 1 FROM sessions`}
	},
	"/admin/access": func(k *kit) *filled {
		b := k.person("editor")
		form := b.fill("/admin/access", narrowForm, url.Values{"name": {"My laptop"}, "kind": {"api_key"}})
		form.Del("present")
		form.Del("credential")
		return &filled{who: b, path: "/admin/access", form: form, secret: url.Values{"present": {adminPassword}}, typed: []string{"My laptop"}, makes: map[string]int{"credentials": 1}, means: 200, seen: true}
	},
	"/admin/access revoked": func(k *kit) *filled {
		b := k.person("editor")
		id := b.get("/admin/access").hidden("id")
		return &filled{who: b, path: "/admin/access", form: url.Values{"do": {"revoke"}, "id": {id}}, makes: map[string]int{"credentials": -1}}
	},
	"/admin/keys": func(k *kit) *filled {
		b := k.person("administrator")
		id := b.get("/admin/keys?search=author").hidden("id")
		return &filled{who: b, path: "/admin/keys", form: url.Values{"do": {"revoke"}, "id": {id}, "to": {"/admin/keys"}}, makes: map[string]int{"credentials": -1}}
	},
	"/admin/provider/login": func(k *kit) *filled {
		return &filled{who: k.browser(), path: "/admin/provider/login", form: url.Values{}, secret: url.Values{"password": {providerToken}}}
	},
	"/admin/sites": func(k *kit) *filled {
		k.doors()
		return &filled{who: k.browser(), path: "/admin/sites", form: url.Values{"email": {"editor@example.org"}}, secret: url.Values{"password": {adminPassword}},
			typed: []string{"editor@example.org"}, means: 200}
	},
	"/admin/sites/go": func(k *kit) *filled {
		b, pass := k.doors()
		return &filled{who: b, path: "/admin/sites/go", form: url.Values{"site": {"two"}, "pass": {pass}}, means: 200, used: true}
	},
	"/admin/arrive": func(k *kit) *filled {
		b, pass := k.doors()
		b.choose("two", pass)
		b = k.browser()
		b.host = "two.localhost"
		return &filled{who: b, path: "/admin/arrive", form: url.Values{"pass": {pass}}, used: true}
	},
	"/admin/provider/new": func(k *kit) *filled {
		b := k.console()
		return &filled{who: b, path: "/admin/provider/new", typed: []string{"A fresh one", "guest@example.org"}, means: 200, seen: true,
			form: url.Values{"name": {"A fresh one"}, "slug": {"fresh"}, "timezone": {"UTC"}, "language": {"en"}, "plan": {"unlimited"}, "handle": {"guest"},
				"person": {"A guest"}, "email": {"guest@example.org"}},
			done: `SELECT EXISTS (SELECT FROM sites WHERE slug = 'fresh')`}
	},
	"/admin/provider/plans": func(k *kit) *filled {
		b := k.console()
		b.get("/admin/provider/plans")
		return &filled{who: b, path: "/admin/provider/plans", form: url.Values{"name": {"small"}, "events": {"7"}, "media_bytes": {"1.5"}, "geo": {"0", "1"}},
			typed: []string{"small"}, done: `SELECT EXISTS (SELECT FROM plans WHERE name = 'small' AND max_events = 7)`}
	},
	"/admin/provider/sites/:slug": func(k *kit) *filled {
		b := k.console()
		b.get("/admin/provider/sites/demo")
		return &filled{who: b, path: "/admin/provider/sites/demo", form: url.Values{"do": {"suspend"}, "sure": {"1"}},
			done: `SELECT state = 'read_only' FROM sites WHERE slug = 'demo'`}
	},
	"/admin/provider/sites/:slug/edit": func(k *kit) *filled {
		b := k.console()
		b.get("/admin/provider/sites/demo/edit")
		return &filled{who: b, path: "/admin/provider/sites/demo/edit", typed: []string{"Renamed"},
			form: url.Values{"name": {"Renamed"}, "slug": {"demo"}, "timezone": {"Asia/Tokyo"}, "language": {"ja"}},
			done: `SELECT name = 'Renamed' AND timezone = 'Asia/Tokyo' AND language = 'ja' FROM sites WHERE slug = 'demo'`}
	},
	"/admin/provider/plans/:slug": func(k *kit) *filled {
		b := k.console()
		b.post("/admin/provider/plans", url.Values{"name": {"medium"}, "events": {"5"}})
		b.get("/admin/provider/plans/medium")
		return &filled{who: b, path: "/admin/provider/plans/medium", form: url.Values{"do": {"save"}, "events": {"7"}},
			typed: []string{`value="7"`}, done: "SELECT EXISTS (SELECT FROM plans WHERE name = 'medium' AND max_events = 7)"}
	},
	"/admin/provider/sites/:slug with a domain": func(k *kit) *filled {
		b := k.console()
		b.get("/admin/provider/sites/demo")
		return &filled{who: b, path: "/admin/provider/sites/demo", form: url.Values{"do": {"add"}, "domain": {"calendar.example.org"}},
			typed: []string{"calendar.example.org"}, makes: map[string]int{"domain_claims": 1}}
	},
}

// doors is somebody in the lobby who can go to two sites, and the pass to "two".
func (k *kit) doors() (*browser, string) {
	k.site("two")
	k.passwordOn("demo", "editor")
	k.passwordOn("two", "editor")
	b := k.inLobby("editor@example.org")
	return b, b.page.pass("two")
}

func revisedPlace(k *kit, kind, section string) *filled {
	b := k.person("editor")
	id := k.madeBy("/"+section, map[string]any{kind: "First"})
	made := k.version("demo")
	k.patch("/"+section+"/"+id, "editor", map[string]any{kind: "Second"})
	path := "/admin/" + section + "/" + id + "/revisions"
	b.get(path)
	return &filled{who: b, path: path, form: url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(made + 1)}},
		done: `SELECT name = 'First' FROM ` + section}
}

func newPlace(k *kit, kind, section string) *filled {
	b := k.person("editor")
	path := "/admin/" + section + "/new"
	form := b.fill(path, everyEditor, url.Values{kind: {"Somewhere"}, "phone": {"+49 30 1"}, "description": {"<p>About</p>"}})
	return &filled{who: b, path: path, form: form, typed: []string{"Somewhere", "+49 30 1", "<p>About</p>"}, makes: map[string]int{section: 1}}
}

func changedPlace(k *kit, kind, section string) *filled {
	b := k.person("editor")
	path := "/admin/" + section + "/" + k.madeBy("/"+section, map[string]any{kind: "First"})
	return &filled{who: b, path: path, form: b.fill(path, everyEditor, url.Values{kind: {"Second"}}), typed: []string{"Second"},
		done: `SELECT name = 'Second' FROM ` + section}
}

func manyPlaces(k *kit, kind, section string) *filled {
	b := k.person("editor")
	b.get("/admin/" + section)
	ids := []string{k.madeBy("/"+section, map[string]any{kind: "First"}), k.madeBy("/"+section, map[string]any{kind: "Second"})}
	return &filled{who: b, path: "/admin/" + section, form: url.Values{"do": {"trash"}, "id": ids, "to": {"/admin/" + section}}, steps: true,
		done: `SELECT count(*) = 2 FROM ` + section + ` WHERE status = 'trash'`}
}

func merged(k *kit, name, section, table string) *filled {
	b := k.person("administrator")
	ids := k.madeBy("/"+section, map[string]any{name: "Keep me"}) + "&id=" + k.madeBy("/"+section, map[string]any{name: "Take me"})
	form := mergeForm(b.get("/admin/" + section + "/merge?id=" + ids))
	form.Set("do", "merge")
	return &filled{who: b, path: "/admin/" + section + "/merge", form: form, makes: map[string]int{table: -1, "redirects": 1}, gone: true}
}

func newTerm(k *kit, section string) *filled {
	b := k.person("editor")
	form := b.fill("/admin/"+section, `<form class="stack"`, url.Values{"name": {"Concerts"}, "description": {"What sounds"}})
	return &filled{who: b, path: "/admin/" + section, form: form, typed: []string{"Concerts", "What sounds"}, makes: map[string]int{"terms": 1}}
}

func changedTerm(k *kit, section string) *filled {
	b := k.person("editor")
	path := "/admin/" + section + "/" + k.madeBy("/"+section, map[string]any{"name": "First"})
	return &filled{who: b, path: path, form: b.fill(path, narrowForm, url.Values{"name": {"Second"}}), typed: []string{"Second"},
		done: `SELECT name = 'Second' FROM terms`}
}

// stripes is a picture as a file.
func stripes(k *kit) []byte {
	var b bytes.Buffer
	k.must(png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 40, 30))))
	return b.Bytes()
}

// inLibrary puts a picture into the library and returns its page.
func inLibrary(k *kit, b *browser) string {
	_, err := k.calendar.Images().Upload(k.inside("editor"), "stripes.png", bytes.NewReader(stripes(k)))
	k.must(err)
	_, rest, _ := strings.Cut(b.get("/admin/media").Body, `href="/admin/media/`)
	id, _, _ := strings.Cut(rest, `"`)
	path := "/admin/media/" + id
	b.get(path)
	return path
}

// inside is a context in which the user of a role acts on the site.
func (k *kit) inside(role string) context.Context {
	ctx, err := tenancy.Enter(tenancy.AsProvider(k.t.Context(), tenancy.Provider{Name: role}), k.sites["demo"])
	k.must(err)
	return ctx
}

func userPath(k *kit, role string) string {
	return "/admin/users/" + k.peek("demo", "SELECT id::text FROM users WHERE login = $1", role)
}

// keyed is somebody with a passkey, and its key in the form.
func keyed(k *kit) (*browser, string) {
	b := k.person("editor")
	b.register(newDevice(k, "localhost"))
	return b, b.get("/admin/profile").hidden("passkey")
}
