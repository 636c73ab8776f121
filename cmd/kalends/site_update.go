package main

import (
	"context"
	"errors"
	"maps"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
)

// siteUpdate changes a site like PATCH /platform/v1/sites/{slug}. Fields that are not given stay unchanged; an
// empty text resets a field to its default.
type siteUpdate struct {
	siteNamed
	NewSlug          *string           `means:"slug" placeholder:"SLUG" help:"Another slug."`
	Name             *string           `help:"Its name."`
	Timezone         *string           `placeholder:"ZONE" help:"IANA name of its time zone."`
	Language         *string           `placeholder:"TAG" help:"Language of its interface."`
	Domain           []string          `means:"domains" xor:"domains" help:"Its own domains; they replace the current ones."`
	NoDomains        bool              `xor:"domains" help:"Remove all its domains."`
	Plan             *string           `help:"Its plan."`
	Limit            map[string]string `means:"limits" xor:"limits" placeholder:"NAME=N" help:"Its own limit, such as events=1000 or events=none."`
	PlanLimits       bool              `xor:"limits" help:"Remove its own limits; the plan's limits apply."`
	Geo              *bool             `negatable:"" help:"Whether it offers search by location."`
	PerPage          *string           `placeholder:"N" help:"Default number of entries per page."`
	CurrencySymbol   *string           `placeholder:"TEXT" help:"Currency symbol."`
	CurrencyCode     *string           `placeholder:"CODE" help:"Currency code, such as EUR."`
	CurrencyPosition *string           `placeholder:"SIDE" help:"Its position: prefix, postfix or language."`
}

// Run implements the command.
func (c *siteUpdate) Run(p *program) error {
	values := c.values()
	if len(values) == 0 {
		return invalid(errors.New("nothing to change: kalends site update --help lists the settings"))
	}
	fields, err := p.siteFields(values, args.Updating)
	if err != nil {
		return err
	}
	return p.withSites(func(ctx context.Context, sites *platform.Sites) (any, error) {
		site, err := sites.Update(ctx, c.Slug, fields)
		return p.describe(site), err
	})
}

// values returns the flags as arguments of the interface.
func (c *siteUpdate) values() args.Values {
	values, settings := args.Values{}, map[string]any{}
	give(values, "slug", c.NewSlug)
	give(values, "name", c.Name)
	give(values, "timezone", c.Timezone)
	give(values, "language", c.Language)
	give(values, "plan", c.Plan)
	give(values, "geo", c.Geo)
	give(settings, "per_page", c.PerPage)
	give(settings, "currency_symbol", c.CurrencySymbol)
	give(settings, "currency_code", c.CurrencyCode)
	give(settings, "currency_position", c.CurrencyPosition)
	if len(settings) > 0 {
		values["settings"] = settings
	}
	if len(c.Domain) > 0 || c.NoDomains {
		values["domains"] = entries(c.Domain)
	}
	switch {
	case len(c.Limit) > 0:
		values["limits"] = limits(c.Limit)
	case c.PlanLimits:
		values["limits"] = nil
	}
	return values
}

// give adds a flag to the arguments if it was given.
func give[T any](values map[string]any, name string, flag *T) {
	if flag != nil {
		values[name] = *flag
	}
}

// limits converts limits to arguments: none becomes null.
func limits(given map[string]string) map[string]any {
	list := make(map[string]any, len(given))
	for name, number := range maps.All(given) {
		if list[name] = any(number); number == "none" {
			list[name] = nil
		}
	}
	return list
}
