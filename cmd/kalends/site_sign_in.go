package main

import (
	"context"

	"github.com/kalends/kalends/tenancy/accounts"
)

// siteSignIn is for sites whose people can no longer sign in because their OpenID Connect provider no longer works.
type siteSignIn struct {
	Slug      string `arg:"" help:"The site."`
	Passwords bool   `help:"Allow passwords again."`
}

// Run implements the command.
func (c *siteSignIn) Run(p *program) error {
	return p.on(c.Slug, func(ctx context.Context, in *installation) (_ any, err error) {
		var found *accounts.SignInProvider
		if c.Passwords {
			found, err = in.platform.SignIns.PasswordsOn(ctx)
		} else {
			found, err = in.platform.SignIns.Offered(ctx)
		}
		if err != nil {
			return nil, err
		}
		return map[string]any{"issuer": found.Issuer, "client_id": found.ClientID, "passwords": found.Passwords}, nil
	})
}
