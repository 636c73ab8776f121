package signin

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// passkeyEntry is a passkey with its host.
type passkeyEntry struct {
	*accounts.Passkey
	host string
}

func (w *Pages) passkeysOf(v *frame.Visit) ([]passkeyEntry, webauthn.Credentials, error) {
	list, err := w.platform.Passkeys.List(v.Ctx)
	entries, keys := make([]passkeyEntry, 0, len(list)), make(webauthn.Credentials, 0, len(list))
	for _, p := range list {
		kept, bad := keptOf(p)
		if bad != nil {
			return nil, nil, bad
		}
		entries, keys = append(entries, passkeyEntry{p, kept.Host}), append(keys, kept.Credential)
	}
	return entries, keys, err
}

// askNewPasskey starts adding a passkey for a user who has confirmed their presence.
func (w *Pages) askNewPasskey(v *frame.Visit) (*frame.Reply, error) {
	refused := func(status int) (*frame.Reply, error) {
		said := v.Form.Problem("confirm")
		// Without the form the message must name the field.
		if v.Form.Get("confirm")+v.Form.Get("credential") == "" && unproven(v) == "required" {
			said = i18n.T(v.Ctx, "problem.field.missing", map[string]any{"Field": frame.Tell(v.Ctx, "field.user.confirm")})
		}
		return frame.TextReply(status, said), nil
	}
	again, err := w.present(v, "confirm", refused, func(p accounts.Presence) error { return w.platform.Passkeys.MayAdd(v.Ctx, p) })
	switch {
	case again != nil:
		return again, err
	case err != nil && v.Form.Refuse(v.Ctx, err):
		return frame.TextReply(http.StatusUnprocessableEntity, v.Form.Problem("passkey")), nil
	case err != nil:
		return nil, err
	}
	_, keys, err := w.passkeysOf(v)
	if err != nil {
		return nil, err
	}
	return w.newQuestion(v, v.User, keys)
}

// newQuestion asks a device for a new passkey of a user who has others.
func (w *Pages) newQuestion(v *frame.Visit, user *tenancy.User, keys webauthn.Credentials) (*frame.Reply, error) {
	party, err := w.party(v)
	if err != nil {
		return nil, err
	}
	options, asked, err := party.BeginRegistration(passkeyUser{user, keys}, webauthn.WithExclusions(keys.CredentialDescriptors()))
	if err != nil {
		return nil, err
	}
	return w.question(v, askedNew, options.Response, asked)
}

// addPasskey stores a new passkey of the user.
func (w *Pages) addPasskey(v *frame.Visit) (*frame.Reply, error) {
	made, err := w.madePasskey(v, v.User)
	if err == nil {
		err = w.platform.Passkeys.Add(v.Ctx, made)
	}
	r := &frame.Reply{Redirect: frame.AdminRoot + "/profile", Say: "passkey"}
	switch {
	case errors.Is(err, tenancy.ErrCredentials):
		v.Form.Wrong("passkey", frame.Tell(v.Ctx, "passkey.failed"))
		r, err = w.profileReply(v, http.StatusUnprocessableEntity)
	case err != nil:
		r, err = w.personAgain(v, err)
	}
	if r != nil {
		r.Asked = new(string)
	}
	return r, err
}

// madePasskey verifies a new passkey of a user, or returns ErrCredentials.
func (w *Pages) madePasskey(v *frame.Visit, user *tenancy.User) (*accounts.Passkey, error) {
	asked, err := w.asked(v, askedNew)
	if err != nil {
		return nil, err
	}
	answer, err := protocol.ParseCredentialCreationResponseBytes([]byte(v.Form.Get("credential")))
	if err != nil {
		return nil, tenancy.ErrCredentials
	}
	party, err := w.party(v)
	if err != nil {
		return nil, err
	}
	credential, err := party.CreateCredential(passkeyUser{user, nil}, *asked, answer)
	if err != nil {
		return nil, tenancy.ErrCredentials
	}
	credential.Attestation = webauthn.CredentialAttestation{} // not requested
	data, err := json.Marshal(keptPasskey{party.Config.RPID, *credential})
	return &accounts.Passkey{
		ID: credential.ID, Name: v.Form.Get("passkey_name"), SignCount: credential.Authenticator.SignCount, Data: data,
	}, err
}

// renamePasskey and removePasskey change a passkey of the user. Removing a passkey that no longer exists succeeds.
func (w *Pages) renamePasskey(v *frame.Visit) (*frame.Reply, error) {
	key, name := v.Form.Get("passkey"), v.Form.Get("passkey_name")
	v.Form.Values.Del("passkey_name") // belongs to another form on the page
	if err := w.platform.Passkeys.Rename(v.Ctx, key, name); err != nil && !errors.Is(err, accounts.ErrNoPasskey) {
		if v.Form.Refuse(v.Ctx, err) {
			v.Form.Rename("passkey_name", "passkey-"+key)
			v.Form.Set("passkey-"+key, name)
		}
		return w.personAgain(v, err)
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/profile", Say: "saved"}, nil
}

// passkeyTyped returns the name of a passkey, or the rejected input.
func passkeyTyped(f *frame.Form, k passkeyEntry) string {
	return cmp.Or(f.Get("passkey-"+k.Key()), k.Name)
}

// removePasskey removes a passkey of a user who confirms their presence.
func (w *Pages) removePasskey(v *frame.Visit) (*frame.Reply, error) {
	page := func(status int) (*frame.Reply, error) { return w.removePasskeyReply(v, status) }
	if v.Form.Get("sure") == "" {
		return page(0)
	}
	again, err := w.present(v, "confirm", page, func(p accounts.Presence) error {
		return w.platform.Passkeys.Remove(v.Ctx, v.Form.Get("passkey"), p)
	})
	switch {
	case again != nil:
		return again, err
	case err == nil, errors.Is(err, accounts.ErrNoPasskey):
		return &frame.Reply{Redirect: frame.AdminRoot + "/profile", Say: "passkey.gone"}, nil
	case v.Form.Refuse(v.Ctx, err):
		return page(http.StatusUnprocessableEntity)
	}
	return nil, err
}

// removePasskeyReply asks the user to prove their presence before it removes a passkey.
func (w *Pages) removePasskeyReply(v *frame.Visit, status int) (*frame.Reply, error) {
	all, _, err := w.passkeysOf(v)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(k passkeyEntry) bool { return k.Key() == v.Form.Get("passkey") })
	if i < 0 {
		return &frame.Reply{Redirect: frame.AdminRoot + "/profile", Say: "passkey.gone"}, nil
	}
	c, err := w.Confirming(v)
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "passkeys"), Section: "profile",
		Body: removePasskeyPage(c, v.Form, all[i])}, err
}
