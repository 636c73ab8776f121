package accounts

import (
	"context"
	"errors"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Invite makes a user who can't sign in yet: a voucher lets them set a password.
// It returns *args.Problems for a login or e-mail address that is taken.
func (s *Users) Invite(ctx context.Context, f *UserFields) (*tenancy.User, error) {
	scope, err := requireWriting(ctx, 0)
	if err != nil {
		return nil, err
	}
	user, err := f.NewUser(s.cost)
	if err != nil {
		return nil, err
	}
	if err := s.store.Create(ctx, user, nil); err != nil {
		return nil, tenancy.Wrap("invite user", err)
	}
	s.forget(scope.Site.ID)
	return user, nil
}

// Check returns *args.Problems for a login or e-mail address that another user of the site has. It reports both
// problems together; the database would report only one. id is the user to be changed, 0 for a new user.
func (s *Users) Check(ctx context.Context, id int64, f *UserFields) error {
	if _, err := requireWriting(ctx, 0); err != nil {
		return err
	}
	found := &args.Problems{}
	login, email := f.Login.Or(""), string(f.Email.Or(""))
	for _, one := range []struct {
		arg, text string
		of        func(*tenancy.User) string
	}{
		{"login", login, func(u *tenancy.User) string { return u.Login }},
		{"email", email, func(u *tenancy.User) string { return u.Email }},
	} {
		if one.text == "" {
			continue
		}
		u, err := s.store.ByLogin(ctx, tenancy.Fold(one.text))
		switch {
		case errors.Is(err, ErrNoUser):
		case err != nil:
			return tenancy.Wrap("check user", err)
		case u.ID != id && tenancy.Fold(one.of(u)) == tenancy.Fold(one.text):
			found.Invalid(one.arg, "problem."+one.arg+".taken", nil)
		}
	}
	return found.Err()
}
