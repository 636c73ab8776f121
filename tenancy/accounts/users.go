package accounts

import (
	"context"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Users is the service for the users of the Scope's site. Its calls return ErrUnauthenticated or ErrForbidden to
// people without the right to manage users, and ErrNoUser for unknown users.
type Users struct {
	store     UserStore
	languages []string // of the pages
	cost      HashCost
	forget    func(site int64)
	notices   *notices
}

// List returns one page of the users by login.
func (s *Users) List(ctx context.Context, f *UserFilter) (tenancy.Page[tenancy.User], error) {
	if err := requireReading(ctx, 0); err != nil {
		return tenancy.Page[tenancy.User]{}, err
	}
	page, err := s.store.List(ctx, f.Query())
	return page, tenancy.Wrap("list users", err)
}

// Get returns a user; people may get themselves.
func (s *Users) Get(ctx context.Context, id int64) (*tenancy.User, error) {
	if err := requireReading(ctx, id); err != nil {
		return nil, err
	}
	user, err := s.store.Get(ctx, id)
	return user, tenancy.Wrap("get user", err)
}

// Create makes a user and a first application password, which it returns and which can't be shown again. It returns
// *args.Problems for a login or e-mail address that is taken.
func (s *Users) Create(ctx context.Context, f *UserFields) (user *tenancy.User, password string, err error) {
	scope, err := requireWriting(ctx, 0)
	if err != nil {
		return nil, "", err
	}
	if user, err = f.NewUser(s.cost); err != nil {
		return nil, "", err
	}
	shown, hash := newSecret(tenancy.ApplicationPassword)
	first := &Credential{Kind: tenancy.ApplicationPassword, Name: user.Login, Hash: hash}
	if err := s.store.Create(ctx, user, first); err != nil {
		return nil, "", tenancy.Wrap("create user", err)
	}
	s.forget(scope.Site.ID)
	return user, shown, nil
}

// Update changes the given fields if the conditions on the user's Mark hold. It returns ErrLastAdministrator if the site would
// be left without one, and *args.Problems.
func (s *Users) Update(ctx context.Context, id int64, f *UserFields, when ...tenancy.Condition) (*tenancy.User, error) {
	scope, err := requireWriting(ctx, 0)
	if err != nil {
		return nil, err
	}
	change, err := f.patch(s.cost)
	if err != nil {
		return nil, err
	}
	var was tenancy.User
	user, err := s.store.Update(ctx, id, func(u *tenancy.User, others int) error {
		if err := tenancy.AllOf(when)(u.Mark()); err != nil {
			return err
		}
		was = *u
		before := u.Role
		if err := change(u); err != nil {
			return err
		}
		if before == tenancy.Administrator && u.Role != tenancy.Administrator && others == 0 {
			return ErrLastAdministrator
		}
		return nil
	})
	if err != nil {
		return nil, tenancy.Wrap("update user", err)
	}
	s.forget(scope.Site.ID)
	s.notices.compare(ctx, &was, user)
	return user, nil
}

// Delete removes a user and their keys if the conditions on the user's Mark hold, and returns the user's last
// state. Items that the user wrote stay. It returns ErrLastAdministrator if the site would be left without one.
func (s *Users) Delete(ctx context.Context, id int64, when ...tenancy.Condition) (*tenancy.User, error) {
	scope, err := requireWriting(ctx, 0)
	if err != nil {
		return nil, err
	}
	user, err := s.store.Delete(ctx, id, func(u *tenancy.User, others int) error {
		if err := tenancy.AllOf(when)(u.Mark()); err != nil {
			return err
		}
		if u.Role == tenancy.Administrator && others == 0 {
			return ErrLastAdministrator
		}
		return nil
	})
	if err != nil {
		return nil, tenancy.Wrap("delete user", err)
	}
	s.forget(scope.Site.ID)
	return user, nil
}

// ChangePassword changes the password of the current user, and removes the access in cut. It returns
// ErrUnauthenticated, ErrKeyMayNot to a key, ErrCredentials if the presence is not theirs, and *args.Problems for a
// new password that is too short, too long or too easy to guess.
func (s *Users) ChangePassword(ctx context.Context, presence Presence, password string, cut Cut) (*tenancy.User, error) {
	me := tenancy.Current(ctx).Principal.UserID
	scope, err := requireWriting(ctx, me)
	if err != nil {
		return nil, err
	}
	if me == 0 {
		return nil, tenancy.ErrUnauthenticated
	}
	if err := CheckNewPassword(password, &tenancy.User{}); err != nil { // before the expensive hashing
		return nil, err
	}
	before, err := present(ctx, s.store, presence)
	if err != nil {
		return nil, tenancy.Wrap("change password", err)
	}
	hash := s.cost.Hash(password)
	var was tenancy.User
	user, err := s.store.Secure(ctx, me, cut, func(u *tenancy.User) error {
		if u.PasswordHash != before.PasswordHash {
			return tenancy.ErrCredentials
		}
		was = *u
		if err := CheckNewPassword(password, u); err != nil {
			return err
		}
		u.PasswordHash = hash
		return nil
	})
	if err != nil {
		return nil, tenancy.Wrap("change password", err)
	}
	s.forget(scope.Site.ID)
	s.notices.compare(ctx, &was, user)
	return user, nil
}

// Confirm returns nil if the presence is that of the current user, otherwise ErrCredentials. It returns
// ErrUnauthenticated if there is no user.
func (s *Users) Confirm(ctx context.Context, presence Presence) error {
	_, err := present(ctx, s.store, presence)
	return err
}

// NewUser returns the user that the arguments describe, or *args.Problems.
func (f *UserFields) NewUser(cost HashCost) (*tenancy.User, error) {
	change, err := f.patch(cost)
	if err != nil {
		return nil, err
	}
	user := &tenancy.User{}
	return user, change(user)
}

// patch returns a function that writes the given arguments into a user. It returns *args.Problems for a password
// that is not allowed. It hashes the password immediately, because hashing takes too long for a transaction.
func (f *UserFields) patch(cost HashCost) (func(*tenancy.User) error, error) {
	var hash string
	password := f.Password.Or("")
	if password != "" {
		if err := CheckNewPassword(password, &tenancy.User{}); err != nil {
			return nil, err
		}
		hash = cost.Hash(password)
	}
	return func(u *tenancy.User) error {
		f.Login.Patch(&u.Login, u.Login)
		if email, ok := f.Email.Get(); ok {
			u.Email = string(email)
		}
		f.Name.Patch(&u.Name, "")
		if u.Name == "" {
			u.Name = u.Login
		}
		if role, ok := f.Role.Get(); ok {
			u.Role = tenancy.Role(role)
		}
		f.Categories.Patch((*args.IDs)(&u.Area.Categories), nil)
		f.Venues.Patch((*args.IDs)(&u.Area.Venues), nil)
		f.Organizers.Patch((*args.IDs)(&u.Area.Organizers), nil)
		if f.Password.Given() {
			u.PasswordHash = hash
		}
		found := &args.Problems{}
		checkPassword(password, u, found)
		return found.Err()
	}, nil
}

// mostAdministrators limits how many users Administrators returns.
const mostAdministrators = 100

// Administrators returns the first of the site's administrators by login.
func (s *Users) Administrators(ctx context.Context) ([]*tenancy.User, error) {
	if err := requireReading(ctx, 0); err != nil {
		return nil, err
	}
	page, err := s.store.List(ctx, tenancy.Query{Page: 1, PerPage: mostAdministrators, Role: tenancy.Administrator})
	return page.Items, tenancy.Wrap("list administrators", err)
}
