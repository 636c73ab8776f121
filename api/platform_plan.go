package api

import (
	"context"
	"net/url"

	"github.com/kalends/kalends/tenancy/platform"
)

func (p *Platform) listPlans(ctx context.Context, _ Call, _ *Nothing) (*Answer, error) {
	list, err := p.platform.Plans.List(ctx)
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.list("plans", len(list), func(i int) { v.plan(list[i]) })
	v.Close('}')
	answer := v.Answer(0)
	answer.Paged, answer.Total, answer.Pages = true, len(list), 1
	return answer, nil
}

func (p *Platform) getPlan(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	found, err := p.platform.Plans.Get(ctx, c.Key.Slug)
	return planAnswer(ctx, found, err)
}

// setPlan creates or replaces the plan in the path.
func (p *Platform) setPlan(ctx context.Context, c Call, in *platform.PlanFields) (*Answer, error) {
	set, made, err := p.platform.Plans.Set(ctx, c.Key.Slug, in, c.Condition)
	answer, err := planAnswer(ctx, set, err)
	if err != nil {
		return nil, err
	}
	if answer.Replaced = !made; made {
		answer.Location = scopeOf(ctx).Base.API() + "/plans/" + url.PathEscape(set.Name)
	}
	return answer, nil
}

func (p *Platform) deletePlan(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	last, err := p.platform.Plans.Delete(ctx, c.Key.Slug, c.Condition)
	return planAnswer(ctx, last, err)
}

func planAnswer(ctx context.Context, o *platform.Offer, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.plan(o)
	return v.Answer(o.Mark()), nil
}

// plan writes a plan. Sending the result back with PUT changes nothing.
func (v *View) plan(o *platform.Offer) {
	v.Item()
	v.Text("name", o.Name)
	v.Bool("geo", o.Geo)
	v.limits(&o.Plan)
	v.Int("sites", o.Sites)
	v.instant("created", o.Created)
	v.Close('}')
}
