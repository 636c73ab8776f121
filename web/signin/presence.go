package signin

import (
	"bytes"
	"errors"
	"net/http"
	"slices"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// presentTries returns the key for counting attempts at the current password, per person regardless of client.
func presentTries(v *frame.Visit) string { return "password of " + v.User.Login }

// confirmTries returns the key for counting challenges for confirmation.
func confirmTries(v *frame.Visit) string { return "passkey of " + v.User.Login }

// present requires proof that the user is present, because a stolen session must not suffice to add credentials or
// users: a signature by a passkey, or the current password in a field. It then calls do. If the proof is wrong or
// there were too many attempts, it shows the page again.
func (w *Pages) present(v *frame.Visit, field string, page func(status int) (*frame.Reply, error), do func(accounts.Presence) error,
) (again *frame.Reply, err error) {
	password := v.Form.Get(field)
	presence, wrong := accounts.ByPassword(password), "password.wrong"
	tries := presentTries(v)
	if v.Form.Get("credential") != "" {
		wrong, tries = "passkey.unconfirmed", confirmTries(v) // counted when the challenge was created
		presence, err = w.signedHere(v)
	} else if password == "" {
		wrong, tries = unproven(v), "" // an empty field is no attempt
	} else if wait, err := w.platform.Attempts.Take(v.Ctx, tries); err != nil {
		return nil, err
	} else if wait > 0 {
		return frame.Throttled(v, field, wait, page)
	}
	if err == nil {
		err = do(presence)
	}
	if errors.Is(err, tenancy.ErrCredentials) {
		v.Form.Wrong(field, frame.Tell(v.Ctx, wrong))
		return page(http.StatusUnprocessableEntity)
	}
	if tries != "" {
		w.platform.Attempts.Back(v.Ctx, tries)
	}
	return nil, err
}

// unproven returns the key of the message for a user who has sent neither a password nor a passkey's signature.
func unproven(v *frame.Visit) string {
	if v.User.PasswordHash == "" {
		return "passkey.unconfirmed"
	}
	return "required"
}

// PresentFor calls do with the proof that the user is present. If do returns ErrCredentials, PresentFor responds
// with the page again and a problem at the field.
func (w *Pages) PresentFor(v *frame.Visit, field string, page func(status int) (*frame.Reply, error), do func(accounts.Presence) error,
) (again *frame.Reply, err error) {
	return w.present(v, field, page, do)
}

// Present is PresentFor for forms that need the proof itself and nothing else.
func (w *Pages) Present(v *frame.Visit, field string, page func(status int) (*frame.Reply, error)) (again *frame.Reply, err error) {
	return w.present(v, field, page, func(p accounts.Presence) error { return w.platform.Users.Confirm(v.Ctx, p) })
}

// askPresence creates a challenge for the user's passkeys.
func (w *Pages) askPresence(v *frame.Visit) (*frame.Reply, error) {
	if wait, err := w.platform.Attempts.Take(v.Ctx, confirmTries(v)); err != nil {
		return nil, err
	} else if wait > 0 {
		r := frame.TextReply(http.StatusTooManyRequests, frame.Tell(v.Ctx, "login.throttled"))
		r.Retry = frame.Seconds(wait)
		return r, nil
	}
	party, _, keys, err := w.passkeysHere(v)
	if err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return frame.TextReply(http.StatusUnprocessableEntity, frame.Tell(v.Ctx, "passkey.stopped")), nil
	}
	options, asked, err := party.BeginLogin(passkeyUser{v.User, keys})
	if err != nil {
		return nil, err
	}
	return w.question(v, askedPresence, options.Response, asked)
}

// passkeysHere returns the user's passkeys that are valid on this host.
func (w *Pages) passkeysHere(v *frame.Visit) (party *webauthn.WebAuthn, here []passkeyEntry, keys webauthn.Credentials, err error) {
	if party, err = w.party(v); err != nil {
		return nil, nil, nil, err
	}
	here, keys, err = w.passkeysOf(v)
	for i, h := range slices.Backward(here) {
		if h.host != party.Config.RPID {
			here, keys = slices.Delete(here, i, i+1), slices.Delete(keys, i, i+1)
		}
	}
	return party, here, keys, err
}

// signedHere verifies the answer to askPresence, or returns ErrCredentials.
func (w *Pages) signedHere(v *frame.Visit) (none accounts.Presence, err error) {
	asked, err := w.asked(v, askedPresence)
	if err != nil {
		return none, err
	}
	answer, err := protocol.ParseCredentialRequestResponseBytes([]byte(v.Form.Get("credential")))
	if err != nil {
		return none, tenancy.ErrCredentials
	}
	party, here, keys, err := w.passkeysHere(v)
	if err != nil {
		return none, err
	}
	credential, err := party.ValidateLogin(passkeyUser{v.User, keys}, *asked, answer)
	if err != nil {
		return none, tenancy.ErrCredentials
	}
	i := slices.IndexFunc(here, func(k passkeyEntry) bool { return bytes.Equal(k.ID, credential.ID) })
	used, err := usedPasskey(here[i].Passkey, party, credential, answer)
	if err != nil {
		return none, err
	}
	return w.platform.Passkeys.Prove(v.Ctx, used)
}

// Means are the ways in which a user can prove their presence.
type Means struct {
	Password, Passkey bool
	Login             string // of the user, for password managers
}

// Optional returns the controls for proving one's identity, for a form that can also be sent without them.
func (m Means) Optional() Means { return Means{true, m.Passkey, m.Login} }

// Confirming returns the means available to the user on this host.
func (w *Pages) Confirming(v *frame.Visit) (Means, error) {
	_, here, _, err := w.passkeysHere(v)
	return Means{v.User.PasswordHash != "", len(here) > 0, v.User.Login}, err
}
