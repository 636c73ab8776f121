package console

import (
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// What new sites get is set once: forms of new sites begin with it, and sites that are created otherwise have it.
func TestConsoleDefaults(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	k.Plan("small", map[string]any{}).Want(t, 201, "")
	const path = "/admin/provider/defaults"
	if p := b.Get(path); !p.Shows(`<option value="en" selected>`) || !p.Shows(`<option value="plain" selected>`) {
		t.Error("the form doesn't begin with what the program takes")
	}
	form := url.Values{"language": {"de"}, "timezone": {"Europe/Berlin"}, "currency_code": {"EUR"}, "plan": {"small"}, "theme": {"poster"},
		"map_tiles": {"https://tiles.example.org/{z}/{x}/{y}.png"}, "map_credit": {"Maps | https://example.org/maps"}}
	for field, wrong := range map[string]string{"language": "xx", "timezone": "Mars/Olympus", "currency_code": "euro", "plan": "none", "theme": "loud",
		"map_tiles": "https://tiles.example.org/", "map_credit": "a | b | c"} {
		bad := url.Values{}
		maps.Copy(bad, form)
		bad.Set(field, wrong)
		if p := sends(b, path, bad, 422); !p.Shows(`href="#f-`+field+`"`) || strings.Count(p.Body, `href="#f-`) != 1 {
			t.Errorf("%s is not named alone", field)
		}
	}
	for range 2 { // its answer may have been lost
		sends(b, path, form, 303)
	}
	for _, page := range []string{"/admin/provider/new", "/admin/provider/many", path} {
		if p := b.Get(page); !p.Shows(`<option value="de" selected>`) || !p.Shows(`<option value="Europe/Berlin" selected>`) || !p.Shows(`<option value="small" selected>`) {
			t.Errorf("%s doesn't begin with the defaults", page)
		}
	}
	k.Provider("POST", "/sites", map[string]any{"slug": "club", "name": "Club"}).Want(t, 201, "").
		Has(t, "language", "de", "timezone", "Europe/Berlin", "plan.name", "small", "settings.currency_code", "EUR", "settings.currency_position", "postfix",
			"settings.map_tiles", "https://tiles.example.org/{z}/{x}/{y}.png", "settings.map_credit", "Maps | https://example.org/maps")
	k.Provider("PATCH", "/sites/club", map[string]any{"settings": map[string]any{"map_tiles": "/tiles/{z}/{x}/{y}.png", "map_credit": ""}}).Want(t, 200, "").
		Has(t, "settings.map_tiles", "/tiles/{z}/{x}/{y}.png", "settings.map_credit", "")
	k.Provider("PATCH", "/sites/club", map[string]any{"settings": map[string]any{"map_tiles": "http://tiles.example.org/{z}/{x}/{y}.png"}}).Want(t, 400, "rest_invalid_param")
	sends(b, "/admin/provider/many", url.Values{"list": {"Choir"}, "language": {"de"}, "timezone": {"Europe/Berlin"}, "plan": {"small"}, "do": {"create"}, "token": {kit.ProviderToken}}, 200)
	if got := k.Across("SELECT string_agg(theme || ' ' || currency_code, ' ' ORDER BY slug) FROM sites WHERE slug <> 'demo'"); got != "poster EUR poster EUR" {
		t.Errorf("%s", got)
	}
	if p := sends(b, "/admin/provider/plans/small", url.Values{"do": {"delete"}, "sure": {"1"}}, 409); !p.Shows("cannot be deleted") {
		t.Error("the page doesn't say why the plan stays")
	}
	if p := b.Get("/admin/provider/audit?kind=defaults"); strings.Count(p.Body, `class="deed"`) != 1 {
		t.Errorf("%d entries in the history", strings.Count(p.Body, `class="deed"`))
	}
}
