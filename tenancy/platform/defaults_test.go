package platform_test

import (
	"testing"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

func wanted(t *testing.T, language, zone, currency, plan, theme string) *platform.DefaultsFields {
	t.Helper()
	z, err := args.ParseZone(zone)
	if err != nil {
		t.Fatal(err)
	}
	return &platform.DefaultsFields{Language: args.Some(language), Timezone: args.Some(z), Currency: args.Some(currency), Plan: args.Some(plan), Theme: args.Some(theme)}
}

// started makes the installation's own row, as the first start does.
func started(t *testing.T, i *tenancytest.Installation) {
	t.Helper()
	if _, err := platformstore.Secret(t.Context(), i.DB.Engine(), wording.Folding); err != nil {
		t.Fatal(err)
	}
}

// A new site gets the defaults where its creation doesn't say, and only there.
func TestDefaultsOfSites(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	if d, err := i.Sites.Defaults(i.Provider()); err != nil || d != (platform.SiteDefaults{}) {
		t.Fatalf("%+v, %v", d, err)
	}
	started(t, i)
	before := i.Site("before")
	_, err := i.Plans.Create(i.Provider(), "small", &platform.PlanFields{})
	tenancytest.WantError(t, err, nil)
	tenancytest.WantError(t, i.Sites.SetDefaults(i.Provider(), wanted(t, "DE", "Europe/Zurich", "CHF", "small", "journal")), nil)
	tenancytest.WantError(t, second(i.Plans.Delete(i.Provider(), "small")), platform.ErrDefaultPlan)

	site, err := i.Sites.Create(i.Provider(), &platform.SiteFields{Slug: args.Some("plain"), ProfileFields: platform.ProfileFields{Name: args.Some("Plain")}})
	if err != nil {
		t.Fatal(err)
	}
	s := site.Settings
	if site.Language != "de" || site.Timezone != "Europe/Zurich" || site.Plan.Name != "small" || s.Face.Theme != "journal" || s.CurrencyCode != "CHF" || s.CurrencyPosition != "prefix" {
		t.Errorf("%+v", site)
	}
	f := &platform.SiteFields{Slug: args.Some("own"), Plan: args.Some(tenancy.DefaultPlan), ProfileFields: platform.ProfileFields{Name: args.Some("Own"), Language: args.Some("pt-BR"),
		Settings: args.Some(args.Object[platform.SettingsFields]{Fields: platform.SettingsFields{CurrencyCode: args.Some("BRL")}})}}
	if zone, err := args.ParseZone("America/Sao_Paulo"); err == nil {
		f.Timezone = args.Some(zone)
	}
	site, err = i.Sites.Create(i.Provider(), f)
	if err != nil || site.Language != "pt-BR" || site.Timezone != "America/Sao_Paulo" || site.Plan.Name != tenancy.DefaultPlan || site.Settings.CurrencyCode != "BRL" {
		t.Errorf("%+v, %v", site, err)
	}
	if again, err := i.Sites.Get(i.Provider(), "before"); err != nil || again.Version != before.Version {
		t.Errorf("a site that was there: %+v, %v", again, err)
	}
}

// What can't be a default is refused and named, nothing of it is stored, and nobody but the provider asks.
func TestDefaultsOfSitesRefuse(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	for arg, f := range map[string]*platform.DefaultsFields{"language": wanted(t, "xx", "UTC", "", tenancy.DefaultPlan, "plain"), "plan": wanted(t, "de", "UTC", "", "none", "plain")} {
		key := map[string]string{"language": "problem.language_tag", "plan": "problem.plan.unknown"}[arg]
		tenancytest.WantProblem(t, i.Sites.SetDefaults(i.Provider(), f), arg, key)
	}
	if d, err := i.Sites.Defaults(i.Provider()); err != nil || d != (platform.SiteDefaults{}) {
		t.Errorf("%+v, %v", d, err)
	}
	tenancytest.WantError(t, i.Sites.SetDefaults(t.Context(), wanted(t, "de", "UTC", "", tenancy.DefaultPlan, "plain")), tenancy.ErrUnauthenticated)
	_, err := i.Sites.Defaults(t.Context())
	tenancytest.WantError(t, err, tenancy.ErrUnauthenticated)
}
