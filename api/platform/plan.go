package platform

import (
	"context"
	"net/url"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

func (p *API) listPlans(ctx context.Context, _ api.Call, _ *api.Nothing) (*api.Answer, error) {
	list, err := p.platform.Plans.List(ctx)
	if err != nil {
		return nil, err
	}
	v := newView(ctx)
	v.List("plans", len(list), func(i int) { v.plan(list[i]) })
	v.Close('}')
	answer := v.Answer(0)
	answer.Paged, answer.Total, answer.Pages = true, len(list), 1
	return answer, nil
}

func (p *API) getPlan(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	found, err := p.platform.Plans.Get(ctx, c.Key.Slug)
	return planAnswer(ctx, found, err)
}

// setPlan creates or replaces the plan in the path.
func (p *API) setPlan(ctx context.Context, c api.Call, in *platform.PlanFields) (*api.Answer, error) {
	set, made, err := p.platform.Plans.Set(ctx, c.Key.Slug, in, c.Condition)
	answer, err := planAnswer(ctx, set, err)
	if err != nil {
		return nil, err
	}
	if answer.Replaced = !made; made {
		answer.Location = tenancy.Current(ctx).Base.API() + "/plans/" + url.PathEscape(set.Name)
	}
	return answer, nil
}

func (p *API) deletePlan(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	last, err := p.platform.Plans.Delete(ctx, c.Key.Slug, c.Condition)
	return planAnswer(ctx, last, err)
}

func planAnswer(ctx context.Context, o *platform.Offer, err error) (*api.Answer, error) {
	if err != nil {
		return nil, err
	}
	v := newView(ctx)
	v.plan(o)
	return v.Answer(o.Mark()), nil
}

// plan writes a plan. Sending the result back with PUT changes nothing.
func (v view) plan(o *platform.Offer) {
	v.Item()
	v.Text("name", o.Name)
	v.Bool("geo", o.Geo)
	v.Limits(&o.Plan)
	v.Int("sites", o.Sites)
	v.Instant("created", o.Created)
	v.Close('}')
}
