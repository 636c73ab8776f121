package console

import (
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

var listedSite = regexp.MustCompile(`<a class="name" href="/admin/provider/sites/([a-z-]+)"`)

// The list of sites is sorted by everything it offers, and the links to other pages keep the order.
func TestConsoleSortsSites(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Plan("a-large-one", map[string]any{}).Want(t, 201, "")
	for _, slug := range []string{"alpha", "beta", "gamma"} {
		k.Site(slug)
	}
	k.Upload("gamma", "administrator", "a.png", kit.Picture(20, 20)).Want(t, 201, "")
	k.Send(kit.Request{Method: http.MethodPost, Path: "/events", Site: "beta", As: "administrator", JSON: map[string]any{"title": "Concert",
		"start_date": "2030-01-01 20:00:00", "end_date": "2030-01-01 22:00:00"}}).Want(t, 201, "")
	k.Provider("PATCH", "/sites/gamma", map[string]any{"name": "Museum"}).Want(t, 200, "")
	k.Provider("PATCH", "/sites/beta", map[string]any{"name": "apiary", "state": "closed", "plan": "a-large-one"}).Want(t, 200, "")
	k.Provider("PATCH", "/sites/alpha", map[string]any{"name": "Zoo gardens"}).Want(t, 200, "")
	b := k.Console()
	for by, want := range map[string][]string{
		"":        {"alpha", "beta", "gamma"},
		"name":    {"beta", "gamma", "alpha"},
		"state":   {"alpha", "gamma", "beta"},
		"plan":    {"beta", "alpha", "gamma"},
		"events":  {"beta", "alpha", "gamma"},
		"media":   {"gamma", "alpha", "beta"},
		"changed": {"alpha", "beta", "gamma"},
		"never":   {"alpha", "beta", "gamma"},
	} {
		p := b.Get("/admin/provider?sort=" + by)
		var got []string
		for _, found := range listedSite.FindAllStringSubmatch(p.Body, -1) {
			if found[1] != "demo" {
				got = append(got, found[1])
			}
		}
		if p.Status != http.StatusOK || !slices.Equal(got, want) {
			t.Errorf("by %q: %d %v, want %v", by, p.Status, got, want)
		}
		if offered := slices.Contains(platform.SiteSorts, by); p.Shows(`<option value="`+by+`" selected`) != (offered || by == "") {
			t.Errorf("by %q: another order is chosen", by)
		}
	}
}

// At the head of the list is what all sites hold together that the filter finds, not those of the page alone.
func TestConsoleSumsSites(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Plan("small", map[string]any{}).Want(t, 201, "")
	k.Exec(`UPDATE sites SET used_events = 0, used_users = 0, used_media_bytes = 0`)
	k.Exec(`WITH made AS (
			INSERT INTO sites (slug, name, timezone, language, plan, used_events, used_users, used_media_bytes)
			SELECT 'site-' || n, 'Site ' || n, 'UTC', 'en', CASE WHEN n <= 100 THEN 'small' ELSE 'unlimited' END, 10, 2, 1500000
			FROM generate_series(1, 3000) n
			RETURNING id, slug)
		SELECT name_site(id, slug) FROM made`)
	b := k.Console()
	for query, want := range map[string][]string{
		"":                   {"Events: 30,000", "Users: 6,000", "Images (MB): 4,500"},
		"?plan=small":        {"Events: 1,000", "Users: 200", "Images (MB): 150"},
		"?search=site-3000":  {"Events: 10", "Users: 2", "Images (MB): 1.5"},
		"?search=no-such-it": nil,
	} {
		p := b.Get("/admin/provider" + query)
		for _, text := range want {
			if !p.Shows(`<span class="soft">` + text + `</span>`) {
				t.Errorf("%q without %q: %.4000s", query, text, p.Body)
			}
		}
		if want == nil && p.Shows("Users:") {
			t.Errorf("%q: sums of nothing", query)
		}
	}
}
