package web

import (
	"context"
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
	var user *tenancy.User
	asked := v.form.get("present")+v.form.get("credential") != "" || v.form.canonical("email") != v.user.Email
	again, err := w.present(v, "present", func(status int) (*reply, error) { return w.profileReply(v, status) },
		func(p tenancy.Presence) (err error) {
			switch {
			case len(v.form.problems) == 0:
				user, err = w.platform.Users.Personalize(v.ctx, fields, p)
			case asked: // so that a wrong password is told with the rest
				err = w.platform.Users.Confirm(v.ctx, p)
			}
			return err
		})
	if again != nil {
		return again, err
	}
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
