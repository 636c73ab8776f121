package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/api"
	platformapi "github.com/kalends/kalends/api/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web"
)

// noted is an expected history entry. Before and after are JSON: for updates exactly the differences, or part of them
// with "…"; "" means none.
type noted struct{ kind, action, before, after string }

// historyWalk calls every writing route successfully and compares the entries of both histories.
type historyWalk struct {
	*kit.Vault
	who, via string // who acts now
	site     *kit.Browser
	walked   map[string]bool // "METHOD path", as the tables have it
	ids      map[string]int64
	last     [2]tenancy.Position // entries of the site, of the provider
}

func newHistoryWalk(t *testing.T) *historyWalk {
	t.Helper()
	w := &historyWalk{Vault: kit.NewVault(t), walked: map[string]bool{}, ids: map[string]int64{}}
	w.site = w.Person("administrator")
	w.site.Get("/admin/profile")
	w.seen()
	return w
}

// seen discards the entries so far.
func (w *historyWalk) seen() (fresh []tenancy.Entry) {
	w.T.Helper()
	inside := w.inside()
	for i, list := range []func() ([]tenancy.Entry, error){
		func() ([]tenancy.Entry, error) { return w.DB.History().List(inside, tenancy.HistoryQuery{Limit: 20}) },
		func() ([]tenancy.Entry, error) {
			return w.DB.History().Provider(w.Ctx, tenancy.HistoryQuery{Limit: 20})
		},
	} {
		found, err := list()
		w.Must(err)
		end := slices.IndexFunc(found, func(e tenancy.Entry) bool { return e.Position == w.last[i] })
		if end < 0 {
			end = len(found)
		}
		if len(found) > 0 {
			w.last[i] = found[0].Position
		}
		found = found[:end]
		slices.Reverse(found)
		for _, e := range found {
			if i == 0 {
				whole, err := w.Platform.History.Entry(inside, e.Position)
				w.Must(err)
				e = *whole
			}
			fresh = append(fresh, e)
		}
	}
	return fresh
}

// step records that a route was visited, performs an action, and expects these entries, those of the site first.
func (w *historyWalk) step(route string, do func() int, want ...noted) {
	w.T.Helper()
	w.walked[route] = true
	w.Clock = w.Clock.Add(time.Second) // what has no version of its own stands in the order of time
	if status := do(); status/100 > 3 {
		w.T.Fatalf("%s: %d", route, status)
	}
	got := w.seen()
	if len(got) != len(want) {
		w.T.Errorf("%s: %d entries, want %d: %+v", route, len(got), len(want), got)
		return
	}
	for i, e := range got {
		if e.Position.Kind != want[i].kind || e.Action != want[i].action {
			w.T.Errorf("%s: entry %d is %s %s, want %s %s", route, i, e.Position.Kind, e.Action, want[i].kind, want[i].action)
			continue
		}
		address := "0.0.0.0"
		if w.via == string(tenancy.ViaSubmission) {
			address = "" // of a sender nothing is kept
		}
		if e.Who != w.who || string(e.Via) != w.via || e.Address != address || !e.At.Equal(w.Clock) && want[i].kind != "session" {
			w.T.Errorf("%s: by %q via %q from %q at %s, want %q via %q", route, e.Who, e.Via, e.Address, e.At, w.who, w.via)
		}
		if e.Action == "create" {
			w.ids[e.Position.Kind] = e.Position.ID
		}
		w.same(route+" before", e.Before, want[i].before, want[i].action)
		w.same(route+" after", e.After, want[i].after, want[i].action)
	}
}

// same compares fields of an entry with those expected.
func (w *historyWalk) same(about string, got map[string]any, want, action string) {
	w.T.Helper()
	wanted := map[string]any{}
	if want != "" {
		w.Must(json.Unmarshal([]byte(want), &wanted))
	}
	_, some := wanted["…"]
	delete(wanted, "…")
	exact := !some && !slices.Contains([]string{"create", "delete", "purge", "import"}, action) || want == ""
	if exact && len(got) != len(wanted) {
		w.T.Errorf("%s: %v, want %v", about, got, wanted)
	}
	for name, value := range wanted {
		if fmt.Sprint(got[name]) != fmt.Sprint(value) {
			w.T.Errorf("%s: %s is %v, want %v", about, name, got[name], value)
		}
	}
}

// filled puts ids into a text: {event} is that of the last event made.
func (w *historyWalk) filled(path string) string {
	for name, id := range w.ids {
		path = strings.ReplaceAll(path, "{"+name+"}", fmt.Sprint(id))
	}
	return path
}

// api is a call of the site's API.
func (w *historyWalk) api(method, path string, body any) func() int {
	return func() int {
		a := w.Send(kit.Request{Method: method, Path: w.filled(path), As: "administrator", JSON: body})
		if a.Status >= 400 {
			w.T.Log(a)
		}
		return a.Status
	}
}

// form posts a form of the administration.
func (w *historyWalk) form(path string, form url.Values) func() int {
	return func() int {
		filled := url.Values{}
		for name, list := range form {
			for _, value := range list {
				filled.Add(name, w.filled(value))
			}
		}
		p := w.site.Post(w.filled(path), filled)
		if p.Status >= 400 {
			w.T.Log(p.Body)
		}
		return p.Status
	}
}

// edit opens a form, changes fields and sends it.
func (w *historyWalk) edit(path, begins string, change url.Values) func() int {
	return func() int {
		form := kit.FormAt(w.site.Get(w.filled(path)), begins)
		maps.Copy(form, change)
		return w.form(path, form)()
	}
}

// unwalked are routes equivalent to another one without leaving the page, and routes that write nothing.
var unwalked = map[string]bool{"POST /admin/session/passkey": true, // /admin/login/passkey
	// The pages of the settings are parts of one form, which /admin/settings takes whole.
	"POST /admin/settings/design": true, "POST /admin/settings/seasons": true, "POST /admin/settings/display": true, "POST /admin/settings/visitors": true, "POST /admin/settings/sharing": true,
	"POST /admin/settings/texts": true,
	"POST /events/preview":       true, "POST /sources/{id}/read": true, "POST /webhooks/{id}/test": true, "POST /webhooks/{id}/deliveries/{delivery}/redeliver": true,
	// An import has its own report; the history has what it changes in events.
	"POST /imports": true, "DELETE /imports/{id}": true, "POST /imports/{id}/run": true, "POST /imports/{id}/undo": true,
	"POST /admin/import": true, "POST /admin/import/#": true,
	// The history says nothing of visitors who subscribe to letters.
	"POST /events/by-mail": true, "POST /events/by-mail/confirm": true, "POST /events/by-mail/leave": true, "POST /events/click": true}

// Every writing route leaves exactly the expected entries. New routes have to be added here.
func TestHistoryWalk(t *testing.T) {
	t.Parallel()
	w := newHistoryWalk(t)
	w.walkAPI()
	w.walkForms()
	w.walkPlatform()
	w.walkConsole()
	w.walkLobby()
	var missing []string
	listed := func(method, path string) {
		if route := method + " " + path; method != http.MethodGet && !w.walked[route] && !unwalked[route] {
			missing = append(missing, route)
		}
	}
	for _, r := range api.New(w.Calendar).Routes() {
		for _, method := range r.Methods {
			listed(method, r.Path)
		}
	}
	for _, p := range web.New(web.Config{Calendar: w.Calendar, Platform: w.Platform}).Pages() {
		listed(p.Method, p.Path)
	}
	for _, r := range platformapi.New(w.Platform, w.Jobs, "localhost", nil).Routes() {
		for _, method := range r.Methods {
			listed(method, api.PlatformNamespace+r.Path)
		}
	}
	if missing != nil {
		t.Errorf("routes that write and aren't walked: say what they leave in the history\n%s", strings.Join(missing, "\n"))
	}
}

// fieldsAre are the fields of the site as the history has them, each with its label, the version of its last change and a hint, if any.
func (w *historyWalk) fieldsAre(fields ...[3]any) string {
	list := []any{}
	for _, f := range fields {
		text := map[string]any{"label": f[0]}
		if f[2] != "" {
			text["hint"] = f[2]
		}
		list = append(list, map[string]any{"key": strings.ToLower(f[0].(string)), "kind": "text", "of": []string{"event"}, "public": true,
			"filter": false, "archived": false, "version": f[1], "texts": map[string]any{"en": text}})
	}
	text, err := json.Marshal(map[string]any{"fields": list})
	w.Must(err)
	return string(text)
}

// walkFields walks the fields that the site adds.
func (w *historyWalk) walkFields() {
	next := func() int64 { return w.Version("demo") + 1 }
	now := w.fieldsAre([3]any{"Stage", next(), ""})
	w.step("POST /fields", w.api("POST", "/fields", map[string]any{"label": "Stage", "kind": "text"}), noted{"site", "update", w.fieldsAre(), now})
	for _, method := range []string{"POST", "PUT", "PATCH"} {
		was := now
		now = w.fieldsAre([3]any{"Stage", next(), method})
		w.step(method+" /fields/{key}", w.api(method, "/fields/stage", map[string]any{"hint": method}), noted{"site", "update", was, now})
	}
	w.step("DELETE /fields/{key}", w.api("DELETE", "/fields/stage", nil), noted{"site", "update", now, w.fieldsAre()})
}

// walkFieldForms walks the pages about those fields.
func (w *historyWalk) walkFieldForms() {
	next := func() int64 { return w.Version("demo") + 1 }
	made := func(label string) url.Values {
		return url.Values{"label": {label}, "kind": {"text"}, "of": {"", "event"}, "once": {label}, "do": {"save"}}
	}
	stage := [3]any{"Stage", next(), ""}
	w.step("POST /admin/fields", w.form("/admin/fields", made("Stage")), noted{"site", "update", w.fieldsAre(), w.fieldsAre(stage)})
	wing := [3]any{"Wing", next(), ""}
	w.step("POST /admin/fields", w.form("/admin/fields", made("Wing")), noted{"site", "update", w.fieldsAre(stage), w.fieldsAre(stage, wing)})
	w.step("POST /admin/fields/move", w.form("/admin/fields/move", url.Values{"key": {"wing"}, "position": {"1"}}),
		noted{"site", "update", w.fieldsAre(stage, wing), w.fieldsAre(wing, stage)})
	hinted := [3]any{"Stage", next(), "Where"}
	w.step("POST /admin/fields/edit", w.form("/admin/fields/edit", url.Values{"key": {"stage"}, "hint": {"Where"}, "seen": {fmt.Sprint(stage[1])}, "do": {"save"}}),
		noted{"site", "update", w.fieldsAre(wing, stage), w.fieldsAre(wing, hinted)})
	for _, gone := range []struct {
		key  string
		left [][3]any
	}{{"wing", [][3]any{hinted}}, {"stage", nil}} {
		was := w.fieldsAre(append([][3]any{wing}, hinted)...)
		if gone.key == "stage" {
			was = w.fieldsAre(hinted)
		}
		w.step("POST /admin/fields/edit", w.form("/admin/fields/edit", url.Values{"key": {gone.key}, "do": {"delete"}, "sure": {"1"}}),
			noted{"site", "update", was, w.fieldsAre(gone.left...)})
	}
}

// walkWebhooks walks webhooks, of whose address the history has no more than the host.
func (w *historyWalk) walkWebhooks() {
	const hook = "/webhooks/{webhook}"
	body := map[string]any{"url": "https://example.org/T0KEN", "events": []string{"event.updated"}}
	w.step("POST /webhooks", w.api("POST", "/webhooks", body), noted{"webhook", "create", "", `{"url": "https://example.org", "active": true}`})
	for _, method := range []string{"POST", "PUT", "PATCH"} {
		w.step(method+" /webhooks/{id}", w.api(method, hook, map[string]any{"language": map[string]string{"POST": "de", "PUT": "fr", "PATCH": "es"}[method]}),
			noted{"webhook", "update", fmt.Sprintf(`{"language": %q}`, map[string]string{"PUT": "de", "PATCH": "fr"}[method]),
				fmt.Sprintf(`{"language": %q}`, map[string]string{"POST": "de", "PUT": "fr", "PATCH": "es"}[method])})
	}
	w.step("POST /webhooks/{id}/secret", w.api("POST", hook+"/secret", nil), noted{"webhook", "update", "{}", "{}"})
	w.step("DELETE /webhooks/{id}", w.api("DELETE", hook, nil), noted{"webhook", "delete", `{"url": "https://example.org", "language": "es"}`, ""})
}

// walkSources walks sources, of whose address the history has nothing that is secret.
func (w *historyWalk) walkSources() {
	const source = "/sources/{source}"
	body := map[string]any{"name": "Club", "kind": "ics", "url": "https://example.org/a.ics?T0KEN", "active": false}
	w.step("POST /sources", w.api("POST", "/sources", body), noted{"source", "create", "", `{"url": "https://example.org/a.ics?…", "active": false}`})
	every := map[string]int{"POST": 900, "PUT": 901, "PATCH": 902}
	before := map[string]int{"POST": 3600, "PUT": 900, "PATCH": 901}
	for _, method := range []string{"POST", "PUT", "PATCH"} {
		w.step(method+" /sources/{id}", w.api(method, source, map[string]any{"every": every[method]}),
			noted{"source", "update", fmt.Sprintf(`{"every": %d}`, before[method]), fmt.Sprintf(`{"every": %d}`, every[method])})
	}
	w.step("DELETE /sources/{id}", w.api("DELETE", source, map[string]any{"events": "keep"}), noted{"source", "delete", `{"every": 902}`, ""})
}

// walkAPI walks the site's API.
func (w *historyWalk) walkAPI() {
	w.who, w.via = "administrator", "application_password"
	w.walkWebhooks()
	w.walkFields()
	w.walkSources()
	day := map[string]any{"title": "One", "start_date": "2030-05-01 20:00:00", "end_date": "2030-05-01 21:00:00"}
	for _, c := range []struct {
		kind, list, field string
		fields            map[string]any
	}{{"event", "/events", "title", day}, {"venue", "/venues", "venue", map[string]any{"venue": "One"}},
		{"organizer", "/organizers", "organizer", map[string]any{"organizer": "One"}}} {
		made := noted{c.kind, "create", "", fmt.Sprintf(`{%q: "One", "status": "publish"}`, c.field)}
		one := c.list + "/{" + c.kind + "}"
		w.step("POST "+c.list, w.api("POST", c.list, c.fields), made)
		name := "One"
		for _, path := range []string{one, c.list + "/by-slug/one"} {
			for _, method := range []string{"POST", "PUT", "PATCH"} {
				next := fmt.Sprintf("%s by %s", map[bool]string{true: "id", false: "slug"}[path == one], method)
				body := map[string]any{c.field: next, "slug": "one"}
				w.step(method+" "+strings.NewReplacer("{"+c.kind+"}", "{id}", "/one", "/{slug}").Replace(path), w.api(method, path, body),
					noted{c.kind, "update", fmt.Sprintf(`{%q: %q}`, c.field, name), fmt.Sprintf(`{%q: %q}`, c.field, next)})
				name = next
			}
		}
		w.step("DELETE "+c.list+"/{id}", w.api("DELETE", one, nil), noted{c.kind, "trash", `{"slug": "one", "status": "publish"}`,
			`{"slug": "one__trashed", "status": "trash"}`})
		w.step("DELETE "+c.list+"/{id}", w.api("DELETE", one+"?force=true", nil), noted{c.kind, "delete", fmt.Sprintf(`{%q: %q}`, c.field, name), ""})
		w.step("POST "+c.list, w.api("POST", c.list, c.fields), made)
		w.step("DELETE "+c.list+"/by-slug/{slug}", w.api("DELETE", c.list+"/by-slug/one?force=true", nil),
			noted{c.kind, "delete", fmt.Sprintf(`{%q: "One"}`, c.field), ""})
	}
	for kind, list := range map[string]string{"category": "/categories", "tag": "/tags"} {
		w.step("POST "+list, w.api("POST", list, map[string]any{"name": "One"}), noted{kind, "create", "", `{"name": "One", "slug": "one"}`})
		name := "One"
		for _, method := range []string{"POST", "PUT", "PATCH"} {
			w.step(method+" "+list+"/{id}", w.api(method, list+"/{"+kind+"}", map[string]any{"name": method}),
				noted{kind, "update", fmt.Sprintf(`{"name": %q}`, name), fmt.Sprintf(`{"name": %q}`, method)})
			name = method
		}
		w.step("DELETE "+list+"/{id}", w.api("DELETE", list+"/{"+kind+"}", nil), noted{kind, "delete", `{"name": "PATCH"}`, ""})
	}
	w.step("POST /media", func() int { return w.Upload("demo", "administrator", "one.png", kit.Picture(20, 20)).Status }, noted{"image", "create", "", `{"file": "one.png", "width": 20}`})
	w.step("DELETE /media/{id}", w.api("DELETE", "/media/{image}", nil), noted{"image", "delete", `{"file": "one.png", "width": 20}`, ""})
}

// inside is a context of the provider on the site.
func (w *historyWalk) inside() context.Context {
	inside, err := tenancy.Enter(w.Ctx, w.Sites["demo"])
	w.Must(err)
	return inside
}
