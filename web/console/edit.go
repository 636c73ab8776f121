package console

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

// editedFields are the fields that the provider may change, besides plan, limits and state.
var editedFields = []string{"name", "slug", "timezone", "language"}

// editSite shows the form for a site's name, address, time zone and language.
func (w *Pages) editSite(v *frame.Visit, slug string) (*frame.Reply, error) {
	return w.editReply(v, slug, nil, 0)
}

// editReply shows the form f, or a form with the site's current values if f is nil.
func (w *Pages) editReply(v *frame.Visit, slug string, f *frame.Form, status int) (*frame.Reply, error) {
	inside, err := w.inside(v, slug)
	if err != nil {
		return nil, err
	}
	site := tenancy.Current(inside).Site
	if f == nil {
		f = &frame.Form{Kind: "found", Values: url.Values{"name": {site.Name}, "slug": {site.Slug}, "timezone": {site.Timezone},
			"language": {site.Language}}}
	}
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "console.edit"), Section: "sites",
		Body: inContext(inside, consoleEditPage(site, f))}, nil
}

// saveSite stores the form.
func (w *Pages) saveSite(v *frame.Visit, slug string) (*frame.Reply, error) {
	v.Form.Kind = "found"
	site, err := w.platform.Sites.Get(v.Ctx, slug)
	if errors.Is(err, tenancy.ErrNoSite) {
		return w.editedBefore(v)
	}
	if err != nil {
		return nil, err
	}
	values := args.Values{}
	for _, name := range editedFields {
		values[name] = strings.TrimSpace(v.Form.Get(name))
	}
	fields, err := frame.Checked(siteTable, values, args.Updating, func(f *platform.SiteFields) error {
		asked := *f
		if asked.Slug.Or("") == slug {
			asked.Slug = args.Opt[string]{} // the slug belongs to this very site
		}
		return w.platform.Sites.Check(v.Ctx, &asked)
	})
	if err == nil {
		site, err = w.platform.Sites.Update(v.Ctx, slug, fields)
	}
	switch {
	case err == nil:
		return &frame.Reply{Redirect: siteAddress(site.Slug), Say: "saved"}, nil
	case !v.Form.Refuse(v.Ctx, err):
		return nil, err
	}
	return w.editReply(v, slug, v.Form, http.StatusUnprocessableEntity)
}

// editedBefore redirects to the site if the form was sent again after it had changed the site's slug.
func (w *Pages) editedBefore(v *frame.Visit) (*frame.Reply, error) {
	site, err := w.platform.Sites.Get(v.Ctx, strings.TrimSpace(v.Form.Get("slug")))
	if errors.Is(err, tenancy.ErrNoSite) || err == nil && site.Name != strings.TrimSpace(v.Form.Get("name")) {
		return nil, fiber.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return &frame.Reply{Redirect: siteAddress(site.Slug), Say: "saved"}, nil
}
