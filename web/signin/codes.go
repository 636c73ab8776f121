package signin

import (
	"errors"
	"net/http"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// askCode asks a user for a code from their app, after the correct password.
func (w *Pages) askCode(v *frame.Visit, user *tenancy.User) (*frame.Reply, error) {
	token, err := w.platform.SecondFactors.Ask(v.Ctx, user)
	if err != nil {
		return nil, err
	}
	v.Form.Set("asked", token)
	return codeReply(v, 0), nil
}

func codeReply(v *frame.Visit, status int) *frame.Reply {
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "code.title"), Bare: true, Here: v.Form.Get("to"),
		Body: codePage(v.Form, v.Form.Get("pending"))}
}

// codeLogin signs in a user who enters a code. Wrong codes count like wrong passwords.
func (w *Pages) codeLogin(v *frame.Visit) (*frame.Reply, error) {
	user, err := w.platform.SecondFactors.Asked(v.Ctx, v.Form.Get("asked"))
	if errors.Is(err, accounts.ErrNoWay) {
		return w.codeOver(v), nil
	}
	if err != nil {
		return nil, err
	}
	tries, err := w.platform.Authenticator.Tries(v.Ctx, v.Client, user.Login, v.Device)
	if err != nil {
		return nil, err
	}
	if wait, account, err := w.platform.Attempts.TakeAtAccount(v.Ctx, tries); err != nil {
		return nil, err
	} else if wait > 0 {
		if account {
			w.alarm(v, user.Login)
		}
		return frame.Throttled(v, "app_code", wait, func(status int) (*frame.Reply, error) { return codeReply(v, status), nil })
	}
	user, err = w.platform.SecondFactors.Tell(v.Ctx, v.Form.Get("asked"), v.Form.Get("app_code"))
	if errors.Is(err, tenancy.ErrCredentials) {
		if err != tenancy.ErrCredentials { //nolint:errorlint // a wrapped error carries more information
			w.logger.WarnContext(v.Ctx, "tell a code", "error", err)
		}
		v.Form.Wrong("app_code", frame.Tell(v.Ctx, "code.wrong"))
		return codeReply(v, http.StatusUnprocessableEntity), nil
	}
	w.platform.Attempts.BackAll(v.Ctx, tries) // the code was right, or could not be checked
	switch {
	case errors.Is(err, accounts.ErrNoWay):
		return w.codeOver(v), nil
	case err != nil:
		return nil, err
	}
	v.Form.Values.Del("asked")
	return w.enterAs(v, user, accounts.ByCode)
}

// codeOver asks for the password again, because it was entered too long ago.
func (w *Pages) codeOver(v *frame.Visit) *frame.Reply {
	v.Form.Values.Del("asked")
	v.Form.Wrong("login", frame.Tell(v.Ctx, "code.over"))
	return w.loginReply(v, http.StatusUnprocessableEntity)
}

// changeCodes sets up the user's app, replaces the recovery codes, or turns codes off.
func (w *Pages) changeCodes(v *frame.Visit) (*frame.Reply, error) {
	if v.Form.Get("do") == "codes.confirm" {
		return w.confirmCodes(v)
	}
	var setup *accounts.Setup
	var recovery []string
	page := func(status int) (*frame.Reply, error) { return w.profileReply(v, status) }
	again, err := w.present(v, "codes", page, func(p accounts.Presence) (err error) {
		switch v.Form.Get("do") {
		case "codes.begin":
			setup, err = w.platform.SecondFactors.Begin(v.Ctx, p)
		case "codes.renew":
			recovery, err = w.platform.SecondFactors.Renew(v.Ctx, p)
		case "codes.off":
			err = w.platform.SecondFactors.Off(v.Ctx, p)
		}
		return err
	})
	switch {
	case again != nil:
		return again, err
	case errors.Is(err, accounts.ErrNoSecondFactor):
		return &frame.Reply{Redirect: frame.AdminRoot + "/profile", Say: "codes.off"}, nil
	case err != nil:
		return w.personAgain(v, err)
	case setup != nil:
		return setupReply(v, setup, 0)
	case recovery != nil:
		return recoveryReply(v, recovery), nil
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/profile", Say: "codes.off"}, nil
}

// confirmCodes turns codes on after the user has entered a code from their app.
func (w *Pages) confirmCodes(v *frame.Visit) (*frame.Reply, error) {
	recovery, err := w.platform.SecondFactors.Confirm(v.Ctx, v.Form.Get("setup"), v.Form.Get("app_code"), v.Session)
	if errors.Is(err, tenancy.ErrCredentials) {
		var setup *accounts.Setup
		if setup, err = w.platform.SecondFactors.Again(v.Ctx, v.Form.Get("setup")); err == nil {
			v.Form.Wrong("app_code", frame.Tell(v.Ctx, "code.wrong"))
			return setupReply(v, setup, http.StatusUnprocessableEntity)
		}
	}
	switch {
	case errors.Is(err, accounts.ErrNoWay):
		v.Form.Wrong("codes", frame.Tell(v.Ctx, "codes.over"))
		return w.profileReply(v, http.StatusUnprocessableEntity)
	case err != nil:
		return w.personAgain(v, err)
	}
	return recoveryReply(v, recovery), nil
}

// setupReply shows the secret for an app, as a QR code and as text.
func setupReply(v *frame.Visit, setup *accounts.Setup, status int) (*frame.Reply, error) {
	code, err := drawn(setup.Address)
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "codes.title"), Section: "profile",
		Body: setupPage(v.Form, setup, code)}, err
}

// recoveryReply shows recovery codes, once.
func recoveryReply(v *frame.Visit, recovery []string) *frame.Reply {
	return &frame.Reply{Title: frame.Tell(v.Ctx, "codes.recovery"), Section: "profile", Body: recoveryPage(recovery)}
}

// spaced returns a secret in groups of four characters, for people to type.
func spaced(secret string) string {
	var text []byte
	for i := range len(secret) {
		if i > 0 && i%4 == 0 {
			text = append(text, ' ')
		}
		text = append(text, secret[i])
	}
	return string(text)
}
