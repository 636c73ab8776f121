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
	fields, err := checked(personTable, values, args.Updating, w.platform.Users.CheckPerson)
	if err != nil && !v.form.refuse(v.ctx, err) {
		return nil, err
	}
	who := presentTries(v)
	if wait, err := w.platform.Attempts.Take(v.ctx, who); err != nil {
		return nil, err
	} else if wait > 0 {
		return throttled(v, "present", wait, func(status int) (*reply, error) { return w.profileReply(v, status) })
	}
	var user *tenancy.User
	switch asked := v.form.get("present") != "" || v.form.canonical("email") != v.user.Email; {
	case len(v.form.problems) == 0:
		user, err = w.platform.Users.Personalize(v.ctx, fields, v.form.get("present"))
	case asked: // so that a wrong password is told with the rest
		err = w.platform.Users.Confirm(v.ctx, v.form.get("present"))
	default:
		err = nil
	}
	if errors.Is(err, tenancy.ErrCredentials) {
		v.form.wrong("present", tell(v.ctx, "password.wrong"))
		return w.profileReply(v, http.StatusUnprocessableEntity)
	}
	w.platform.Attempts.Back(v.ctx, who)
	if err != nil || user == nil {
		return w.personAgain(v, err)
	}
	return &reply{redirect: adminRoot + "/profile", say: "saved", language: user.Language, theme: &user.Theme}, nil
}

func (w *admin) personAgain(v *visit, err error) (*reply, error) {
	if err != nil && !v.form.refuse(v.ctx, err) {
		return nil, err
	}
	return w.profileReply(v, http.StatusUnprocessableEntity)
}

// themeChoices are the themes that aren't the system's.
func themeChoices(ctx context.Context) []pair {
	return []pair{{string(tenancy.LightTheme), tell(ctx, "theme.light")}, {string(tenancy.DarkTheme), tell(ctx, "theme.dark")}}
}
