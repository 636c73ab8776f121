package main

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
)

// siteList lists sites with the filters of the interface.
type siteList struct {
	Search  string `help:"Only sites whose slug, name or domain contains this."`
	State   string `help:"Only sites in this state: active, read_only, closed or deleted."`
	Plan    string `help:"Only sites with this plan."`
	Page    *int   `help:"Only this page; default: all pages."`
	PerPage *int   `help:"Sites per page, at most 50."`
}

// Run implements the command.
func (c *siteList) Run(p *program) error {
	filter, err := c.filter()
	if err != nil {
		return err
	}
	return p.withSites(func(ctx context.Context, sites *platform.Sites) (any, error) {
		all := []any{}
		for number := filter.Page.Or(1); ; number++ {
			filter.Page = args.Some(number)
			page, err := sites.List(ctx, filter)
			if err != nil {
				return nil, err
			}
			for _, site := range page.Items {
				all = append(all, p.describe(site))
			}
			if c.Page != nil || len(page.Items) == 0 || len(all) == page.Total {
				return all, nil
			}
		}
	})
}

// filter converts the flags to the query of the interface.
func (c *siteList) filter() (*platform.SiteFilter, error) {
	values := given(map[string]string{"search": c.Search, "state": c.State, "plan": c.Plan})
	if c.Page != nil {
		values["page"] = strconv.Itoa(*c.Page)
	}
	if values["per_page"] = "50"; c.PerPage != nil {
		values["per_page"] = strconv.Itoa(*c.PerPage)
	}
	return parse[platform.SiteFilter](values, args.Reading)
}
