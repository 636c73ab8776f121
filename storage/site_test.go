package storage

import (
	"testing"

	"github.com/kalends/kalends/tenancy"
)

// TestSiteBySlug: a slug finds its own site, whatever others are called.
func TestSiteBySlug(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ctx := tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "console"})
	for slug, name := range map[string]string{"first": "second", "second": "first", "third": "third"} {
		k.Must(k.db.Sites().Create(ctx, &tenancy.Site{Slug: slug, Name: name, Timezone: "UTC", Language: "en", State: tenancy.Active,
			Settings: tenancy.DefaultSettings(), Domains: []string{slug + ".example.com"}}, nil))
	}
	for slug, name := range map[string]string{"first": "second", "second": "first"} {
		site, err := k.db.Sites().BySlug(ctx, slug)
		k.Must(err)
		k.Equal("by slug", []string{site.Slug, site.Name}, []string{slug, name})
		site, err = k.db.Sites().ByHost(ctx, slug+".example.com")
		k.Must(err)
		k.Equal("by domain", site.Slug, slug)
	}
	_, err := k.db.Sites().Update(ctx, "third", func(s *tenancy.Site) error { s.Slug = "fourth"; return nil })
	k.Must(err)
	_, err = k.db.Sites().BySlug(ctx, "third")
	k.Wants(err, tenancy.ErrNoSite)
	site, err := k.db.Sites().BySlug(ctx, "fourth")
	k.Must(err)
	k.Equal("domains", site.Domains, []string{"third.example.com"})
	for _, taken := range []string{"first", "fourth"} {
		err := k.db.Sites().Create(ctx, &tenancy.Site{Slug: taken, Name: "x", Timezone: "UTC", Language: "en", State: tenancy.Active,
			Settings: tenancy.DefaultSettings()}, nil)
		if err == nil {
			t.Errorf("two sites are %q", taken)
		}
	}
}
