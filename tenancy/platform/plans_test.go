package platform_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

// limits are those of a plan with so many events, and 60 requests a minute.
func limits(events int64) *platform.PlanFields {
	return &platform.PlanFields{Limits: args.Some(args.Object[platform.LimitFields]{Fields: platform.LimitFields{
		Events: args.Some(events), RequestsPerMinute: args.Some[int64](60)}}), Geo: args.Some(false)}
}

// A plan is made and replaced as a whole, counts its sites, and can't go while
// one has it.
func TestPlans(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	i.Site("demo")
	set, made, err := i.Plans.Set(i.Provider(), "small", limits(5))
	five, usual := int64(5), int64(tenancy.UsualOccurrences)
	want := &platform.Offer{Plan: tenancy.Plan{Name: "small", RequestsPerMinute: 60, Limits: tenancy.Limits{Events: &five, Occurrences: &usual}}}
	if diff := cmp.Diff(want, set, cmpopts.IgnoreFields(platform.Offer{}, "Created")); err != nil || !made || diff != "" || set.Created.IsZero() {
		t.Fatalf("%v %v %s", made, err, diff)
	}
	_, err = i.Sites.Update(i.Provider(), "demo", &platform.SiteFields{Plan: args.Some("small")})
	tenancytest.WantError(t, err, nil)
	_, err = i.Plans.Delete(i.Provider(), "small")
	tenancytest.WantError(t, err, platform.ErrPlanInUse)
	for plan, total := range map[string]int{"small": 1, tenancy.DefaultPlan: 0, "": 1} {
		if list, err := i.Sites.List(i.Provider(), &platform.SiteFilter{Plan: args.Some(plan)}); err != nil || list.Total != total {
			t.Errorf("%q: %d sites, %v", plan, list.Total, err)
		}
	}

	again, made, err := i.Plans.Set(i.Provider(), "small", &platform.PlanFields{})
	if err != nil || made || again.Sites != 1 || again.Events != nil || again.RequestsPerMinute != 0 || !again.Geo || !again.Created.Equal(set.Created) {
		t.Errorf("%+v, %v, %v: what isn't said of a plan is no limit", again, made, err)
	}
	_, err = i.Sites.Update(i.Provider(), "demo", &platform.SiteFields{Plan: args.Some(tenancy.DefaultPlan)})
	tenancytest.WantError(t, err, nil)
	last, err := i.Plans.Delete(i.Provider(), "small")
	if err != nil || last.Name != "small" {
		t.Errorf("%+v, %v", last, err)
	}
	for _, err := range []error{second(i.Plans.Get(i.Provider(), "small")), second(i.Plans.Delete(i.Provider(), "small"))} {
		tenancytest.WantError(t, err, platform.ErrNoPlan)
	}
	tenancytest.WantError(t, second(i.Plans.Delete(i.Provider(), tenancy.DefaultPlan)), platform.ErrDefaultPlan)
	for _, name := range []string{"", "Small", "-x", "a b", "a/b"} {
		_, _, err = i.Plans.Set(i.Provider(), name, &platform.PlanFields{})
		tenancytest.WantProblem(t, err, "name", "problem.site.slug")
	}
}

// A plan is created once, and not over another one.
func TestPlanIsNotCreatedOverAnother(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	made, err := i.Plans.Create(i.Provider(), "small", limits(5))
	if err != nil || *made.Events != 5 {
		t.Fatalf("%+v, %v", made, err)
	}
	_, err = i.Plans.Create(i.Provider(), "small", limits(7))
	tenancytest.WantProblem(t, err, "name", "problem.plan.taken")
	if now, err := i.Plans.Get(i.Provider(), "small"); err != nil || *now.Events != 5 {
		t.Errorf("%+v, %v", now, err)
	}
	_, err = i.Plans.Create(t.Context(), "other", limits(5))
	tenancytest.WantError(t, err, tenancy.ErrUnauthenticated)
}

func second[T any](_ T, err error) error { return err }

// What is done to plans stands in the provider's history; what changes nothing
// doesn't.
func TestPlansHaveAHistory(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	for _, events := range []int64{5, 5, 7} {
		_, _, err := i.Plans.Set(i.Provider(), "small", limits(events))
		tenancytest.WantError(t, err, nil)
	}
	tenancytest.WantError(t, second(i.Plans.Delete(i.Provider(), "small")), nil)
	list, _, err := i.History.Provider(i.Provider(), &tenancy.HistoryFilter{Kind: args.Some("plan")})
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	for n, action := range []string{"delete", "update", "create"} {
		if list[n].Action != action || list[n].Object != "small" || list[n].Key != "" && list[n].Who == "" {
			t.Errorf("%d: %+v", n, list[n])
		}
	}
	if diff := cmp.Diff(map[string]any{"events": 5.0}, list[1].Before) + cmp.Diff(map[string]any{"events": 7.0}, list[1].After); diff != "" {
		t.Error(diff)
	}
}

func TestPlansAreTheProviders(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	for _, c := range []struct {
		ctx  context.Context
		want error
	}{
		{t.Context(), tenancy.ErrUnauthenticated},
		{i.In(site, tenancy.Principal{}), tenancy.ErrUnauthenticated},
		{i.In(site, tenancy.Principal{UserID: 1, Role: tenancy.Administrator}), tenancy.ErrForbidden},
	} {
		_, _, set := i.Plans.Set(c.ctx, "small", &platform.PlanFields{})
		for _, err := range []error{second(i.Plans.List(c.ctx)), second(i.Plans.Get(c.ctx, tenancy.DefaultPlan)), set,
			second(i.Plans.Delete(c.ctx, tenancy.DefaultPlan))} {
			tenancytest.WantError(t, err, c.want)
		}
	}
	if list, err := i.Plans.List(i.Provider()); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

// A node that changes a plan knows at once, whatever it remembers of sites, and
// the others a second later, though nothing else was written to the site.
func TestPlanIsFelt(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	i.Site("demo")
	_, _, err := i.Plans.Set(i.Provider(), "small", &platform.PlanFields{})
	tenancytest.WantError(t, err, nil)
	_, err = i.Sites.Update(i.Provider(), "demo", &platform.SiteFields{Plan: args.Some("small")})
	tenancytest.WantError(t, err, nil)
	clock := func() time.Time { return time.Now().Add(time.Duration(i.Ahead.Load())) }
	other := platform.New(i.DB, platform.Options{Domain: "calendars.example", Clock: clock,
		Versions: &versioned{Installation: i, t: t}})
	requests := func(of *platform.Platform) int {
		site, err := of.Resolver.Resolve(t.Context(), "demo.calendars.example")
		tenancytest.WantError(t, err, nil)
		return site.Plan.RequestsPerMinute
	}
	if n := requests(i.Platform) + requests(other); n != 0 {
		t.Fatalf("%d", n)
	}
	_, _, err = i.Plans.Set(i.Provider(), "small", limits(1))
	tenancytest.WantError(t, err, nil)
	if n := requests(i.Platform); n != 60 {
		t.Errorf("%d requests a minute, want 60", n)
	}
	i.Wait(time.Second)
	if n := requests(other); n != 60 {
		t.Errorf("%d requests a minute on another node, want 60", n)
	}
}

// Of many that make one plan at once, one makes it.
func TestConcurrentPlan(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	var all sync.WaitGroup
	var made atomic.Int64
	for n := range 8 {
		all.Go(func() {
			_, isNew, err := i.Plans.Set(i.Provider(), "small", limits(int64(n)))
			if err != nil {
				t.Error(err)
			}
			if isNew {
				made.Add(1)
			}
		})
	}
	all.Wait()
	list, _, err := i.History.Provider(i.Provider(), &tenancy.HistoryFilter{Kind: args.Some("plan"), Action: args.Some("create")})
	if err != nil || len(list) != 1 || made.Load() != 1 {
		t.Errorf("made %d times, %d entries, %v", made.Load(), len(list), err)
	}
}
