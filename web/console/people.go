package console

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

// siteEditor is the page for creating a site.
type siteEditor struct {
	form  *frame.Form
	plans []frame.Pair
}

var (
	siteTable    = args.TableOf(reflect.TypeFor[platform.SiteFields]())
	inviteTable  = args.TableOf(reflect.TypeFor[accounts.UserFields]())
	inviteFields = []string{"handle", "name", "email", "token"}
	foundFields  = []string{"name", "slug", "timezone", "language", "plan", "handle", "person", "email", "token"}
)

func (w *Pages) newSite(v *frame.Visit, _ string) (*frame.Reply, error) {
	f, err := w.freshForm(v)
	if err != nil {
		return nil, err
	}
	return w.foundReply(v, f, 0)
}

func (w *Pages) foundReply(v *frame.Visit, f *frame.Form, status int) (*frame.Reply, error) {
	plans, err := w.planChoices(v.Ctx)
	if err != nil {
		return nil, err
	}
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "console.new"), Section: "sites",
		Body: consoleNewPage(&siteEditor{f, plans})}, nil
}

// foundSite creates a site with its first administrator and invites them.
func (w *Pages) foundSite(v *frame.Visit, _ string) (*frame.Reply, error) {
	v.Form.Kind = "found"
	values := args.Values{}
	for _, name := range []string{"name", "slug", "timezone", "language", "plan"} {
		values[name] = strings.TrimSpace(v.Form.Get(name))
	}
	fields, err := frame.Checked(siteTable, values, args.Creating,
		func(f *platform.SiteFields) error { return w.platform.Sites.Check(v.Ctx, f) })
	if err != nil && !v.Form.Refuse(v.Ctx, err) {
		return nil, err
	}
	if err := w.knowPlan(v.Ctx, v.Form); err != nil {
		return nil, err
	}
	person, err := readAdmin(v.Ctx, v.Form, "person", func(*accounts.UserFields) error { return nil })
	if err != nil && !errors.Is(err, frame.ErrWrong) {
		return nil, err
	}
	again, err := w.present(v, func(status int) (*frame.Reply, error) { return w.foundReply(v, v.Form, status) })
	if again != nil || err != nil {
		return again, err
	}
	if len(v.Form.Problems) > 0 {
		return w.foundAgain(v)
	}
	site, admin, err := w.platform.Sites.Found(v.Ctx, fields, person)
	switch {
	case err != nil && !v.Form.Refuse(v.Ctx, err):
		return nil, err
	case err != nil:
		v.Form.Rename("login", "plan") // the form has no field for the user's login
		return w.foundAgain(v)
	}
	inside, err := tenancy.Enter(v.Ctx, site)
	if err != nil {
		return nil, err
	}
	return w.giveVoucher(inside, v, newSiteView(&frame.Form{Values: url.Values{}}), admin.ID)
}

// foundAgain shows the form of a new site with its problems. If the only problem is that an identical site has the
// slug, the form was sent before, and foundAgain redirects to that site.
func (w *Pages) foundAgain(v *frame.Visit) (*frame.Reply, error) {
	again := func() (*frame.Reply, error) { return w.foundReply(v, v.Form, http.StatusUnprocessableEntity) }
	if len(v.Form.Problems) > 1 || v.Form.Problem("slug") == "" {
		return again()
	}
	site, err := w.platform.Sites.Get(v.Ctx, strings.TrimSpace(v.Form.Get("slug")))
	if errors.Is(err, tenancy.ErrNoSite) || err == nil && site.Name != strings.TrimSpace(v.Form.Get("name")) {
		return again()
	}
	if err != nil {
		return nil, err
	}
	inside, err := tenancy.Enter(v.Ctx, site)
	if err != nil {
		return nil, err
	}
	admins, err := w.platform.Users.Administrators(inside)
	if err != nil {
		return nil, err
	}
	for _, u := range admins {
		if u.PasswordHash == "" && tenancy.Fold(u.Login) == tenancy.Fold(strings.TrimSpace(v.Form.Get("handle"))) &&
			tenancy.Fold(u.Email) == tenancy.Fold(strings.TrimSpace(v.Form.Get("email"))) {
			return &frame.Reply{Redirect: siteAddress(site.Slug), Say: "saved"}, nil // there, the invitation can be sent again
		}
	}
	return again()
}

// readAdmin parses a new administrator from a form. name is the field of their name. It returns frame.ErrWrong if there are
// problems.
func readAdmin(ctx context.Context, f *frame.Form, name string, rules func(*accounts.UserFields) error) (*accounts.UserFields, error) {
	values := args.Values{"login": strings.TrimSpace(f.Get("handle")), "name": strings.TrimSpace(f.Get(name)),
		"email": strings.TrimSpace(f.Get("email")), "role": string(tenancy.Administrator)}
	fields, err := frame.Checked(inviteTable, values, args.Creating, rules)
	if err == nil {
		return fields, nil
	}
	found := &frame.Form{}
	if !found.Refuse(ctx, err) {
		return nil, err
	}
	found.Rename("login", "handle")
	found.Rename("name", name)
	for field, text := range found.Problems {
		f.Wrong(field, text)
	}
	return nil, frame.ErrWrong
}

// inviteAdmin invites a new administrator of a site, or invites an existing one again.
func (w *Pages) inviteAdmin(inside context.Context, v *frame.Visit, slug string, ed *siteView) (*frame.Reply, error) {
	page := func(status int) (*frame.Reply, error) { return w.siteReply(v, slug, ed, status) }
	if v.Form.Get("do") == "voucher" {
		return w.inviteAgain(inside, v, ed, page)
	}
	v.Form.Kind, ed.invite = "user", v.Form
	fields, err := readAdmin(v.Ctx, v.Form, "name", func(f *accounts.UserFields) error { return w.platform.Users.Check(inside, 0, f) })
	if err != nil && !errors.Is(err, frame.ErrWrong) {
		return nil, err
	}
	if again, err := w.present(v, page); again != nil || err != nil {
		return again, err
	}
	var made *tenancy.User
	if err == nil {
		made, err = w.platform.Users.Invite(inside, fields)
	}
	switch {
	case err == nil:
		r, err := w.giveVoucher(inside, v, ed, made.ID)
		return frame.Invited(r, made), err
	case !v.Form.Refuse(v.Ctx, err):
		return nil, err
	}
	v.Form.Rename("login", "handle")
	return page(http.StatusUnprocessableEntity)
}

// inviteAgain asks for confirmation and then gives another invitation to an administrator who can't sign in yet.
func (w *Pages) inviteAgain(inside context.Context, v *frame.Visit, ed *siteView, page func(status int) (*frame.Reply, error),
) (*frame.Reply, error) {
	id, err := strconv.ParseInt(v.Form.Get("id"), 10, 64)
	if err != nil {
		return nil, fiber.ErrBadRequest
	}
	u, err := w.platform.Users.Get(inside, id)
	switch {
	case errors.Is(err, accounts.ErrNoUser):
		return nil, fiber.ErrNotFound
	case err != nil:
		return nil, err
	case u.PasswordHash != "": // users who can sign in request a new password themselves
		return nil, fiber.ErrBadRequest
	}
	ed.waiting = u
	if v.Form.Get("sure") == "" {
		return page(0)
	}
	if again, err := w.present(v, page); again != nil || err != nil {
		return again, err
	}
	ed.waiting = nil
	return w.giveVoucher(inside, v, ed, id)
}

// present requires a provider token in a field, because a stolen session must not suffice to add administrators. If
// the token is wrong or there were too many attempts, it shows the page again.
func (w *Pages) present(v *frame.Visit, page func(status int) (*frame.Reply, error)) (again *frame.Reply, err error) {
	token := v.Form.Text("token")
	if token == "" { // no attempt
		v.Form.Wrong("token", frame.Tell(v.Ctx, "required"))
		return page(http.StatusUnprocessableEntity)
	}
	err = w.platform.Console.Confirm(v.Ctx, token)
	switch {
	case errors.Is(err, accounts.ErrTooOften):
		return frame.Throttled(v, "token", accounts.ConsoleWait, page)
	case errors.Is(err, tenancy.ErrCredentials):
		v.Form.Wrong("token", frame.Tell(v.Ctx, "console.wrong"))
		return page(http.StatusUnprocessableEntity)
	}
	return nil, err
}

// giveVoucher sends an administrator of a site a link to set a password, or shows it to the provider once.
func (w *Pages) giveVoucher(inside context.Context, v *frame.Visit, ed *siteView, id int64) (*frame.Reply, error) {
	given, err := w.letters.Give(inside, id)
	if errors.Is(err, accounts.ErrNoUser) {
		return nil, fiber.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	site := tenancy.Current(inside).Site
	if given.Mailed {
		return &frame.Reply{Redirect: siteAddress(site.Slug), Say: "mailed"}, nil
	}
	ed.invite, ed.invited = &frame.Form{Kind: "user", Values: url.Values{}}, &given
	return w.siteReply(v, site.Slug, ed, 0)
}
