package platform_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

// What a site is granted takes the place of what it had: a limit that isn't given
// is the plan's again.
func TestGrant(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	i.Site("demo")
	_, _, err := i.Plans.Set(i.Provider(), "small", limits(5))
	tenancytest.WantError(t, err, nil)
	site, err := i.Sites.Grant(i.Provider(), "demo", &platform.GrantFields{Plan: args.Some("small"), Geo: args.Some(true),
		LimitFields: platform.LimitFields{Events: args.Some[int64](7), RequestsPerMinute: args.Null[int64]()}})
	if err != nil || site.Plan.Name != "small" || *site.Plan.Events != 7 || site.Plan.RequestsPerMinute != 0 || !site.Plan.Geo || site.Plan.Users != nil {
		t.Fatalf("%+v, %v", site, err)
	}
	site, err = i.Sites.Grant(i.Provider(), "demo", &platform.GrantFields{Plan: args.Some("small"), LimitFields: platform.LimitFields{Users: args.Some[int64](2)}})
	if err != nil || *site.Plan.Events != 5 || site.Plan.RequestsPerMinute != 60 || site.Plan.Geo || *site.Plan.Users != 2 || len(site.Overrides) != 1 {
		t.Fatalf("%+v, %v", site, err)
	}
	entries, _, err := i.History.Provider(i.Provider(), &tenancy.HistoryFilter{Kind: args.Some("site"), PerPage: args.Some(1)})
	if diff := cmp.Diff(map[string]any{"users": 2.0}, entries[0].After["limits"]); err != nil || diff != "" {
		t.Errorf("%s %v", diff, err)
	}
	_, err = i.Sites.Grant(i.Provider(), "demo", &platform.GrantFields{Plan: args.Some("none")})
	tenancytest.WantProblem(t, err, "plan", "problem.plan.unknown")
	tenancytest.WantError(t, second(i.Sites.Grant(i.Provider(), "none", &platform.GrantFields{Plan: args.Some("small")})), tenancy.ErrNoSite)
	tenancytest.WantError(t, second(i.Sites.Grant(i.In(site, tenancy.Principal{UserID: 1, Role: tenancy.Administrator}), "demo", &platform.GrantFields{})),
		tenancy.ErrForbidden)
}

// A site and its first administrator are made together or not at all.
func TestFound(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	fields := func(slug, plan string) *platform.SiteFields {
		f := &platform.SiteFields{Slug: args.Some(slug), Plan: args.Some(plan)}
		f.Name = args.Some("Club")
		return f
	}
	site, admin, err := i.Sites.Found(i.Provider(), fields("club", tenancy.DefaultPlan), tenancytest.Person("anna", tenancy.Subscriber))
	if err != nil || admin.Role != tenancy.Administrator || admin.PasswordHash != "" || site.Usage.Users != 1 {
		t.Fatalf("%+v, %+v, %v", site, admin, err)
	}
	list, err := i.Users.List(i.Enter(site), &accounts.UserFilter{})
	if err != nil || list.Total != 1 || list.Items[0].Login != "anna" || list.Items[0].ID != admin.ID {
		t.Errorf("%+v, %v", list, err)
	}
	given, token, _, err := i.Vouchers.Give(i.Enter(site), admin.ID)
	if err != nil || given.Kind != accounts.Invitation {
		t.Fatalf("%+v, %v", given, err)
	}
	if _, err := i.Vouchers.Redeem(i.In(site, tenancy.Principal{}), token, "Anna", "correct horse battery", accounts.Cut{}); err != nil {
		t.Error(err)
	}
	none := int64(0)
	_, _, err = i.Plans.Set(i.Provider(), "nobody", &platform.PlanFields{Limits: args.Some(args.Object[platform.LimitFields]{
		Fields: platform.LimitFields{Users: args.Some(none)}})})
	tenancytest.WantError(t, err, nil)
	_, _, err = i.Sites.Found(i.Provider(), fields("other", "nobody"), tenancytest.Person("anna", tenancy.Administrator))
	if limit := (*tenancy.LimitError)(nil); !errors.As(err, &limit) || limit.What != "users" {
		t.Errorf("%v", err)
	}
	_, _, err = i.Sites.Found(i.Provider(), fields("club", tenancy.DefaultPlan), tenancytest.Person("anna", tenancy.Administrator))
	tenancytest.WantProblem(t, err, "slug", "problem.site.taken")
	_, _, err = i.Sites.Found(t.Context(), fields("other", tenancy.DefaultPlan), tenancytest.Person("anna", tenancy.Administrator))
	tenancytest.WantError(t, err, tenancy.ErrUnauthenticated)
	tenancytest.WantError(t, second(i.Sites.Get(i.Provider(), "other")), tenancy.ErrNoSite)
	if entries, _, err := i.History.Provider(i.Provider(), &tenancy.HistoryFilter{Kind: args.Some("site")}); err != nil || len(entries) != 1 {
		t.Errorf("%+v, %v", entries, err)
	}
}
