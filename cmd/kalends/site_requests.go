package main

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// siteRequests lists how many requests sites got, with the filters of the interface.
type siteRequests struct {
	Slug string `arg:"" optional:"" means:"site" help:"The site."`
	Span string `default:"day" help:"hour, day, or whole for the sum of each site."`
	From string `help:"Only from this date on, in UTC."`
	To   string `help:"Only up to this date."`
}

// Run implements the command.
func (c *siteRequests) Run(p *program) error {
	values := args.Values{"span": c.Span, "per_page": "50"}
	for name, text := range map[string]string{"site": c.Slug, "from": c.From, "to": c.To} {
		if text != "" {
			values[name] = text
		}
	}
	filter, err := parse[platform.TrafficFilter](values, args.Reading)
	if err != nil {
		return err
	}
	return p.withSites(func(ctx context.Context, sites *platform.Sites) (any, error) {
		if c.Slug != "" {
			if _, err := sites.Get(ctx, c.Slug); err != nil {
				return nil, err
			}
		}
		all := []any{}
		for number := 1; ; number++ {
			filter.Page = args.Some(number)
			page, err := sites.Spans(ctx, filter)
			if err != nil {
				return nil, err
			}
			for _, one := range page.Items {
				all = append(all, api.RequestsObject(one))
			}
			if len(page.Items) == 0 || len(all) >= page.Total {
				return all, nil
			}
		}
	})
}

// siteSupport prints when somebody of the provider signed in to sites as support.
type siteSupport struct {
	Slug string `arg:"" optional:"" help:"The site."`
	From string `help:"Only from this date on, in UTC."`
	To   string `help:"Only up to this date."`
}

// Run implements the command.
func (c *siteSupport) Run(p *program) error {
	values := args.Values{"kind": "site", "action": "sign_in"}
	for name, text := range map[string]string{"from": c.From, "to": c.To} {
		if text != "" {
			values[name] = text
		}
	}
	if _, err := parse[tenancy.HistoryFilter](values, args.Reading); err != nil {
		return err
	}
	in, err := p.join(p.ctx)
	if err != nil {
		return err
	}
	defer in.close()
	ctx := provider(p.ctx)
	if c.Slug != "" {
		site, err := in.platform.Sites.Get(ctx, c.Slug)
		if err != nil {
			return err
		}
		values["id"] = strconv.FormatInt(site.ID, 10)
	}
	filter, err := parse[tenancy.HistoryFilter](values, args.Reading)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(p.out)
	return in.platform.History.EachProvider(ctx, filter, func(e *tenancy.Entry) error {
		return encoder.Encode(map[string]any{"at": e.At.Format(time.RFC3339), "site": e.Object, "who": e.Who, "address": e.Address,
			"role": e.After["role"], "reason": e.After["reason"]})
	})
}
