package signin

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/ui"
)

// keptPasskey is what the data of a passkey holds.
type keptPasskey struct {
	Host       string              `json:"host"` // it answers there and nowhere else
	Credential webauthn.Credential `json:"credential"`
}

func keptOf(p *tenancy.Passkey) (kept keptPasskey, err error) {
	err = json.Unmarshal(p.Data, &kept)
	kept.Credential.Authenticator.SignCount = p.SignCount
	return kept, err
}

// passkeyUser is a user with passkeys as the library wants to see them.
type passkeyUser struct {
	user *tenancy.User
	keys webauthn.Credentials
}

// WebAuthnID is what a device keeps to say whose a passkey is: a number that
// means something on this site alone, and to nobody else.
func (u passkeyUser) WebAuthnID() []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(u.user.ID))
}

// WebAuthnName tells people's accounts apart.
func (u passkeyUser) WebAuthnName() string { return u.user.Login }

// WebAuthnDisplayName is what people call themselves.
func (u passkeyUser) WebAuthnDisplayName() string { return ui.FirstText(u.user.Name, u.user.Login) }

// WebAuthnCredentials are the passkeys.
func (u passkeyUser) WebAuthnCredentials() []webauthn.Credential { return u.keys }

// party is the site as devices know it: by the host at which people find it.
func (w *Pages) party(v *frame.Visit) (*webauthn.WebAuthn, error) {
	site := v.Scope().Site
	host := w.platform.Resolver.Home(site, v.Host)
	return webauthn.New(&webauthn.Config{RPID: host, RPDisplayName: ui.FirstText(site.Name, host),
		RPOrigins:             []string{w.letters.Origin(v, site)},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementRequired,
			RequireResidentKey: protocol.ResidentKeyRequired(), UserVerification: protocol.VerificationRequired}})
}

// errUnasked says that a device answers what it wasn't asked, which costs nobody a
// try: so it is no guess either, and no line of the history.
var errUnasked = fmt.Errorf("%w: nobody asked", tenancy.ErrCredentials)

// What devices are asked to sign for. The answer to one question is none to another:
// whoever may be asked to confirm something has not been let in by that.
const (
	askedLogin    = "login"
	askedNew      = "new"
	askedPresence = "presence"
)

// keptQuestion is what the data of a challenge holds.
type keptQuestion struct {
	For   string                `json:"for"`
	Asked *webauthn.SessionData `json:"asked"`
}

// question sends a script what a device is to sign, and keeps it for the answer.
func (w *Pages) question(v *frame.Visit, purpose string, options any, asked *webauthn.SessionData) (*frame.Reply, error) {
	kept, err := json.Marshal(keptQuestion{purpose, asked})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(options)
	if err != nil {
		return nil, err
	}
	token, err := w.platform.Challenges.Ask(v.Ctx, kept)
	return &frame.Reply{Text: string(text), Asked: &token}, err
}

// asked returns what the device of this browser was asked for that, once;
// ErrCredentials for nothing.
func (w *Pages) asked(v *frame.Visit, purpose string) (*webauthn.SessionData, error) {
	kept, err := w.platform.Challenges.Answered(v.Ctx, v.Asked)
	if errors.Is(err, tenancy.ErrNoChallenge) {
		return nil, errUnasked
	}
	if err != nil {
		return nil, err
	}
	var asked keptQuestion
	if err := json.Unmarshal(kept, &asked); err != nil {
		return nil, err
	}
	if asked.For != purpose || asked.Asked == nil {
		return nil, errUnasked
	}
	return asked.Asked, nil
}

// askPasskey begins a sign-in with whatever passkey of this site a device has.
func (w *Pages) askPasskey(v *frame.Visit) (*frame.Reply, error) {
	if wait, err := w.platform.Attempts.Take(v.Ctx, passkeyTries(v)); err != nil {
		return nil, err
	} else if wait > 0 {
		r := frame.TextReply(http.StatusTooManyRequests, frame.Tell(v.Ctx, "login.throttled"))
		r.Retry = frame.Seconds(wait)
		return r, nil
	}
	r, err := w.loginQuestion(v)
	if err != nil {
		w.platform.Attempts.Back(v.Ctx, passkeyTries(v))
	}
	return r, err
}

// loginQuestion asks the devices of this browser for any passkey of this site.
func (w *Pages) loginQuestion(v *frame.Visit) (*frame.Reply, error) {
	party, err := w.party(v)
	if err != nil {
		return nil, err
	}
	options, asked, err := party.BeginDiscoverableLogin()
	if err != nil {
		return nil, err
	}
	return w.question(v, askedLogin, options.Response, asked)
}

func passkeyTries(v *frame.Visit) string { return "passkey " + v.Client }

// passkeyLogin signs in whoever's passkey answered.
func (w *Pages) passkeyLogin(v *frame.Visit) (*frame.Reply, error) {
	user, err := w.passkeyUser(v)
	var r *frame.Reply
	switch {
	case errors.Is(err, tenancy.ErrCredentials):
		v.Form.Wrong("login", frame.Tell(v.Ctx, "passkey.refused"))
		r, err = loginReply(v, http.StatusUnprocessableEntity), nil
	default: // nobody has guessed
		w.platform.Attempts.Back(v.Ctx, passkeyTries(v))
		if err == nil {
			r, err = w.enterAs(v, user)
		}
	}
	if r != nil {
		r.Asked = new(string)
	}
	return r, err
}

// passkeyUser returns whose passkey signed what this browser was asked, or
// ErrCredentials, which the history notes where it can.
func (w *Pages) passkeyUser(v *frame.Visit) (*tenancy.User, error) {
	found, user, err := w.signed(v)
	if err == nil {
		err = w.platform.Passkeys.Use(v.Ctx, found)
	}
	if errors.Is(err, tenancy.ErrCredentials) && !errors.Is(err, errUnasked) {
		id := int64(0)
		if user != nil {
			id = user.ID
		}
		if noted := w.platform.Passkeys.Refused(v.Ctx, id); noted != nil {
			w.logger.WarnContext(v.Ctx, "note a refused passkey", "error", noted)
		}
		return nil, tenancy.ErrCredentials
	}
	return user, err
}

// signed checks the signature of an answer and returns the passkey as it is after
// it, and its user. With ErrCredentials it returns the user if one is known.
func (w *Pages) signed(v *frame.Visit) (found *tenancy.Passkey, user *tenancy.User, err error) {
	asked, err := w.asked(v, askedLogin)
	if err != nil {
		return nil, nil, err
	}
	answer, err := protocol.ParseCredentialRequestResponseBytes([]byte(v.Form.Get("credential")))
	if err != nil {
		return nil, nil, tenancy.ErrCredentials
	}
	party, err := w.party(v)
	if err != nil {
		return nil, nil, err
	}
	var failed error
	_, credential, err := party.ValidatePasskeyLogin(func(id, _ []byte) (webauthn.User, error) {
		if found, user, failed = w.platform.Passkeys.Find(v.Ctx, id); failed != nil {
			return nil, failed
		}
		var kept keptPasskey
		kept, failed = keptOf(found)
		return passkeyUser{user, webauthn.Credentials{kept.Credential}}, failed
	}, *asked, answer)
	switch {
	case failed != nil && !errors.Is(failed, tenancy.ErrNoPasskey):
		return nil, nil, failed
	case err != nil:
		return nil, user, tenancy.ErrCredentials
	}
	found, err = usedPasskey(found, party, credential, answer)
	return found, user, err
}

// usedPasskey is a passkey as it is after a device has answered with it.
func usedPasskey(p *tenancy.Passkey, party *webauthn.WebAuthn, credential *webauthn.Credential,
	answer *protocol.ParsedCredentialAssertionData,
) (*tenancy.Passkey, error) {
	data, err := json.Marshal(keptPasskey{party.Config.RPID, *credential})
	used := *p
	used.SignCount, used.Data = answer.Response.AuthenticatorData.Counter, data
	return &used, err
}
