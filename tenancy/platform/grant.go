package platform

import (
	"context"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// GrantFields are what the provider grants a site: its plan, and limits that replace the plan's. They replace all
// limits: without a value, the limit of the plan applies; null means no limit.
type GrantFields struct {
	Plan args.Opt[string] `arg:"plan,required,nonempty,nonull,max=63"`
	LimitFields
	Geo args.Opt[bool] `arg:"geo,nonull"`
}

// Grant sets the plan and the overrides of a site. It returns ErrNoSite if no site has this slug, and
// *args.Problems if the plan doesn't exist.
func (s *Sites) Grant(ctx context.Context, slug string, f *GrantFields) (*tenancy.Site, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	site, err := s.store.Update(ctx, slug, func(site *tenancy.Site) error {
		f.Plan.Patch(&site.Plan.Name, tenancy.DefaultPlan)
		site.Overrides = tenancy.Overrides{}
		limit(site, &f.LimitFields, f.Geo)
		return nil
	})
	if err != nil {
		return nil, tenancy.Wrap("grant", err)
	}
	s.forget(site.ID)
	return site, nil
}
