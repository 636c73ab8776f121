package accounts

import (
	"context"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Keys is the service for application passwords and API keys (rule 2.1). People manage their own keys; those who
// manage users manage everyone's. Others get ErrUnauthenticated or ErrForbidden. Keys cannot make or revoke keys:
// they get ErrKeyMayNot.
type Keys struct {
	store   CredentialStore
	users   UserStore
	forget  func(site int64)
	notices *notices
	clock   func() time.Time
}

// List returns a user's keys, the newest first, without their secrets.
func (s *Keys) List(ctx context.Context, user int64) ([]*Credential, error) {
	if err := requireReading(ctx, user); err != nil {
		return nil, err
	}
	list, err := s.store.List(ctx, user)
	return list, tenancy.Wrap("list keys", err)
}

// All returns one page of the keys of the whole site with their owners, the newest first, to those who manage users.
func (s *Keys) All(ctx context.Context, f *KeyFilter) (tenancy.Page[OwnedKey], error) {
	if err := requireReading(ctx, 0); err != nil {
		return tenancy.Page[OwnedKey]{}, err
	}
	page, err := s.store.All(ctx, f.Query(), f.User.Or(0))
	return page, tenancy.Wrap("list keys", err)
}

// Create makes a key for a user and returns its secret, which can't be shown again. It returns ErrNoUser for an
// unknown user.
func (s *Keys) Create(ctx context.Context, user int64, f *KeyFields) (key *Credential, secret string, err error) {
	if _, err := requireWriting(ctx, user); err != nil {
		return nil, "", err
	}
	key = &Credential{
		UserID:   user,
		Kind:     tenancy.Kind(f.Kind.Or(string(tenancy.ApplicationPassword))),
		Name:     f.Name.Or(""),
		ReadOnly: f.ReadOnly.Or(false),
	}
	if err := s.limit(ctx, key, f); err != nil {
		return nil, "", err
	}
	secret, key.Hash = newSecret(key.Kind)
	if err := s.store.Create(ctx, key); err != nil {
		return nil, "", tenancy.Wrap("create key", err)
	}
	if owner, err := s.users.Get(ctx, user); err == nil { // the key exists, even if the email fails
		s.notices.note(ctx, NewKey, owner)
	}
	return key, secret, nil
}

// limit sets the limits of a new key. A date without a time expires at the end of that day in the site's zone. It
// returns *args.Problems for a time in the past.
func (s *Keys) limit(ctx context.Context, key *Credential, f *KeyFields) error {
	key.Scopes = f.Scopes.Or(nil)
	if len(key.Scopes) == 0 {
		key.Scopes = nil
	}
	key.Categories = f.Categories.Or(nil)
	date, ok := f.Expires.Get()
	if !ok {
		return nil
	}
	place, now := tenancy.Current(ctx).Site.Location, s.clock()
	at := date.In(place, now)
	if !date.HasTime() { // a date without a time means the end of that day
		at = at.In(place).AddDate(0, 0, 1)
	}
	key.Expires = at.UTC().Truncate(time.Second)
	if !key.Expires.After(now) {
		return args.Invalid("expires", "problem.expires", nil)
	}
	return nil
}

// Revoke removes a key of a user, which stops working immediately. It returns ErrNoKey if the user has no such key.
func (s *Keys) Revoke(ctx context.Context, user, id int64) error {
	scope, err := requireWriting(ctx, user)
	if err != nil {
		return err
	}
	if err := s.store.Delete(ctx, user, id); err != nil {
		return tenancy.Wrap("revoke key", err)
	}
	s.forget(scope.Site.ID)
	return nil
}

// RevokeAny removes a key of any user, for those who manage users. It returns the key as it was.
func (s *Keys) RevokeAny(ctx context.Context, id int64) (*OwnedKey, error) {
	scope, err := requireWriting(ctx, 0)
	if err != nil {
		return nil, err
	}
	gone, err := s.store.DeleteAny(ctx, id)
	if err != nil {
		return nil, tenancy.Wrap("revoke key", err)
	}
	s.forget(scope.Site.ID)
	return gone, nil
}

// requireReading returns nil if the principal may see users, or is this user.
func requireReading(ctx context.Context, user int64) error {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return err
	}
	p := scope.Principal
	if err := p.Reach(tenancy.ReadUsers); err != nil {
		return err
	}
	if p.MayRead(tenancy.ManageUsers) || user != 0 && p.UserID == user {
		return nil
	}
	return p.Require(tenancy.ManageUsers)
}

// requireWriting returns the Scope if the principal may change users, or is this user. Keys get ErrKeyMayNot:
// otherwise a limited key could create access with more rights than its own (ADR 140).
func requireWriting(ctx context.Context, user int64) (*tenancy.Scope, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	p := scope.Principal
	if err := p.ByPerson(); err != nil {
		return nil, err
	}
	if user != 0 && p.UserID == user && !p.ReadOnly {
		return scope, nil
	}
	return scope, p.Require(tenancy.ManageUsers)
}
