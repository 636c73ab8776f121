package platform

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// No new site has a name that is taken for the platform's own; one that has it keeps it.
func TestReservedSlugs(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, slug := range []string{"www", "api", "mail", "autodiscover", "xn--mnchen-3ya"} {
		a := k.Provider("POST", "/sites", map[string]any{"slug": slug, "name": "X"}).Want(t, 400, "rest_invalid_param")
		if _, said := a.Params()["slug"]; !said {
			t.Errorf("%s: %s", slug, a)
		}
	}
	k.Provider("PATCH", "/sites/demo", map[string]any{"slug": "api"}).Want(t, 400, "rest_invalid_param")
	k.Provider("PATCH", "/sites/demo", map[string]any{"slug": "wwwhere"}).Want(t, 200, "")
}
