package console

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/signin"
)

var supportTable = args.TableOf(reflect.TypeFor[accounts.SupportFields]())

var supportFields = []string{"role", "reason"}

// supportRoles are the roles that support can have on a site.
func supportRoles(ctx context.Context) []frame.Pair {
	return frame.NamedChoices(ctx, "role.", supportTable.Field("role").Enum)
}

// supportAddress returns the address of the page on which the provider signs in to a site as support.
func supportAddress(slug string) string { return siteAddress(slug) + "/support" }

// askSupport shows the form. Sites accept support only from the platform's own domain.
func (w *Pages) askSupport(v *frame.Visit, slug string) (*frame.Reply, error) {
	if platform := w.letters.Platform(v); platform != v.Scope().Base.Origin {
		return &frame.Reply{Redirect: platform + supportAddress(slug)}, nil
	}
	return w.supportReply(v, slug, &frame.Form{Kind: "support", Values: url.Values{"role": {string(tenancy.Editor)}}}, 0)
}

func (w *Pages) supportReply(v *frame.Visit, slug string, f *frame.Form, status int) (*frame.Reply, error) {
	inside, err := w.inside(v, slug)
	if err != nil {
		return nil, err
	}
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "console.support"), Section: "sites",
		Body: supportPage(tenancy.Current(inside).Site, f, w.letters.Sent())}, nil
}

// support shows a form that enters the site; a script sends it immediately. As in the lobby, the pass is never in a
// URL.
func (w *Pages) support(v *frame.Visit, slug string) (*frame.Reply, error) {
	v.Form.Kind = "support"
	inside, err := w.inside(v, slug)
	if err != nil {
		return nil, err
	}
	site := tenancy.Current(inside).Site
	f, err := frame.Parsed[accounts.SupportFields](
		supportTable,
		args.Values{"role": v.Form.Get("role"), "reason": v.Form.Text("reason")},
		args.Creating,
	)
	var pass string
	if err == nil {
		to := accounts.SupportEntry{Platform: w.platform.Resolver.Platform(), Host: w.platform.Resolver.Home(site, v.Host), Agent: v.Agent}
		pass, err = w.platform.Support.Open(inside, v.Session.Hash, f, to)
	}
	switch {
	case errors.Is(err, tenancy.ErrClosed):
		v.Form.Wrong("role", frame.Tell(v.Ctx, "console.support.closed"))
	case err == nil:
		to := w.letters.Origin(v, site)
		return &frame.Reply{Title: site.Name, Bare: true, FormsTo: to,
			Body: supportGoPage(site, to+frame.AdminRoot+signin.SupportPath, pass)}, nil
	case !v.Form.Refuse(v.Ctx, err):
		return nil, err
	}
	return w.supportReply(v, slug, v.Form, http.StatusUnprocessableEntity)
}
