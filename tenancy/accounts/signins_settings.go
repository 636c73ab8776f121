package accounts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// SignInFields are the administrators' settings for the provider of their site. Groups are names, separated by commas.
type SignInFields struct {
	Issuer         args.Opt[string] `arg:"issuer,required,nonempty,line,max=500"`
	ClientID       args.Opt[string] `arg:"client_id,required,nonempty,line,max=500"`
	Secret         args.Opt[string] `arg:"client_secret,line,bytes=1000"` // not sent: the former secret is kept
	Claim          args.Opt[string] `arg:"groups_claim,line,max=100"`
	Administrators args.Opt[string] `arg:"administrator_groups,line,max=2000"`
	Editors        args.Opt[string] `arg:"editor_groups,line,max=2000"`
	Authors        args.Opt[string] `arg:"author_groups,line,max=2000"`
	Contributors   args.Opt[string] `arg:"contributor_groups,line,max=2000"`
	Subscribers    args.Opt[string] `arg:"subscriber_groups,line,max=2000"`
	Others         args.Opt[string] `arg:"others,enum=editor|author|contributor|subscriber"`
	Passwords      args.Opt[bool]   `arg:"passwords,default=true,nonull"`
}

// groups returns the groups by role.
func (f *SignInFields) groups() map[tenancy.Role][]string {
	list := map[tenancy.Role][]string{}
	for role, text := range map[tenancy.Role]args.Opt[string]{tenancy.Administrator: f.Administrators, tenancy.Editor: f.Editors,
		tenancy.Author: f.Authors, tenancy.Contributor: f.Contributors, tenancy.Subscriber: f.Subscribers} {
		for group := range strings.SplitSeq(text.Or(""), ",") {
			if group = strings.TrimSpace(group); group != "" {
				list[role] = append(list[role], group)
			}
		}
	}
	return list
}

// Settings returns the provider of the site to those who manage it, without its secret. It returns ErrNoProvider.
func (s *SignIns) Settings(ctx context.Context) (*SignInProvider, error) {
	if err := s.may(ctx); err != nil {
		return nil, err
	}
	return s.Offered(ctx)
}

// may returns nil for people who manage both the site and its users, because a provider decides who may sign in.
func (s *SignIns) may(ctx context.Context) error {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return err
	}
	if err := scope.Principal.ByPerson(); err != nil {
		return err
	}
	return scope.Principal.Require(tenancy.ManageSite | tenancy.ManageUsers)
}

// Check returns *args.Problems for a URL that must not be requested, and for a missing secret. It also returns them
// if people turn passwords off without having signed in through the provider before, because they might lock
// themselves out.
func (s *SignIns) Check(ctx context.Context, f *SignInFields) error {
	if err := s.may(ctx); err != nil {
		return err
	}
	_, err := s.checked(ctx, f)
	return err
}

func (s *SignIns) checked(ctx context.Context, f *SignInFields) (*SignInProvider, error) {
	before, err := s.store.Find(ctx)
	if err != nil && !errors.Is(err, ErrNoProvider) {
		return nil, tenancy.Wrap("find provider", err)
	}
	found := &args.Problems{}
	made := &SignInProvider{
		Issuer:    f.Issuer.Or(""),
		ClientID:  f.ClientID.Or(""),
		Claim:     cmp.Or(f.Claim.Or(""), groupsClaim),
		Groups:    f.groups(),
		Others:    tenancy.Role(f.Others.Or("")),
		Passwords: f.Passwords.Or(true),
		Changed:   s.clock().UTC(),
	}
	if s.providers.Check(made.Issuer) != nil {
		found.Invalid("issuer", "problem.issuer", nil)
	}
	switch secret := f.Secret.Or(""); {
	case secret != "":
		box, err := s.box(ctx)
		if err != nil {
			return nil, tenancy.Wrap("encrypt a secret", err)
		}
		made.Secret = box.Seal([]byte(secret), providerSecret(ctx))
	case before != nil && before.Issuer == made.Issuer: // the secret is sent to the same provider only
		made.Secret = before.Secret
	default:
		found.Invalid("client_secret", "problem.missing", nil)
	}
	if !made.Passwords {
		linked, err := s.linked(ctx, made.Issuer)
		if err != nil {
			return nil, err
		}
		if !linked {
			found.Invalid("passwords", "problem.passwords.off", nil)
		}
	}
	return made, found.Err()
}

// linked reports whether the current user has signed in through a provider.
func (s *SignIns) linked(ctx context.Context, issuer string) (bool, error) {
	linked, err := s.store.Linked(ctx, tenancy.Current(ctx).Principal.UserID, issuer)
	return linked, tenancy.Wrap("find provider", err)
}

// Save stores the provider of the site. It returns ErrCredentials if the presence is not the
// current user's, and the errors of Check.
func (s *SignIns) Save(ctx context.Context, f *SignInFields, presence Presence) error {
	if err := s.proven(ctx, presence); err != nil {
		return err
	}
	made, err := s.checked(ctx, f)
	if err != nil {
		return err
	}
	return tenancy.Wrap("save provider", s.store.Save(ctx, made))
}

// Remove ends signing in through the provider; passwords work again. It returns ErrCredentials if the presence is
// not the user's, and ErrNoProvider if the site has no provider.
func (s *SignIns) Remove(ctx context.Context, presence Presence) error {
	if err := s.proven(ctx, presence); err != nil {
		return err
	}
	return tenancy.Wrap("remove provider", s.store.Delete(ctx))
}

// PasswordsOn lets people sign in with passwords again. Only the provider of the installation may call it, for
// people who are locked out.
func (s *SignIns) PasswordsOn(ctx context.Context) (*SignInProvider, error) {
	if !tenancy.ByProvider(ctx) {
		return nil, tenancy.ErrForbidden
	}
	found, err := s.store.Find(ctx)
	if err != nil {
		return nil, tenancy.Wrap("find provider", err)
	}
	if !found.Passwords {
		found.Passwords = true
		if err := s.store.Save(ctx, found); err != nil {
			return nil, tenancy.Wrap("save provider", err)
		}
	}
	return found, nil
}

func (s *SignIns) proven(ctx context.Context, presence Presence) error {
	if err := s.may(ctx); err != nil {
		return err
	}
	_, err := present(ctx, s.users, presence)
	return err
}

func providerSecret(ctx context.Context) string {
	return fmt.Sprintf("provider of %d", tenancy.Current(ctx).Site.ID)
}
