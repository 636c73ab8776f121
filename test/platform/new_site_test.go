package platform

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestNewSite: the version of a site that nobody has written to is 0, which is a version like any other: its pages are
// shown, answers name it, and a change that requires it is made.
func TestNewSite(t *testing.T) {
	t.Parallel()
	plain := kit.New(t)
	k := plain.WithCache()
	etag := k.Provider("POST", "/sites", map[string]any{"slug": "fresh", "name": "Fresh"}).Want(t, 201, "").Header.Get("ETag")
	b := k.Browser()
	b.Host = "fresh.localhost"
	for _, path := range []string{"/", "/", "/events/", "/events/list/", "/events/map/", "/events/photo/", "/events/?search=a", "/de/", "/ar/events/"} {
		if p := b.Get(path); p.Status != 200 {
			t.Errorf("%s: %d %.200s", path, p.Status, p.Body)
		}
	}
	a := k.Send(kit.Request{Method: "GET", Path: "/events", Site: "fresh", Headers: map[string]string{"X-Kalends-Version": "0"}}).Want(t, 200, "")
	if version := a.Header.Get("X-Kalends-Version"); version != "0" {
		t.Errorf("the answer is of version %q", version)
	}
	change := func(when string) kit.Answer {
		return k.Send(kit.Request{Method: "PATCH", Path: "//platform/v1/sites/fresh", As: "Bearer " + kit.ProviderToken,
			JSON: map[string]any{"name": "Fresher"}, Headers: map[string]string{"If-Match": when}})
	}
	changed := change(etag).Want(t, 200, "")
	change(etag).Want(t, 412, "rest_precondition_failed")
	change(changed.Header.Get("ETag")).Want(t, 200, "")
}
