package web

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strconv"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// profile is what a person can change of their own.
type profile struct {
	form     *form
	user     *tenancy.User
	sessions []*tenancy.Session
	current  *tenancy.Session
	passkeys []passkeyEntry
	ways     ways
	confirm  confirming
}

func (w *admin) profile(v *visit) (*reply, error) {
	v.form.kind = "user"
	return w.profileReply(v, 0)
}

func (w *admin) profileReply(v *visit, status int) (*reply, error) {
	sessions, err := w.platform.Sessions.List(v.ctx)
	if err != nil {
		return nil, err
	}
	passkeys, _, err := w.passkeysOf(v)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"passkey_name": browserName(v.ctx, v.agent), "name": v.user.Name, "email": v.user.Email,
		"language": v.user.Language, "theme": string(v.user.Theme),
	} {
		if !v.form.has(name) {
			v.form.set(name, value)
		}
	}
	keys, err := w.platform.Keys.List(v.ctx, v.user.ID)
	if err != nil {
		return nil, err
	}
	own := tenancy.Ways{Keys: keys}
	for _, k := range passkeys {
		own.Passkeys = append(own.Passkeys, k.Passkey)
	}
	confirm, err := w.confirmingOf(v)
	return &reply{status: status, title: tell(v.ctx, "nav.profile"), section: "profile", scripts: []string{"passkeys.js"},
		body: profilePage(profile{v.form, v.user, sessions, v.session, passkeys, waysOf(own), confirm})}, err
}

// changeProfile changes what people have of their own: the part their form is of.
func (w *admin) changeProfile(v *visit) (*reply, error) {
	v.form.kind = "user"
	switch v.form.get("do") {
	case "password":
		return w.changePassword(v)
	case "person":
		return w.changePerson(v)
	case "passkey":
		return w.addPasskey(v)
	case "passkey.rename":
		return w.renamePasskey(v)
	case "passkey.remove":
		return w.removePasskey(v)
	case "end":
		return w.endSession(v)
	case "others":
		if err := w.platform.Sessions.EndOthers(v.ctx, v.session); err != nil {
			return nil, err
		}
		return &reply{redirect: adminRoot + "/profile", say: "session"}, nil
	}
	return w.profileReply(v, 0)
}

// ways are the names of the ways in that a new password leaves open.
type ways struct{ keys, passkeys []string }

func waysOf(open tenancy.Ways) (w ways) {
	for _, k := range open.Keys {
		w.keys = append(w.keys, k.Name)
	}
	for _, k := range open.Passkeys {
		w.passkeys = append(w.passkeys, k.Name)
	}
	return w
}

// cut is what a form wants to take away with a new password.
func (f *form) cut() tenancy.Cut {
	return tenancy.Cut{Keys: f.ticked("cut_keys"), Passkeys: f.ticked("cut_passkeys")}
}

// changePassword gives whoever asks a new password. Every session ends with the
// old one; this browser gets a new one.
func (w *admin) changePassword(v *visit) (*reply, error) {
	if v.form.get("password") != v.form.get("again") {
		v.form.wrong("again", tell(v.ctx, "password.again"))
	}
	v.form.refuse(v.ctx, tenancy.CheckNewPassword(v.form.get("password")))
	var user *tenancy.User
	again, err := w.present(v, "old", func(status int) (*reply, error) { return w.profileReply(v, status) },
		func(p tenancy.Presence) (err error) {
			if len(v.form.problems) > 0 { // so that a wrong old one is told with the rest
				return w.platform.Users.Confirm(v.ctx, p)
			}
			user, err = w.platform.Users.ChangePassword(v.ctx, p, v.form.get("password"), v.form.cut())
			return err
		})
	if again != nil {
		return again, err
	}
	if err != nil || user == nil {
		return w.personAgain(v, err)
	}
	session, token, err := w.platform.Sessions.Start(v.ctx, user, v.agent, v.scope().Address)
	if err != nil {
		return nil, err
	}
	if err := w.platform.Sessions.EndOthers(v.ctx, session); err != nil {
		return nil, err
	}
	return &reply{redirect: adminRoot + "/profile", say: "password", token: &token}, nil
}

func (w *admin) endSession(v *visit) (*reply, error) {
	id := v.form.get("session")
	if err := w.platform.Sessions.End(v.ctx, id); err != nil && !errors.Is(err, tenancy.ErrNoKey) {
		return nil, err
	}
	if id == v.session.ID() {
		return &reply{redirect: adminRoot + "/login", token: new(string), say: "logout"}, nil
	}
	return &reply{redirect: adminRoot + "/profile", say: "session"}, nil
}

// access is what programs use to act as a person.
type access struct {
	form    *form
	user    *tenancy.User
	keys    []*tenancy.Credential
	made    *tenancy.Credential // a moment ago
	secret  string              // of made
	confirm confirming
}

var keyTable = args.TableOf(reflect.TypeFor[tenancy.KeyFields]())

func (w *admin) access(v *visit) (*reply, error) {
	v.form.set("once", newFormToken())
	return w.accessReply(v, nil, "", 0)
}

func (w *admin) accessReply(v *visit, made *tenancy.Credential, secret string, status int) (*reply, error) {
	v.form.kind = "key"
	keys, err := w.platform.Keys.List(v.ctx, v.user.ID)
	if err != nil {
		return nil, err
	}
	confirm, err := w.confirmingOf(v)
	return &reply{status: status, title: tell(v.ctx, "nav.access"), section: "access",
		body: accessPage(access{v.form, v.user, keys, made, secret, confirm}), scripts: []string{"copy.js", "passkeys.js"}}, err
}

// changeAccess makes a key, whose secret is shown this once, or revokes one.
func (w *admin) changeAccess(v *visit) (*reply, error) {
	switch v.form.get("do") {
	case "revoke":
		id, _ := strconv.ParseInt(v.form.get("id"), 10, 64)
		if err := w.platform.Keys.Revoke(v.ctx, v.user.ID, id); err != nil && !errors.Is(err, tenancy.ErrNoKey) {
			return nil, err
		}
		return &reply{redirect: adminRoot + "/access", say: "revoked"}, nil
	case "save":
	default:
		return w.accessReply(v, nil, "", 0)
	}
	values := args.Values{}
	for i := range keyTable.Fields {
		v.form.read(&keyTable.Fields[i], values)
	}
	fields, err := parsed[tenancy.KeyFields](keyTable, values, args.Creating)
	if err != nil {
		if !v.form.refuse(v.ctx, err) {
			return nil, err
		}
		return w.accessReply(v, nil, "", http.StatusUnprocessableEntity)
	}
	again, err := w.present(v, "present", func(status int) (*reply, error) { return w.accessReply(v, nil, "", status) },
		func(p tenancy.Presence) error {
			return w.platform.Users.Confirm(v.ctx, p)
		})
	if again != nil || err != nil {
		return again, err
	}
	var made *tenancy.Credential
	var secret string
	_, err = w.platform.Forms.Once(v.ctx, v.form.get("once"), "key", func(ctx context.Context) (id int64, err error) {
		if made, secret, err = w.platform.Keys.Create(ctx, v.user.ID, fields); err != nil {
			return 0, err
		}
		return made.ID, nil
	})
	if err != nil {
		return nil, err
	}
	if made == nil { // made before: its secret was shown then, or never will be
		return &reply{redirect: adminRoot + "/access", say: "key.made"}, nil
	}
	v.form.values = map[string][]string{"once": {newFormToken()}}
	return w.accessReply(v, made, secret, 0)
}
