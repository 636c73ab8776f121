package admin

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestKeysWithLimits: the form makes a key with what is ticked, and the pages say in words what each may.
func TestKeysWithLimits(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	music := k.Made("/categories", kit.Object{"name": "Music"})
	k.Password("editor")
	b := k.Browser()
	b.SignIn("editor", kit.AdminPassword)
	limited := func(typed url.Values) kit.Page {
		form := b.Fill("/admin/access", kit.NarrowForm, url.Values{"name": {"Bot"}, "kind": {"api_key"}, "present": {kit.AdminPassword}, "do": {"save"}})
		maps.Copy(form, typed)
		return b.Post("/admin/access", form)
	}
	p := limited(url.Values{"scopes": {"", "events:read", "events:write"}, "categories": {"", fmt.Sprint(music)}, "expires": {"2099-12-31"}})
	for _, words := range []string{"Events: read · Events: change", "Changes only events in: Music", "Ends: Dec\u00a031,\u00a02099</span>"} {
		if !p.Shows(words) {
			t.Errorf("%d, without %q: %s", p.Status, words, p.Body)
		}
	}
	secret := regexp.MustCompile(`kal_[A-Za-z0-9]{40}`).FindString(p.Body)
	k.Get("/me", "Bearer "+secret).Want(t, 200, "").Has(t, "scopes.0", "events:read", "scopes.1", "events:write", "categories.0", music)
	k.Get("/venues", "Bearer "+secret).Want(t, 403, "insufficient-scope")

	p = limited(url.Values{"scopes": {""}, "expires": {""}})
	if whole := regexp.MustCompile(`kal_[A-Za-z0-9]{40}`).FindString(p.Body); !p.Shows("May do everything that its owner may do") || whole == "" {
		t.Errorf("without limits: %d %s", p.Status, p.Body)
	}
	if p := limited(url.Values{"kind": {"application_password"}}); p.Status != 200 || !p.Shows(`class="secret"`) {
		t.Errorf("an application password, with the fields of limits empty: %d %s", p.Status, p.Body)
	}
	if p := limited(url.Values{"scopes": {""}, "read_only": {"0", "1"}, "name": {"Reader"}}); !p.Shows("May read everything that its owner may read") {
		t.Errorf("one that only reads: %d %s", p.Status, p.Body)
	}
	if p := limited(url.Values{"scopes": {"", "events:write", "venues:read"}, "read_only": {"0", "1"}, "name": {"Half"}}); !p.Shows(`line">Venues: read</span>`) {
		t.Errorf("one that only reads, with scopes: %d %s", p.Status, p.Body)
	}
	for name, typed := range map[string]url.Values{
		"a day that is over":                 {"expires": {"2001-01-01"}},
		"an application password with scope": {"kind": {"application_password"}, "scopes": {"events:read"}},
		"a scope that is none":               {"scopes": {"events:delete"}},
		"a category of another site":         {"categories": {"4711"}},
	} {
		if p := limited(typed); p.Status != 422 || p.Shows("kal_") {
			t.Errorf("%s: %d %s", name, p.Status, p.Body)
		}
	}
	boss := k.Person("administrator")
	if p := boss.Get("/admin/keys?search=Bot"); !p.Shows("Events: read · Events: change") || !p.Shows("Changes only events in: Music") {
		t.Errorf("to administrators: %s", p.Body)
	}
}
