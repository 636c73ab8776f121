package platform

import (
	"context"
	"errors"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Errors of plans.
var (
	ErrNoPlan      = errors.New("no such plan")
	ErrPlanInUse   = errors.New("sites have the plan")
	ErrDefaultPlan = errors.New("the default plan of new sites")
)

// PlanFields are the arguments of a plan (rule 7.1). They replace the whole plan: a limit that was not sent does not
// exist, except for UsualOccurrences.
type PlanFields struct {
	Limits args.Opt[args.Object[LimitFields]] `arg:"limits,exact"`
	Geo    args.Opt[bool]                     `arg:"geo,default=true,nonull"`
}

// Offer is a stored plan.
type Offer struct {
	tenancy.Plan
	Sites   int64 // sites with the plan, including deleted ones that can be restored; on a cluster, on the servers that respond
	Created time.Time
}

// PlanStore keeps the plans of the installation. Its calls need no Scope.
type PlanStore interface {
	// List returns all plans by name.
	List(ctx context.Context) ([]*Offer, error)
	// Get returns the plan with a name, or ErrNoPlan.
	Get(ctx context.Context, name string) (*Offer, error)
	// Create stores a new plan. It returns *args.Problems about "name" if a plan has that name.
	Create(ctx context.Context, p *tenancy.Plan) error
	// Set stores a plan in place of the one with its name, and reports whether it is new. It checks the condition against the
	// Mark of the former plan, 0 if there was none.
	Set(ctx context.Context, p *tenancy.Plan, cond tenancy.Condition) (made bool, err error)
	// Delete removes a plan if its Mark meets the condition, and returns its last state. It returns ErrNoPlan, and
	// ErrPlanInUse while a site is on it.
	Delete(ctx context.Context, name string, cond tenancy.Condition) (*Offer, error)
}

// Plans is the service for plans. It is for the provider: others get ErrUnauthenticated or ErrForbidden.
type Plans struct {
	store  PlanStore
	sites  SiteStore
	forget func() // drops everything remembered about sites
}

// List returns all plans by name.
func (s *Plans) List(ctx context.Context) ([]*Offer, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	list, err := s.store.List(ctx)
	return list, tenancy.Wrap("list plans", err)
}

// Get returns the plan with a name, or ErrNoPlan.
func (s *Plans) Get(ctx context.Context, name string) (*Offer, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	found, err := s.store.Get(ctx, name)
	return found, tenancy.Wrap("get plan", err)
}

// Set creates a plan or replaces the one with its name, and reports whether it is new. Writes to the plan's sites
// obey it immediately; sites that nodes remember are updated within a second. It first checks the conditions
// against the former plan's Mark, or 0 if there was none. It returns *args.Problems about "name" for an invalid
// name.
func (s *Plans) Set(ctx context.Context, name string, f *PlanFields, when ...tenancy.Condition) (plan *Offer, made bool, err error) {
	wanted, err := s.wanted(ctx, name, f)
	if err != nil {
		return nil, false, err
	}
	if made, err = s.store.Set(ctx, wanted, tenancy.AllOf(when)); err != nil {
		return nil, false, tenancy.Wrap("set plan", err)
	}
	s.forget()
	plan, err = s.store.Get(ctx, name)
	return plan, made, tenancy.Wrap("get plan", err)
}

// Create is Set for a new plan: it also returns *args.Problems if another plan has the name.
func (s *Plans) Create(ctx context.Context, name string, f *PlanFields) (*Offer, error) {
	wanted, err := s.wanted(ctx, name, f)
	if err != nil {
		return nil, err
	}
	if err := s.store.Create(ctx, wanted); err != nil {
		return nil, tenancy.Wrap("create plan", err)
	}
	made, err := s.store.Get(ctx, name)
	return made, tenancy.Wrap("get plan", err)
}

// CheckPlanName returns *args.Problems for an invalid name of a plan.
func CheckPlanName(name string) error {
	if !tenancy.SlugForm(name) {
		return args.Invalid("name", "problem.site.slug", nil)
	}
	return nil
}

// wanted returns the plan that the arguments describe.
func (*Plans) wanted(ctx context.Context, name string, f *PlanFields) (*tenancy.Plan, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	if err := CheckPlanName(name); err != nil {
		return nil, err
	}
	wanted := &tenancy.Plan{Name: name, Geo: f.Geo.Or(true)}
	limits, _ := f.Limits.Get()
	limits.Fields.patch(wanted)
	if wanted.Events != nil && !limits.Fields.Occurrences.Given() {
		usual := int64(tenancy.UsualOccurrences)
		wanted.Occurrences = &usual
	}
	return wanted, nil
}

// Delete removes a plan and returns its last state. It returns ErrNoPlan, ErrPlanInUse while a site is on it, and
// ErrDefaultPlan for the default plan. It first checks the conditions against the plan's Mark.
func (s *Plans) Delete(ctx context.Context, name string, when ...tenancy.Condition) (*Offer, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	defaults, err := s.sites.Defaults(ctx)
	switch {
	case err != nil:
		return nil, tenancy.Wrap("delete plan", err)
	case name == tenancy.DefaultPlan || name == defaults.DefaultPlan():
		return nil, tenancy.Wrap("delete plan", ErrDefaultPlan)
	}
	last, err := s.store.Delete(ctx, name, tenancy.AllOf(when))
	return last, tenancy.Wrap("delete plan", err)
}
