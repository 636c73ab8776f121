package main

import (
	"context"
	"crypto/rand"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// userPassword is for people who have lost their password.
type userPassword struct {
	Who      string  `arg:"" name:"user" help:"Login, e-mail address or ID."`
	Site     string  `required:"" placeholder:"SLUG" help:"The site."`
	Password *string `help:"The new password; without one, a random one is set and printed."`
}

// Run implements the command.
func (c *userPassword) Run(p *program) error {
	password, described := rand.Text(), map[string]any{}
	if c.Password != nil {
		password = *c.Password
		if err := accounts.CheckNewPassword(password, &tenancy.User{Login: c.Who}); err != nil {
			return invalid(err)
		}
	} else {
		described["password"] = password
	}
	return p.withUser(c.Site, c.Who, func(ctx context.Context, in *installation, user *tenancy.User) (any, error) {
		if err := accounts.CheckNewPassword(password, user); err != nil {
			return nil, err
		}
		user, err := in.platform.Users.Update(ctx, user.ID, &accounts.UserFields{Password: args.Some(password)})
		if err != nil {
			return nil, err
		}
		described["id"], described["login"], described["email"], described["role"] = user.ID, user.Login, user.Email, user.Role
		return described, nil
	})
}

// userCodesOff is for people who have lost their authenticator app and their recovery codes.
type userCodesOff struct {
	Who  string `arg:"" name:"user" help:"Login, e-mail address or ID."`
	Site string `required:"" placeholder:"SLUG" help:"The site."`
}

// Run implements the command.
func (c *userCodesOff) Run(p *program) error {
	return p.withUser(c.Site, c.Who, func(ctx context.Context, in *installation, u *tenancy.User) (any, error) {
		if err := in.platform.SecondFactors.Remove(ctx, u.ID); err != nil {
			return nil, err
		}
		u.SecondFactor = false
		return describeUser(u), nil
	})
}
