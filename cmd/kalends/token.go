package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/accounts"
)

// tokenCommand groups the provider's commands for provider tokens.
type tokenCommand struct {
	Create tokenCreate `cmd:"" help:"Create a token for the provider's API."`
	List   tokenList   `cmd:"" help:"List the tokens, without the secrets."`
	Revoke tokenRevoke `cmd:"" help:"Revoke a token; sessions that began with it end too."`
}

type (
	tokenCreate struct {
		Name string `arg:"" help:"Its purpose."`
	}
	tokenList   struct{}
	tokenRevoke struct {
		ID int64 `arg:"" help:"Its ID, as shown in the list."`
	}
)

// Run implements the command.
func (c *tokenCreate) Run(p *program) error {
	fields, err := parse[accounts.TokenFields](args.Values{"name": c.Name}, args.Creating)
	if err != nil {
		return err
	}
	return p.with(func(ctx context.Context, in *installation) (any, error) {
		token, secret, err := in.platform.Tokens.Create(ctx, fields)
		if err != nil {
			return nil, err
		}
		return map[string]any{"id": token.ID, "name": token.Name, "token": secret}, nil
	})
}

// Run implements the command.
func (*tokenList) Run(p *program) error {
	return p.with(func(ctx context.Context, in *installation) (any, error) {
		list, err := in.platform.Tokens.List(ctx)
		all := make([]any, len(list))
		for i, t := range list {
			shown := map[string]any{"id": t.ID, "name": t.Name, "created": t.Created.Format(time.RFC3339), "last_used": nil}
			if !t.LastUsed.IsZero() {
				shown["last_used"] = t.LastUsed.Format(time.RFC3339)
			}
			all[i] = shown
		}
		return all, err
	})
}

// Run implements the command.
func (c *tokenRevoke) Run(p *program) error {
	return p.with(func(ctx context.Context, in *installation) (any, error) {
		return map[string]any{"id": c.ID, "revoked": true}, in.platform.Tokens.Revoke(ctx, c.ID)
	})
}
