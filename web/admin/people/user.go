package people

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// changeUser performs the action of the pressed button: it saves or deletes a user, sends a link for a new
// password, or ends the sessions.
func (w *Pages) changeUser(v *frame.Visit) (*frame.Reply, error) {
	u, err := w.platform.Users.Get(v.Ctx, v.ID)
	if err != nil {
		return nil, err
	}
	v.Form.Kind = "user"
	if own(v.Ctx, u) {
		v.Form.Set("email", u.Email)
		if v.Form.Get("do") == "voucher" {
			return &frame.Reply{Redirect: profilePath}, nil
		}
	}
	switch v.Form.Get("do") {
	case "save":
		return w.saveUser(v, u)
	case "delete":
		return w.deleteUser(v, u)
	case "voucher":
		return w.askVoucher(v, u)
	case "end":
		if err := w.platform.Sessions.EndAll(v.Ctx, u.ID); err != nil {
			return nil, err
		}
		return &frame.Reply{Redirect: address(u.ID), Say: "ended"}, nil
	}
	if !v.Form.Has("handle") { // the form has no fields to type into
		return &frame.Reply{Redirect: address(u.ID)}, nil
	}
	return w.userReply(v, &userEditor{form: v.Form, user: u}, 0)
}

// profilePath is the page on which users change how they sign in and prove who they are.
const profilePath = frame.AdminRoot + "/profile"

// own reports whether u is the current user. Users change their own e-mail address and password, and end their other sessions,
// in the profile.
func own(ctx context.Context, u *tenancy.User) bool {
	return u != nil && u.ID == tenancy.Current(ctx).Principal.UserID
}

// opensWay reports whether a form grants access: it changes another user's role, area, or the e-mail address that
// links for a new password go to.
func opensWay(v *frame.Visit, u *tenancy.User) bool {
	return !own(v.Ctx, u) && (v.Form.Text("email") != u.Email || v.Form.Text("role") != string(u.Role) || !sameArea(v.Form, u.Area))
}

// saveUser stores the form. If someone else has changed the user meanwhile, the form says so and can be sent again.
func (w *Pages) saveUser(v *frame.Visit, u *tenancy.User) (*frame.Reply, error) {
	ed := &userEditor{form: v.Form, user: u}
	fields, err := readUser(ed.form, args.Updating)
	if opensWay(v, u) {
		if again, err := w.presentFor(v, "yours", ed, fields, err); again != nil || err != nil {
			return again, err
		}
	} else if !own(v.Ctx, u) {
		// The form does not change these fields. They keep their stored values, even if someone has changed them in
		// the meantime.
		fields.Email, fields.Role = args.Opt[args.Email]{}, args.Opt[string]{}
		fields.Categories, fields.Venues, fields.Organizers = args.Opt[args.IDs]{}, args.Opt[args.IDs]{}, args.Opt[args.IDs]{}
	}
	if err == nil {
		seen, _ := strconv.ParseInt(ed.form.Get("seen"), 10, 64)
		_, err = w.platform.Users.Update(v.Ctx, u.ID, fields, frame.Still(seen))
	}
	switch {
	case errors.Is(err, calendar.ErrPrecondition) && sameUser(ed.form, u): // the form was sent twice, or someone else made the same change
		return &frame.Reply{Redirect: address(u.ID), Say: "saved"}, nil
	case errors.Is(err, calendar.ErrPrecondition):
		ed.stale = true
		ed.form.Set("seen", frame.IDText(u.Mark()))
		return w.userReply(v, ed, http.StatusConflict)
	case errors.Is(err, accounts.ErrLastAdministrator):
		ed.form.Wrong("role", frame.Tell(v.Ctx, "user.last"))
		return w.userReply(v, ed, http.StatusUnprocessableEntity)
	case err != nil:
		return w.userAgain(v, ed, fields, err)
	}
	return &frame.Reply{Redirect: address(u.ID), Say: "saved"}, nil
}

// sameUser reports whether a form matches the stored user.
func sameUser(f *frame.Form, u *tenancy.User) bool {
	now := userForm(u)
	for _, name := range userFields {
		if strings.TrimSpace(f.Get(name)) != now.Get(name) {
			return false
		}
	}
	return sameArea(f, u.Area)
}

// deleteUser asks for confirmation, then deletes a user.
func (w *Pages) deleteUser(v *frame.Visit, u *tenancy.User) (*frame.Reply, error) {
	if v.Form.Get("sure") == "" {
		return &frame.Reply{Title: frame.Tell(v.Ctx, "delete.title"), Section: "users", Body: frame.ConfirmPage(frame.Confirmation{
			Action: v.Path, Back: address(u.ID), Names: []frame.Pair{{Name: frame.IDText(u.ID), Value: u.Name}}, Text: "user.delete"})}, nil
	}
	_, err := w.platform.Users.Delete(v.Ctx, u.ID)
	switch {
	case errors.Is(err, accounts.ErrLastAdministrator):
		ed := &userEditor{form: userForm(u), user: u}
		ed.form.Wrong("role", frame.Tell(v.Ctx, "user.last"))
		return w.userReply(v, ed, http.StatusUnprocessableEntity)
	case err != nil:
		return nil, err
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/users", Say: "delete", Count: 1}, nil
}

// roleChoices are the roles by their names.
func roleChoices(ctx context.Context) []frame.Pair {
	roles := tenancy.Roles()
	list := make([]frame.Pair, 0, len(roles))
	for _, role := range roles {
		list = append(list, frame.Pair{Name: string(role), Value: frame.Tell(ctx, "role."+string(role))})
	}
	return list
}

// userAction is the address to which the form of a user is sent.
func userAction(ed *userEditor) string {
	if ed.user == nil {
		return frame.AdminRoot + "/users/new"
	}
	return address(ed.user.ID)
}
