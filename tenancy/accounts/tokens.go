package accounts

import (
	"context"

	"github.com/kalends/kalends/tenancy"
)

// Tokens is the service for the provider's tokens (rule 7.1). Everyone except the provider gets ErrUnauthenticated
// or ErrForbidden.
type Tokens struct {
	store  TokenStore
	forget func(site int64)
}

// List returns the tokens, the newest first, without their secrets.
func (s *Tokens) List(ctx context.Context) ([]*Token, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	list, err := s.store.List(ctx)
	return list, tenancy.Wrap("list tokens", err)
}

// Create makes a token and returns its secret, which can't be shown again.
func (s *Tokens) Create(ctx context.Context, f *TokenFields) (token *Token, secret string, err error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, "", err
	}
	token = &Token{Name: f.Name.Or("")}
	secret, token.Hash = newToken()
	if err := s.store.Create(ctx, token); err != nil {
		return nil, "", tenancy.Wrap("create token", err)
	}
	return token, secret, nil
}

// Revoke removes a token, which stops working immediately. It returns ErrNoKey if there is no token with this id.
func (s *Tokens) Revoke(ctx context.Context, id int64) error {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return err
	}
	if err := s.store.Delete(ctx, id); err != nil {
		return tenancy.Wrap("revoke token", err)
	}
	s.forget(0)
	return nil
}
