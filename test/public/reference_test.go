package public

import (
	"html"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/openapi"
)

// The reference says of every operation what the document says, in every language.
func TestReference(t *testing.T) {
	k := kit.PublicKit(t)
	for _, language := range i18n.Languages() {
		d, err := openapi.Read(k.Look("/"+language+"/calendar/events/v1/doc").Want(t, http.StatusOK, "").Raw)
		if err != nil {
			t.Fatal(err)
		}
		overview := k.Look("/"+language+"/api-reference/").Want(t, http.StatusOK, "").String()
		for i, r := range d.Resources {
			if i > 1 && language != "en" { // they are made as the second, of texts that TestKeysOfTheCodeHaveTexts finds
				continue
			}
			path := "/" + language + "/api-reference/" + r.Name + "/"
			page := k.Look(path).Want(t, http.StatusOK, "").String()
			if key := kit.Untranslated.FindString(page); key != "" {
				t.Errorf("%s shows the key %s", path, key)
			}
			for _, o := range r.Operations {
				link := path + "#" + o.ID + `"`
				if !strings.Contains(overview, link) || !strings.Contains(page, link) || !strings.Contains(page, `<section class="operation" id="`+o.ID+`"`) {
					t.Errorf("%s isn't at %s", o.ID, path)
				}
				for _, a := range append(o.Arguments, o.Fields...) {
					if !strings.Contains(page, html.EscapeString(a.Description)) && !strings.Contains(page, strings.ReplaceAll(html.EscapeString(a.Description), "&#34;", `"`)) {
						t.Errorf("%s: %s isn't described: %s", o.ID, a.Name, a.Description)
					}
				}
			}
		}
	}
	k.Look("/api-reference/nothing/").Want(t, http.StatusNotFound, "")
	if policy := k.Look("/api-reference/").Header.Get("Content-Security-Policy"); !strings.Contains(policy, "; connect-src 'self';") {
		t.Error(policy)
	}
}

// Browsers that ask for the document are led to the reference; programs get the document.
func TestDocumentAsPage(t *testing.T) {
	k := kit.PublicKit(t)
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for path, to := range map[string]string{
		"/calendar/events/v1/doc": "/api-reference/", "/de/calendar/events/v1/doc/": "/de/api-reference/", "/wp-json/tribe/events/v1/doc": "/api-reference/",
	} {
		a := k.Look(path, "Accept", browser)
		if a.Status != http.StatusFound || a.Header.Get("Location") != to || a.Header.Get("Vary") != "Accept" {
			t.Errorf("%s: %d %v", path, a.Status, a.Header)
		}
	}
	for _, accept := range []string{"", "*/*", "application/json", "application/json, text/html;q=0.5", "text/plain, application/json, */*"} {
		a := k.Look("/calendar/events/v1/doc", "Accept", accept).Want(t, http.StatusOK, "")
		if !strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") {
			t.Errorf("%q: %v", accept, a.Header)
		}
	}
	if a := k.Look("/calendar/events/v1/events/doc", "Accept", browser); a.Status != http.StatusNotFound {
		t.Error(a)
	}
}
