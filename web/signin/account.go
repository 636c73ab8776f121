package signin

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// profile is the page on which users change their own account.
type profile struct {
	form     *frame.Form
	user     *tenancy.User
	sessions []*accounts.Session
	current  *accounts.Session
	passkeys []passkeyEntry
	ways     ways
	confirm  Means
	second   *accounts.SecondFactor // nil: none
	told     bool                   // the page has the choice of how often the user is notified
	area     []frame.Pair           // fields of the user's area with the names of what is in it
}

// label returns the label of a field on the page.
func (p profile) label(ctx context.Context, name string) string {
	if strings.HasPrefix(name, "passkey-") {
		return p.form.Label(ctx, "passkey_name")
	}
	return p.form.Label(ctx, name)
}

func (w *Pages) profile(v *frame.Visit) (*frame.Reply, error) {
	v.Form.Kind = "user"
	return w.profileReply(v, 0)
}

func (w *Pages) profileReply(v *frame.Visit, status int) (*frame.Reply, error) {
	sessions, err := w.platform.Sessions.List(v.Ctx)
	if err != nil {
		return nil, err
	}
	passkeys, _, err := w.passkeysOf(v)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"passkey_name": frame.BrowserName(v.Ctx, v.Agent), "name": v.User.Name, "email": v.User.Email,
		"language": v.User.Language, "theme": string(v.User.Theme), "told": string(v.User.Told),
	} {
		if !v.Form.Has(name) {
			v.Form.Set(name, value)
		}
	}
	keys, err := w.platform.Keys.List(v.Ctx, v.User.ID)
	if err != nil {
		return nil, err
	}
	own := accounts.Ways{Keys: keys}
	for _, k := range passkeys {
		own.Passkeys = append(own.Passkeys, k.Passkey)
	}
	second, err := w.platform.SecondFactors.Of(v.Ctx)
	if err != nil && !errors.Is(err, accounts.ErrNoSecondFactor) {
		return nil, err
	}
	area, err := w.areaOf(v)
	if err != nil {
		return nil, err
	}
	confirm, err := w.Confirming(v)
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "nav.profile"), Section: "profile",
		Body: profilePage(profile{v.Form, v.User, sessions, v.Session, passkeys, waysOf(own), confirm, second,
			w.waiting.Writes() && attention.Concerns(v.Scope().Principal), area})}, err
}

// areaOf returns the fields of the user's area with the names of what an administrator has chosen.
func (w *Pages) areaOf(v *frame.Visit) ([]frame.Pair, error) {
	area := v.Scope().Principal.Area
	if area.Whole() {
		return nil, nil
	}
	found, err := offers.Of(v.Ctx, w.calendar,
		calendar.OfferQuery{Venues: offers.Longest, Organizers: offers.Longest, Categories: offers.MostTerms, Writing: true})
	if err != nil {
		return nil, err
	}
	categories := []string{}
	for _, c := range found.Categories {
		if slices.Contains(area.Categories, c.ID) {
			categories = append(categories, offers.Label(v.Ctx, c.Names()))
		}
	}
	named := func(limits []int64, list []calendar.Named) (names []string) {
		for _, one := range offers.Named(v.Ctx, list) {
			if slices.Contains(limits, frame.IDIn(one.Name)) {
				names = append(names, one.Value)
			}
		}
		return names
	}
	list := []frame.Pair{
		{Name: "categories", Value: strings.Join(categories, " · ")},
		{Name: "venues", Value: strings.Join(named(area.Venues, found.Venues), " · ")},
		{Name: "organizers", Value: strings.Join(named(area.Organizers, found.Organizers), " · ")},
	}
	return slices.DeleteFunc(list, func(p frame.Pair) bool { return p.Value == "" }), nil
}

// changeProfile processes one of the forms on the profile page.
func (w *Pages) changeProfile(v *frame.Visit) (*frame.Reply, error) {
	v.Form.Kind = "user"
	switch v.Form.Get("do") {
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
	case "codes.begin", "codes.confirm", "codes.renew", "codes.off":
		return w.changeCodes(v)
	case "end":
		return w.endSession(v)
	case "others":
		if err := w.platform.Sessions.EndOthers(v.Ctx, v.Session); err != nil {
			return nil, err
		}
		return &frame.Reply{Redirect: frame.AdminRoot + "/profile", Say: "session"}, nil
	}
	return w.profileReply(v, 0)
}

// ways holds the names of other credentials that remain valid after a password change.
type ways struct{ keys, passkeys []string }

func waysOf(open accounts.Ways) (w ways) {
	for _, k := range open.Keys {
		w.keys = append(w.keys, k.Name)
	}
	for _, k := range open.Passkeys {
		w.passkeys = append(w.passkeys, k.Name)
	}
	return w
}

// cutOf returns which credentials a form revokes along with the password.
func cutOf(f *frame.Form) accounts.Cut {
	return accounts.Cut{Keys: f.Ticked("cut_keys"), Passkeys: f.Ticked("cut_passkeys")}
}

// changePassword sets a new password for the user. All sessions end; this browser gets a new one.
func (w *Pages) changePassword(v *frame.Visit) (*frame.Reply, error) {
	if v.Form.Get("password") != v.Form.Get("again") {
		v.Form.Wrong("again", frame.Tell(v.Ctx, "password.again"))
	}
	v.Form.Refuse(v.Ctx, accounts.CheckNewPassword(v.Form.Get("password"), v.User))
	var user *tenancy.User
	again, err := w.present(v, "old", func(status int) (*frame.Reply, error) { return w.profileReply(v, status) },
		func(p accounts.Presence) (err error) {
			if len(v.Form.Problems) > 0 { // also reports a wrong old password, together with the other problems
				return w.platform.Users.Confirm(v.Ctx, p)
			}
			user, err = w.platform.Users.ChangePassword(v.Ctx, p, v.Form.Get("password"), cutOf(v.Form))
			return err
		})
	if again != nil {
		return again, err
	}
	if err != nil || user == nil {
		return w.personAgain(v, err)
	}
	session, token, err := w.platform.Sessions.Start(
		v.Ctx,
		user,
		accounts.Entry{Agent: v.Agent, Address: v.Scope().Address, By: accounts.ByRenewal},
	)
	if err != nil {
		return nil, err
	}
	if err := w.platform.Sessions.EndOthers(v.Ctx, session); err != nil {
		return nil, err
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/profile", Say: "password", Token: &token,
		Device: w.platform.Authenticator.Device(v.Ctx, user)}, nil
}

func (w *Pages) endSession(v *frame.Visit) (*frame.Reply, error) {
	id := v.Form.Get("session")
	if err := w.platform.Sessions.End(v.Ctx, id); err != nil && !errors.Is(err, accounts.ErrNoKey) {
		return nil, err
	}
	if id == v.Session.ID() {
		return &frame.Reply{Redirect: frame.AdminRoot + "/login", Token: new(string), Say: "logout"}, nil
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/profile", Say: "session"}, nil
}

// access is the page of a user's keys for programs.
type access struct {
	form    *frame.Form
	user    *tenancy.User
	keys    []*accounts.Credential
	made    *accounts.Credential // just created
	secret  string               // of made
	confirm Means

	categories Categories
}

var keyTable = args.TableOf(reflect.TypeFor[accounts.KeyFields]())

func (w *Pages) access(v *frame.Visit) (*frame.Reply, error) {
	v.Form.Set("once", frame.NewToken())
	return w.accessReply(v, nil, "", 0)
}

func (w *Pages) accessReply(v *frame.Visit, made *accounts.Credential, secret string, status int) (*frame.Reply, error) {
	v.Form.Kind = "key"
	keys, err := w.platform.Keys.List(v.Ctx, v.User.ID)
	if err != nil {
		return nil, err
	}
	categories, err := w.Categories(v.Ctx)
	if err != nil {
		return nil, err
	}
	confirm, err := w.Confirming(v)
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "nav.access"), Section: "access",
		Body: accessPage(access{v.Form, v.User, keys, made, secret, confirm, categories})}, err
}

// changeAccess creates a key, whose secret is shown only once, or revokes one.
func (w *Pages) changeAccess(v *frame.Visit) (*frame.Reply, error) {
	switch v.Form.Get("do") {
	case "revoke":
		id, _ := strconv.ParseInt(v.Form.Get("id"), 10, 64)
		if err := w.platform.Keys.Revoke(v.Ctx, v.User.ID, id); err != nil && !errors.Is(err, accounts.ErrNoKey) {
			return nil, err
		}
		return &frame.Reply{Redirect: frame.AdminRoot + "/access", Say: "revoked"}, nil
	case "save":
	default:
		return w.accessReply(v, nil, "", 0)
	}
	values := args.Values{}
	for i := range keyTable.Fields {
		switch field := &keyTable.Fields[i]; field.Name {
		case "scopes", "categories":
			v.Form.ReadAll(field.Name, values)
		default:
			v.Form.Read(field, values)
		}
	}
	fields, err := frame.Parsed[accounts.KeyFields](keyTable, values, args.Creating)
	if err != nil {
		if !v.Form.Refuse(v.Ctx, err) {
			return nil, err
		}
		return w.accessReply(v, nil, "", http.StatusUnprocessableEntity)
	}
	again, err := w.Present(v, "present", func(status int) (*frame.Reply, error) { return w.accessReply(v, nil, "", status) })
	if again != nil || err != nil {
		return again, err
	}
	var made *accounts.Credential
	var secret string
	_, err = w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), "key", func(ctx context.Context) (id int64, err error) {
		if made, secret, err = w.platform.Keys.Create(ctx, v.User.ID, fields); err != nil {
			return 0, err
		}
		return made.ID, nil
	})
	if v.Form.Refuse(v.Ctx, err) {
		return w.accessReply(v, nil, "", http.StatusUnprocessableEntity)
	}
	if err != nil {
		return nil, err
	}
	if made == nil { // the form was sent before; the secret was shown then, or is lost
		return &frame.Reply{Redirect: frame.AdminRoot + "/access", Say: "key.made"}, nil
	}
	v.Form.Values = map[string][]string{"once": {frame.NewToken()}}
	return w.accessReply(v, made, secret, 0)
}

// tryLine returns a command that uses a new key.
func tryLine(ctx context.Context, a access) string {
	address := tenancy.Current(ctx).Base.API() + "/events"
	if a.made.Kind == tenancy.APIKey {
		return frame.KeyLine(ctx, a.secret)
	}
	return "curl -u '" + a.user.Login + ":" + a.secret + "' " + address
}
