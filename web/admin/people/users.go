package people

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/signin"
)

// userList is a page of the people of the site.
type userList struct {
	form        *frame.Form
	items       []*tenancy.User
	page, total int
}

// userEditor is the form of one person.
type userEditor struct {
	form     *frame.Form
	user     *tenancy.User // nil: a new user
	sessions []*accounts.Session
	keys     int    // number of keys
	link     string // just created, for the administrator to pass on
	unsent   bool   // the link could not be e-mailed
	stale    bool
	area     []part
	confirm  signin.Means // means by which the administrator proves their identity
}

const usersPerPage = 50

var (
	userTable  = args.TableOf(reflect.TypeFor[accounts.UserFields]())
	userFields = []string{"handle", "name", "email", "role"}
	userOrder  = slices.Concat(userFields, areaFields, []string{"yours", "confirm"}) // of their problems
)

// address is the address of a user's page.
func address(id int64) string { return frame.Address("users", id) }

// routesOfUsers are the routes of the pages about the site's users.
func (w *Pages) routesOfUsers() []frame.Route {
	const manage = tenancy.ManageUsers
	return []frame.Route{
		frame.GetPage("/users", manage, w.listUsers),
		frame.GetPage("/users/new", manage, w.newUser),
		frame.FormPage("/users/new", manage, w.inviteUser),
		frame.GetPage("/users/#", manage, w.editUser),
		frame.FormPage("/users/#", manage, w.changeUser),
	}
}

func (w *Pages) listUsers(v *frame.Visit) (*frame.Reply, error) {
	l := &userList{form: &frame.Form{Kind: "user", Values: v.Query}, page: 1}
	if n, err := strconv.Atoi(v.Query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	f := &accounts.UserFilter{}
	f.Page, f.PerPage = args.Some(l.page), args.Some(usersPerPage)
	f.Search = args.Some(frame.Cut(l.form.Get("search"), 500))
	page, err := w.platform.Users.List(v.Ctx, f)
	if err != nil {
		return nil, err
	}
	if len(page.Items) == 0 && l.page > 1 {
		return &frame.Reply{Redirect: l.address(1)}, nil
	}
	l.items, l.total = page.Items, page.Total
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav.users"), Section: "users", Body: usersPage(l)}, nil
}

func (l *userList) pages() int { return (l.total + usersPerPage - 1) / usersPerPage }

// address is the address of a page of the list.
func (l *userList) address(page int) string {
	q := url.Values{}
	if text := l.form.Get("search"); text != "" {
		q.Set("search", text)
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return frame.AdminRoot + "/users"
	}
	return frame.AdminRoot + "/users?" + q.Encode()
}

func (w *Pages) newUser(v *frame.Visit) (*frame.Reply, error) {
	f := &frame.Form{Kind: "user", First: "handle", Values: url.Values{"once": {frame.NewToken()}, "role": {string(tenancy.Contributor)}}}
	return w.userReply(v, &userEditor{form: f}, 0)
}

// inviteUser creates a user and sends them a link for choosing a password. Before that, the current user must prove
// their identity.
func (w *Pages) inviteUser(v *frame.Visit) (*frame.Reply, error) {
	ed := &userEditor{form: v.Form}
	ed.form.Kind = "user"
	if ed.form.ShownAgain() {
		return w.userReply(v, ed, 0)
	}
	fields, err := readUser(ed.form, args.Creating)
	if again, err := w.presentFor(v, "confirm", ed, fields, err); again != nil || err != nil {
		return again, err
	}
	var made *tenancy.User
	id, err := w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), "user", func(ctx context.Context) (id int64, err error) {
		if made, err = w.platform.Users.Invite(ctx, fields); err != nil {
			return 0, err
		}
		return made.ID, nil
	})
	switch {
	case err != nil:
		return w.userAgain(v, ed, fields, err)
	case made == nil: // created earlier by the same form
		return w.invited(v, id)
	}
	v.ID = id
	r, err := w.giveVoucher(v, made)
	return frame.Invited(r, made), err
}

// invited responds to a form that has created a user before. If the user has no password yet, it creates another
// link, because the first response may have been lost.
func (w *Pages) invited(v *frame.Visit, id int64) (*frame.Reply, error) {
	u, err := w.platform.Users.Get(v.Ctx, id)
	if err != nil {
		return nil, err
	}
	if v.ID = id; u.PasswordHash == "" {
		return w.giveVoucher(v, u)
	}
	return &frame.Reply{Redirect: address(id), Say: "saved"}, nil
}

// readUser reads the form of a person.
func readUser(f *frame.Form, mode args.Mode) (*accounts.UserFields, error) {
	values := args.Values{"login": f.Get("handle"), "role": f.Get("role")}
	for _, name := range []string{"name", "email"} {
		f.Read(userTable.Field(name), values)
	}
	for _, name := range areaFields {
		f.ReadAll(name, values)
	}
	return frame.Parsed[accounts.UserFields](userTable, values, mode)
}

func userForm(u *tenancy.User) *frame.Form {
	f := &frame.Form{Kind: "user", Values: url.Values{"handle": {u.Login}, "name": {u.Name}, "email": {u.Email}, "role": {string(u.Role)},
		"seen": {frame.IDText(u.Mark())}}}
	fillArea(f, u.Area)
	return f
}

func (w *Pages) editUser(v *frame.Visit) (*frame.Reply, error) {
	u, err := w.platform.Users.Get(v.Ctx, v.ID)
	if err != nil {
		return nil, err
	}
	return w.userReply(v, &userEditor{form: userForm(u), user: u}, 0)
}

// userReply shows the form of a person.
func (w *Pages) userReply(v *frame.Visit, ed *userEditor, status int) (_ *frame.Reply, err error) {
	if ed.confirm, err = w.signin.Confirming(v); err != nil {
		return nil, err
	}
	if ed.area, err = w.area(v.Ctx, ed.form); err != nil {
		return nil, err
	}
	title := frame.Tell(v.Ctx, "users.new")
	if ed.user != nil {
		title = ed.user.Name
		if ed.sessions, err = w.platform.Sessions.Of(v.Ctx, ed.user.ID); err != nil {
			return nil, err
		}
		keys, err := w.platform.Keys.List(v.Ctx, ed.user.ID)
		if err != nil {
			return nil, err
		}
		ed.keys = len(keys)
	}
	return &frame.Reply{Status: status, Title: title, Section: "users", Body: userPage(ed)}, nil
}

// presentFor checks, in a field of the form, that the current user has proved their identity. If the proof or
// anything else in the form is wrong, it returns the form with all its problems.
func (w *Pages) presentFor(v *frame.Visit, field string, ed *userEditor, fields *accounts.UserFields, wrong error) (*frame.Reply, error) {
	if wrong != nil && !ed.form.Refuse(v.Ctx, wrong) {
		return nil, wrong
	}
	again, err := w.signin.Present(v, field, func(status int) (*frame.Reply, error) { return w.wrongReply(v, ed, fields, status) })
	if again == nil && err == nil && wrong != nil {
		return w.wrongReply(v, ed, fields, http.StatusUnprocessableEntity)
	}
	return again, err
}

// userAgain shows the form again with all its problems.
func (w *Pages) userAgain(v *frame.Visit, ed *userEditor, fields *accounts.UserFields, err error) (*frame.Reply, error) {
	if !ed.form.Refuse(v.Ctx, err) {
		return nil, err
	}
	return w.wrongReply(v, ed, fields, http.StatusUnprocessableEntity)
}

// wrongReply shows a form with problems. It also checks the fields against other users, for example whether the
// username is taken.
func (w *Pages) wrongReply(v *frame.Visit, ed *userEditor, fields *accounts.UserFields, status int) (*frame.Reply, error) {
	var id int64
	if ed.user != nil {
		id = ed.user.ID
	}
	if err := w.platform.Users.Check(v.Ctx, id, fields); err != nil && !ed.form.Refuse(v.Ctx, err) {
		return nil, err
	}
	ed.form.Rename("login", "handle")
	return w.userReply(v, ed, status)
}
