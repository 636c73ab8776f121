package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// consoleInvited is an administrator of a site to whom a link has to be passed on.
type consoleInvited struct {
	user   *tenancy.User
	link   string
	unsent bool // because it couldn't be mailed
}

// siteEditor is the page of a site to be made.
type siteEditor struct {
	form  *form
	plans []pair
}

var (
	siteTable   = args.TableOf(reflect.TypeFor[tenancy.SiteFields]())
	foundFields = []string{"name", "slug", "timezone", "language", "plan", "handle", "person", "email"}
)

func (w *admin) newConsoleSite(v *visit, _ string) (*reply, error) {
	f := &form{kind: "found", values: url.Values{"timezone": {"UTC"}, "plan": {tenancy.DefaultPlan}, "language": {v.scope().Language}}}
	return w.foundReply(v, f, 0)
}

func (w *admin) foundReply(v *visit, f *form, status int) (*reply, error) {
	plans, err := w.planChoices(v.ctx)
	if err != nil {
		return nil, err
	}
	return &reply{status: status, title: tell(v.ctx, "console.new"), section: "sites", body: consoleNewPage(&siteEditor{f, plans})}, nil
}

// foundConsoleSite makes a site with its first administrator and invites them.
func (w *admin) foundConsoleSite(v *visit, _ string) (*reply, error) {
	v.form.kind = "found"
	values := args.Values{}
	for _, name := range []string{"name", "slug", "timezone", "language", "plan"} {
		values[name] = strings.TrimSpace(v.form.get(name))
	}
	fields, err := checked(siteTable, values, args.Creating, func(f *tenancy.SiteFields) error { return w.platform.Sites.Check(v.ctx, f) })
	if err != nil && !v.form.refuse(v.ctx, err) {
		return nil, err
	}
	if err := w.knowPlan(v.ctx, v.form); err != nil {
		return nil, err
	}
	person, err := readAdmin(v.ctx, v.form, "person", func(*tenancy.UserFields) error { return nil })
	if err != nil && !errors.Is(err, errWrong) {
		return nil, err
	}
	if len(v.form.problems) > 0 {
		return w.foundAgain(v)
	}
	site, admin, err := w.platform.Sites.Found(v.ctx, fields, person)
	switch {
	case err != nil && !v.form.refuse(v.ctx, err):
		return nil, err
	case err != nil:
		v.form.rename("login", "plan") // that has no room for a user
		return w.foundAgain(v)
	}
	inside, err := tenancy.Enter(v.ctx, site)
	if err != nil {
		return nil, err
	}
	return w.giveConsoleVoucher(inside, v, newConsoleEditor(&form{values: url.Values{}}), admin.ID)
}

// foundAgain shows the form of a new site with what is wrong with it. When all of
// that is a slug which the very site has that the form asks for, the form has made
// it before, perhaps without an answer: it leads to that site.
func (w *admin) foundAgain(v *visit) (*reply, error) {
	again := func() (*reply, error) { return w.foundReply(v, v.form, http.StatusUnprocessableEntity) }
	if len(v.form.problems) > 1 || v.form.problem("slug") == "" {
		return again()
	}
	site, err := w.platform.Sites.Get(v.ctx, strings.TrimSpace(v.form.get("slug")))
	if errors.Is(err, tenancy.ErrNoSite) || err == nil && site.Name != strings.TrimSpace(v.form.get("name")) {
		return again()
	}
	if err != nil {
		return nil, err
	}
	inside, err := tenancy.Enter(v.ctx, site)
	if err != nil {
		return nil, err
	}
	admins, err := w.platform.Users.Administrators(inside)
	if err != nil {
		return nil, err
	}
	for _, u := range admins {
		if u.PasswordHash == "" && tenancy.Fold(u.Login) == tenancy.Fold(strings.TrimSpace(v.form.get("handle"))) &&
			tenancy.Fold(u.Email) == tenancy.Fold(strings.TrimSpace(v.form.get("email"))) {
			return &reply{redirect: consoleAddress(site.Slug), say: "saved"}, nil // from there they can be sent another way in
		}
	}
	return again()
}

// readAdmin reads a new administrator from a form, whose field for their name is
// given, or returns errWrong.
func readAdmin(ctx context.Context, f *form, name string, rules func(*tenancy.UserFields) error) (*tenancy.UserFields, error) {
	values := args.Values{"login": strings.TrimSpace(f.get("handle")), "name": strings.TrimSpace(f.get(name)),
		"email": strings.TrimSpace(f.get("email")), "role": string(tenancy.Administrator)}
	fields, err := checked(userTable, values, args.Creating, rules)
	if err == nil {
		return fields, nil
	}
	found := &form{}
	if !found.refuse(ctx, err) {
		return nil, err
	}
	found.rename("login", "handle")
	found.rename("name", name)
	for field, text := range found.problems {
		f.wrong(field, text)
	}
	return nil, errWrong
}

// inviteConsoleAdmin invites a new administrator of a site, or one who is there
// once more.
func (w *admin) inviteConsoleAdmin(inside context.Context, v *visit, slug string, ed *consoleEditor) (*reply, error) {
	if v.form.get("do") == "voucher" {
		id, err := strconv.ParseInt(v.form.get("id"), 10, 64)
		if err != nil {
			return nil, fiber.ErrBadRequest
		}
		if u, err := w.platform.Users.Get(inside, id); err == nil && u.PasswordHash != "" {
			return nil, fiber.ErrBadRequest // who can sign in asks for a new password alone
		}
		return w.giveConsoleVoucher(inside, v, ed, id)
	}
	v.form.kind, ed.invite = "user", v.form
	fields, err := readAdmin(v.ctx, v.form, "name", func(f *tenancy.UserFields) error { return w.platform.Users.Check(inside, 0, f) })
	var made *tenancy.User
	if err == nil {
		made, err = w.platform.Users.Invite(inside, fields)
	}
	switch {
	case err == nil:
		return w.giveConsoleVoucher(inside, v, ed, made.ID)
	case !v.form.refuse(v.ctx, err):
		return nil, err
	}
	v.form.rename("login", "handle")
	return w.consoleReply(v, slug, ed, http.StatusUnprocessableEntity)
}

// giveConsoleVoucher sends an administrator of a site the way to a password, or
// shows it to the provider, this once.
func (w *admin) giveConsoleVoucher(inside context.Context, v *visit, ed *consoleEditor, id int64) (*reply, error) {
	given, token, user, err := w.platform.Vouchers.Give(inside, id)
	if errors.Is(err, tenancy.ErrNoUser) {
		return nil, fiber.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	at := *v
	at.ctx = inside
	site, link := tenancy.Current(inside).Site, w.voucherLink(&at, token)
	if w.post != nil {
		if err = w.mailVoucher(inside, given.Kind, user, link); err == nil {
			return &reply{redirect: consoleAddress(site.Slug), say: "mailed"}, nil
		}
		w.logger.WarnContext(v.ctx, "send mail", "error", err)
	}
	ed.invite = &form{kind: "user", values: url.Values{}}
	ed.invited = &consoleInvited{user, link, err != nil}
	return w.consoleReply(v, site.Slug, ed, 0)
}
