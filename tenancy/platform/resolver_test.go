package platform_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	i.Site("demo")
	i.Site("club", "events.example.org", "bücher.example")
	for host, want := range map[string]string{
		"":                             "demo",
		"calendars.example":            "demo",
		"CALENDARS.example.:8080":      "demo",
		"127.0.0.1:8080":               "demo",
		"[::1]:8080":                   "demo",
		"unknown.example":              "demo",
		"demo.calendars.example":       "demo",
		"club.calendars.example":       "club",
		"Club.Calendars.Example.:8443": "club",
		"events.example.org":           "club",
		"EVENTS.example.org.:80":       "club",
		"xn--bcher-kva.example":        "club",
		"sub.events.example.org":       "demo",
		"none.calendars.example":       "",
		"a.club.calendars.example":     "",
		"-.calendars.example":          "",
		"*.example.org":                "",
		"[club.calendars.example]":     "",
		"club.calendars.example:x":     "",
		"club.calendars.example/":      "",
	} {
		site, err := i.Resolver.Resolve(t.Context(), host)
		switch {
		case want == "":
			tenancytest.WantError(t, err, tenancy.ErrNoSite)
		case err != nil || site.Slug != want:
			t.Errorf("%q: %+v, %v, want %s", host, site, err, want)
		}
	}
	if !i.Resolver.IsPlatform("Calendars.example:80") || i.Resolver.IsPlatform("club.calendars.example") || i.Resolver.IsPlatform("") {
		t.Error("IsPlatform is wrong")
	}
}

func TestResolveWithoutDefaultSite(t *testing.T) {
	t.Parallel()
	slug := ""
	i := tenancytest.Install(t, func(o *platform.Options) { o.Domain, o.DefaultSite = "", func() string { return slug } })
	_, err := i.Resolver.Resolve(t.Context(), "localhost:8080")
	tenancytest.WantError(t, err, tenancy.ErrNoSite)
	slug = "first"
	i.Site("first")
	for _, host := range []string{"localhost:8080", "first.localhost"} {
		if site, err := i.Resolver.Resolve(t.Context(), host); err != nil || site.Slug != "first" {
			t.Errorf("%s: %+v, %v", host, site, err)
		}
	}
}

func TestResolveClosed(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	i.Site("demo")
	for state, want := range map[tenancy.State]error{tenancy.Closed: tenancy.ErrClosed, tenancy.ReadOnly: nil, tenancy.Active: nil} {
		if _, err := i.Sites.Update(i.Provider(), "demo", &platform.SiteFields{State: args.Some(string(state))}); err != nil {
			t.Fatal(err)
		}
		_, err := i.Resolver.Resolve(t.Context(), "demo.calendars.example")
		tenancytest.WantError(t, err, want)
		if _, err := i.Resolver.Resolve(i.Provider(), "demo.calendars.example"); err != nil {
			t.Errorf("the provider: %v", err)
		}
	}
}

func TestConcurrentResolve(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	i.Site("demo", "a.example")
	i.Finds.Store(0)
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			for _, host := range []string{"a.example", "A.example:80", "a.example."} {
				if _, err := i.Resolver.Resolve(t.Context(), host); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if n := i.Finds.Load(); n != 1 {
		t.Errorf("%d queries", n)
	}
	i.Wait(time.Second)
	_, _ = i.Resolver.Resolve(t.Context(), "a.example")
	if n := i.Finds.Load(); n != 2 {
		t.Errorf("%d queries after a second", n)
	}
}

// versioned knows the versions of sites as the database has them.
type versioned struct {
	*tenancytest.Installation
	t       testing.TB
	unknown atomic.Bool
}

func (*versioned) Learn(int64, int64, time.Time) {}

func (v *versioned) Known(site int64) (version int64, known bool) {
	found, err := v.DB.Versions(v.t.Context(), []int64{site})
	tenancytest.WantError(v.t, err, nil)
	version, known = found[site]
	return version, known && !v.unknown.Load()
}

// A site stays remembered for as long as its version is known not to have risen,
// under its own names.
func TestResolveRemembersWhatIsUnchanged(t *testing.T) {
	t.Parallel()
	versions := &versioned{t: t}
	i := tenancytest.Install(t, func(o *platform.Options) { o.Versions = versions })
	versions.Installation = i
	site := i.Site("demo", "a.example")
	resolve := func(host string, queries int64) {
		t.Helper()
		i.Wait(time.Minute)
		before := i.Finds.Load()
		if got, err := i.Resolver.Resolve(t.Context(), host); err != nil || got.ID != site.ID {
			t.Fatalf("%s: %+v, %v", host, got, err)
		}
		if n := i.Finds.Load() - before; n != queries {
			t.Errorf("%s: %d queries, want %d", host, n, queries)
		}
	}
	for _, host := range []string{"a.example", "demo.calendars.example"} {
		resolve(host, 1)
		resolve(host, 0)
	}
	i.User(site, "eve", tenancy.Editor)
	resolve("a.example", 1)
	resolve("a.example", 0)
	versions.unknown.Store(true)
	resolve("a.example", 1)
	versions.unknown.Store(false)
	for range 2 { // the default site has it until another takes it
		resolve("c.example", 2)
	}
	other := i.Site("club", "c.example")
	i.Wait(time.Minute)
	if got, err := i.Resolver.Resolve(t.Context(), "c.example"); err != nil || got.ID != other.ID {
		t.Errorf("%+v, %v", got, err)
	}
}

// What the provider changes is seen at the next request.
func TestResolveFollowsChanges(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t, func(o *platform.Options) { o.DefaultSite = nil })
	_, err := i.Resolver.Resolve(t.Context(), "a.example")
	tenancytest.WantError(t, err, tenancy.ErrNoSite)
	i.Site("demo", "a.example")
	if _, err := i.Resolver.Resolve(t.Context(), "a.example"); err != nil {
		t.Error(err)
	}
	if _, err := i.Sites.Update(i.Provider(), "demo", &platform.SiteFields{Domains: args.Some(args.Texts{"b.example"})}); err != nil {
		t.Fatal(err)
	}
	_, err = i.Resolver.Resolve(t.Context(), "a.example")
	tenancytest.WantError(t, err, tenancy.ErrNoSite)
	if _, err := i.Resolver.Resolve(t.Context(), "b.example"); err != nil {
		t.Error(err)
	}
	if _, err := i.Sites.Delete(i.Provider(), "demo", atOnce()); err != nil {
		t.Fatal(err)
	}
	_, err = i.Resolver.Resolve(t.Context(), "b.example")
	tenancytest.WantError(t, err, tenancy.ErrNoSite)
}

// TestResolveAt: a site whose content alone changed is not looked up again, and
// any other is, at once and by itself.
func TestResolveAt(t *testing.T) {
	t.Parallel()
	still := time.Now()
	i := tenancytest.Install(t, func(o *platform.Options) { o.DefaultSite, o.Clock = nil, func() time.Time { return still } })
	i.Site("demo", "a.example")
	i.Site("club", "b.example")
	beside, err := i.Resolver.Resolve(t.Context(), "b.example")
	if err != nil {
		t.Fatal(err)
	}
	site, err := i.Resolver.Resolve(t.Context(), "a.example")
	if err != nil {
		t.Fatal(err)
	}
	at := func(version int64, queries int64) *tenancy.Site {
		t.Helper()
		before := i.Finds.Load()
		got, err := i.Resolver.ResolveAt(t.Context(), "a.example", version)
		if err != nil {
			t.Fatal(err)
		}
		if n := i.Finds.Load() - before; n != queries {
			t.Errorf("at version %d: %d queries, want %d", version, n, queries)
		}
		return got
	}
	at(site.Version, 0)
	i.Resolver.Unchanged(site.ID, site.Version+1)
	i.Resolver.Unchanged(site.ID, site.Version+2)
	at(site.Version+2, 0)
	at(site.Version+3, 1)

	elsewhere := platform.New(i.DB, platform.Options{Domain: "calendars.example", Languages: []string{"en"}})
	renamed := &platform.SiteFields{}
	renamed.Name = args.Some("Renamed")
	if _, err := elsewhere.Sites.Update(i.Provider(), "demo", renamed); err != nil {
		t.Fatal(err)
	}
	if old, err := i.Resolver.Resolve(t.Context(), "a.example"); err != nil || old.Name == "Renamed" {
		t.Fatalf("not remembered: %+v, %v", old, err)
	}
	if got := at(site.Version+4, 1); got.Name != "Renamed" {
		t.Errorf("%+v", got)
	}
	before := i.Finds.Load()
	if same, err := i.Resolver.Resolve(t.Context(), "b.example"); err != nil || same != beside || i.Finds.Load() != before {
		t.Errorf("another site was looked up again: %v", err)
	}
	_, err = i.Resolver.ResolveAt(t.Context(), "none.example", 1)
	tenancytest.WantError(t, err, tenancy.ErrNoSite)
}
