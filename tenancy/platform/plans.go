package platform

import (
	"context"
	"errors"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// What can't be done with plans.
var (
	ErrNoPlan      = errors.New("no such plan")
	ErrPlanInUse   = errors.New("sites have the plan")
	ErrDefaultPlan = errors.New("the default plan of new sites")
)

// PlanFields are the arguments of a plan (rule 7.1). They say all of it: a limit
// that isn't given is none, but for UsualOccurrences.
type PlanFields struct {
	Limits args.Opt[args.Object[LimitFields]] `arg:"limits,exact"`
	Geo    args.Opt[bool]                     `arg:"geo,default=true,nonull"`
}

// Offer is a plan as the provider keeps it.
type Offer struct {
	tenancy.Plan
	Sites   int64 // that have it, deleted ones included while they can come back; on a cluster, on the servers that answer
	Created time.Time
}

// PlanStore keeps the plans of the installation. Its calls need no Scope.
type PlanStore interface {
	// List returns all plans by name.
	List(ctx context.Context) ([]*Offer, error)
	// Get returns the plan of that name, or ErrNoPlan.
	Get(ctx context.Context, name string) (*Offer, error)
	// Create stores a new plan. It returns *args.Problems about "name" when there
	// is one of that name.
	Create(ctx context.Context, p *tenancy.Plan) error
	// Set stores a plan in place of the one of its name, and reports whether there
	// was none. What it replaces has a Mark that the condition allows, none has 0.
	Set(ctx context.Context, p *tenancy.Plan, cond tenancy.Condition) (made bool, err error)
	// Delete removes a plan with a Mark that the condition allows, and returns what
	// it was. It returns ErrNoPlan, and ErrPlanInUse while a site has it.
	Delete(ctx context.Context, name string, cond tenancy.Condition) (*Offer, error)
}

// Plans is the service over plans. They belong to the provider: others get
// ErrUnauthenticated or ErrForbidden.
type Plans struct {
	store  PlanStore
	forget func() // what every site may do
}

// List returns all plans by name.
func (s *Plans) List(ctx context.Context) ([]*Offer, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	list, err := s.store.List(ctx)
	return list, tenancy.Wrap("list plans", err)
}

// Get returns the plan of that name, or ErrNoPlan.
func (s *Plans) Get(ctx context.Context, name string) (*Offer, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	found, err := s.store.Get(ctx, name)
	return found, tenancy.Wrap("get plan", err)
}

// Set makes a plan, or replaces the one of that name, and reports whether it is
// new. Writes of its sites heed it from then on, what nodes remember of sites
// follows within a second. It returns *args.Problems about "name" for what is no
// name of a plan. It does so when the conditions on the Mark of the plan there was
// hold; 0 is that of none.
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

// Create is Set for a plan that isn't there yet: for a name that another one has
// it returns *args.Problems, too.
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

// CheckPlanName returns *args.Problems for what is no name of a plan.
func CheckPlanName(name string) error {
	if !tenancy.SlugForm(name) {
		return args.Invalid("name", "problem.site.slug", nil)
	}
	return nil
}

// wanted returns the plan that the provider describes.
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

// Delete removes a plan and returns what it was. It returns ErrNoPlan,
// ErrPlanInUse while a site has it, and ErrDefaultPlan for the one that sites have
// unless they ask for another. It does so when the conditions on its Mark hold.
func (s *Plans) Delete(ctx context.Context, name string, when ...tenancy.Condition) (*Offer, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	if name == tenancy.DefaultPlan {
		return nil, tenancy.Wrap("delete plan", ErrDefaultPlan)
	}
	last, err := s.store.Delete(ctx, name, tenancy.AllOf(when))
	return last, tenancy.Wrap("delete plan", err)
}
