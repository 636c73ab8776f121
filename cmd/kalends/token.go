package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// tokenCommand are the provider's commands over provider tokens.
type tokenCommand struct {
	Create tokenCreate `cmd:"" help:"Make a token for the provider's interface."`
	List   tokenList   `cmd:"" help:"List the tokens, without their secrets."`
	Revoke tokenRevoke `cmd:"" help:"Remove a token; what was signed in with it ends, too."`
}

type (
	tokenCreate struct {
		Name string `arg:"" help:"What it is for."`
	}
	tokenList   struct{}
	tokenRevoke struct {
		ID int64 `arg:"" help:"Its number, as the list has it."`
	}
)

// Run implements the command.
func (c *tokenCreate) Run(p *program) error {
	return p.with(func(ctx context.Context, in *installation) (any, error) {
		fields, err := parse[tenancy.TokenFields](args.Values{"name": c.Name})
		if err != nil {
			return nil, err
		}
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
