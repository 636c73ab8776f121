package main

import (
	"context"
	"strconv"

	platformapi "github.com/kalends/kalends/api/platform"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
)

// planCommand groups the provider's commands for plans.
type planCommand struct {
	List   planList   `cmd:"" help:"List the plans."`
	Show   planShow   `cmd:"" help:"Show a plan."`
	Set    planSet    `cmd:"" help:"Create a plan, or replace the one with this name."`
	Delete planDelete `cmd:"" help:"Delete a plan that no site uses."`
}

type (
	planList  struct{}
	planNamed struct {
		Name string `arg:"" help:"The plan."`
	}
	planShow   struct{ planNamed }
	planDelete struct{ planNamed }
	planSet    struct {
		planNamed
		Events            *int64 `help:"Maximum number of events, including the trash; default: no limit."`
		Occurrences       *int64 `help:"Maximum number of stored dates of series; default: 2000000 with --events, otherwise no limit."`
		Users             *int64 `help:"Maximum number of users; default: no limit."`
		MediaBytes        *int64 `help:"Maximum size in bytes of all images in all their sizes; default: no limit."`
		Webhooks          *int64 `help:"Maximum number of webhooks; default: 100."`
		Letters           *int64 `help:"Letters per month; 0: none; default: no limit."`
		RequestsPerMinute *int64 `help:"Maximum number of requests per minute; default: no limit."`
		Geo               bool   `default:"true" negatable:"" help:"Whether sites offer search by location."`
	}
)

// Run implements the command.
func (*planList) Run(p *program) error {
	return p.withPlans(func(ctx context.Context, plans *platform.Plans) (any, error) {
		list, err := plans.List(ctx)
		all := make([]any, len(list))
		for i := range list {
			all[i] = describePlan(list[i])
		}
		return all, err
	})
}

// Run implements the command.
func (c *planShow) Run(p *program) error {
	return p.withPlans(func(ctx context.Context, plans *platform.Plans) (any, error) {
		plan, err := plans.Get(ctx, c.Name)
		return describePlan(plan), err
	})
}

// Run implements the command.
func (c *planSet) Run(p *program) error {
	limits := map[string]any{}
	for name, limit := range map[string]*int64{"events": c.Events, "occurrences": c.Occurrences, "users": c.Users,
		"media_bytes": c.MediaBytes, "webhooks": c.Webhooks, "letters": c.Letters, "requests_per_minute": c.RequestsPerMinute} {
		if limit != nil {
			limits[name] = strconv.FormatInt(*limit, 10)
		}
	}
	fields, err := parse[platform.PlanFields](args.Values{"limits": limits, "geo": c.Geo}, args.Creating)
	if err != nil {
		return err
	}
	if err := platform.CheckPlanName(c.Name); err != nil {
		return invalid(err)
	}
	return p.withPlans(func(ctx context.Context, plans *platform.Plans) (any, error) {
		plan, _, err := plans.Set(ctx, c.Name, fields)
		return describePlan(plan), err
	})
}

// Run implements the command.
func (c *planDelete) Run(p *program) error {
	return p.withPlans(func(ctx context.Context, plans *platform.Plans) (any, error) {
		plan, err := plans.Delete(ctx, c.Name)
		return describePlan(plan), err
	})
}

// withPlans opens the installation and acts as the provider.
func (p *program) withPlans(do func(context.Context, *platform.Plans) (any, error)) error {
	return p.with(func(ctx context.Context, in *installation) (any, error) { return do(ctx, in.platform.Plans) })
}

// describePlan returns the output for a plan, which is that of the interface.
func describePlan(o *platform.Offer) any {
	if o == nil {
		return nil
	}
	return platformapi.PlanObject(o)
}
