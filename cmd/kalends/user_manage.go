package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

type (
	userList struct {
		Site   string `required:"" placeholder:"SLUG" help:"The site."`
		Search string `help:"Only users whose login, e-mail address or name contains this."`
		Role   string `placeholder:"ROLE" default:"" enum:",administrator,editor,author,contributor,subscriber" help:"Only users with this role."`
	}
	userShow struct {
		Who  string `arg:"" name:"user" help:"Login, e-mail address or ID."`
		Site string `required:"" placeholder:"SLUG" help:"The site."`
	}
	userRole struct {
		Who  string `arg:"" name:"user" help:"Login, e-mail address or ID."`
		Role string `arg:"" help:"administrator, editor, author, contributor or subscriber."`
		Site string `required:"" placeholder:"SLUG" help:"The site."`
	}
	userDelete struct {
		Who  string `arg:"" name:"user" help:"Login, e-mail address or ID."`
		Site string `required:"" placeholder:"SLUG" help:"The site."`
		Yes  bool   `help:"Delete the account; without it, the command only shows it."`
	}
)

// Run implements the command.
func (c *userList) Run(p *program) error {
	values := given(map[string]string{"search": c.Search, "role": c.Role})
	values["per_page"] = "50"
	filter, err := parse[accounts.UserFilter](values, args.Reading)
	if err != nil {
		return err
	}
	return p.on(c.Site, func(ctx context.Context, in *installation) (any, error) {
		all := []any{}
		err := everyPage(&filter.Paging, func() (tenancy.Page[tenancy.User], error) { return in.platform.Users.List(ctx, filter) },
			func(u *tenancy.User) { all = append(all, describeUser(u)) })
		return all, err
	})
}

// Run implements the command.
func (c *userShow) Run(p *program) error {
	return p.withUser(c.Site, c.Who, func(_ context.Context, _ *installation, u *tenancy.User) (any, error) { return describeUser(u), nil })
}

// Run implements the command.
func (c *userRole) Run(p *program) error {
	fields, err := parse[accounts.UserFields](args.Values{"role": c.Role}, args.Updating)
	if err != nil {
		return err
	}
	return p.withUser(c.Site, c.Who, func(ctx context.Context, in *installation, u *tenancy.User) (any, error) {
		u, err := in.platform.Users.Update(ctx, u.ID, fields)
		if err != nil {
			return nil, err
		}
		return describeUser(u), nil
	})
}

// Run implements the command.
func (c *userDelete) Run(p *program) error {
	return p.withUser(c.Site, c.Who, func(ctx context.Context, in *installation, u *tenancy.User) (any, error) {
		if !c.Yes {
			return nil, fmt.Errorf(
				"this deletes the account of %s (%s) with its keys; what they wrote stays, without an author: repeat it with --yes",
				u.Login,
				u.Role,
			)
		}
		u, err := in.platform.Users.Delete(ctx, u.ID)
		if err != nil {
			return nil, err
		}
		return map[string]any{"deleted": describeUser(u)}, nil
	})
}

// withUser finds a user of a site by login, e-mail address or ID.
func (p *program) withUser(slug, who string, do func(context.Context, *installation, *tenancy.User) (any, error)) error {
	return p.on(slug, func(ctx context.Context, in *installation) (any, error) {
		u, err := in.db.Users().ByLogin(ctx, who)
		if id, wrong := strconv.ParseInt(who, 10, 64); errors.Is(err, accounts.ErrNoUser) && wrong == nil {
			u, err = in.platform.Users.Get(ctx, id)
		}
		if err != nil {
			return nil, fmt.Errorf("user %q of %s: %w", who, slug, err)
		}
		return do(ctx, in, u)
	})
}

// describeUser returns the output for a user.
func describeUser(u *tenancy.User) any {
	return map[string]any{"id": u.ID, "login": u.Login, "email": u.Email, "name": u.Name, "role": u.Role, "language": u.Language,
		"password": u.PasswordHash != "", "codes": u.SecondFactor, "created": u.Created.Format(time.RFC3339)}
}
