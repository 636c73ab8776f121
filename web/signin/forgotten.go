package signin

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

func (w *Pages) askForgotten(v *frame.Visit) (*frame.Reply, error) {
	return w.forgottenReply(v, false, 0), nil
}

func (w *Pages) forgottenReply(v *frame.Visit, done bool, status int) *frame.Reply {
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "forgotten.title"), Bare: true,
		Body: forgottenPage(v.Form, w.letters.Sent(), done)}
}

// forgotten emails a link to set a new password. Neither the response nor its timing may depend on whether the user
// exists, or on the queue for the mail server. Attempts are therefore counted by the typed name, and the account is
// looked up only after the response.
func (w *Pages) forgotten(v *frame.Visit) (*frame.Reply, error) {
	login := tenancy.Fold(v.Form.Get("login"))
	switch {
	case !w.letters.Sent():
		return w.forgottenReply(v, false, 0), nil
	case login == "":
		v.Form.Wrong("login", frame.Tell(v.Ctx, "required"))
		return w.forgottenReply(v, false, http.StatusUnprocessableEntity), nil
	}
	wait, err := w.platform.Attempts.TakeAll(v.Ctx, []accounts.Try{{Who: "forgotten by " + v.Client}, {Who: "forgotten as " + login}})
	switch {
	case err != nil:
		return nil, err
	case wait > 0:
		return frame.Throttled(v, "login", wait,
			func(status int) (*frame.Reply, error) { return w.forgottenReply(v, false, status), nil })
	}
	w.letters.behind(v.Ctx, w.letters.strange, "forgotten password", func(ctx context.Context) error {
		if err := w.sendForgotten(ctx, login); !errors.Is(err, accounts.ErrNoUser) {
			return err
		}
		return nil
	})
	return w.forgottenReply(v, true, 0), nil
}

// sendForgotten emails a link, unless the account has received too many lately. Its login and its e-mail address
// are counted together, which responses must not reveal.
func (w *Pages) sendForgotten(ctx context.Context, login string) error {
	account, err := w.platform.Authenticator.Account(ctx, login)
	if err != nil {
		return err
	}
	of := "forgotten of " + account
	if wait, err := w.platform.Attempts.Take(ctx, of); err != nil || wait > 0 {
		return err
	}
	given, token, user, err := w.platform.Vouchers.Forgotten(ctx, login)
	if err != nil {
		w.platform.Attempts.Back(ctx, of)
		return err
	}
	return w.letters.mail(ctx, given.Kind, user, w.letters.link(ctx, token), "")
}

func (w *Pages) askPassword(v *frame.Visit) (*frame.Reply, error) { return w.welcomeReply(v, 0) }

// welcomeReply asks for a new password if the voucher is valid.
func (w *Pages) welcomeReply(v *frame.Visit, status int) (*frame.Reply, error) {
	code := cmp.Or(v.Form.Get("code"), v.Query.Get("code"))
	given, user, err := w.platform.Vouchers.Check(v.Ctx, code)
	switch {
	case errors.Is(err, accounts.ErrNoVoucher):
		return &frame.Reply{Status: http.StatusGone, Title: frame.Tell(v.Ctx, "voucher.over"), Bare: true, Body: voucherOverPage()}, nil
	case err != nil:
		return nil, err
	}
	v.Form.Kind = "user"
	v.Form.Set("code", code)
	if given.Kind == accounts.Invitation && !v.Form.Has("name") {
		v.Form.Set("name", user.Name)
	}
	open := accounts.Ways{}
	if given.Kind == accounts.Reset { // someone else may know the password
		if open, err = w.platform.Vouchers.Ways(v.Ctx, code); err != nil {
			return nil, err
		}
	}
	if !v.Form.Has("passkey_name") {
		v.Form.Set("passkey_name", frame.BrowserName(v.Ctx, v.Agent))
	}
	for _, name := range []string{"cut_keys", "cut_passkeys"} {
		if !v.Form.Has(name) {
			v.Form.Set(name, "1")
		}
	}
	key := "welcome." + string(given.Kind)
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, key), Bare: true,
		Here: frame.AdminRoot + "/welcome?" + url.Values{"code": {code}}.Encode(),
		Body: welcomePage(v.Form, given, user, key, waysOf(open))}, nil
}

// redeem sets the password of a voucher's user and signs them in.
func (w *Pages) redeem(v *frame.Visit) (*frame.Reply, error) {
	if v.Form.Get("credential") != "" {
		return w.acceptByPasskey(v)
	}
	name := strings.TrimSpace(v.Form.Get("name"))
	if v.Form.Get("password") != v.Form.Get("again") {
		v.Form.Wrong("again", frame.Tell(v.Ctx, "password.again"))
		if _, whose, err := w.platform.Vouchers.Check(v.Ctx, v.Form.Get("code")); err == nil {
			v.Form.Refuse(v.Ctx, accounts.CheckWelcome(name, v.Form.Get("password"), whose))
		}
		return w.welcomeReply(v, http.StatusUnprocessableEntity)
	}
	user, err := w.platform.Vouchers.Redeem(v.Ctx, v.Form.Get("code"), name, v.Form.Get("password"), cutOf(v.Form))
	switch {
	case errors.Is(err, accounts.ErrNoVoucher):
		return w.welcomeReply(v, 0)
	case err != nil && !v.Form.Refuse(v.Ctx, err):
		return nil, err
	case err != nil:
		return w.welcomeReply(v, http.StatusUnprocessableEntity)
	}
	if user.SecondFactor { // access to the e-mail proves only one factor
		v.Form = &frame.Form{Values: url.Values{}}
		return w.askCode(v, user)
	}
	session, token, err := w.platform.Sessions.Start(v.Ctx, user, accounts.Entry{Agent: v.Agent, Address: v.Scope().Address})
	if errors.Is(err, accounts.ErrPasswordsOff) {
		v.Form = &frame.Form{Values: url.Values{}}
		return w.passwordsOff(v), nil
	}
	if err != nil {
		return nil, err
	}
	v.SignIn(session, user)
	return &frame.Reply{Redirect: frame.AdminRoot, Say: "welcome", Token: &token,
		Device: w.platform.Authenticator.Device(v.Ctx, user)}, nil
}
