package platform

import (
	"cmp"
	"context"
	"errors"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// SiteDefaults are the values that a new site gets if the request does not set them. If a default is "", the
// program chooses: English, UTC, the country's currency, the plan without limits, the plain theme and no map.
type SiteDefaults struct {
	Language string `json:"language,omitempty"`
	Timezone string `json:"timezone,omitempty"`
	Currency string `json:"currency_code,omitempty"`
	Plan     string `json:"plan,omitempty"`
	Theme    string `json:"theme,omitempty"`
	Tiles    string `json:"map_tiles,omitempty"`
	Credit   string `json:"map_credit,omitempty"`
}

// DefaultsFields are the arguments that set the defaults of new sites. They replace all of them.
type DefaultsFields struct {
	Language args.Opt[string]    `arg:"language,required,nonempty,nonull,max=35"`
	Timezone args.Opt[args.Zone] `arg:"timezone,required,nonull"`
	Currency args.Opt[string]    `arg:"currency_code,max=3"`
	Plan     args.Opt[string]    `arg:"plan,required,nonempty,nonull,max=63"`
	Theme    args.Opt[string]    `arg:"theme,required,nonempty,nonull,enum=plain|journal|poster|board|night"`
	MapFields
}

// Check refuses currency codes that are not three capital letters, an empty time zone, and invalid MapFields.
func (f *DefaultsFields) Check(found *args.Problems) {
	f.MapFields.check(found)
	if code := f.Currency.Or(""); code != "" && !currencyForm.MatchString(code) {
		found.Invalid("currency_code", "problem.currency", nil)
	}
	if zone, ok := f.Timezone.Get(); ok && zone.Name() == "" {
		found.Invalid("timezone", "problem.empty", nil)
	}
}

// DefaultPlan returns the plan of new sites whose request names none.
func (d *SiteDefaults) DefaultPlan() string { return cmp.Or(d.Plan, tenancy.DefaultPlan) }

// give sets the defaults in a new site.
func (d *SiteDefaults) give(site *tenancy.Site) {
	site.Language = cmp.Or(d.Language, site.Language)
	site.SetTimezone(cmp.Or(d.Timezone, site.Timezone))
	site.Plan.Name = cmp.Or(d.Plan, site.Plan.Name)
	site.Settings.Face.Theme = cmp.Or(d.Theme, site.Settings.Face.Theme)
	site.Settings.Map = tenancy.Map{Tiles: d.Tiles, Credit: d.Credit}
}

// Defaults returns the defaults of new sites.
func (s *Sites) Defaults(ctx context.Context) (SiteDefaults, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return SiteDefaults{}, err
	}
	d, err := s.store.Defaults(ctx)
	return d, tenancy.Wrap("read defaults of sites", err)
}

// SetDefaults replaces the defaults of new sites. It returns *args.Problems for an unknown language or plan.
func (s *Sites) SetDefaults(ctx context.Context, f *DefaultsFields) error {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return err
	}
	d := SiteDefaults{Timezone: f.Timezone.Or(args.Zone{}).Name(), Currency: f.Currency.Or(""), Plan: f.Plan.Or(""), Theme: f.Theme.Or("")}
	var of tenancy.Map
	f.MapFields.patch(&of)
	d.Tiles, d.Credit = of.Tiles, of.Credit
	found := &args.Problems{}
	if d.Language = s.language(f.Language.Or("")); d.Language == "" {
		found.Invalid("language", "problem.language_tag", map[string]any{"Value": f.Language.Or("")})
	}
	switch _, err := s.plans.Get(ctx, d.Plan); {
	case errors.Is(err, ErrNoPlan):
		found.Invalid("plan", "problem.plan.unknown", nil)
	case err != nil:
		return tenancy.Wrap("set defaults of sites", err)
	}
	if err := found.Err(); err != nil {
		return err
	}
	return tenancy.Wrap("set defaults of sites", s.store.SetDefaults(ctx, d))
}
