package main

import (
	"encoding/json"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

type siteAudit struct {
	Slug   string `arg:"" help:"The site."`
	Who    string `help:"Only changes by this login."`
	Kind   string `help:"Only changes to this kind of object, such as event or user."`
	Action string `help:"Only this action, such as update or delete."`
	ID     string `name:"id" help:"Only the object with this ID."`
	From   string `help:"Only from this date on, in the site's time zone."`
	To     string `help:"Only up to this date."`
}

// Run implements the command.
func (c *siteAudit) Run(p *program) error {
	values := given(map[string]string{"who": c.Who, "kind": c.Kind, "action": c.Action, "id": c.ID, "from": c.From, "to": c.To})
	filter, err := parse[tenancy.HistoryFilter](values, args.Reading)
	if err != nil {
		return err
	}
	in, err := p.join(p.ctx)
	if err != nil {
		return err
	}
	defer in.close()
	ctx, err := in.enter(provider(p.ctx), c.Slug)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(p.out)
	return in.platform.History.Each(ctx, filter, func(e *tenancy.Entry) error {
		return encoder.Encode(map[string]any{
			"at":      e.At.Format(time.RFC3339),
			"action":  e.Action,
			"kind":    e.Position.Kind,
			"id":      e.Position.ID,
			"user_id": e.UserID,
			"who":     e.Who,
			"via":     e.Via,
			"key":     e.Key,
			"address": e.Address,
			"before":  e.Before,
		})
	})
}
