package web

import (
	"context"
	"errors"
	"net/http"
	"reflect"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

var personTable = args.TableOf(reflect.TypeFor[tenancy.PersonFields]())

// changePerson stores what people choose for themselves. The browser keeps
// language and theme too, for the pages before the sign-in.
func (w *admin) changePerson(v *visit) (*reply, error) {
	values := args.Values{}
	for i := range personTable.Fields {
		v.form.read(&personTable.Fields[i], values)
	}
	fields, err := parsed[tenancy.PersonFields](personTable, values, args.Updating)
	if err != nil {
		return w.personAgain(v, err)
	}
	who := "password " + v.client + "\n" + v.user.Login
	if wait := w.attempts.take(who); wait > 0 {
		v.form.wrong("present", tell(v.ctx, "login.throttled"))
		r, err := w.profileReply(v, http.StatusTooManyRequests)
		if r != nil {
			r.retry = seconds(wait)
		}
		return r, err
	}
	user, err := w.platform.Users.Personalize(v.ctx, fields, v.form.get("present"))
	if errors.Is(err, tenancy.ErrCredentials) {
		v.form.wrong("present", tell(v.ctx, "password.wrong"))
		return w.profileReply(v, http.StatusUnprocessableEntity)
	}
	w.attempts.back(who)
	if err != nil {
		return w.personAgain(v, err)
	}
	return &reply{redirect: adminRoot + "/profile", say: "saved", language: user.Language, theme: &user.Theme}, nil
}

func (w *admin) personAgain(v *visit, err error) (*reply, error) {
	if !v.form.refuse(v.ctx, err) {
		return nil, err
	}
	return w.profileReply(v, http.StatusUnprocessableEntity)
}

// themeChoices are the themes that aren't the system's.
func themeChoices(ctx context.Context) []pair {
	return []pair{{string(tenancy.LightTheme), tell(ctx, "theme.light")}, {string(tenancy.DarkTheme), tell(ctx, "theme.dark")}}
}
