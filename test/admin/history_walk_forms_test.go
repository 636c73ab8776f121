package admin

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// walkForms walks the forms of the administration.
func (w *historyWalk) walkForms() {
	w.who, w.via = "administrator", "session"
	w.walkSignIn()
	w.walkEventForms()
	for _, c := range []struct{ kind, section string }{{"venue", "venues"}, {"organizer", "organizers"}} {
		w.walkPlaceForms(c.kind, c.section)
	}
	for _, c := range []struct{ kind, section string }{{"category", "categories"}, {"tag", "tags"}} {
		w.walkTermForms(c.kind, c.section)
	}
	w.walkMediaForms()
	w.walkOwnForms()
	w.walkPeople()
	w.walkSubmissions()
}

// walkSubmissions walks what a visitor sends, takes back, and an administrator publishes.
func (w *historyWalk) walkSubmissions() {
	_, err := w.Platform.Sites.Configure(w.inside(), &platform.ConfigFields{Submissions: args.Some(true)}, "")
	w.Must(err)
	w.seen()
	sent := url.Values{"title": {"Sent"}, "start_date": {"2031-05-01"}, "start_time": {"19:00"}, "contact_name": {"Ada"}, "contact_email": {"ada@example.net"}}
	visitor, who, via := w.Browser(), w.who, w.via
	w.who, w.via = "", string(tenancy.ViaSubmission)
	send := func() int { return visitor.Post("/submit", sent).Status }
	made := noted{"event", "create", "", `{"title": "Sent", "status": "pending"}`}
	w.step("POST /submit", send, made)
	withdraw := url.Values{"code": {kit.CodeIn(visitor.Page.Body)}, "do": {"withdraw"}}
	w.step("POST /submit/sent", func() int { return visitor.Post("/submit/sent", withdraw).Status },
		noted{"event", "trash", `{"status": "pending", "…": ""}`, `{"status": "trash", "…": ""}`})
	w.step("POST /submit", send, made)
	w.who, w.via = who, via
	w.step("POST /admin/submissions/#", w.form("/admin/submissions/{event}", url.Values{"seen": {kit.AllSeen}, "do": {"publish"}}),
		noted{"event", "publish", `{"status": "pending", "…": ""}`, `{"status": "publish", "…": ""}`})
	w.step("POST /event/:slug/mistake", func() int { return visitor.Post("/event/sent/mistake", url.Values{"text": {"The wrong day"}}).Status })
	report := w.Peek("demo", `SELECT id FROM reports`)
	w.step("POST /admin/submissions/mistakes", w.form("/admin/submissions/mistakes", url.Values{"report": {report}, "do": {"dismiss"}}),
		noted{"report", "dismiss", `{"title": "Sent"}`, ""})
	w.walkSent()
}

// walkSent walks the same by the API.
func (w *historyWalk) walkSent() {
	who, via := w.who, w.via
	var token string
	body := map[string]any{"title": "Sent", "start_date": "2031-05-01 19:00", "contact_name": "Ada", "contact_email": "ada@example.net"}
	tries := w.Tries
	w.Tries = time.Now()
	defer func() { w.Tries = tries }()
	send := func() int {
		w.Tries = w.Tries.Add(time.Hour)
		a := w.Post("/submissions", "", body)
		token = a.Text("token")
		return a.Status
	}
	made := noted{"event", "create", "", `{"title": "Sent", "status": "pending"}`}
	sender := func() { w.who, w.via = "", string(tenancy.ViaSubmission) }
	editor := func() { w.who, w.via = "administrator", "application_password" }
	sender()
	w.step("POST /submissions", send, made)
	w.step("POST /submissions/sent/confirm", func() int { return w.Post("/submissions/sent/confirm", "", map[string]any{"token": token}).Status })
	for _, method := range []string{"POST", "PUT", "PATCH"} {
		was := fmt.Sprint(body["title"])
		change := map[string]any{"token": token, "title": "By " + method}
		w.Tries = w.Tries.Add(time.Hour)
		w.step(method+" /submissions/sent", func() int { return w.Send(kit.Request{Method: method, Path: "/submissions/sent", JSON: change}).Status },
			noted{"event", "update", fmt.Sprintf(`{"title": %q}`, was), fmt.Sprintf(`{"title": %q}`, change["title"])})
		body["title"] = change["title"]
	}
	body["title"] = "Sent"
	w.step("DELETE /submissions/sent", func() int { return w.Del("/submissions/sent?token="+token, "").Status },
		noted{"event", "trash", `{"status": "pending", "…": ""}`, `{"status": "trash", "…": ""}`})
	w.step("POST /submissions", send, made)
	editor()
	w.step("POST /submissions/{id}/approve", w.api("POST", "/submissions/{event}/approve", nil),
		noted{"event", "publish", `{"status": "pending", "…": ""}`, `{"status": "publish", "…": ""}`})
	sender()
	w.step("POST /submissions", send, made)
	editor()
	w.step("POST /submissions/{id}/refuse", w.api("POST", "/submissions/{event}/refuse", nil),
		noted{"event", "trash", `{"status": "pending", "…": ""}`, `{"status": "trash", "…": ""}`})
	w.who, w.via = who, via
}

// walkSignIn walks the ways in and out.
func (w *historyWalk) walkSignIn() {
	in := noted{"session", "sign_in", "", ""}
	form := url.Values{"login": {"administrator"}, "password": {kit.AdminPassword}}
	other := w.Browser()
	w.step("POST /admin/login", func() int { return other.Post("/admin/login", form).Status }, in)
	w.step("POST /admin/session", func() int { return w.Browser().Post("/admin/session", form).Status }, in)
	other.Get("/admin/profile")
	w.step("POST /admin/logout", func() int { return other.Post("/admin/logout", url.Values{}).Status })
	w.step("POST /event/:slug", func() int { return other.Post("/event/none", url.Values{"password": {"x"}}).Status - 300 })
	for _, place := range []string{"venue", "organizer"} {
		w.step("POST /"+place+"/:slug/mistake", func() int { return other.Post("/"+place+"/none/mistake", url.Values{"text": {"x"}}).Status - 300 })
	}
	w.step("POST /event/:slug/:day/mistake", func() int {
		return other.Post("/event/none/2030-01-01/mistake", url.Values{"text": {"x"}}).Status - 300
	})
	w.step("POST /event/:slug/:day", func() int { return other.Post("/event/none/2030-01-01", url.Values{"password": {"x"}}).Status - 300 })
}

func (w *historyWalk) walkEventForms() {
	day := url.Values{"do": {"save"}, "status": {"publish"}, "title": {"One"}, "start_date": {"2030-05-01T10:00"}, "end_date": {"2030-05-01T11:00"}}
	const event = "/admin/events/{event}"
	w.step("POST /admin/events/preview", w.form("/admin/events/preview", day))
	w.step("POST /admin/desk", w.form("/admin/desk", url.Values{"start": {"desk"}}))
	w.step("POST /admin/drafts", w.form("/admin/drafts", url.Values{"event": {"0"}, "title": {"Typed"}}))
	w.step("POST /admin/events/new", w.form("/admin/events/new", day), noted{"event", "create", "", `{"title": "One", "status": "publish"}`})
	made := w.last[0].Version
	w.step("POST /admin/events/#/preview", w.form(event+"/preview", url.Values{"do": {"make"}}))
	w.step("POST /admin/events/#/source", w.form(event+"/source", url.Values{"field": {"title"}})) // nothing is kept
	w.step("POST /admin/events/#", w.edit(event, `<form class="editor"`, url.Values{"title": {"Two"}}),
		noted{"event", "update", `{"title": "One"}`, `{"title": "Two"}`})
	w.step("POST /admin/events/#/revisions", w.form(event+"/revisions", url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(made + 1)}}),
		noted{"event", "update", `{"title": "Two"}`, `{"title": "One"}`})
	w.step("POST /admin/events/#/move", func() int {
		return w.form(event+"/move", moving(w.Kit, w.ids["event"], "2030-05-02T10:00:00", "2030-05-02T11:00:00"))()
	}, noted{"event", "update", `{"start_date": "2030-05-01T10:00:00", "end_date": "2030-05-01T11:00:00"}`, `{"start_date": "2030-05-02T10:00:00", "end_date": "2030-05-02T11:00:00"}`})
	w.step("POST /admin/events/#/row", w.edit(event+"/row", `<form class="row-form"`, url.Values{"title": {"One more"}}),
		noted{"event", "update", `{"title": "One"}`, `{"title": "One more"}`})
	w.step("POST /admin/events/#/row", w.edit(event+"/row", `<form class="row-form"`, url.Values{"title": {"One"}}),
		noted{"event", "update", `{"title": "One more"}`, `{"title": "One"}`})
	many := func(do string) func() int {
		return w.form("/admin/events", url.Values{"do": {do}, "seen": {kit.AllSeen}, "id": {"{event}"}, "to": {"/admin/events"}, "sure": {"1"}})
	}
	w.step("POST /admin/events", many("draft"), noted{"event", "update", `{"status": "publish"}`, `{"status": "draft"}`})
	w.step("POST /admin/events", many("publish"), noted{"event", "publish", `{"status": "draft"}`, `{"status": "publish"}`})
	for _, do := range []string{"trash", "restore"} {
		w.step("POST /admin/events", many(do), binned("event", do))
	}
	w.step("POST /admin/events/#/remove", w.form(event+"/remove", url.Values{"seen": {kit.AllSeen}, "do": {"remove"}}),
		noted{"event", "trash", `{"slug": "one", "status": "publish"}`, `{"slug": "one__trashed", "status": "trash"}`})
	w.step("POST /admin/events", many("delete"), noted{"event", "delete", `{"title": "One", "status": "trash"}`, ""})
	w.step("POST /admin/events/quick", w.form("/admin/events/quick", url.Values{"text": {"Two tomorrow 10:00"}, "once": {newOnce()}}),
		noted{"event", "create", "", `{"title": "Two", "status": "draft"}`})
	w.step("POST /admin/events/#", w.edit(event, `<form class="editor"`, url.Values{"title": {"Three"}}), noted{"event", "update", `{"title": "Two"}`, `{"title": "Three"}`})
	w.step("POST /admin/events/undo", w.form("/admin/events/undo", url.Values{"writes": {fmt.Sprintf("undo~%d.%d", w.ids["event"], w.last[0].Version)}}),
		noted{"event", "update", `{"title": "Three"}`, `{"title": "Two"}`})
	w.step("POST /admin/events/#/copy", w.form(event+"/copy", url.Values{"start_date": {"2030-05-08T10:00"}, "do": {"draft"}, "once": {newOnce()}}),
		noted{"event", "create", "", `{"title": "Two", "status": "draft"}`})
}

// binned is what is noted when the entry "one" is trashed, or restored.
func binned(kind, do string) noted {
	before, after := `{"slug": "one", "status": "publish"}`, `{"slug": "one__trashed", "status": "trash"}`
	if do == "restore" {
		before, after = after, before
	}
	return noted{kind, do, before, after}
}

// walkPlaceForms walks the forms of venues or organizers.
func (w *historyWalk) walkPlaceForms(kind, section string) {
	list := "/admin/" + section
	one := list + "/{" + kind + "}"
	text := func(name string) string { return fmt.Sprintf(`{%q: %q}`, kind, name) }
	create := func(name string) {
		w.step("POST "+list+"/new", w.form(list+"/new", url.Values{"do": {"save"}, "status": {"publish"}, kind: {name}, "once": {newOnce()}}),
			noted{kind, "create", "", text(name)})
	}
	create("One")
	made, first := w.last[0].Version, w.ids[kind]
	w.step("POST "+list+"/#", w.edit(one, `<form class="editor"`, url.Values{kind: {"Two"}}), noted{kind, "update", text("One"), text("Two")})
	w.step("POST "+list+"/#/revisions", w.form(one+"/revisions", url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(made + 1)}}),
		noted{kind, "update", text("Two"), text("One")})
	create("Three")
	w.step("POST "+list+"/twins", w.form(list+"/twins", url.Values{"do": {"apart"}, "id": {fmt.Sprint(first), fmt.Sprint(w.ids[kind])}}))
	w.step("POST "+list+"/merge", w.merging(section, first, w.ids[kind]), noted{kind, "update", "", ""}, noted{kind, "delete", text("Three"), ""})
	w.ids[kind] = first
	for _, do := range []string{"trash", "restore"} {
		w.step("POST "+list, w.form(list, url.Values{"seen": {kit.AllSeen}, "do": {do}, "id": {"{" + kind + "}"}, "to": {"/admin/trash"}}), binned(kind, do))
	}
	w.step("POST "+list, w.form(list, url.Values{"seen": {kit.AllSeen}, "do": {"delete"}, "id": {"{" + kind + "}"}, "to": {"/admin/trash"}, "sure": {"1"}}),
		noted{kind, "delete", text("One"), ""})
}

// newOnce is the token of a form that is opened.
func newOnce() string { return rand.Text() }

// merging has the second become the first.
func (w *historyWalk) merging(section string, keep, gone int64) func() int {
	return func() int {
		form := kit.MergeForm(w.site.Get(fmt.Sprintf("/admin/%s/merge?id=%d&id=%d&keep=%[2]d", section, keep, gone)))
		for name := range form {
			if strings.HasPrefix(name, "take.") {
				form.Set(name, fmt.Sprint(keep))
			}
		}
		form.Set("do", "merge")
		return w.form("/admin/"+section+"/merge", form)()
	}
}

// walkTermForms walks the forms of categories or tags.
func (w *historyWalk) walkTermForms(kind, section string) {
	list := "/admin/" + section
	one := list + "/{" + kind + "}"
	create := func(name string) {
		w.step("POST "+list, w.form(list, url.Values{"do": {"save"}, "name": {name}, "once": {newOnce()}}), noted{kind, "create", "", fmt.Sprintf(`{"name": %q}`, name)})
	}
	create("One")
	first := w.ids[kind]
	w.step("POST "+list+"/#", w.edit(one, `<form class="stack narrow"`, url.Values{"name": {"Two"}}), noted{kind, "update", `{"name": "One"}`, `{"name": "Two"}`})
	create("Three")
	w.step("POST "+list+"/merge", w.merging(section, first, w.ids[kind]), noted{kind, "update", "", ""},
		noted{kind, "delete", `{"name": "Three"}`, ""})
	w.ids[kind] = first
	w.step("POST "+list+"/#", w.form(one, url.Values{"seen": {kit.AllSeen}, "do": {"delete"}, "sure": {"1"}}), noted{kind, "delete", `{"name": "Two"}`, ""})
}

func (w *historyWalk) walkMediaForms() {
	made := noted{"image", "create", "", `{"width": 20}`}
	w.site.Get("/admin/media")
	w.step("POST /admin/images", w.sendPicture("/admin/images", "image_file"), made)
	w.step("POST /admin/media", w.sendPicture("/admin/media", "files"), made)
	w.step("POST /admin/media/#", w.form("/admin/media/{image}", url.Values{"seen": {kit.AllSeen}, "alt": {"A hall"}, "do": {"save"}}),
		noted{"image", "update", `{"alt": ""}`, `{"alt": "A hall"}`})
	w.step("POST /admin/media/#", w.form("/admin/media/{image}", url.Values{"uses": {"0"}, "do": {"delete"}, "sure": {"1"}}), noted{"image", "delete", `{"width": 20}`, ""})
}

// sendPicture posts a picture in a field of a form.
func (w *historyWalk) sendPicture(path, field string) func() int {
	return func() int {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		w.Must(form.WriteField("csrf", w.site.Cookies["csrf"]))
		file, err := form.CreateFormFile(field, "one.png")
		w.Must(err)
		_, err = file.Write(kit.Picture(20, 20))
		w.Must(err)
		w.Must(form.Close())
		return w.site.Raw(path, form.FormDataContentType(), &body).Status
	}
}

// walkOwnForms walks what people change of themselves, and the site's settings.
func (w *historyWalk) walkOwnForms() {
	person := url.Values{"do": {"person"}, "name": {"Ada"}, "email": {"administrator@example.org"}, "language": {"en"}, "theme": {"dark"}}
	w.step("POST /admin/profile", w.form("/admin/profile", person), noted{"user", "update", `{"name": "administrator", "language": "", "theme": ""}`,
		`{"name": "Ada", "language": "en", "theme": "dark"}`})
	w.step("POST /admin/language", w.form("/admin/language", url.Values{"language": {"fr"}, "to": {"/admin/events"}}),
		noted{"user", "update", `{"language": "en"}`, `{"language": "fr"}`})
	w.step("POST /admin/language", w.form("/admin/language", url.Values{"language": {"en"}, "to": {"/admin/events"}}),
		noted{"user", "update", `{"language": "fr"}`, `{"language": "en"}`})
	w.step("POST /admin/settings", w.edit("/admin/settings", kit.SettingsForm, url.Values{"name": {"Club"}}), noted{"site", "update", `{"name": "demo"}`, `{"name": "Club"}`})
	w.step("POST /admin/webhooks", w.form("/admin/webhooks", url.Values{"url": {"https://example.org/T0KEN"}, "events": {"*"}, "payload": {"thin"},
		"active": {"1"}, "once": {"w"}, "do": {"save"}}), noted{"webhook", "create", "", `{"url": "https://example.org"}`})
	w.step("POST /admin/webhooks/#", w.form("/admin/webhooks/{webhook}", url.Values{"do": {"delete"}, "sure": {"1"}}),
		noted{"webhook", "delete", `{"url": "https://example.org"}`, ""})
	w.walkFieldForms()
	w.step("POST /admin/sources", w.form("/admin/sources", url.Values{"name": {"Club"}, "kind": {"ics"}, "url": {"https://example.org/a.ics?T0KEN"}, "every": {"3600"},
		"policy": {"update"}, "gone": {"cancel"}, "status": {"draft"}, "active": {"0"}, "once": {"s"}, "do": {"save"}}),
		noted{"source", "create", "", `{"url": "https://example.org/a.ics?…"}`})
	w.step("POST /admin/sources/#", w.form("/admin/sources/{source}", url.Values{"do": {"keep"}}), noted{"source", "delete", `{"name": "Club"}`, ""})
	w.step("POST /admin/access", w.form("/admin/access", url.Values{"name": {"Robot"}, "kind": {"api_key"}, "do": {"save"}, "once": {"x"}, "present": {kit.AdminPassword}}), noted{"key", "create", "", ""})
	w.step("POST /admin/access", w.form("/admin/access", url.Values{"id": {"{key}"}, "do": {"revoke"}}),
		noted{"key", "delete", `{"name": "Robot", "kind": "api_key", "user": 1}`, ""})
	w.walkPasskeys()
	w.walkCodes()
	i := kit.NewIssuer(w.Kit)
	w.AskAt(i.Host)
	trusts := `{"issuer": "` + i.URL + `", "client_id": "kalends", "claim": "groups", "groups": {}, "others": ""}`
	w.step("POST /admin/sign-in", func() int { return i.Trust(w.site, nil).Status }, noted{"site", "update", `{"sign_in": null}`, `{"sign_in": ` + trusts + `}`})
	w.step("POST /admin/sign-in", w.form("/admin/sign-in", url.Values{"do": {"delete"}, "confirm": {kit.AdminPassword}}), noted{"site", "update", `{"sign_in": ` + trusts + `}`, `{"sign_in": null}`})
	w.step("POST /admin/profile", w.form("/admin/profile", url.Values{"do": {"password"}, "old": {kit.AdminPassword}, "password": {"a new long password"},
		"again": {"a new long password"}}), noted{"user", "update", `{"password": "set"}`, `{"password": "set"}`}, noted{"session", "sign_in", "", ""})
}

func (w *historyWalk) walkPasskeys() {
	d := kit.NewDevice(w.Kit, "localhost")
	w.site.Get("/admin/profile")
	question := ""
	w.step("POST /admin/profile/passkey", func() int {
		p := w.site.Post("/admin/profile/passkey", url.Values{"confirm": {kit.AdminPassword}})
		question = p.Body
		return p.Status
	})
	w.step("POST /admin/profile", func() int {
		return w.site.Post("/admin/profile", url.Values{"do": {"passkey"}, "passkey_name": {"Phone"}, "credential": {d.Made(w.Kit, question)}}).Status
	}, noted{"passkey", "create", "", `{"name": "Phone", "user": 1}`})
	key := w.site.Follow().Hidden("passkey")
	fresh := w.Browser()
	w.step("POST /admin/login/passkey/options", func() int {
		question = fresh.Question()
		return http.StatusOK
	})
	w.step("POST /admin/login/passkey", func() int { return fresh.Passkey(d.Signed(w.Kit, question)).Status }, noted{"session", "sign_in", "", ""})
	w.step("POST /admin/profile/confirm", func() int { return w.site.Post("/admin/profile/confirm", url.Values{}).Status })
	w.step("POST /admin/profile", w.form("/admin/profile", url.Values{"do": {"passkey.rename"}, "passkey": {key}, "passkey_name": {"Tablet"}}),
		noted{"passkey", "update", `{"name": "Phone"}`, `{"name": "Tablet"}`})
	w.step("POST /admin/profile", w.form("/admin/profile", url.Values{"do": {"passkey.rename"}, "passkey": {key}, "passkey_name": {"Tablet"}}))
	w.step("POST /admin/profile", w.form("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {key}}))
	w.step("POST /admin/profile", w.form("/admin/profile", url.Values{"do": {"passkey.remove"}, "passkey": {key}, "sure": {"1"}, "confirm": {kit.AdminPassword}}),
		noted{"passkey", "delete", `{"name": "Tablet", "user": 1}`, ""})
}

func (w *historyWalk) walkCodes() {
	w.Tries = time.Now()
	defer func() { w.Tries = time.Time{} }()
	var a *kit.App
	setup := ""
	w.site.Get("/admin/profile")
	w.step("POST /admin/profile", func() int {
		p := w.site.Post("/admin/profile", url.Values{"do": {"codes.begin"}, "codes": {kit.AdminPassword}})
		a, setup = kit.NewApp(w.Kit, p), p.Hidden("setup")
		return p.Status
	})
	w.step("POST /admin/profile", func() int {
		return w.site.Post("/admin/profile", url.Values{"do": {"codes.confirm"}, "setup": {setup}, "app_code": {a.Code(w.Tries)}}).Status
	}, noted{"user", "update", `{"second_factor": ""}`, `{"second_factor": "set"}`})
	fresh := w.Browser()
	asked := kit.Page{}
	w.step("POST /admin/login", func() int {
		asked = fresh.SignIn("administrator", kit.AdminPassword)
		return asked.Status
	})
	w.Tries = w.Tries.Add(30 * time.Second)
	w.step("POST /admin/login/code", func() int { return fresh.Tell(asked, a.Code(w.Tries)).Status }, noted{"session", "sign_in", "", ""})
	w.step("POST /admin/profile", w.form("/admin/profile", url.Values{"do": {"codes.renew"}, "codes": {kit.AdminPassword}}),
		noted{"user", "update", `{"second_factor": "set"}`, `{"second_factor": "set"}`})
	w.step("POST /admin/profile", w.form("/admin/profile", url.Values{"do": {"codes.off"}, "codes": {kit.AdminPassword}}),
		noted{"user", "update", `{"second_factor": "set"}`, `{"second_factor": ""}`})
}

// walkPeople walks what administrators do to other people, and what those do with
// the links they get.
func (w *historyWalk) walkPeople() {
	const password = "a new long password" // since walkOwnForms
	link := ""
	w.step("POST /admin/users/new", func() int {
		link = inSite(inviteBy(w.site, password, "gast", "author"))
		return http.StatusOK
	}, noted{"user", "create", "", `{"login": "gast", "role": "author"}`})
	w.step("POST /admin/users/#", func() int {
		form := w.site.Get(w.filled("/admin/users/{user}"))
		return w.form("/admin/users/{user}", url.Values{"do": {"save"}, "handle": {"gast"}, "name": {"The gast"}, "email": {"gast@example.org"},
			"role": {"editor"}, "seen": {form.Hidden("seen")}, "yours": {password}})()
	},
		noted{"user", "update", `{"role": "author"}`, `{"role": "editor"}`})
	guest := w.Browser()
	page := guest.Get(link)
	w.step("POST /admin/welcome/passkey", func() int {
		return guest.Post("/admin/welcome/passkey", url.Values{"code": {page.Hidden("code")}}).Status
	})
	w.who = "gast"
	w.step("POST /admin/welcome", func() int {
		return guest.Post("/admin/welcome", url.Values{"code": {page.Hidden("code")}, "name": {"The gast"}, "password": {"a long password of mine"},
			"again": {"a long password of mine"}}).Status
	}, noted{"user", "update", `{"password": null}`, `{"password": "set"}`}, noted{"session", "sign_in", "", ""})
	w.step("POST /admin/forgotten", func() int { return w.Browser().Post("/admin/forgotten", url.Values{"login": {"gast"}}).Status })
	w.who = "administrator"
	_, key := w.Key(w.ids["user"], true)
	w.seen()
	w.step("POST /admin/keys", w.form("/admin/keys", url.Values{"do": {"revoke"}, "id": {fmt.Sprint(key)}}),
		noted{"key", "delete", fmt.Sprintf(`{"name": "test", "kind": "api_key", "read_only": true, "user": %d}`, w.ids["user"]), ""})
	w.step("POST /admin/users/#", w.form("/admin/users/{user}", url.Values{"do": {"delete"}, "sure": {"1"}}), noted{"user", "delete", `{"login": "gast", "role": "editor"}`, ""})
}

// walkPlatform walks the provider's interface.
func (w *historyWalk) walkPlatform() {
	w.who, w.via = "environment", "provider"
	const root, site = "//platform/v1", "//platform/v1/sites/{slug}"
	ask := func(method, path string, body any) func() int {
		return func() int {
			path := strings.NewReplacer("{slug}", "demo", "{id}", fmt.Sprint(w.ids["user"]), "{domain}", "club.invalid", "{name}", "small").Replace(path)
			a := w.Send(kit.Request{Method: method, Path: path, As: "Bearer " + kit.ProviderToken, JSON: body})
			if a.Status >= 400 {
				w.T.Log(a)
			}
			return a.Status
		}
	}
	step := func(method, path string, body any, want ...noted) {
		w.T.Helper()
		w.step(method+" "+strings.TrimPrefix(path, "/"), ask(method, path, body), want...)
	}
	step("POST", root+"/sites", map[string]any{"slug": "other", "name": "Other"}, noted{"site", "create", "", `{"slug": "other", "name": "Other"}`})
	changed := noted{"site", "update", `{"name": "Club"}`, `{"name": "Verein"}`}
	step("PATCH", site, map[string]any{"name": "Verein"}, changed, changed)
	step("POST", site+"/users", map[string]any{"login": "anna", "email": "anna@example.org", "role": "author"},
		noted{"key", "create", "", ""}, noted{"user", "create", "", `{"login": "anna", "role": "author"}`})
	step("PATCH", site+"/users/{id}", map[string]any{"role": "editor"}, noted{"user", "update", `{"role": "author"}`, `{"role": "editor"}`})
	user := w.ids["user"]
	w.ids["user"] = w.ids["key"] // what {id} stands for
	step("DELETE", site+"/keys/{id}", nil, noted{"key", "delete", fmt.Sprintf(`{"name": "anna", "kind": "application_password", "user": %d}`, user), ""})
	w.ids["user"] = user
	step("DELETE", site+"/users/{id}", nil, noted{"user", "delete", `{"login": "anna", "role": "editor"}`, ""})
	step("POST", site+"/domains", map[string]any{"domain": "club.invalid"})
	step("POST", site+"/domains/{domain}/check", map[string]any{})
	step("DELETE", site+"/domains/{domain}", nil)
	step("PUT", root+"/plans/{name}", map[string]any{"limits": map[string]any{"events": 5}}, noted{"plan", "create", "", `{"name": "small", "events": 5}`})
	step("DELETE", root+"/plans/{name}", nil, noted{"plan", "delete", `{"name": "small", "events": 5}`, ""})
	w.walkJobs()
	const open, closed = `{"state": "active", "…": 0}`, `{"state": "closed", "…": 0}`
	step("DELETE", site, nil, noted{"site", "update", open, closed}, noted{"site", "delete", open, closed})
	step("POST", site+"/undelete", nil, noted{"site", "update", closed, open}, noted{"site", "undelete", closed, open})
}

// walkJobs walks exports, imports and restoring, which leave their entries when they are done.
func (w *historyWalk) walkJobs() {
	var id int64
	start := func(a kit.Answer) int {
		id = a.ID()
		w.Work()
		return a.Status
	}
	const root = "/platform/v1"
	w.step("POST "+root+"/sites/{slug}/exports", func() int { return start(w.ProviderRequest("POST", "/sites/demo/exports")) },
		noted{"site", "export", "", fmt.Sprintf(`{"version": %d}`, w.last[0].Version)})
	data := w.ProviderRequest("GET", fmt.Sprintf("/jobs/%d/archive", id)).Raw
	w.step("POST "+root+"/imports", func() int { return start(w.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(data))) },
		noted{"site", "import", "", `{"slug": "copy", "name": "Verein"}`})
	version, _ := w.ProviderRequest("GET", "/sites/copy").Body["version"].(float64)
	w.step("POST "+root+"/sites/{slug}/restore", func() int { return start(w.ProviderRequest("POST", "/sites/copy/restore", kit.Sending(data))) },
		noted{"site", "export", "", fmt.Sprintf(`{"version": %v}`, version)}, noted{"site", "roll_back", "", fmt.Sprintf(`{"version": %v}`, version+1)})
	w.step("DELETE "+root+"/jobs/{id}", func() int { return w.ProviderRequest("DELETE", fmt.Sprintf("/jobs/%d", id)).Status })
}

// walkConsole walks the provider's console.
func (w *historyWalk) walkConsole() {
	b := w.Console()
	const demo = "/admin/provider/sites/demo"
	b.Get(demo)
	w.seen()
	suspended := noted{"site", "update", `{"state": "active"}`, `{"state": "read_only"}`}
	w.step("POST /admin/provider/sites/:slug", func() int { return b.Post(demo, url.Values{"do": {"suspend"}, "sure": {"1"}}).Status }, suspended, suspended)
	resumed := noted{"site", "update", `{"state": "read_only"}`, `{"state": "active"}`}
	renamed := noted{"site", "update", `{"name": "Verein"}`, `{"name": "Renamed"}`}
	w.step("POST /admin/provider/sites/:slug/edit", func() int {
		return b.Post(demo+"/edit", url.Values{"name": {"Renamed"}, "slug": {"demo"}, "timezone": {"Europe/Berlin"}, "language": {"en"}}).Status
	}, renamed, renamed)
	const plans = "/admin/provider/plans"
	w.step("POST /admin/provider/plans", func() int { return b.Post(plans, url.Values{"name": {"medium"}, "events": {"5"}}).Status },
		noted{"plan", "create", "", `{"name": "medium", "events": 5}`})
	w.step("POST /admin/provider/plans/:slug", func() int { return b.Post(plans+"/medium", url.Values{"do": {"save"}, "events": {"7"}}).Status },
		noted{"plan", "update", `{"events": 5}`, `{"events": 7}`})
	founded := url.Values{"name": {"The Club"}, "slug": {"club"}, "timezone": {"Europe/Berlin"}, "language": {"de"}, "plan": {"medium"},
		"handle": {"anna"}, "email": {"anna@example.org"}, "token": {kit.ProviderToken}}
	w.step("POST /admin/provider/new", func() int { return b.Post("/admin/provider/new", founded).Status },
		noted{"site", "create", "", `{"slug": "club", "name": "The Club"}`})
	several := url.Values{"list": {"The Choir; choir"}, "timezone": {"UTC"}, "language": {"de"}, "plan": {"medium"}, "do": {"create"}, "token": {kit.ProviderToken}}
	w.step("POST /admin/provider/many", func() int { return b.Post("/admin/provider/many", several).Status },
		noted{"site", "create", "", `{"slug": "choir", "name": "The Choir"}`})
	w.step("POST /admin/provider/change", func() int {
		return b.Post("/admin/provider/change", url.Values{"id": {"demo"}, "set": {"resume"}, "do": {"change"}}).Status
	}, resumed, resumed)
	w.step("POST /admin/provider/sites/:slug/support", func() int {
		return b.Post(demo+"/support", url.Values{"role": {"editor"}, "reason": {"Ticket 7"}}).Status
	}, noted{"site", "sign_in", "", `{"role": "editor", "reason": "Ticket 7"}`})
	w.step("POST /admin/provider/sites/:slug/copies", func() int { return b.Post(demo+"/copies", url.Values{"do": {"copy"}}).Status })
	w.step("POST /admin/provider/defaults", func() int {
		return b.Post("/admin/provider/defaults", url.Values{"language": {"de"}, "timezone": {"Europe/Berlin"}, "currency_code": {"EUR"}, "plan": {"medium"}, "theme": {"poster"}}).Status
	}, noted{"defaults", "update", `{"language": "", "timezone": "", "currency_code": "", "plan": "", "theme": ""}`,
		`{"language": "de", "timezone": "Europe/Berlin", "currency_code": "EUR", "plan": "medium", "theme": "poster"}`})
}

// walkLobby signs in where all sites are, and goes on to one.
func (w *historyWalk) walkLobby() {
	w.Site("two")
	w.PasswordOn("two", "editor")
	w.PasswordOn("demo", "editor")
	b := w.Browser()
	b.Get("/admin/sites")
	w.seen()
	w.who, w.via = "editor", "session"
	w.step("POST /admin/sites/language", func() int { return b.Post("/admin/sites/language", url.Values{"language": {"en"}}).Status })
	w.step("POST /admin/sites", func() int {
		return b.Post("/admin/sites", url.Values{"email": {"editor@example.org"}, "password": {kit.AdminPassword}}).Status
	})
	pass := b.Page.Pass("demo")
	w.step("POST /admin/sites/go", func() int { return b.Choose("demo", pass).Status })
	w.step("POST /admin/arrive", func() int { return w.Arrive("demo.localhost", pass, "http://localhost").Page.Status },
		noted{"session", "sign_in", "", ""})
	pass = supported(w.Kit, "demo")
	w.seen()
	w.who, w.via = "localhost", "support"
	w.step("POST /admin/support", func() int {
		return w.Browser().Post("/admin/support", url.Values{"pass": {pass}}, "Origin", "http://localhost", "Sec-Fetch-Site", "same-origin").Status
	}, noted{"session", "sign_in", "", ""})
}

// supported returns a pass with which support can enter a site.
func supported(k *kit.Kit, slug string) string {
	console, path := k.Console(), "/admin/provider/sites/"+slug+"/support"
	console.Get(path)
	return console.Post(path, url.Values{"role": {"editor"}, "reason": {"Ticket 7"}}).Hidden("pass")
}
