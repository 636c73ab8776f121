package signin

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// keptPasskey is the stored data of a passkey.
type keptPasskey struct {
	Host       string              `json:"host"` // the only host on which it is valid
	Credential webauthn.Credential `json:"credential"`
}

func keptOf(p *accounts.Passkey) (kept keptPasskey, err error) {
	err = json.Unmarshal(p.Data, &kept)
	kept.Credential.Authenticator.SignCount = p.SignCount
	return kept, err
}

// passkeyUser is a user with passkeys for the webauthn library.
type passkeyUser struct {
	user *tenancy.User
	keys webauthn.Credentials
}

// WebAuthnID returns the user handle that devices store: a number that has a meaning only on this site.
func (u passkeyUser) WebAuthnID() []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(u.user.ID))
}

// WebAuthnName returns the name that distinguishes accounts.
func (u passkeyUser) WebAuthnName() string { return u.user.Login }

// WebAuthnDisplayName returns the user's display name.
func (u passkeyUser) WebAuthnDisplayName() string { return cmp.Or(u.user.Name, u.user.Login) }

// WebAuthnCredentials returns the passkeys.
func (u passkeyUser) WebAuthnCredentials() []webauthn.Credential { return u.keys }

// party returns the site as a relying party, identified by its host.
func (w *Pages) party(v *frame.Visit) (*webauthn.WebAuthn, error) {
	site := v.Scope().Site
	host := w.platform.Resolver.Home(site, v.Host)
	return webauthn.New(&webauthn.Config{RPID: host, RPDisplayName: cmp.Or(site.Name, host),
		RPOrigins:             []string{w.letters.Origin(v, site)},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementRequired,
			RequireResidentKey: protocol.ResidentKeyRequired(), UserVerification: protocol.VerificationRequired}})
}

// errUnasked is returned for an answer without a challenge. Anyone can send such answers, so they are neither
// counted as guesses nor recorded in the history.
var errUnasked = fmt.Errorf("%w: no challenge", tenancy.ErrCredentials)

// Purposes of challenges. An answer for one purpose is invalid for another: a confirmation, for example, does not
// sign anyone in.
const (
	askedLogin    = "login"
	askedNew      = "new"
	askedPresence = "presence"
)

// keptQuestion is the stored data of a challenge.
type keptQuestion struct {
	For   string                `json:"for"`
	Asked *webauthn.SessionData `json:"asked"`
}

// question sends a challenge to a script and stores it until the answer.
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

// asked returns and invalidates the challenge given to this browser for a purpose, or returns ErrCredentials.
func (w *Pages) asked(v *frame.Visit, purpose string) (*webauthn.SessionData, error) {
	kept, err := w.platform.Challenges.Answered(v.Ctx, v.Asked)
	if errors.Is(err, accounts.ErrNoChallenge) {
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

// askPasskey starts a sign-in with any passkey for this site.
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

// loginQuestion creates a challenge for any passkey for this site.
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

// passkeyLogin signs in the owner of the passkey that signed the challenge.
func (w *Pages) passkeyLogin(v *frame.Visit) (*frame.Reply, error) {
	user, err := w.passkeyUser(v)
	var r *frame.Reply
	switch {
	case errors.Is(err, tenancy.ErrCredentials):
		v.Form.Wrong("login", frame.Tell(v.Ctx, "passkey.refused"))
		r, err = w.loginReply(v, http.StatusUnprocessableEntity), nil
	default: // not a guess
		w.platform.Attempts.Back(v.Ctx, passkeyTries(v))
		if err == nil {
			r, err = w.enterAs(v, user, accounts.ByPasskey)
		}
	}
	if r != nil {
		r.Asked = new(string)
	}
	return r, err
}

// passkeyUser returns the owner of the passkey that signed this browser's challenge, or ErrCredentials, which is
// recorded in the history if possible.
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
			w.logger.WarnContext(v.Ctx, "record a refused passkey", "error", noted)
		}
		return nil, tenancy.ErrCredentials
	}
	return user, err
}

// signed verifies a device's answer and returns the updated passkey and its user. If it returns ErrCredentials, it
// also returns the user if known.
func (w *Pages) signed(v *frame.Visit) (found *accounts.Passkey, user *tenancy.User, err error) {
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
	case failed != nil && !errors.Is(failed, accounts.ErrNoPasskey):
		return nil, nil, failed
	case err != nil:
		return nil, user, tenancy.ErrCredentials
	}
	found, err = usedPasskey(found, party, credential, answer)
	return found, user, err
}

// usedPasskey returns a passkey updated after use.
func usedPasskey(p *accounts.Passkey, party *webauthn.WebAuthn, credential *webauthn.Credential,
	answer *protocol.ParsedCredentialAssertionData,
) (*accounts.Passkey, error) {
	data, err := json.Marshal(keptPasskey{party.Config.RPID, *credential})
	used := *p
	used.SignCount, used.Data = answer.Response.AuthenticatorData.Counter, data
	return &used, err
}
