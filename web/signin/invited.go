package signin

import (
	"errors"
	"net/http"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// askInvited asks the device of an invited person for a passkey, which replaces a password.
func (w *Pages) askInvited(v *frame.Visit) (*frame.Reply, error) {
	given, user, err := w.platform.Vouchers.Check(v.Ctx, v.Form.Get("code"))
	if errors.Is(err, accounts.ErrNoVoucher) || err == nil && given.Kind != accounts.Invitation {
		return frame.TextReply(http.StatusUnprocessableEntity, frame.Tell(v.Ctx, "voucher.over")), nil
	}
	if err != nil {
		return nil, err
	}
	return w.newQuestion(v, user, nil)
}

// acceptByPasskey stores the passkey that an invited person's device has created, and signs them in.
func (w *Pages) acceptByPasskey(v *frame.Visit) (*frame.Reply, error) {
	_, user, err := w.platform.Vouchers.Check(v.Ctx, v.Form.Get("code"))
	if err == nil {
		var made *accounts.Passkey
		if made, err = w.madePasskey(v, user); err == nil {
			user, err = w.platform.Vouchers.Accept(v.Ctx, v.Form.Get("code"), made)
		}
	}
	switch {
	case errors.Is(err, accounts.ErrNoVoucher):
		return w.welcomeReply(v, 0)
	case errors.Is(err, tenancy.ErrCredentials):
		v.Form.Wrong("passkey", frame.Tell(v.Ctx, "passkey.failed"))
		return w.welcomeReply(v, http.StatusUnprocessableEntity)
	case err != nil && !v.Form.Refuse(v.Ctx, err):
		return nil, err
	case err != nil:
		return w.welcomeReply(v, http.StatusUnprocessableEntity)
	}
	session, token, err := w.platform.Sessions.Start(
		v.Ctx,
		user,
		accounts.Entry{Agent: v.Agent, Address: v.Scope().Address, By: accounts.ByPasskey},
	)
	if err != nil {
		return nil, err
	}
	v.SignIn(session, user)
	return &frame.Reply{Redirect: frame.AdminRoot, Say: "welcome", Token: &token, Asked: new(string)}, nil
}
