package admin

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

var (
	alert  = regexp.MustCompile(`(?s)<div class="notice" role="alert">(.*?)</div>`)
	ways   = regexp.MustCompile(`<li><a href="#f-([^"]*)">([^<]*)</a>`)
	rawKey = regexp.MustCompile(`\badmin\.[a-z_]+\.[a-z_.]+`)
)

// Errors in a filter's address are reported next to the field, by its name; empty parameters are removed.
func TestFiltersTellWhatIsWrong(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Event(nil)
	b := k.Person("administrator")
	b.Cookies["kalends-language"] = "de"
	for path, want := range map[string][]string{
		"/admin/events?from=never&to=soon&featured=maybe":      {"featured Hervorgehoben", "from Beginn ab", "to Beginn bis"},
		"/admin/events?category=999999":                        {"category Kategorie"},
		"/admin/events?venue=x&organizer=y":                    {"organizer Veranstalter", "venue Veranstaltungsort"},
		"/admin/events?search=" + kit.Letters(501):             {"search Suche"},
		"/admin/audit?from=never&to=soon&id=x&kind=a&action=b": {"action", "from", "id", "kind", "to"},
		"/admin?view=loud&date=2026-13-99&category=x&venue=jj": nil,
		"/admin/audit?who=" + kit.Letters(255):                 {"who"},
		"/admin/audit?after=not+a+place":                       {"after"},
	} {
		p := b.Get(path)
		m := alert.FindStringSubmatch(p.Body)
		if m == nil || rawKey.MatchString(kit.Unescape(p.Body)) {
			t.Errorf("%s: %d, told %q, key %q", path, p.Status, m, rawKey.FindString(kit.Unescape(p.Body)))
			continue
		}
		var told []string
		for _, way := range ways.FindAllStringSubmatch(m[1], -1) {
			if one := way[1] + " " + kit.Unescape(way[2]); slices.Contains(want, one) || !slices.ContainsFunc(want, func(w string) bool { return w == way[1] }) {
				told = append(told, one)
			} else {
				told = append(told, way[1])
			}
			if way[1] != "after" && !strings.Contains(p.Body, `id="f-`+way[1]+`"`) && want != nil {
				t.Errorf("%s: nothing at #f-%s", path, way[1])
			}
		}
		slices.Sort(told)
		if want != nil && !slices.Equal(told, want) {
			t.Errorf("%s: told %q, want %q", path, told, want)
		}
	}
	for path, to := range map[string]string{"/admin/events?page=x&search=a": "/admin/events?search=a", "/admin/events?sort=loud": "/admin/events",
		"/admin/events?order=up&status=draft": "/admin/events?status=draft", "/admin/events?page=77": "/admin/events"} {
		if p := b.Get(path); p.Status != http.StatusSeeOther || p.Header.Get("Location") != to {
			t.Errorf("%s: %d to %s, want %s", path, p.Status, p.Header.Get("Location"), to)
		}
	}
}
