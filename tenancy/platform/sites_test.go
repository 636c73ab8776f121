package platform_test

import (
	"errors"
	"reflect"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

func TestCreateSite(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	made := i.Site("demo", "Events.Example.org", "bücher.example", "events.example.org.")
	want := &tenancy.Site{
		Slug: "demo", Name: "Site demo", Timezone: "UTC", Language: "en",
		Domains: []string{"events.example.org", "xn--bcher-kva.example"}, Sources: map[int64]tenancy.Origin{},
		Settings: tenancy.DefaultSettings(), Plan: tenancy.Plan{Name: tenancy.DefaultPlan, Geo: true},
		Overrides: tenancy.Overrides{}, State: tenancy.Active,
	}
	got, err := i.Sites.Get(i.Provider(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	same := cmpopts.IgnoreFields(tenancy.Site{}, "Changed", "Location")
	unset := cmpopts.IgnoreFields(tenancy.Site{}, "ID", "UID", "Created", "Changed", "Location")
	if diff := cmp.Diff(want, got, unset); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(made, got, same); diff != "" {
		t.Errorf("made and read differ: %s", diff)
	}
	if got.Location == nil || got.ID == 0 || got.UID == "" || got.Created.IsZero() {
		t.Errorf("%+v", got)
	}
}

func TestSiteRefuses(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	i.Site("demo", "a.example")
	other := i.Site("other", "b.example")
	for _, c := range []struct {
		arg, key string
		fields   platform.SiteFields
	}{
		{"slug", "problem.site.taken", platform.SiteFields{Slug: args.Some("demo")}},
		{"slug", "problem.site.slug", platform.SiteFields{Slug: args.Some("De mo")}},
		{"domains", "problem.domain.taken", platform.SiteFields{Domains: args.Some(args.Texts{"c.example", "A.example."})}},
		{"domains", "problem.domain.wildcard", platform.SiteFields{Domains: args.Some(args.Texts{"*.example"})}},
		{"domains", "problem.domain.platform", platform.SiteFields{Domains: args.Some(args.Texts{"x.calendars.example"})}},
		{"domains", "problem.domain.platform", platform.SiteFields{Domains: args.Some(args.Texts{"Calendars.example"})}},
		{"language", "problem.language_tag", platform.SiteFields{ProfileFields: platform.ProfileFields{Language: args.Some("xx")}}},
	} {
		f := c.fields
		_, err := i.Sites.Update(i.Provider(), "other", &f)
		tenancytest.WantProblem(t, err, c.arg, c.key)
		wantNamed(t, err)
		if !f.Slug.Given() {
			f.Slug = args.Some("third")
		}
		f.Name = args.Some("Third")
		_, err = i.Sites.Create(i.Provider(), &f)
		tenancytest.WantProblem(t, err, c.arg, c.key)
		wantNamed(t, err)
	}
	after, err := i.Sites.Get(i.Provider(), "other")
	if err != nil || after.Version != other.Version || !cmp.Equal(after.Domains, []string{"b.example"}) {
		t.Errorf("a refused write changed %+v, %v", after, err)
	}
	_, err = i.Sites.Get(i.Provider(), "third")
	tenancytest.WantError(t, err, tenancy.ErrNoSite)
}

func TestUpdateSite(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	before := i.Site("demo", "a.example", "b.example")
	f := &platform.SiteFields{Slug: args.Some("renamed"), Domains: args.Some(args.Texts{"b.example", "c.example"})}
	f.Language = args.Some("PT-br")
	zone, err := args.ParseZone("europe/berlin")
	if err != nil {
		t.Fatal(err)
	}
	f.Timezone = args.Some(zone)
	f.Settings = args.Some(args.Object[platform.SettingsFields]{Fields: platform.SettingsFields{PerPage: args.Some(30)}})
	after, err := i.Sites.Update(i.Provider(), "demo", f)
	if err != nil {
		t.Fatal(err)
	}
	settings := tenancy.DefaultSettings()
	settings.PerPage = 30
	if after.Version != before.Version+1 || after.Name != before.Name || after.Language != "pt-BR" ||
		after.Timezone != "Europe/Berlin" || after.Location.String() != "Europe/Berlin" || !reflect.DeepEqual(after.Settings, settings) {
		t.Errorf("%+v", after)
	}
	read, err := i.Sites.Get(i.Provider(), "renamed")
	if err != nil || !cmp.Equal(after, read, cmpopts.IgnoreFields(tenancy.Site{}, "Changed", "Location", "Exchange")) {
		t.Errorf("read %+v, %v", read, err)
	}
	var kind, action string
	var id int64
	if err := i.DB.Across("a test looks at what is there").QueryRow(t.Context(), `
		SELECT kind, id, action
		FROM set_config('kalends.site', $1::text, false), changes`, strconv.FormatInt(after.ID, 10)).Scan(&kind, &id, &action); err != nil ||
		kind != "site" || id != after.ID || action != "update" {
		t.Errorf("logged %s %d %s, %v", kind, id, action, err)
	}
}

func TestListSites(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	for _, slug := range []string{"c", "a", "b"} {
		i.Site(slug, slug+".example")
	}
	named := &platform.SiteFields{Domains: args.Some(args.Texts{"b.example", "bücher.test"})}
	if _, err := i.Sites.Update(i.Provider(), "b", named); err != nil {
		t.Fatal(err)
	}
	page, err := i.Sites.List(i.Provider(), &platform.SiteFilter{Filter: tenancy.Filter{Paging: args.Paging{PerPage: args.Some(2)}}})
	if err != nil || page.Total != 3 || len(page.Items) != 2 || page.Items[0].Slug != "a" || page.Items[1].Slug != "b" {
		t.Errorf("%+v, %v", page, err)
	}
	for search, want := range map[string]int{"SITE B": 1, "example": 3, "%": 0, "a.ex": 1, "Bücher": 1, "bücher.test": 1, "xn--": 1, "ücher": 0} {
		page, err := i.Sites.List(i.Provider(), &platform.SiteFilter{Filter: tenancy.Filter{Search: args.Some(search)}})
		if err != nil || page.Total != want || len(page.Items) != want {
			t.Errorf("search %q: %+v, %v", search, page, err)
		}
	}
	page, err = i.Sites.List(i.Provider(), &platform.SiteFilter{Filter: tenancy.Filter{Paging: args.Paging{Page: args.Some(9)}}})
	if err != nil || page.Total != 3 || len(page.Items) != 0 {
		t.Errorf("past the end: %+v, %v", page, err)
	}
}

func TestDeleteSite(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	gone, stays := i.Site("gone", "a.example"), i.Site("stays")
	i.User(gone, "ann", tenancy.Administrator)
	i.User(stays, "ann", tenancy.Administrator)
	last, err := i.Sites.Delete(i.Provider(), "gone", atOnce())
	if err != nil || last.ID != gone.ID {
		t.Fatalf("%+v, %v", last, err)
	}
	_, err = i.Sites.Delete(i.Provider(), "gone", atOnce())
	tenancytest.WantError(t, err, tenancy.ErrNoSite)
	_, err = i.Users.List(i.Enter(gone), &accounts.UserFilter{})
	if err != nil {
		t.Error(err)
	}
	if page, err := i.Users.List(i.Enter(stays), &accounts.UserFilter{}); err != nil || page.Total != 1 {
		t.Errorf("the other site has %d users, %v", page.Total, err)
	}
	i.Site("gone", "a.example")
}

// A closed site is still the provider's to change, and nobody else's.
func TestClosedSite(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	admin, _ := i.User(site, "ann", tenancy.Administrator)
	for _, state := range []tenancy.State{tenancy.Closed, tenancy.ReadOnly} {
		_, err := i.Sites.Update(i.Provider(), "demo", &platform.SiteFields{State: args.Some(string(state))})
		if err != nil {
			t.Fatal(err)
		}
		_, err = i.Sites.Configure(i.In(site, admin.Principal()), &platform.ConfigFields{Name: args.Some("Mine")}, "")
		if state == tenancy.Closed {
			tenancytest.WantError(t, err, tenancy.ErrClosed)
		} else {
			tenancytest.WantError(t, err, tenancy.ErrReadOnly)
		}
		if _, err := i.Users.Update(i.Enter(site), admin.ID, &accounts.UserFields{Name: args.Some("Ann " + string(state))}); err != nil {
			t.Error(err)
		}
	}
}

func TestConfigure(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	f := &platform.ConfigFields{Name: args.Some("Mine")}
	after, err := i.Sites.Configure(i.In(site, tenancy.Principal{UserID: 1, Role: tenancy.Administrator}), f, "")
	if err != nil || after.Name != "Mine" || after.Version != site.Version+1 {
		t.Errorf("%+v, %v", after, err)
	}
	_, err = i.Sites.Configure(i.In(site, tenancy.Principal{UserID: 1, Role: tenancy.Editor}), f, "")
	tenancytest.WantError(t, err, tenancy.ErrForbidden)
	_, err = i.Sites.Configure(i.In(site, tenancy.Principal{}), f, "")
	tenancytest.WantError(t, err, tenancy.ErrUnauthenticated)
	other := *site
	other.ID++ // the slug has gone to another site meanwhile
	_, err = i.Sites.Configure(i.In(&other, tenancy.Principal{UserID: 1, Role: tenancy.Administrator}), f, "")
	tenancytest.WantError(t, err, tenancy.ErrNoSite)
}

func TestSitesAreTheProviders(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	for want, p := range map[error]tenancy.Principal{
		tenancy.ErrUnauthenticated: {},
		tenancy.ErrForbidden:       {UserID: 1, Role: tenancy.Administrator},
	} {
		ctx := i.In(site, p)
		_, err := i.Sites.List(ctx, &platform.SiteFilter{})
		tenancytest.WantError(t, err, want)
		_, err = i.Sites.Get(ctx, "demo")
		tenancytest.WantError(t, err, want)
		_, err = i.Sites.Create(ctx, &platform.SiteFields{})
		tenancytest.WantError(t, err, want)
		_, err = i.Sites.Update(ctx, "demo", &platform.SiteFields{})
		tenancytest.WantError(t, err, want)
		_, err = i.Sites.Delete(ctx, "demo", atOnce())
		tenancytest.WantError(t, err, want)
		_, err = i.Sites.Undelete(ctx, "demo")
		tenancytest.WantError(t, err, want)
		_, err = i.Sites.Purge(ctx)
		tenancytest.WantError(t, err, want)
		_, err = i.Tokens.List(ctx)
		tenancytest.WantError(t, err, want)
		_, _, err = i.Tokens.Create(ctx, &accounts.TokenFields{})
		tenancytest.WantError(t, err, want)
		tenancytest.WantError(t, i.Tokens.Revoke(ctx, 1), want)
		_, err = tenancy.Enter(ctx, site)
		tenancytest.WantError(t, err, want)
	}
}

// wantNamed fails when a taken domain isn't the one that the problem names.
func wantNamed(t *testing.T, err error) {
	t.Helper()
	var found *args.Problems
	if errors.As(err, &found) && found.Broken()[0].Key == "problem.domain.taken" && found.Broken()[0].Data["Domain"] != "a.example" {
		t.Errorf("names %v", found.Broken()[0].Data)
	}
}
