package people

import (
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// askVoucher sends a user a link for a new password. First the current user must prove their identity, because they
// could use the link themselves.
func (w *Pages) askVoucher(v *frame.Visit, u *tenancy.User) (*frame.Reply, error) {
	again, err := w.signin.Present(v, "confirm", func(status int) (*frame.Reply, error) {
		ed := &userEditor{form: userForm(u), user: u}
		ed.form.Problems = v.Form.Problems
		return w.userReply(v, ed, status)
	})
	if again != nil || err != nil {
		return again, err
	}
	return w.giveVoucher(v, u)
}

// giveVoucher e-mails a link for a new password to a user. If that fails, it shows the link once to the current
// user, who can pass it on.
func (w *Pages) giveVoucher(v *frame.Visit, u *tenancy.User) (*frame.Reply, error) {
	given, err := w.letters.Give(v.Ctx, u.ID)
	switch {
	case err != nil:
		return nil, err
	case given.Mailed:
		return &frame.Reply{Redirect: address(u.ID), Say: "mailed"}, nil
	}
	return w.userReply(v, &userEditor{form: userForm(given.User), user: given.User, link: given.Link, unsent: given.Unsent}, 0)
}
