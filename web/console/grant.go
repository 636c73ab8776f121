package console

import (
	"context"
	"net/http"
	"net/url"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
)

// Ways to set a limit of a site: from its plan, unlimited, or individually.
const (
	asPlan  = "plan"
	noLimit = "none"
	ownOne  = "own"
)

// ownField returns the field that says how a limit of a site is set.
func ownField(name string) string { return "own_" + name }

// grantForm returns the form with a site's current plan and limits.
func grantForm(s *tenancy.Site) *frame.Form {
	f := &frame.Form{Kind: "limit", Values: url.Values{"plan": {s.Plan.Name}, "geo": {asPlan}}}
	for _, name := range limitNames {
		own, there := s.Overrides[name]
		switch {
		case !there:
			f.Set(ownField(name), asPlan)
		case own == nil:
			f.Set(ownField(name), noLimit)
		default:
			f.Set(ownField(name), ownOne)
			f.Set(name, history.LimitText(name, own))
		}
	}
	if geo := s.Overrides["geo"]; geo != nil {
		f.Set("geo", map[bool]string{true: "1", false: "0"}[*geo != 0])
	}
	return f
}

// ownChoices returns the ways to set a limit.
func ownChoices(ctx context.Context) []frame.Pair {
	return []frame.Pair{{Name: asPlan, Value: frame.Tell(ctx, "console.as_plan")},
		{Name: ownOne, Value: frame.Tell(ctx, "console.own")}, {Name: noLimit, Value: frame.Tell(ctx, "console.limit.none")}}
}

// geoChoices returns the ways to set whether a site has location filters.
func geoChoices(ctx context.Context) []frame.Pair {
	return []frame.Pair{{Name: asPlan, Value: frame.Tell(ctx, "console.as_plan")}, {Name: "1", Value: frame.Tell(ctx, "yes")},
		{Name: "0", Value: frame.Tell(ctx, "no")}}
}

// grantSite assigns the plan and limits in the form to a site.
func (w *Pages) grantSite(v *frame.Visit, slug string, ed *siteView) (*frame.Reply, error) {
	v.Form.Kind, ed.grant = "limit", v.Form
	values := args.Values{"plan": v.Form.Get("plan")}
	for _, name := range limitNames {
		switch v.Form.Get(ownField(name)) {
		case noLimit:
			values[name] = nil
		case ownOne:
			if readLimit(v.Ctx, v.Form, name, name, values); values[name] == nil {
				v.Form.Wrong(name, frame.Tell(v.Ctx, "required"))
			}
		}
	}
	if geo := v.Form.Get("geo"); geo == "0" || geo == "1" {
		values["geo"] = geo
	}
	f, err := frame.Parsed[platform.GrantFields](grantTable, values, args.Creating)
	if unknown := w.knowPlan(v.Ctx, v.Form); unknown != nil {
		return nil, unknown
	}
	if err == nil && len(v.Form.Problems) == 0 {
		_, err = w.platform.Sites.Grant(v.Ctx, slug, f)
	}
	if len(v.Form.Problems) > 0 {
		v.Form.Refuse(v.Ctx, err)
		return w.siteReply(v, slug, ed, http.StatusUnprocessableEntity)
	}
	return w.done(v, slug, ed, err)
}
