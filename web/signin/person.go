package signin

import (
	"context"
	"net/http"
	"reflect"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

var personTable = args.TableOf(reflect.TypeFor[accounts.PersonFields]())

// changePerson stores a user's preferences. The browser also stores the language and theme, for the pages before
// signing in.
func (w *Pages) changePerson(v *frame.Visit) (*frame.Reply, error) {
	values := args.Values{}
	for i := range personTable.Fields {
		v.Form.Read(&personTable.Fields[i], values)
	}
	fields, err := frame.Checked(personTable, values, args.Updating, w.platform.Users.CheckPerson)
	if err != nil && !v.Form.Refuse(v.Ctx, err) {
		return nil, err
	}
	var user *tenancy.User
	asked := v.Form.Get("present")+v.Form.Get("credential") != "" || v.Form.Text("email") != v.User.Email
	again, err := w.present(v, "present", func(status int) (*frame.Reply, error) { return w.profileReply(v, status) },
		func(p accounts.Presence) (err error) {
			switch {
			case len(v.Form.Problems) == 0:
				user, err = w.platform.Users.Personalize(v.Ctx, fields, p)
			case asked: // also reports a wrong password, together with the other problems
				err = w.platform.Users.Confirm(v.Ctx, p)
			}
			return err
		})
	if again != nil {
		return again, err
	}
	if err != nil || user == nil {
		return w.personAgain(v, err)
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/profile", Say: "saved", Language: user.Language, Theme: &user.Theme}, nil
}

func (w *Pages) personAgain(v *frame.Visit, err error) (*frame.Reply, error) {
	if err != nil && !v.Form.Refuse(v.Ctx, err) {
		return nil, err
	}
	return w.profileReply(v, http.StatusUnprocessableEntity)
}

// toldChoices returns the choices for how often people are e-mailed about items that they have to deal with.
func toldChoices(ctx context.Context) []frame.Pair {
	var list []frame.Pair
	for _, told := range []tenancy.Told{tenancy.TellAtOnce, tenancy.TellDaily, tenancy.TellNever} {
		list = append(list, frame.Pair{Name: string(told), Value: frame.Tell(ctx, "told."+string(told))})
	}
	return list
}

// themeChoices returns the themes other than the system's.
func themeChoices(ctx context.Context) []frame.Pair {
	return []frame.Pair{{Name: string(tenancy.LightTheme), Value: frame.Tell(ctx, "theme.light")},
		{Name: string(tenancy.DarkTheme), Value: frame.Tell(ctx, "theme.dark")}}
}
