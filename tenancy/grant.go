package tenancy

import (
	"context"

	"github.com/kalends/kalends/args"
)

// GrantFields are what the provider grants a site: its plan, and limits of its own
// beside it. They say all of it: what isn't given is the plan's, null is no limit.
type GrantFields struct {
	Plan args.Opt[string] `arg:"plan,required,nonempty,nonull,max=63"`
	LimitFields
	Geo args.Opt[bool] `arg:"geo,nonull"`
}

// Grant gives a site a plan and limits of its own in place of those it has. It
// returns ErrNoSite, and *args.Problems for a plan that there isn't.
func (s *Sites) Grant(ctx context.Context, slug string, f *GrantFields) (*Site, error) {
	if err := requireProvider(ctx); err != nil {
		return nil, err
	}
	site, err := s.store.Update(ctx, slug, func(site *Site) error {
		f.Plan.Patch(&site.Plan.Name, DefaultPlan)
		site.Overrides = Overrides{}
		site.own(&f.LimitFields, f.Geo)
		return nil
	})
	if err != nil {
		return nil, wrap("grant", err)
	}
	s.forget(site.ID)
	return site, nil
}

// own gives the site limits instead of its plan's, those that are given.
func (s *Site) own(f *LimitFields, geo args.Opt[bool]) {
	f.patch(&s.Plan)
	for name, arg := range map[string]args.Opt[int64]{overEvents: f.Events, overOccurrences: f.Occurrences, overUsers: f.Users,
		overMedia: f.MediaBytes, overRequests: f.RequestsPerMinute} {
		if arg.Given() {
			s.Overrides[name] = number(arg)
		}
	}
	if on, ok := geo.Get(); ok {
		n := int64(0)
		if on {
			n = 1
		}
		s.Overrides[overGeo] = &n
		s.Plan.Geo = on
	}
}
