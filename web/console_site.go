package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// consoleEditor is the page of one site in the console.
type consoleEditor struct {
	site    *tenancy.Site
	form    *form
	domains []tenancy.Domain
	checked *tenancy.Check // a moment ago
	entries []tenancy.Entry
	sure    tenancy.State // asked for, and to be confirmed
}

var domainTable = args.TableOf(reflect.TypeFor[tenancy.DomainFields]())

// consoleStates are what a site can be made, by what the form says.
var consoleStates = map[string]tenancy.State{"resume": tenancy.Active, "suspend": tenancy.ReadOnly, "close": tenancy.Closed}

func (w *admin) consoleSite(v *visit, slug string) (*reply, error) {
	return w.consoleReply(v, slug, &consoleEditor{form: &form{values: url.Values{}}}, 0)
}

// consoleReply shows a site with its domains and what happened last.
func (w *admin) consoleReply(v *visit, slug string, ed *consoleEditor, status int) (*reply, error) {
	inside, err := w.consoleInside(v, slug)
	if err != nil {
		return nil, err
	}
	ed.site = tenancy.Current(inside).Site
	if ed.domains, err = w.platform.Domains.List(inside); err != nil {
		return nil, err
	}
	if ed.entries, _, err = w.platform.History.List(inside, &tenancy.HistoryFilter{PerPage: args.Some(10)}); err != nil {
		return nil, err
	}
	return &reply{status: status, title: ed.site.Name, body: consoleSitePage(ed)}, nil
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
	ed, name := &consoleEditor{form: v.form}, v.form.get("domain")
	switch do := v.form.get("do"); do {
	case "add":
		f, err := parsed[tenancy.DomainFields](domainTable, args.Values{"domain": name}, args.Creating)
		if err == nil {
			_, err = w.platform.Domains.Claim(inside, f)
		}
		return w.consoleDone(v, slug, ed, err)
	case "check":
		if ed.checked, err = w.platform.Domains.Check(inside, name); err != nil {
			return w.consoleDone(v, slug, ed, err)
		}
		return w.consoleReply(v, slug, ed, 0)
	case "remove":
		if v.form.get("sure") == "" {
			return w.consoleReply(v, slug, ed, 0)
		}
		if _, err = w.platform.Domains.Remove(inside, name); errors.Is(err, tenancy.ErrNoDomain) {
			err = nil
		}
		return w.consoleDone(v, slug, ed, err)
	default:
		state, known := consoleStates[do]
		if !known {
			return nil, fiber.ErrBadRequest
		}
		if v.form.get("sure") == "" {
			ed.sure = state
			return w.consoleReply(v, slug, ed, 0)
		}
		_, err = w.platform.Sites.Update(v.ctx, slug, &tenancy.SiteFields{State: args.Some(string(state))})
		return w.consoleDone(v, slug, ed, err)
	}
}

// consoleDone leads back to the page of a site, or shows what is wrong there.
func (w *admin) consoleDone(v *visit, slug string, ed *consoleEditor, err error) (*reply, error) {
	switch {
	case err == nil:
		return &reply{redirect: consoleAddress(slug), say: "saved"}, nil
	case errors.Is(err, tenancy.ErrNoDomain):
		return nil, fiber.ErrNotFound
	case !ed.form.refuse(v.ctx, err):
		return nil, err
	}
	return w.consoleReply(v, slug, ed, http.StatusUnprocessableEntity)
}

// removing reports whether the form asked to remove a domain and has to be
// confirmed.
func (ed *consoleEditor) removing() bool { return ed.form.get("do") == "remove" }

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
}

// bars are what a site uses; pictures count in megabytes.
func bars(ctx context.Context, s *tenancy.Site) []useBar {
	one := func(name string, used int64, limit *int64, unit int64) useBar {
		b := useBar{name: name, used: (used + unit - 1) / unit, limited: limit != nil}
		if limit != nil {
			b.max = *limit / unit
		}
		return b
	}
	return []useBar{one(tell(ctx, "console.use.events"), s.Usage.Events, s.Plan.Events, 1),
		one(tell(ctx, "console.use.users"), s.Usage.Users, s.Plan.Users, 1),
		one(tell(ctx, "console.use.media"), s.Usage.MediaBytes, s.Plan.MediaBytes, 1_000_000)}
}

// text is the bar in words.
func (b useBar) text(ctx context.Context) string {
	if !b.limited {
		return tellWith(ctx, "console.use.free", "Used", number(ctx, int(b.used)))
	}
	return tellWith(ctx, "console.use.of", "Used", number(ctx, int(b.used)), "Max", number(ctx, int(b.max)))
}

// recordName and recordValue are the record that proves a domain.
func recordName(d *tenancy.Domain) string  { name, _ := d.Record(); return name }
func recordValue(d *tenancy.Domain) string { _, value := d.Record(); return value }
