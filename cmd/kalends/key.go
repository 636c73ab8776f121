package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// keyCommand groups the provider's commands for the keys of a site's users.
type keyCommand struct {
	List   keyList   `cmd:"" help:"List the keys of a site and their owners, without the secrets."`
	Revoke keyRevoke `cmd:"" help:"Revoke a key; it stops working immediately."`
}

type (
	keyList struct {
		Site   string `required:"" placeholder:"SLUG" help:"The site."`
		Search string `help:"Only keys whose name, or whose owner's login or name, contains this."`
	}
	keyRevoke struct {
		ID   int64  `arg:"" help:"Its ID, as shown in the list."`
		Site string `required:"" placeholder:"SLUG" help:"The site."`
	}
)

// Run implements the command.
func (c *keyList) Run(p *program) error {
	filter, err := parse[accounts.KeyFilter](args.Values{"search": c.Search, "per_page": "50"}, args.Reading)
	if err != nil {
		return err
	}
	return p.on(c.Site, func(ctx context.Context, in *installation) (any, error) {
		all := []any{}
		err := everyPage(&filter.Paging, func() (tenancy.Page[accounts.OwnedKey], error) { return in.platform.Keys.All(ctx, filter) },
			func(key *accounts.OwnedKey) { all = append(all, describeKey(key)) })
		return all, err
	})
}

// Run implements the command.
func (c *keyRevoke) Run(p *program) error {
	return p.on(c.Site, func(ctx context.Context, in *installation) (any, error) {
		gone, err := in.platform.Keys.RevokeAny(ctx, c.ID)
		if err != nil {
			return nil, err
		}
		return describeKey(gone), nil
	})
}

// describeKey returns the output for a key.
func describeKey(k *accounts.OwnedKey) any {
	shown := map[string]any{"id": k.ID, "kind": k.Kind, "name": k.Name, "read_only": k.ReadOnly, "user": k.Login, "user_name": k.Owner,
		"created": k.Created.Format(time.RFC3339), "last_used": nil}
	shown["scopes"], shown["categories"], shown["expires"] = k.Scopes, append([]int64{}, k.Categories...), nil
	if !k.Expires.IsZero() {
		shown["expires"] = k.Expires.Format(time.RFC3339)
	}
	if !k.LastUsed.IsZero() {
		shown["last_used"] = k.LastUsed.Format(time.RFC3339)
	}
	return shown
}
