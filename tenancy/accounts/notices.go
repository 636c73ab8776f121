package accounts

import (
	"context"
	"sync/atomic"

	"github.com/kalends/kalends/tenancy"
)

// What the owner of an account is told of.
const (
	NewPassword = "password"
	NewEmail    = "email"
	NewKey      = "key"
	NewPasskey  = "passkey"
	CodesOn     = "codes.on"
	CodesOff    = "codes.off"
	NewCodes    = "codes.new"
	CodeSpent   = "codes.spent" // somebody has signed in with a recovery code
	Guesses     = "guesses"     // strangers have tried so many passwords that they have to wait
)

// notices tells owners of accounts of what somebody would do who takes their account over.
type notices struct {
	tell atomic.Pointer[func(ctx context.Context, kind string, to *tenancy.User)]
}

// Inform has tell called after each such change, on the site of the account, with its user as they were before: an email goes to the
// address that they had. tell must not block.
func (a *Accounts) Inform(tell func(ctx context.Context, kind string, to *tenancy.User)) {
	a.notices.tell.Store(&tell)
}

// note tells of a change; to may be nil for nobody.
func (n *notices) note(ctx context.Context, kind string, to *tenancy.User) {
	if tell := n.tell.Load(); tell != nil && to != nil && to.Email != "" {
		(*tell)(ctx, kind, to)
	}
}

// compare tells of what a change of a user has changed.
func (n *notices) compare(ctx context.Context, before, after *tenancy.User) {
	if before.PasswordHash != after.PasswordHash && before.PasswordHash != "" {
		n.note(ctx, NewPassword, before)
	}
	if tenancy.Fold(before.Email) != tenancy.Fold(after.Email) {
		n.note(ctx, NewEmail, before)
	}
}
