package console

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/signin"
	"github.com/kalends/kalends/web/ui"
)

// siteView is the page of one site in the console.
type siteView struct {
	site    *tenancy.Site
	home    string      // address of the site
	form    *frame.Form // as sent
	grant   *frame.Form // plan and limits
	invite  *frame.Form // a new administrator
	plans   []frame.Pair
	admins  []*tenancy.User
	waiting *tenancy.User  // user to be invited again after confirmation
	invited *signin.Handed // just now
	domains []platform.Domain
	checked *platform.Check    // just now
	pointed *platform.Pointing // just now
	target  string             // name that the site's domains should point to
	entries []tenancy.Entry
	gives   []*platform.Partner // sites that receive events from this site
	has     []*platform.Partner // sites whose events this site receives
	sure    string              // requested action that must be confirmed
}

var (
	domainTable   = args.TableOf(reflect.TypeFor[platform.DomainFields]())
	deletionTable = args.TableOf(reflect.TypeFor[platform.DeletionFields]())
)

// states maps actions of the form to the states of a site.
var states = map[string]tenancy.State{"resume": tenancy.Active, "suspend": tenancy.ReadOnly, "close": tenancy.Closed}

func newSiteView(sent *frame.Form) *siteView {
	return &siteView{form: sent, invite: &frame.Form{Kind: "user", Values: url.Values{}}}
}

func (w *Pages) site(v *frame.Visit, slug string) (*frame.Reply, error) {
	return w.siteReply(v, slug, newSiteView(&frame.Form{Values: url.Values{}}), 0)
}

// siteReply shows a site with its domains and recent history.
func (w *Pages) siteReply(v *frame.Visit, slug string, ed *siteView, status int) (*frame.Reply, error) {
	inside, err := w.inside(v, slug)
	if err != nil {
		return nil, err
	}
	ed.site = tenancy.Current(inside).Site
	ed.home, ed.target = w.letters.Origin(v, ed.site), w.platform.Domains.Target(ed.site)
	if ed.grant == nil {
		ed.grant = grantForm(ed.site)
	}
	if ed.plans, err = w.planChoices(v.Ctx); err != nil {
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
	if err = w.share(v, ed); err != nil {
		return nil, err
	}
	return &frame.Reply{Status: status, Title: ed.site.Name, Section: "sites", Body: inContext(onClock(inside), consoleSitePage(ed))}, nil
}

// inside returns a context in which the provider acts on a site.
func (w *Pages) inside(v *frame.Visit, slug string) (context.Context, error) {
	site, err := w.platform.Sites.Get(v.Ctx, slug)
	if errors.Is(err, tenancy.ErrNoSite) {
		return nil, fiber.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return tenancy.Enter(v.Ctx, site)
}

// changeSite performs the action of a form on a site's page.
func (w *Pages) changeSite(v *frame.Visit, slug string) (*frame.Reply, error) {
	inside, err := w.inside(v, slug)
	if err != nil {
		return nil, err
	}
	ed, do := newSiteView(v.Form), v.Form.Get("do")
	switch _, state := states[do]; {
	case (state || do == "remove" || do == "delete") && v.Form.Get("sure") == "":
		ed.sure = do
		return w.siteReply(v, slug, ed, 0)
	case state:
		_, err = w.platform.Sites.Update(v.Ctx, slug, &platform.SiteFields{State: args.Some(string(states[do]))})
		return w.done(v, slug, ed, err)
	}
	switch do {
	case "add", "check", "point", "remove":
		return w.changeDomain(inside, v, slug, ed)
	case "grant":
		return w.grantSite(v, slug, ed)
	case "invite", "voucher":
		return w.inviteAdmin(inside, v, slug, ed)
	case "delete":
		return w.deleteSite(v, slug, ed)
	case "undelete":
		_, err = w.platform.Sites.Undelete(v.Ctx, slug)
		return w.done(v, slug, ed, err)
	}
	return nil, fiber.ErrBadRequest
}

// changeDomain claims, checks or removes a domain.
func (w *Pages) changeDomain(inside context.Context, v *frame.Visit, slug string, ed *siteView) (*frame.Reply, error) {
	var err error
	switch name := v.Form.Get("domain"); v.Form.Get("do") {
	case "add":
		var f *platform.DomainFields
		if f, err = frame.Parsed[platform.DomainFields](domainTable, args.Values{"domain": name}, args.Creating); err == nil {
			_, err = w.platform.Domains.Claim(inside, f)
		}
	case "check":
		if ed.checked, err = w.platform.Domains.Check(inside, name); err == nil {
			return w.siteReply(v, slug, ed, 0)
		}
	case "point":
		if ed.pointed, err = w.platform.Domains.Point(inside, name); err == nil {
			return w.siteReply(v, slug, ed, 0)
		}
	case "remove":
		if _, err = w.platform.Domains.Remove(inside, name); errors.Is(err, platform.ErrNoDomain) {
			err = nil
		}
	}
	return w.done(v, slug, ed, err)
}

// typedDomain returns the domain that could not be claimed.
func (ed *siteView) typedDomain() string { return ed.adding().Get("domain") }

// adding returns the form that failed to claim a domain, or an empty form.
func (ed *siteView) adding() *frame.Form {
	if ed.form.Get("do") == "add" && ed.form.Problem("domain") != "" {
		return ed.form
	}
	return &frame.Form{}
}

// deleteSite deletes a site. Without a grace period it is removed immediately.
func (w *Pages) deleteSite(v *frame.Visit, slug string, ed *siteView) (*frame.Reply, error) {
	f, err := frame.Parsed[platform.DeletionFields](deletionTable, args.Values{"grace": v.Form.Get("grace")}, args.Reading)
	if err == nil {
		_, err = w.platform.Sites.Delete(v.Ctx, slug, f)
	}
	switch {
	case err == nil && f.Grace.Or(0) == 0:
		return &frame.Reply{Redirect: frame.ConsoleRoot, Say: "delete", Count: 1}, nil
	case err != nil:
		ed.sure = "delete"
	}
	return w.done(v, slug, ed, err)
}

// done redirects to the page of a site, or shows the problems.
func (w *Pages) done(v *frame.Visit, slug string, ed *siteView, err error) (*frame.Reply, error) {
	switch {
	case err == nil:
		return &frame.Reply{Redirect: siteAddress(slug), Say: "saved"}, nil
	case errors.Is(err, platform.ErrNoDomain), errors.Is(err, tenancy.ErrNoSite):
		return nil, fiber.ErrNotFound
	case !ed.form.Refuse(v.Ctx, err):
		return nil, err
	}
	return w.siteReply(v, slug, ed, http.StatusUnprocessableEntity)
}

// deedOf returns the action that brings a site into a state.
func deedOf(state tenancy.State) string {
	for do, is := range states {
		if is == state {
			return do
		}
	}
	return ""
}

// useBar is a site's usage of a limit.
type useBar struct {
	name      string
	used, max int64
	limited   bool
	bytes     bool
}

// bars returns a site's usage. Images are shown in megabytes.
func bars(ctx context.Context, s *tenancy.Site) []useBar {
	one := func(name string, used int64, limit *int64) useBar {
		b := useBar{name: name, used: used, limited: limit != nil}
		if limit != nil {
			b.max = *limit
		}
		return b
	}
	pictures := one(frame.Tell(ctx, "console.use.media"), s.Usage.MediaBytes, s.Plan.MediaBytes)
	pictures.bytes = true
	return []useBar{one(frame.Tell(ctx, "console.use.events"), s.Usage.Events, s.Plan.Events),
		one(frame.Tell(ctx, "console.use.occurrences"), s.Usage.Occurrences, s.Plan.Occurrences),
		one(frame.Tell(ctx, "console.use.users"), s.Usage.Users, s.Plan.Users), pictures}
}

// full returns the usage at which a limit counts as nearly reached: nine tenths.
func (b useBar) full() int64 { return max(b.max/10*9+b.max%10*9/10, 1) }

// listed returns the usage that the list of sites shows: events and pictures.
func listed(ctx context.Context, s *tenancy.Site) []useBar {
	all := bars(ctx, s)
	return []useBar{all[0], all[len(all)-1]}
}

// text returns the usage as text. Megabytes have two decimals, rounded up, so that small amounts are not shown as
// zero.
func (b useBar) text(ctx context.Context) string {
	amount := func(n int64) string {
		if !b.bytes {
			return frame.Number(ctx, int(n))
		}
		return ui.DatesIn(ctx).Decimal(math.Ceil(float64(n)/(history.Megabyte/100)) / 100)
	}
	if !b.limited {
		return frame.TellWith(ctx, "console.use.free", "Used", amount(b.used))
	}
	return frame.TellWith(ctx, "console.use.of", "Used", amount(b.used), "Max", amount(b.max))
}

// recordName and recordValue return the DNS record that verifies a domain.
func recordName(d *platform.Domain) string  { name, _ := d.Record(); return name }
func recordValue(d *platform.Domain) string { _, value := d.Record(); return value }

// pointedAt reports whether the page has just looked up where a domain points.
func (ed *siteView) pointedAt(d *platform.Domain) bool {
	return ed.pointed != nil && ed.pointed.Domain == d.Name
}

// pointText says where a domain points. Addresses are isolated from texts that are written from right to left.
func pointText(ctx context.Context, p *platform.Pointing) string {
	return frame.TellWith(ctx, "console.point."+string(p.Direction), "Found", "\u2066"+strings.Join(p.Found, ", ")+"\u2069")
}
