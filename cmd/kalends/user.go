package main

import (
	"context"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// userCommand groups the provider's commands for users.
type userCommand struct {
	Create   userCreate   `cmd:"" help:"Create a user of a site, with an application password."`
	List     userList     `cmd:"" help:"List the users of a site."`
	Show     userShow     `cmd:"" help:"Show a user."`
	Role     userRole     `cmd:"" help:"Give a user another role."`
	Delete   userDelete   `cmd:"" help:"Delete a user; what they wrote stays, without an author."`
	Export   personExport `cmd:"" help:"Show everything that a site holds of a person, as a user and as a sender of submissions."`
	Erase    personErase  `cmd:"" help:"Delete a person's account and take them out of submissions and the history; events stay."`
	Password userPassword `cmd:"" help:"Give a user who has lost it a new password for the web administration."`
	CodesOff userCodesOff `cmd:"" name:"codes-off" help:"Ask a user who has lost the app and the recovery codes for no code any more."`
}

type userCreate struct {
	Login    string  `arg:"" help:"Login name."`
	Site     string  `required:"" placeholder:"SLUG" help:"The site."`
	Email    string  `required:"" placeholder:"EMAIL" help:"E-mail address."`
	Role     string  `required:"" placeholder:"ROLE" enum:"administrator,editor,author,contributor,subscriber" help:"administrator, editor, author, contributor or subscriber."`
	Password *string `help:"Password for the web administration; without one, the user cannot sign in there."`
}

// Run implements the command.
func (c *userCreate) Run(p *program) error {
	values := args.Values{"login": c.Login, "email": c.Email, "role": c.Role}
	if c.Password != nil {
		if err := accounts.CheckNewPassword(*c.Password, &tenancy.User{Login: c.Login, Email: c.Email}); err != nil {
			return invalid(err)
		}
		values["password"] = *c.Password
	}
	fields, err := parse[accounts.UserFields](values, args.Creating)
	if err != nil {
		return err
	}
	return p.on(c.Site, func(ctx context.Context, in *installation) (any, error) {
		user, secret, err := in.platform.Users.Create(ctx, fields)
		if err != nil {
			return nil, err
		}
		return map[string]any{"id": user.ID, "login": user.Login, "email": user.Email, "role": user.Role,
			"application_password": secret}, nil
	})
}
