package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// planList is the page of the plans, with the form of a new one.
type planList struct {
	form  *form
	items []*tenancy.Offer
}

// planEditor is the page of one plan.
type planEditor struct {
	form *form
	plan *tenancy.Offer
	sure bool // to delete it was asked for, and has to be confirmed
}

var planFields = append([]string{"name"}, limitNames...)

func consolePlanAddress(name string) string { return consoleRoot + "/plans/" + url.PathEscape(name) }

func (w *admin) consolePlans(v *visit, _ string) (*reply, error) {
	fresh := url.Values{"geo": {"1"}, "occurrences": {strconv.Itoa(tenancy.UsualOccurrences)}}
	return w.plansReply(v, &form{kind: "limit", values: fresh}, 0)
}

func (w *admin) plansReply(v *visit, f *form, status int) (*reply, error) {
	list, err := w.platform.Plans.List(v.ctx)
	if err != nil {
		return nil, err
	}
	return &reply{status: status, title: tell(v.ctx, "console.plans"), section: "plans", body: plansPage(&planList{f, list})}, nil
}

// createPlan makes the plan of the form.
func (w *admin) createPlan(v *visit, _ string) (*reply, error) {
	v.form.kind = "limit"
	name := strings.TrimSpace(v.form.get("name"))
	if err := w.checkPlanName(v, name); err != nil {
		return nil, err
	}
	fields, err := readPlan(v)
	if err == nil {
		_, err = w.platform.Plans.Create(v.ctx, name, fields)
	}
	switch {
	case err == nil:
		return &reply{redirect: consoleRoot + "/plans", say: "saved"}, nil
	case !v.form.refuse(v.ctx, err):
		return nil, err
	}
	if len(v.form.problems) == 1 && v.form.problem("name") != "" {
		there, err := w.samePlan(v, name)
		switch {
		case err != nil:
			return nil, err
		case there: // made by this form, whose answer nobody saw, or by one that says the same
			return &reply{redirect: consoleRoot + "/plans", say: "saved"}, nil
		}
	}
	return w.plansReply(v, v.form, http.StatusUnprocessableEntity)
}

// samePlan reports whether there is a plan of that name which is as the form has
// it.
func (w *admin) samePlan(v *visit, name string) (bool, error) {
	plan, err := w.platform.Plans.Get(v.ctx, name)
	if errors.Is(err, tenancy.ErrNoPlan) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	now := planForm(&plan.Plan)
	same := v.form.ticked("geo") == now.ticked("geo")
	for _, limit := range limitNames {
		same = same && v.form.canonical(limit) == now.get(limit)
	}
	return same, nil
}

// checkPlanName notes what is wrong with the name of a new plan.
func (w *admin) checkPlanName(v *visit, name string) error {
	if v.form.refuse(v.ctx, tenancy.CheckPlanName(name)) {
		return nil
	}
	switch _, err := w.platform.Plans.Get(v.ctx, name); {
	case err == nil:
		v.form.wrong("name", i18n.T(v.ctx, "problem.plan.taken", nil))
	case !errors.Is(err, tenancy.ErrNoPlan):
		return err
	}
	return nil
}

// knowPlan notes a plan that there isn't.
func (w *admin) knowPlan(ctx context.Context, f *form) error {
	_, err := w.platform.Plans.Get(ctx, strings.TrimSpace(f.get("plan")))
	if errors.Is(err, tenancy.ErrNoPlan) {
		f.wrong("plan", i18n.T(ctx, "problem.plan.unknown", nil))
		return nil
	}
	return err
}

// readPlan reads the form of a plan: a limit that is left empty is none.
func readPlan(v *visit) (*tenancy.PlanFields, error) {
	values := args.Values{}
	for _, name := range limitNames {
		v.form.readLimit(v.ctx, name, name, values)
	}
	limits, err := parsed[tenancy.LimitFields](limitTable, values, args.Creating)
	if err != nil {
		v.form.refuse(v.ctx, err)
	}
	if len(v.form.problems) > 0 {
		return nil, errWrong
	}
	given := args.Some(args.Object[tenancy.LimitFields]{Fields: *limits})
	return &tenancy.PlanFields{Limits: given, Geo: args.Some(v.form.ticked("geo"))}, nil
}

// planForm is the form of a plan as it stands.
func planForm(p *tenancy.Plan) *form {
	f := &form{kind: "limit", values: url.Values{"geo": {map[bool]string{true: "1", false: "0"}[p.Geo]}}}
	for name, limit := range limitsOf(p) {
		f.set(name, limitText(name, limit))
	}
	return f
}

func (w *admin) consolePlan(v *visit, name string) (*reply, error) {
	return w.planReply(v, name, nil, false, 0)
}

// planReply shows a plan; without a form as it stands.
func (w *admin) planReply(v *visit, name string, f *form, sure bool, status int) (*reply, error) {
	plan, err := w.platform.Plans.Get(v.ctx, name)
	if errors.Is(err, tenancy.ErrNoPlan) {
		return nil, fiber.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	if f == nil {
		f = planForm(&plan.Plan)
	}
	return &reply{status: status, title: plan.Name, section: "plans", body: planPage(&planEditor{f, plan, sure})}, nil
}

// changePlan stores the form of a plan, or deletes the plan when that was asked
// twice.
func (w *admin) changePlan(v *visit, name string) (*reply, error) {
	if _, err := w.platform.Plans.Get(v.ctx, name); errors.Is(err, tenancy.ErrNoPlan) {
		return nil, fiber.ErrNotFound // saving doesn't make it again
	} else if err != nil {
		return nil, err
	}
	switch v.form.get("do") {
	case "save":
		return w.savePlan(v, name)
	case "delete":
		if v.form.get("sure") == "" {
			return w.planReply(v, name, nil, true, 0)
		}
		return w.deletePlan(v, name)
	}
	return nil, fiber.ErrBadRequest
}

func (w *admin) savePlan(v *visit, name string) (*reply, error) {
	v.form.kind = "limit"
	fields, err := readPlan(v)
	if err == nil {
		_, _, err = w.platform.Plans.Set(v.ctx, name, fields)
	}
	switch {
	case err == nil:
		return &reply{redirect: consolePlanAddress(name), say: "saved"}, nil
	case !v.form.refuse(v.ctx, err):
		return nil, err
	}
	return w.planReply(v, name, v.form, false, http.StatusUnprocessableEntity)
}

func (w *admin) deletePlan(v *visit, name string) (*reply, error) {
	_, err := w.platform.Plans.Delete(v.ctx, name)
	switch {
	case errors.Is(err, tenancy.ErrPlanInUse), errors.Is(err, tenancy.ErrDefaultPlan):
		return w.planReply(v, name, nil, false, http.StatusConflict) // the page says why
	case err != nil && !errors.Is(err, tenancy.ErrNoPlan):
		return nil, err
	}
	return &reply{redirect: consoleRoot + "/plans", say: "delete", count: 1}, nil
}
