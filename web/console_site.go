package web

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// consoleEditor is the page of one site in the console.
type consoleEditor struct {
	site    *tenancy.Site
	home    string // its address
	form    *form  // what was sent
	grant   *form  // its plan and limits
	invite  *form  // a new administrator
	plans   []pair
	admins  []*tenancy.User
	invited *consoleInvited // a moment ago
	domains []tenancy.Domain
	checked *tenancy.Check // a moment ago
	entries []tenancy.Entry
	sure    string // what the form asked for, and has to be confirmed
}

var (
	domainTable   = args.TableOf(reflect.TypeFor[tenancy.DomainFields]())
	deletionTable = args.TableOf(reflect.TypeFor[tenancy.DeletionFields]())
)

// consoleStates are what a site can be made, by what the form says.
var consoleStates = map[string]tenancy.State{"resume": tenancy.Active, "suspend": tenancy.ReadOnly, "close": tenancy.Closed}

func newConsoleEditor(sent *form) *consoleEditor {
	return &consoleEditor{form: sent, invite: &form{kind: "user", values: url.Values{}}}
}

func (w *admin) consoleSite(v *visit, slug string) (*reply, error) {
	return w.consoleReply(v, slug, newConsoleEditor(&form{values: url.Values{}}), 0)
}

// consoleReply shows a site with its domains and what happened last, on the clock
// of the site.
func (w *admin) consoleReply(v *visit, slug string, ed *consoleEditor, status int) (*reply, error) {
	inside, err := w.consoleInside(v, slug)
	if err != nil {
		return nil, err
	}
	ed.site = tenancy.Current(inside).Site
	at := *v
	at.ctx = inside
	ed.home = w.origin(&at)
	if ed.grant == nil {
		ed.grant = grantForm(ed.site)
	}
	if ed.plans, err = w.planChoices(v.ctx); err != nil {
		return nil, err
	}
	if ed.admins, err = w.platform.Users.Administrators(inside); err != nil {
		return nil, err
	}
	if ed.domains, err = w.platform.Domains.List(inside); err != nil {
		return nil, err
	}
	if ed.entries, _, err = w.platform.History.List(inside, &tenancy.HistoryFilter{PerPage: args.Some(10)}); err != nil {
		return nil, err
	}
	return &reply{status: status, title: ed.site.Name, section: "sites", body: inContext(inside, consoleSitePage(ed))}, nil
}

// consoleInside returns a context in which the provider acts on a site.
func (w *admin) consoleInside(v *visit, slug string) (context.Context, error) {
	site, err := w.platform.Sites.Get(v.ctx, slug)
	if errors.Is(err, tenancy.ErrNoSite) {
		return nil, fiber.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return tenancy.Enter(v.ctx, site)
}

// changeConsoleSite does what a form of the page of a site asks for.
func (w *admin) changeConsoleSite(v *visit, slug string) (*reply, error) {
	inside, err := w.consoleInside(v, slug)
	if err != nil {
		return nil, err
	}
	ed, do := newConsoleEditor(v.form), v.form.get("do")
	switch _, state := consoleStates[do]; {
	case (state || do == "remove" || do == "delete") && v.form.get("sure") == "":
		ed.sure = do
		return w.consoleReply(v, slug, ed, 0)
	case state:
		_, err = w.platform.Sites.Update(v.ctx, slug, &tenancy.SiteFields{State: args.Some(string(consoleStates[do]))})
		return w.consoleDone(v, slug, ed, err)
	}
	switch do {
	case "add", "check", "remove":
		return w.changeConsoleDomain(inside, v, slug, ed)
	case "grant":
		return w.grantConsoleSite(v, slug, ed)
	case "invite", "voucher":
		return w.inviteConsoleAdmin(inside, v, slug, ed)
	case "delete":
		return w.deleteConsoleSite(v, slug, ed)
	case "undelete":
		_, err = w.platform.Sites.Undelete(v.ctx, slug)
		return w.consoleDone(v, slug, ed, err)
	}
	return nil, fiber.ErrBadRequest
}

// changeConsoleDomain asks for a domain, looks for its proof, or takes it away.
func (w *admin) changeConsoleDomain(inside context.Context, v *visit, slug string, ed *consoleEditor) (*reply, error) {
	var err error
	switch name := v.form.get("domain"); v.form.get("do") {
	case "add":
		var f *tenancy.DomainFields
		if f, err = parsed[tenancy.DomainFields](domainTable, args.Values{"domain": name}, args.Creating); err == nil {
			_, err = w.platform.Domains.Claim(inside, f)
		}
	case "check":
		if ed.checked, err = w.platform.Domains.Check(inside, name); err == nil {
			return w.consoleReply(v, slug, ed, 0)
		}
	case "remove":
		if _, err = w.platform.Domains.Remove(inside, name); errors.Is(err, tenancy.ErrNoDomain) {
			err = nil
		}
	}
	return w.consoleDone(v, slug, ed, err)
}

// typedDomain is the domain that was asked for and is not to be had.
func (ed *consoleEditor) typedDomain() string { return ed.adding().get("domain") }

// adding is the form that asked for a domain and came to nothing, else an empty
// one.
func (ed *consoleEditor) adding() *form {
	if ed.form.get("do") == "add" && ed.form.problem("domain") != "" {
		return ed.form
	}
	return &form{}
}

// deleteConsoleSite deletes a site; without days of grace it is gone then.
func (w *admin) deleteConsoleSite(v *visit, slug string, ed *consoleEditor) (*reply, error) {
	f, err := parsed[tenancy.DeletionFields](deletionTable, args.Values{"grace": v.form.get("grace")}, args.Reading)
	if err == nil {
		_, err = w.platform.Sites.Delete(v.ctx, slug, f)
	}
	switch {
	case err == nil && f.Grace.Or(0) == 0:
		return &reply{redirect: consoleRoot, say: "delete", count: 1}, nil
	case err != nil:
		ed.sure = "delete"
	}
	return w.consoleDone(v, slug, ed, err)
}

// consoleDone leads back to the page of a site, or shows what is wrong there.
func (w *admin) consoleDone(v *visit, slug string, ed *consoleEditor, err error) (*reply, error) {
	switch {
	case err == nil:
		return &reply{redirect: consoleAddress(slug), say: "saved"}, nil
	case errors.Is(err, tenancy.ErrNoDomain), errors.Is(err, tenancy.ErrNoSite):
		return nil, fiber.ErrNotFound
	case !ed.form.refuse(v.ctx, err):
		return nil, err
	}
	return w.consoleReply(v, slug, ed, http.StatusUnprocessableEntity)
}

// deedOf is what the form says to bring a site into a state.
func deedOf(state tenancy.State) string {
	for do, is := range consoleStates {
		if is == state {
			return do
		}
	}
	return ""
}

// useBar is how much a site uses of what it may.
type useBar struct {
	name      string
	used, max int64
	limited   bool
	bytes     bool
}

// bars are what a site uses; pictures are told in megabytes.
func bars(ctx context.Context, s *tenancy.Site) []useBar {
	one := func(name string, used int64, limit *int64) useBar {
		b := useBar{name: name, used: used, limited: limit != nil}
		if limit != nil {
			b.max = *limit
		}
		return b
	}
	pictures := one(tell(ctx, "console.use.media"), s.Usage.MediaBytes, s.Plan.MediaBytes)
	pictures.bytes = true
	return []useBar{one(tell(ctx, "console.use.events"), s.Usage.Events, s.Plan.Events),
		one(tell(ctx, "console.use.occurrences"), s.Usage.Occurrences, s.Plan.Occurrences),
		one(tell(ctx, "console.use.users"), s.Usage.Users, s.Plan.Users), pictures}
}

// text is the bar in words. Megabytes have two places: what is used of a small plan,
// and the plan itself, are no zeros.
func (b useBar) text(ctx context.Context) string {
	amount := func(n int64) string {
		if !b.bytes {
			return number(ctx, int(n))
		}
		return ui.DatesIn(ctx).Digits(strconv.FormatFloat(math.Ceil(float64(n)/megabyte*100)/100, 'f', -1, 64))
	}
	if !b.limited {
		return tellWith(ctx, "console.use.free", "Used", amount(b.used))
	}
	return tellWith(ctx, "console.use.of", "Used", amount(b.used), "Max", amount(b.max))
}

// recordName and recordValue are the record that proves a domain.
func recordName(d *tenancy.Domain) string  { name, _ := d.Record(); return name }
func recordValue(d *tenancy.Domain) string { _, value := d.Record(); return value }
