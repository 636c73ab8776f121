package accounts

import (
	"context"
	"sync/atomic"

	"github.com/kalends/kalends/tenancy"
)

// The kinds of notices to the owner of an account.
const (
	NewPassword = "password"
	NewEmail    = "email"
	NewKey      = "key"
	NewPasskey  = "passkey"
	CodesOn     = "codes.on"
	CodesOff    = "codes.off"
	NewCodes    = "codes.new"
	CodeSpent   = "codes.spent" // someone has signed in with a recovery code
	Guesses     = "guesses"     // someone has tried so many passwords that further attempts have to wait
)

// notices e-mails the owners of accounts about changes that an intruder would make.
type notices struct {
	tell atomic.Pointer[func(ctx context.Context, kind string, to *tenancy.User)]
}

// Inform sets the function that sends notices to owners, on the site of the account. It gets the user as they were
// before the change, because the e-mail goes to the old address. It must not block.
func (a *Accounts) Inform(tell func(ctx context.Context, kind string, to *tenancy.User)) {
	a.notices.tell.Store(&tell)
}

// note sends the user a notice of this kind; it does nothing for nil and for users without an e-mail address.
func (n *notices) note(ctx context.Context, kind string, to *tenancy.User) {
	if tell := n.tell.Load(); tell != nil && to != nil && to.Email != "" {
		(*tell)(ctx, kind, to)
	}
}

// compare sends the user notices of a new password and a new e-mail address.
func (n *notices) compare(ctx context.Context, before, after *tenancy.User) {
	if before.PasswordHash != after.PasswordHash && before.PasswordHash != "" {
		n.note(ctx, NewPassword, before)
	}
	if tenancy.Fold(before.Email) != tenancy.Fold(after.Email) {
		n.note(ctx, NewEmail, before)
	}
}
