package console

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
)

// planList is the page of the plans with the form for a new one.
type planList struct {
	form  *frame.Form
	items []*platform.Offer
}

// planEditor is the page of one plan.
type planEditor struct {
	form *frame.Form
	plan *platform.Offer
	kept bool // new sites get it, so it cannot be deleted
	sure bool // deletion was requested and must be confirmed
}

var planFields = append([]string{"name"}, limitNames...)

func planAddress(name string) string { return frame.ConsoleRoot + "/plans/" + url.PathEscape(name) }

func (w *Pages) plans(v *frame.Visit, _ string) (*frame.Reply, error) {
	fresh := url.Values{"geo": {"1"}, "occurrences": {strconv.Itoa(tenancy.UsualOccurrences)}}
	return w.plansReply(v, &frame.Form{Kind: "limit", Values: fresh}, 0)
}

func (w *Pages) plansReply(v *frame.Visit, f *frame.Form, status int) (*frame.Reply, error) {
	list, err := w.platform.Plans.List(v.Ctx)
	if err != nil {
		return nil, err
	}
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "console.plans"), Section: "plans",
		Body: plansPage(&planList{f, list})}, nil
}

// createPlan creates the plan in the form.
func (w *Pages) createPlan(v *frame.Visit, _ string) (*frame.Reply, error) {
	v.Form.Kind = "limit"
	name := strings.TrimSpace(v.Form.Get("name"))
	if err := w.checkPlanName(v, name); err != nil {
		return nil, err
	}
	fields, err := readPlan(v)
	if err == nil {
		_, err = w.platform.Plans.Create(v.Ctx, name, fields)
	}
	switch {
	case err == nil:
		return &frame.Reply{Redirect: frame.ConsoleRoot + "/plans", Say: "saved"}, nil
	case !v.Form.Refuse(v.Ctx, err):
		return nil, err
	}
	if len(v.Form.Problems) == 1 && v.Form.Problem("name") != "" {
		there, err := w.samePlan(v, name)
		switch {
		case err != nil:
			return nil, err
		case there: // created by the same form before, or by an identical one
			return &frame.Reply{Redirect: frame.ConsoleRoot + "/plans", Say: "saved"}, nil
		}
	}
	return w.plansReply(v, v.Form, http.StatusUnprocessableEntity)
}

// samePlan reports whether the plan exists exactly as in the form.
func (w *Pages) samePlan(v *frame.Visit, name string) (bool, error) {
	plan, err := w.platform.Plans.Get(v.Ctx, name)
	if errors.Is(err, platform.ErrNoPlan) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	now := planForm(&plan.Plan)
	same := v.Form.Ticked("geo") == now.Ticked("geo")
	for _, limit := range limitNames {
		same = same && v.Form.Text(limit) == now.Get(limit)
	}
	return same, nil
}

// checkPlanName reports problems with the name of a new plan.
func (w *Pages) checkPlanName(v *frame.Visit, name string) error {
	if v.Form.Refuse(v.Ctx, platform.CheckPlanName(name)) {
		return nil
	}
	switch _, err := w.platform.Plans.Get(v.Ctx, name); {
	case err == nil:
		v.Form.Wrong("name", i18n.T(v.Ctx, "problem.plan.taken", nil))
	case !errors.Is(err, platform.ErrNoPlan):
		return err
	}
	return nil
}

// knowPlan reports an unknown plan.
func (w *Pages) knowPlan(ctx context.Context, f *frame.Form) error {
	_, err := w.platform.Plans.Get(ctx, strings.TrimSpace(f.Get("plan")))
	if errors.Is(err, platform.ErrNoPlan) {
		f.Wrong("plan", i18n.T(ctx, "problem.plan.unknown", nil))
		return nil
	}
	return err
}

// readPlan parses the form of a plan. An empty limit means unlimited.
func readPlan(v *frame.Visit) (*platform.PlanFields, error) {
	values := args.Values{}
	for _, name := range limitNames {
		readLimit(v.Ctx, v.Form, name, name, values)
	}
	limits, err := frame.Parsed[platform.LimitFields](limitTable, values, args.Creating)
	if err != nil {
		v.Form.Refuse(v.Ctx, err)
	}
	if len(v.Form.Problems) > 0 {
		return nil, frame.ErrWrong
	}
	given := args.Some(args.Object[platform.LimitFields]{Fields: *limits})
	return &platform.PlanFields{Limits: given, Geo: args.Some(v.Form.Ticked("geo"))}, nil
}

// planForm returns the form with the current values of a plan.
func planForm(p *tenancy.Plan) *frame.Form {
	f := &frame.Form{Kind: "limit", Values: url.Values{"geo": {map[bool]string{true: "1", false: "0"}[p.Geo]}}}
	for name, limit := range limitsOf(p) {
		f.Set(name, history.LimitText(name, limit))
	}
	return f
}

func (w *Pages) plan(v *frame.Visit, name string) (*frame.Reply, error) {
	return w.planReply(v, name, nil, false, 0)
}

// planReply shows a plan, with its current values if f is nil.
func (w *Pages) planReply(v *frame.Visit, name string, f *frame.Form, sure bool, status int) (*frame.Reply, error) {
	plan, err := w.platform.Plans.Get(v.Ctx, name)
	if errors.Is(err, platform.ErrNoPlan) {
		return nil, fiber.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	if f == nil {
		f = planForm(&plan.Plan)
	}
	defaults, err := w.platform.Sites.Defaults(v.Ctx)
	if err != nil {
		return nil, err
	}
	kept := plan.Name == tenancy.DefaultPlan || plan.Name == defaults.DefaultPlan()
	return &frame.Reply{Status: status, Title: plan.Name, Section: "plans", Body: planPage(&planEditor{f, plan, kept, sure})}, nil
}

// changePlan stores the form of a plan, or deletes the plan after confirmation.
func (w *Pages) changePlan(v *frame.Visit, name string) (*frame.Reply, error) {
	if _, err := w.platform.Plans.Get(v.Ctx, name); errors.Is(err, platform.ErrNoPlan) {
		return nil, fiber.ErrNotFound // saving does not create the plan again
	} else if err != nil {
		return nil, err
	}
	switch v.Form.Get("do") {
	case "save":
		return w.savePlan(v, name)
	case "delete":
		if v.Form.Get("sure") == "" {
			return w.planReply(v, name, nil, true, 0)
		}
		return w.deletePlan(v, name)
	}
	return nil, fiber.ErrBadRequest
}

func (w *Pages) savePlan(v *frame.Visit, name string) (*frame.Reply, error) {
	v.Form.Kind = "limit"
	fields, err := readPlan(v)
	if err == nil {
		_, _, err = w.platform.Plans.Set(v.Ctx, name, fields)
	}
	switch {
	case err == nil:
		return &frame.Reply{Redirect: planAddress(name), Say: "saved"}, nil
	case !v.Form.Refuse(v.Ctx, err):
		return nil, err
	}
	return w.planReply(v, name, v.Form, false, http.StatusUnprocessableEntity)
}

func (w *Pages) deletePlan(v *frame.Visit, name string) (*frame.Reply, error) {
	_, err := w.platform.Plans.Delete(v.Ctx, name)
	switch {
	case errors.Is(err, platform.ErrPlanInUse), errors.Is(err, platform.ErrDefaultPlan):
		return w.planReply(v, name, nil, false, http.StatusConflict) // the page explains the reason
	case err != nil && !errors.Is(err, platform.ErrNoPlan):
		return nil, err
	}
	return &frame.Reply{Redirect: frame.ConsoleRoot + "/plans", Say: "delete", Count: 1}, nil
}

// planChoices are the plans by their names.
func (w *Pages) planChoices(ctx context.Context) ([]frame.Pair, error) {
	list, err := w.platform.Plans.List(ctx)
	choices := make([]frame.Pair, 0, len(list))
	for _, plan := range list {
		choices = append(choices, frame.Pair{Name: plan.Name, Value: plan.Name})
	}
	return choices, err
}
