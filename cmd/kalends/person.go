package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// A person is known to a site by an e-mail address, as a user, as a sender of submissions, or both (docs/privacy.md).
type (
	personExport struct {
		Email string `arg:"" help:"E-mail address of the person."`
		Site  string `required:"" placeholder:"SLUG" help:"The site."`
	}
	personErase struct {
		Email string `arg:"" help:"E-mail address of the person."`
		Site  string `required:"" placeholder:"SLUG" help:"The site."`
		Yes   bool   `help:"Erase; without it, the command only says what it would erase."`
	}
)

// Run implements the command.
func (c *personExport) Run(p *program) error {
	return p.withPerson(c.Site, c.Email, func(_ context.Context, _ *installation, held map[string][]json.RawMessage) (any, error) {
		return held, nil
	})
}

// Run implements the command.
func (c *personErase) Run(p *program) error {
	return p.withPerson(c.Site, c.Email, func(ctx context.Context, in *installation, held map[string][]json.RawMessage) (any, error) {
		if !c.Yes {
			var parts []string
			for _, name := range slices.Sorted(maps.Keys(held)) {
				parts = append(parts, fmt.Sprintf("%s: %d", strings.ReplaceAll(name, "_", " "), len(held[name])))
			}
			return nil, fmt.Errorf("this erases %s from %s (%s), except what they wrote for the public: repeat it with --yes",
				c.Email, c.Site, strings.Join(parts, ", "))
		}
		deleted := false
		u, err := in.db.Users().ByLogin(ctx, c.Email)
		switch {
		case errors.Is(err, accounts.ErrNoUser), err == nil && tenancy.Fold(u.Email) != tenancy.Fold(c.Email):
		case err != nil:
			return nil, err
		default:
			if _, err = in.platform.Users.Delete(ctx, u.ID); err != nil {
				return nil, err
			}
			deleted = true
		}
		changed, err := in.db.ErasePerson(ctx, c.Email)
		if err != nil {
			return nil, err
		}
		return map[string]any{"account_deleted": deleted, "entries_changed": changed}, nil
	})
}

// withPerson reads what a site stores about a person.
func (p *program) withPerson(slug, email string, do func(context.Context, *installation, map[string][]json.RawMessage) (any, error)) error {
	if !strings.Contains(strings.Trim(email, "@"), "@") {
		return invalid(args.Invalid("email", "problem.email", nil))
	}
	return p.on(slug, func(ctx context.Context, in *installation) (any, error) {
		held, err := in.db.Person(ctx, email)
		if err != nil {
			return nil, err
		}
		return do(ctx, in, held)
	})
}
