package admin

import (
	"bytes"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/web"
	"github.com/kalends/kalends/web/forms/frame"
)

// wrongForm is a form of the administration with an error in every field.
type wrongForm struct {
	who    *kit.Browser
	path   string
	begins string            // the form on the page that comes back; "" for one that shows no field of its own
	form   url.Values        // what is sent: its fields in `fields` are all wrong
	secret url.Values        // sent too, and never shown again
	files  map[string][]byte // sent too
	fields []string          // each with a problem beside it; "a=b" for field a with the problem of b
	says   []string          // what else the page shows
	untold []string          // fields that no browser shows as they came: what can only be chosen, and what is set aside
}

// typeless are forms without fields that can have errors, because values are chosen from a list or by a button.
var typeless = []string{"/admin/submissions/mistakes", "/admin/events", "/admin/venues", "/admin/organizers", "/admin/venues/merge", "/admin/organizers/merge", "/admin/venues/twins", "/admin/organizers/twins",
	"/admin/categories/merge", "/admin/tags/merge", "/admin/events/#/revisions", "/admin/venues/#/revisions", "/admin/organizers/#/revisions",
	"/admin/events/#/remove", "/admin/events/#/preview", "/admin/events/#/source", "/admin/events/undo", "/admin/events/quick", "/admin/login/passkey", "/admin/sites/go", "/admin/arrive", "/admin/support", "/admin/access revoked", "/admin/keys",
	"/admin/import/#", "/admin/fields/move", "/admin/provider/sites/:slug/copies"}

// TestEveryFieldWrongAtOnce sends every form with errors in all fields: all are reported at once next to their
// fields, and no input is lost.
func TestEveryFieldWrongAtOnce(t *testing.T) {
	t.Parallel()
	covered := map[string]bool{}
	for name := range wrongForms {
		route, _, _ := strings.Cut(name, " ")
		covered[route] = true
	}
	for _, p := range web.New(web.Config{}).Pages() {
		if p.Method == http.MethodPost && frame.Admin(p.Path) && !slices.Contains(slices.Concat(scripted, typeless), p.Path) && !covered[p.Path] {
			t.Errorf("%s: nobody has filled it in wrongly", p.Path)
		}
	}
	for name, fill := range wrongForms {
		t.Run(strings.TrimPrefix(name, "/admin"), func(t *testing.T) {
			t.Parallel()
			k := kitFor(t, name)
			f := fill(k)
			before := k.Version("demo")
			p := f.send(k)
			if p.Status != http.StatusUnprocessableEntity {
				t.Fatalf("%d, want 422: %.2000s", p.Status, p.Body)
			}
			if now := k.Version("demo"); now != before {
				t.Errorf("something is stored: version %d after %d", now, before)
			}
			f.check(t, p)
		})
	}
}

// kitFor is a server that sends mail for the form which is there for that alone.
func kitFor(t *testing.T, name string) *kit.Kit {
	t.Helper()
	if name == "/admin/forgotten" {
		k, _ := kit.Mailed(t)
		return k
	}
	return kit.New(t)
}

func (f *wrongForm) send(k *kit.Kit) kit.Page {
	form := kit.Clone(f.form)
	maps.Copy(form, f.secret)
	if f.files == nil {
		return f.who.Post(f.path, form)
	}
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	form.Set("csrf", f.who.Cookies["csrf"])
	for name, values := range form {
		for _, value := range values {
			k.Must(parts.WriteField(name, value))
		}
	}
	for name, content := range f.files {
		part, err := parts.CreateFormFile("files", name)
		k.Must(err)
		_, err = part.Write(content)
		k.Must(err)
	}
	k.Must(parts.Close())
	return f.who.Raw(f.path, parts.FormDataContentType(), &body)
}

// tagged are the elements related to fields.
var tagged = regexp.MustCompile(`<(input|textarea|select|fieldset|p|span|section|h2) ([^>]*)>`)

func (f *wrongForm) check(t *testing.T, p kit.Page) {
	t.Helper()
	_, body, found := strings.Cut(p.Body, f.begins)
	if !found {
		t.Fatalf("no form %q: %.3000s", f.begins, p.Body)
	}
	for _, field := range f.fields {
		told := 0
		var described, there bool
		for _, m := range tagged.FindAllStringSubmatch(body, -1) {
			a := map[string]string{}
			for _, pair := range kit.Attribute.FindAllStringSubmatch(m[2], -1) {
				a[pair[1]] = kit.Unescape(pair[2])
			}
			if a["id"] == "p-"+field {
				told++
			}
			if a["id"] == "f-"+field || a["id"] == "r-"+field { // of a row, which stands beside the list's filter
				there = true
				described = m[1] == "fieldset" || a["aria-invalid"] == "true" && slices.Contains(strings.Fields(a["aria-describedby"]), "p-"+field)
			}
		}
		if told != 1 || !there || !described {
			t.Errorf("%s: told beside it %d times, there: %t, tied to it: %t", field, told, there, described)
		}
	}
	for _, text := range f.says {
		if !p.Shows(text) {
			t.Errorf("%q isn't said: %.3000s", text, p.Body)
		}
	}
	now := kit.FormAt(p, f.begins)
	for name, values := range f.form {
		if !slices.Contains(f.untold, name) && !slices.Equal(filledIn(now[name]), filledIn(values)) {
			t.Errorf("%s: %.80q is there, %.80q was typed", name, now[name], values)
		}
	}
	for name, values := range f.secret {
		if values[0] != "" && p.Shows(values[0]) {
			t.Errorf("%s is shown again", name)
		}
	}
}

// filledIn returns the non-blank values, without those that the form itself adds before boxes.
func filledIn(values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(s string) bool { return strings.TrimSpace(s) == "" })
}
