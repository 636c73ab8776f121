package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// changeUser stores what was changed of a person, or does something else with
// them.
func (w *admin) changeUser(v *visit) (*reply, error) {
	u, err := w.platform.Users.Get(v.ctx, v.id)
	if err != nil {
		return nil, err
	}
	v.form.kind = "user"
	switch v.form.get("do") {
	case "save":
		return w.saveUser(v, u)
	case "delete":
		return w.deleteUser(v, u)
	case "voucher":
		return w.giveVoucher(v, u)
	case "end":
		if err := w.platform.Sessions.EndAll(v.ctx, u.ID); err != nil {
			return nil, err
		}
		return &reply{redirect: userAddress(u.ID), say: "ended"}, nil
	}
	return w.userReply(v, &userEditor{form: v.form, user: u}, 0)
}

// saveUser stores the form. When somebody else changed the person meanwhile,
// the form says so and can be sent once more.
func (w *admin) saveUser(v *visit, u *tenancy.User) (*reply, error) {
	ed := &userEditor{form: v.form, user: u}
	fields, err := readUser(ed.form, args.Updating)
	if err == nil {
		seen, _ := strconv.ParseInt(ed.form.get("seen"), 10, 64)
		_, err = w.platform.Users.Update(v.ctx, u.ID, fields, still(seen))
	}
	switch {
	case errors.Is(err, calendar.ErrPrecondition) && sameUser(ed.form, u): // sent twice, or both wrote the same
		return &reply{redirect: userAddress(u.ID), say: "saved"}, nil
	case errors.Is(err, calendar.ErrPrecondition):
		ed.stale = true
		ed.form.set("seen", idText(u.Mark()))
		return w.userReply(v, ed, http.StatusConflict)
	case errors.Is(err, tenancy.ErrLastAdministrator):
		ed.form.wrong("role", tell(v.ctx, "user.last"))
		return w.userReply(v, ed, http.StatusUnprocessableEntity)
	case err != nil:
		return w.userAgain(v, ed, fields, err)
	}
	return &reply{redirect: userAddress(u.ID), say: "saved"}, nil
}

// sameUser reports whether a form says what is stored of a person.
func sameUser(f *form, u *tenancy.User) bool {
	now := userForm(u)
	for _, name := range userFields {
		if strings.TrimSpace(f.get(name)) != now.get(name) {
			return false
		}
	}
	return true
}

// deleteUser removes a person when that was asked twice.
func (w *admin) deleteUser(v *visit, u *tenancy.User) (*reply, error) {
	if v.form.get("sure") == "" {
		return &reply{title: tell(v.ctx, "delete.title"), section: "users", body: confirmPage(confirmation{action: v.path,
			back: userAddress(u.ID), names: []pair{{idText(u.ID), u.Name}}, text: "user.delete"})}, nil
	}
	_, err := w.platform.Users.Delete(v.ctx, u.ID)
	switch {
	case errors.Is(err, tenancy.ErrLastAdministrator):
		ed := &userEditor{form: userForm(u), user: u}
		ed.form.wrong("role", tell(v.ctx, "user.last"))
		return w.userReply(v, ed, http.StatusUnprocessableEntity)
	case err != nil:
		return nil, err
	}
	return &reply{redirect: adminRoot + "/users", say: "delete", count: 1}, nil
}

// giveVoucher sends a person the way to a new password, or shows it to whoever
// asked, this once.
func (w *admin) giveVoucher(v *visit, u *tenancy.User) (*reply, error) {
	given, token, u, err := w.platform.Vouchers.Give(v.ctx, u.ID)
	if err != nil {
		return nil, err
	}
	link := w.voucherLink(v, token)
	if w.post != nil {
		if err = w.mailVoucher(v.ctx, given.Kind, u, link); err == nil {
			return &reply{redirect: userAddress(u.ID), say: "mailed"}, nil
		}
		w.logger.WarnContext(v.ctx, "send mail", "error", err)
	}
	return w.userReply(v, &userEditor{form: userForm(u), user: u, link: link, unsent: err != nil}, 0)
}

// roleChoices are the roles by their names.
func roleChoices(ctx context.Context) []pair {
	roles := tenancy.Roles()
	list := make([]pair, 0, len(roles))
	for _, role := range roles {
		list = append(list, pair{string(role), tell(ctx, "role."+string(role))})
	}
	return list
}

// userAction is where the form of a person is sent.
func userAction(ed *userEditor) string {
	if ed.user == nil {
		return adminRoot + "/users/new"
	}
	return userAddress(ed.user.ID)
}
