package web

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"strconv"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// userList is a page of the people of the site.
type userList struct {
	form        *form
	items       []*tenancy.User
	page, total int
}

// userEditor is the form of one person.
type userEditor struct {
	form     *form
	user     *tenancy.User // nil: a new one
	sessions []*tenancy.Session
	keys     int    // how many there are
	link     string // given a moment ago, for whoever asked to pass on
	unsent   bool   // because it couldn't be mailed
	stale    bool
}

const usersPerPage = 50

var (
	userTable  = args.TableOf(reflect.TypeFor[tenancy.UserFields]())
	userFields = []string{"handle", "name", "email", "role"}
)

func userAddress(id int64) string { return adminRoot + "/users/" + idText(id) }

// routesOfUsers are the pages about the people of the site.
func (w *admin) routesOfUsers() []adminRoute {
	const get, post, manage = http.MethodGet, http.MethodPost, tenancy.ManageUsers
	return []adminRoute{
		{get, "/users", manage, w.listUsers, false},
		{get, "/users/new", manage, w.newUser, false},
		{post, "/users/new", manage, w.inviteUser, false},
		{get, "/users/#", manage, w.editUser, false},
		{post, "/users/#", manage, w.changeUser, false},
	}
}

func (w *admin) listUsers(v *visit) (*reply, error) {
	l := &userList{form: &form{kind: "user", values: v.query}, page: 1}
	if n, err := strconv.Atoi(v.query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	f := &tenancy.UserFilter{}
	f.Page, f.PerPage = args.Some(l.page), args.Some(usersPerPage)
	f.Search = args.Some(cut(v.query.Get("search"), 500))
	page, err := w.platform.Users.List(v.ctx, f)
	if err != nil {
		return nil, err
	}
	if len(page.Items) == 0 && l.page > 1 {
		return &reply{redirect: l.address(1)}, nil
	}
	l.items, l.total = page.Items, page.Total
	return &reply{title: tell(v.ctx, "nav.users"), section: "users", body: usersPage(l)}, nil
}

func (l *userList) pages() int { return (l.total + usersPerPage - 1) / usersPerPage }

// address is the list's at a page.
func (l *userList) address(page int) string {
	q := url.Values{}
	if text := l.form.get("search"); text != "" {
		q.Set("search", text)
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return adminRoot + "/users"
	}
	return adminRoot + "/users?" + q.Encode()
}

func (w *admin) newUser(v *visit) (*reply, error) {
	f := &form{kind: "user", values: url.Values{"once": {newFormToken()}, "role": {string(tenancy.Contributor)}}}
	return w.userReply(v, &userEditor{form: f}, 0)
}

// inviteUser makes a user and gives them the way to a password of their own.
func (w *admin) inviteUser(v *visit) (*reply, error) {
	ed := &userEditor{form: v.form}
	ed.form.kind = "user"
	if ed.form.reshape() {
		return w.userReply(v, ed, 0)
	}
	fields, err := readUser(ed.form, args.Creating)
	if err != nil {
		return w.userAgain(v, ed, fields, err)
	}
	var made *tenancy.User
	id, err := w.platform.Forms.Once(v.ctx, v.form.get("once"), "user", func(ctx context.Context) (id int64, err error) {
		if made, err = w.platform.Users.Invite(ctx, fields); err != nil {
			return 0, err
		}
		return made.ID, nil
	})
	switch {
	case err != nil:
		return w.userAgain(v, ed, fields, err)
	case made == nil: // by the same form, before
		return w.invited(v, id)
	}
	v.id = id
	return w.giveVoucher(v, made)
}

// invited answers a form that has made a user already. Whoever sent it hasn't
// seen the way to a password, so there is another.
func (w *admin) invited(v *visit, id int64) (*reply, error) {
	u, err := w.platform.Users.Get(v.ctx, id)
	if err != nil {
		return nil, err
	}
	if v.id = id; u.PasswordHash == "" {
		return w.giveVoucher(v, u)
	}
	return &reply{redirect: userAddress(id), say: "saved"}, nil
}

// readUser reads the form of a person.
func readUser(f *form, mode args.Mode) (*tenancy.UserFields, error) {
	values := args.Values{"login": f.get("handle"), "role": f.get("role")}
	for _, name := range []string{"name", "email"} {
		f.read(userTable.Field(name), values)
	}
	return parsed[tenancy.UserFields](userTable, values, mode)
}

func userForm(u *tenancy.User) *form {
	return &form{kind: "user", values: url.Values{"handle": {u.Login}, "name": {u.Name}, "email": {u.Email}, "role": {string(u.Role)},
		"seen": {idText(u.Mark())}}}
}

func (w *admin) editUser(v *visit) (*reply, error) {
	u, err := w.platform.Users.Get(v.ctx, v.id)
	if err != nil {
		return nil, err
	}
	return w.userReply(v, &userEditor{form: userForm(u), user: u}, 0)
}

// userReply shows the form of a person.
func (w *admin) userReply(v *visit, ed *userEditor, status int) (_ *reply, err error) {
	title := tell(v.ctx, "users.new")
	if ed.user != nil {
		title = ed.user.Name
		if ed.sessions, err = w.platform.Sessions.Of(v.ctx, ed.user.ID); err != nil {
			return nil, err
		}
		keys, err := w.platform.Keys.List(v.ctx, ed.user.ID)
		if err != nil {
			return nil, err
		}
		ed.keys = len(keys)
	}
	return &reply{status: status, title: title, section: "users", body: userPage(ed)}, nil
}

// userAgain shows the form once more with everything that is wrong with it, what
// others have among that.
func (w *admin) userAgain(v *visit, ed *userEditor, fields *tenancy.UserFields, err error) (*reply, error) {
	if !ed.form.refuse(v.ctx, err) {
		return nil, err
	}
	var id int64
	if ed.user != nil {
		id = ed.user.ID
	}
	if err := w.platform.Users.Check(v.ctx, id, fields); err != nil && !ed.form.refuse(v.ctx, err) {
		return nil, err
	}
	ed.form.rename("login", "handle")
	return w.userReply(v, ed, http.StatusUnprocessableEntity)
}

// rename moves what is wrong with an argument to the field it was typed into:
// fields of a waiting form mustn't be called like those of the sign-in.
func (f *form) rename(argument, field string) {
	if text := f.problems[argument]; text != "" {
		delete(f.problems, argument)
		f.wrong(field, text)
	}
}
