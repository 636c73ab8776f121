package server_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// versionOf returns the version in a response.
func versionOf(t *testing.T, header http.Header) int64 {
	t.Helper()
	n, err := strconv.ParseInt(header.Get("X-Kalends-Version"), 10, 64)
	if err != nil {
		t.Fatalf("X-Kalends-Version: %v", err)
	}
	return n
}

// TestSeenVersions reads on a node without notifications: a client that names the version it has seen gets at least
// that, at every address.
func TestSeenVersions(t *testing.T) {
	t.Parallel()
	_, writes := kit.CachedKit(t)
	other := writes.WithCache()
	id := writes.Event(map[string]any{"title": "First", "slug": "first"})
	paths := []string{"/events?include=" + strconv.FormatInt(id, 10), kit.Item("events", id), "//event/first/", "/events/by-slug/first"}
	for _, path := range paths {
		other.Get(path, "") // is kept there
	}
	for round := range 5 {
		title := "Title " + strconv.Itoa(round)
		a := writes.Patch(kit.Item("events", id), "editor", map[string]any{"title": title}).Want(t, 200, "")
		version := versionOf(t, a.Header)
		for _, path := range paths {
			for _, as := range []string{"", "editor"} {
				if strings.HasPrefix(path, "//") && as != "" {
					continue // pages know sessions alone
				}
				got := other.Send(kit.Request{Method: "GET", Path: path, As: as, Headers: map[string]string{"X-Kalends-Version": strconv.FormatInt(version, 10)}})
				if got.Status != http.StatusOK || !strings.Contains(string(got.Raw), title) {
					t.Errorf("%s as %q at %d: %.300s", path, as, version, got)
				}
				if told := versionOf(t, got.Header); told < version {
					t.Errorf("%s tells %d after %d", path, told, version)
				}
			}
		}
	}
}

// Invalid and future versions in requests get the current state.
func TestSeenVersionsTogether(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	k.Event(nil)
	for _, text := range []string{"0", "-1", "x", "9223372036854775807", "99999999999999999999", ""} {
		a := k.Send(kit.Request{Method: "GET", Path: "/events", Headers: map[string]string{"X-Kalends-Version": text}}).Want(t, 200, "")
		if versionOf(t, a.Header) < 1 {
			t.Errorf("%q: %v", text, a.Header)
		}
	}
	first := k.Get("/events", "")
	same := k.Send(kit.Request{Method: "GET", Path: "/events", Headers: map[string]string{"If-None-Match": first.Header.Get("ETag"), "X-Kalends-Version": "1"}})
	if same.Status != http.StatusNotModified || versionOf(t, same.Header) < 1 {
		t.Errorf("%d %v", same.Status, same.Header)
	}
	if missing := k.Get("/events/999999", ""); missing.Status != http.StatusNotFound || versionOf(t, missing.Header) < 1 {
		t.Errorf("%s", missing)
	}
}

// TestSeenVersionOfSessions saves in the administration on one node: that browser sees it on the public page of
// another.
func TestSeenVersionOfSessions(t *testing.T) {
	t.Parallel()
	_, writes := kit.CachedKit(t)
	other := writes.WithCache()
	writes.Event(map[string]any{"title": "Concert", "slug": "concert", "categories": []any{"Before"}})
	id := writes.Get("/categories?hide_empty=0", "").Body["categories"].([]any)[0].(map[string]any)["id"].(float64)
	b := writes.Person("administrator")
	path := "/admin/categories/" + strconv.Itoa(int(id))
	shown := regexp.MustCompile(`name="version" value="([^"]+)"`).FindStringSubmatch(b.Get(path).Body)
	other.Get("//events/category/before/", "") // is kept there
	saved := url.Values{"do": {"save"}, "name": {"Afterwards"}, "slug": {"before"}}
	if shown != nil {
		saved.Set("version", shown[1])
	}
	if p := b.Post(path, saved); p.Status != http.StatusSeeOther || b.Cookies["kalends-version"] == "" {
		t.Fatalf("%d %v %.2000s", p.Status, p.Header, p.Body)
	}
	b.K = other
	if p := b.Get("/events/category/before/"); !p.Shows("Afterwards") {
		t.Errorf("%d %.2000s", p.Status, p.Body)
	}
}
