package main

import (
	"context"
	"encoding/json"
	"time"

	platformapi "github.com/kalends/kalends/api/platform"
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
	values := given(map[string]string{"span": c.Span, "site": c.Slug, "from": c.From, "to": c.To, "per_page": "50"})
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
		err := everyPage(&filter.Paging, func() (tenancy.Page[platform.SpanTraffic], error) { return sites.Spans(ctx, filter) },
			func(one *platform.SpanTraffic) { all = append(all, platformapi.RequestsObject(one)) })
		return all, err
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
	values := given(map[string]string{"kind": "site", "action": "sign_in", "from": c.From, "to": c.To})
	filter, err := parse[tenancy.HistoryFilter](values, args.Reading)
	if err != nil {
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
		filter.ID = args.Some(site.ID)
	}
	encoder := json.NewEncoder(p.out)
	return in.platform.History.EachProvider(ctx, filter, func(e *tenancy.Entry) error {
		return encoder.Encode(map[string]any{"at": e.At.Format(time.RFC3339), "site": e.Object, "who": e.Who, "address": e.Address,
			"role": e.After["role"], "reason": e.After["reason"]})
	})
}
