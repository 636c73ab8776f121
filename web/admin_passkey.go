package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// routesOfPasskeys are the ways by which people sign in without a password; what
// they do with their passkeys is part of the profile.
func (w *admin) routesOfPasskeys() []adminRoute {
	const get, post = http.MethodGet, http.MethodPost
	return []adminRoute{
		{get, "/login/passkey", 0, w.askLogin, true},
		{post, "/login/passkey", 0, w.passkeyLogin, true},
		{post, "/login/passkey/options", 0, w.askPasskey, true},
		{post, "/profile/passkey", 0, w.askNewPasskey, false},
		{post, "/profile/confirm", 0, w.askPresence, false},
	}
}

// passkeyEntry is a passkey and where it answers.
type passkeyEntry struct {
	*tenancy.Passkey
	host string
}

func (w *admin) passkeysOf(v *visit) ([]passkeyEntry, webauthn.Credentials, error) {
	list, err := w.platform.Passkeys.List(v.ctx)
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

// askNewPasskey begins to add a passkey of whoever shows that they are there.
func (w *admin) askNewPasskey(v *visit) (*reply, error) {
	refused := func(status int) (*reply, error) { return textReply(status, v.form.problem("confirm")), nil }
	again, err := w.present(v, "confirm", refused, func(p tenancy.Presence) error { return w.platform.Passkeys.MayAdd(v.ctx, p) })
	switch {
	case again != nil:
		return again, err
	case err != nil && v.form.refuse(v.ctx, err):
		return textReply(http.StatusUnprocessableEntity, v.form.problem("passkey")), nil
	case err != nil:
		return nil, err
	}
	_, keys, err := w.passkeysOf(v)
	if err != nil {
		return nil, err
	}
	party, err := w.party(v)
	if err != nil {
		return nil, err
	}
	options, asked, err := party.BeginRegistration(passkeyUser{v.user, keys}, webauthn.WithExclusions(keys.CredentialDescriptors()))
	if err != nil {
		return nil, err
	}
	return w.question(v, askedNew, options.Response, asked)
}

// addPasskey stores what a device made for whoever is signed in.
func (w *admin) addPasskey(v *visit) (*reply, error) {
	made, err := w.madePasskey(v)
	if err == nil {
		err = w.platform.Passkeys.Add(v.ctx, made)
	}
	r := &reply{redirect: adminRoot + "/profile", say: "passkey"}
	switch {
	case errors.Is(err, tenancy.ErrCredentials):
		v.form.wrong("passkey", tell(v.ctx, "passkey.failed"))
		r, err = w.profileReply(v, http.StatusUnprocessableEntity)
	case err != nil:
		r, err = w.personAgain(v, err)
	}
	if r != nil {
		r.asked = new(string)
	}
	return r, err
}

// madePasskey checks what a device made, or returns ErrCredentials.
func (w *admin) madePasskey(v *visit) (*tenancy.Passkey, error) {
	asked, err := w.asked(v, askedNew)
	if err != nil {
		return nil, err
	}
	answer, err := protocol.ParseCredentialCreationResponseBytes([]byte(v.form.get("credential")))
	if err != nil {
		return nil, tenancy.ErrCredentials
	}
	party, err := w.party(v)
	if err != nil {
		return nil, err
	}
	credential, err := party.CreateCredential(passkeyUser{v.user, nil}, *asked, answer)
	if err != nil {
		return nil, tenancy.ErrCredentials
	}
	credential.Attestation = webauthn.CredentialAttestation{} // none was asked for
	data, err := json.Marshal(keptPasskey{party.Config.RPID, *credential})
	return &tenancy.Passkey{
		ID: credential.ID, Name: v.form.get("passkey_name"), SignCount: credential.Authenticator.SignCount, Data: data,
	}, err
}

// renamePasskey and removePasskey change one of whoever is signed in. One that is
// gone already is what a removal wanted.
func (w *admin) renamePasskey(v *visit) (*reply, error) {
	key, name := v.form.get("passkey"), v.form.get("passkey_name")
	v.form.values.Del("passkey_name") // of the new one, on the page
	if err := w.platform.Passkeys.Rename(v.ctx, key, name); err != nil && !errors.Is(err, tenancy.ErrNoPasskey) {
		if v.form.refuse(v.ctx, err) {
			v.form.rename("passkey_name", "passkey-"+key)
			v.form.set("passkey-"+key, name)
		}
		return w.personAgain(v, err)
	}
	return &reply{redirect: adminRoot + "/profile", say: "saved"}, nil
}

// passkeyTyped is the name of a passkey, or what was typed for it and won't do.
func passkeyTyped(f *form, k passkeyEntry) string {
	return ui.FirstText(f.get("passkey-"+k.Key()), k.Name)
}

// removePasskey removes a passkey when whoever is signed in shows that they are there.
func (w *admin) removePasskey(v *visit) (*reply, error) {
	page := func(status int) (*reply, error) { return w.removePasskeyReply(v, status) }
	if v.form.get("sure") == "" {
		return page(0)
	}
	again, err := w.present(v, "confirm", page, func(p tenancy.Presence) error {
		return w.platform.Passkeys.Remove(v.ctx, v.form.get("passkey"), p)
	})
	switch {
	case again != nil:
		return again, err
	case err == nil, errors.Is(err, tenancy.ErrNoPasskey):
		return &reply{redirect: adminRoot + "/profile", say: "passkey.gone"}, nil
	case v.form.refuse(v.ctx, err):
		return page(http.StatusUnprocessableEntity)
	}
	return nil, err
}

// removePasskeyReply asks who somebody is before their passkey goes.
func (w *admin) removePasskeyReply(v *visit, status int) (*reply, error) {
	all, _, err := w.passkeysOf(v)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(k passkeyEntry) bool { return k.Key() == v.form.get("passkey") })
	if i < 0 {
		return &reply{redirect: adminRoot + "/profile", say: "passkey.gone"}, nil
	}
	c, err := w.confirmingOf(v)
	return &reply{status: status, title: tell(v.ctx, "passkeys"), section: "profile", scripts: []string{"passkeys.js"},
		body: removePasskeyPage(c, v.form, all[i])}, err
}
