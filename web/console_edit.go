package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// editedFields are what the provider changes of a site beside what it may and is.
var editedFields = []string{"name", "slug", "timezone", "language"}

// editConsoleSite shows the form of a site's name, address, time zone and language.
func (w *admin) editConsoleSite(v *visit, slug string) (*reply, error) {
	return w.editReply(v, slug, nil, 0)
}

// editReply shows the form; without one the site as it stands.
func (w *admin) editReply(v *visit, slug string, f *form, status int) (*reply, error) {
	inside, err := w.consoleInside(v, slug)
	if err != nil {
		return nil, err
	}
	site := tenancy.Current(inside).Site
	if f == nil {
		f = &form{kind: "found", values: url.Values{"name": {site.Name}, "slug": {site.Slug}, "timezone": {site.Timezone},
			"language": {site.Language}}}
	}
	return &reply{status: status, title: tell(v.ctx, "console.edit"), section: "sites",
		body: inContext(inside, consoleEditPage(site, f))}, nil
}

// saveConsoleSite stores the form.
func (w *admin) saveConsoleSite(v *visit, slug string) (*reply, error) {
	v.form.kind = "found"
	site, err := w.platform.Sites.Get(v.ctx, slug)
	if errors.Is(err, tenancy.ErrNoSite) {
		return w.editedBefore(v)
	}
	if err != nil {
		return nil, err
	}
	values := args.Values{}
	for _, name := range editedFields {
		values[name] = strings.TrimSpace(v.form.get(name))
	}
	fields, err := checked(siteTable, values, args.Updating, func(f *tenancy.SiteFields) error {
		asked := *f
		if asked.Slug.Or("") == slug {
			asked.Slug = args.Opt[string]{} // it is taken, by this very site
		}
		return w.platform.Sites.Check(v.ctx, &asked)
	})
	if err == nil {
		site, err = w.platform.Sites.Update(v.ctx, slug, fields)
	}
	switch {
	case err == nil:
		return &reply{redirect: consoleAddress(site.Slug), say: "saved"}, nil
	case !v.form.refuse(v.ctx, err):
		return nil, err
	}
	return w.editReply(v, slug, v.form, http.StatusUnprocessableEntity)
}

// editedBefore leads to the site that a form has given its new address, perhaps
// without an answer, when it is sent again.
func (w *admin) editedBefore(v *visit) (*reply, error) {
	site, err := w.platform.Sites.Get(v.ctx, strings.TrimSpace(v.form.get("slug")))
	if errors.Is(err, tenancy.ErrNoSite) || err == nil && site.Name != strings.TrimSpace(v.form.get("name")) {
		return nil, fiber.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return &reply{redirect: consoleAddress(site.Slug), say: "saved"}, nil
}
