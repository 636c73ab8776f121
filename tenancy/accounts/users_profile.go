package accounts

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// PersonFields are the arguments with which people change their own profile.
type PersonFields struct {
	Name     args.Opt[string]     `arg:"name,required,nonempty,line,max=250"`
	Email    args.Opt[args.Email] `arg:"email,required,nonempty"`
	Language args.Opt[string]     `arg:"language,max=35"`
	Theme    args.Opt[string]     `arg:"theme,enum=light|dark"`
	Told     args.Opt[string]     `arg:"told,enum=at_once|daily|never"`
}

// CheckPerson returns *args.Problems for a language in which there are no pages.
func (s *Users) CheckPerson(f *PersonFields) error {
	if tag := f.Language.Or(""); tag != "" && !slices.Contains(s.languages, tag) {
		return args.Invalid("language", "problem.language", map[string]any{"Allowed": strings.Join(s.languages, ", ")})
	}
	return nil
}

// Personalize changes the given fields of the current user. A new e-mail address requires their presence, because
// links for a new password go there. It returns ErrUnauthenticated, ErrKeyMayNot to a key, ErrCredentials if the
// presence is not theirs, and *args.Problems.
func (s *Users) Personalize(ctx context.Context, f *PersonFields, presence Presence) (*tenancy.User, error) {
	me := tenancy.Current(ctx).Principal.UserID
	scope, err := requireWriting(ctx, me)
	if err != nil {
		return nil, err
	}
	if me == 0 {
		return nil, tenancy.ErrUnauthenticated
	}
	if err := s.CheckPerson(f); err != nil {
		return nil, err
	}
	user, err := s.store.Get(ctx, me)
	if err != nil {
		return nil, tenancy.Wrap("change profile", err)
	}
	hash := user.PasswordHash
	email, given := f.Email.Get()
	moves := given && string(email) != user.Email
	if moves {
		if err := presence.of(user); err != nil {
			return nil, err
		}
	}
	var was tenancy.User
	user, err = s.store.Update(ctx, me, func(u *tenancy.User, _ int) error {
		was = *u
		if moves && u.PasswordHash != hash {
			return tenancy.ErrCredentials
		}
		if moves {
			u.Email = string(email)
		}
		f.Name.Patch(&u.Name, u.Name)
		f.Language.Patch(&u.Language, "")
		if f.Theme.Given() {
			u.Theme = tenancy.Theme(f.Theme.Or(""))
		}
		if told := f.Told.Or(""); told != "" {
			u.Told = tenancy.Told(told)
		}
		return nil
	})
	if err != nil {
		return nil, tenancy.Wrap("change profile", err)
	}
	s.forget(scope.Site.ID)
	s.notices.compare(ctx, &was, user)
	return user, nil
}
