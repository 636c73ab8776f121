package web

import (
	"context"
	"net/http"
	"net/url"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// How a limit of a site is set: as its plan has it, not at all, or of its own.
const (
	asPlan  = "plan"
	noLimit = "none"
	ownOne  = "own"
)

// ownField is the field that says how a limit of a site is set.
func ownField(name string) string { return "own_" + name }

// grantForm is the form of a site's plan and limits as they stand.
func grantForm(s *tenancy.Site) *form {
	f := &form{kind: "limit", values: url.Values{"plan": {s.Plan.Name}, "geo": {asPlan}}}
	for _, name := range limitNames {
		own, there := s.Overrides[name]
		switch {
		case !there:
			f.set(ownField(name), asPlan)
		case own == nil:
			f.set(ownField(name), noLimit)
		default:
			f.set(ownField(name), ownOne)
			f.set(name, limitText(name, own))
		}
	}
	if geo := s.Overrides["geo"]; geo != nil {
		f.set("geo", map[bool]string{true: "1", false: "0"}[*geo != 0])
	}
	return f
}

// ownChoices are the ways to set a limit.
func ownChoices(ctx context.Context) []pair {
	return []pair{{asPlan, tell(ctx, "console.as_plan")}, {ownOne, tell(ctx, "console.own")}, {noLimit, tell(ctx, "console.limit.none")}}
}

// geoChoices are the ways to set the filters by location.
func geoChoices(ctx context.Context) []pair {
	return []pair{{asPlan, tell(ctx, "console.as_plan")}, {"1", tell(ctx, "yes")}, {"0", tell(ctx, "no")}}
}

// grantConsoleSite gives a site the plan and the limits of the form.
func (w *admin) grantConsoleSite(v *visit, slug string, ed *consoleEditor) (*reply, error) {
	v.form.kind, ed.grant = "limit", v.form
	values := args.Values{"plan": v.form.get("plan")}
	for _, name := range limitNames {
		switch v.form.get(ownField(name)) {
		case noLimit:
			values[name] = nil
		case ownOne:
			if v.form.readLimit(v.ctx, name, name, values); values[name] == nil {
				v.form.wrong(name, tell(v.ctx, "required"))
			}
		}
	}
	if geo := v.form.get("geo"); geo == "0" || geo == "1" {
		values["geo"] = geo
	}
	f, err := parsed[tenancy.GrantFields](grantTable, values, args.Creating)
	if unknown := w.knowPlan(v.ctx, v.form); unknown != nil {
		return nil, unknown
	}
	if err == nil && len(v.form.problems) == 0 {
		_, err = w.platform.Sites.Grant(v.ctx, slug, f)
	}
	if len(v.form.problems) > 0 {
		v.form.refuse(v.ctx, err)
		return w.consoleReply(v, slug, ed, http.StatusUnprocessableEntity)
	}
	return w.consoleDone(v, slug, ed, err)
}
