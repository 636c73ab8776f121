package tenancy

import "context"

// Invite makes a user who can't sign in yet: a voucher lets them set a password.
// It returns *args.Problems for a login or e-mail address that is taken.
func (s *Users) Invite(ctx context.Context, f *UserFields) (*User, error) {
	scope, err := requireWriting(ctx, 0)
	if err != nil {
		return nil, err
	}
	user := &User{}
	change, err := f.patch()
	if err != nil {
		return nil, err
	}
	change(user)
	if err := s.store.Create(ctx, user, nil); err != nil {
		return nil, wrap("invite user", err)
	}
	s.forget(scope.Site.ID)
	return user, nil
}

// Edit is Update for somebody who has seen the user as Mark says: it returns
// ErrUserChanged when the user is another by now.
func (s *Users) Edit(ctx context.Context, id int64, seen string, f *UserFields) (*User, error) {
	return s.update(ctx, id, f, func(u *User) error {
		if u.Mark() != seen {
			return ErrUserChanged
		}
		return nil
	})
}
