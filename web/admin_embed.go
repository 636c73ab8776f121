package web

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public"
	"github.com/kalends/kalends/web/ui"
)

// embedder makes what somebody puts into a page of another site to show the calendar there.
type embedder struct {
	form       *form
	site       *tenancy.Site
	origin     string
	categories []pair // slugs and names
}

// embedViews are what other sites can show.
var embedViews = []string{"list", "month", "week"}

func (w *admin) routesOfEmbed() []adminRoute {
	return []adminRoute{{http.MethodGet, "/embed", tenancy.EditOwn, w.embed, false}}
}

// embed shows what the form in its own address makes.
func (w *admin) embed(v *visit) (*reply, error) {
	all, err := w.terms(v.ctx, calendar.Categories)
	if err != nil {
		return nil, err
	}
	e := &embedder{form: &form{kind: "embed", values: v.query}, site: v.scope().Site, origin: v.scope().Base.Origin}
	for _, b := range tree(all) {
		e.categories = append(e.categories, pair{b.Slug, strings.Repeat("– ", b.depth) + b.Name})
	}
	return &reply{title: tell(v.ctx, "nav.embed"), section: "embed", body: embedPage(e), scripts: []string{"copy.js"}, frames: true}, nil
}

// view is the one that is asked for.
func (e *embedder) view() string {
	for _, view := range embedViews {
		if view == e.form.get("view") {
			return view
		}
	}
	return embedViews[0]
}

// options are the arguments of an embedded page and attributes of the element, both under
// the same names, without what is as usual.
func (e *embedder) options() []pair {
	var list []pair
	for _, name := range []string{"categories", "theme", "accent"} {
		value := e.form.get(name)
		if name == "accent" && (value == ui.FirstText(e.site.Settings.Accent, ui.StandardAccent) || ui.AccentAddress(value) == "") {
			continue
		}
		if value != "" {
			list = append(list, pair{name, cut(value, 200)})
		}
	}
	return list
}

// language is the one of the embedded page, "" for that of each visitor.
func (e *embedder) language() string {
	for _, tag := range ui.Offered(e.site) {
		if tag == e.form.get("lang") {
			return tag
		}
	}
	return ""
}

// address is that of the embedded page.
func (e *embedder) address() string {
	query := url.Values{}
	for _, o := range e.options() {
		query.Set(o.Name, strings.TrimPrefix(o.Value, "#"))
	}
	path := "/embed/" + e.view() + "/"
	if language := e.language(); language != "" {
		path = "/" + language + path
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return e.origin + path
}

// element is the web component, as HTML.
func (e *embedder) element() string {
	attributes := []pair{{"view", e.view()}}
	if language := e.language(); language != "" {
		attributes = append(attributes, pair{"lang", language})
	}
	var b strings.Builder
	b.WriteString(`<script type="module" src="` + e.origin + `/embed.js"></script>` + "\n<kalends-calendar")
	for _, a := range append(attributes, e.options()...) {
		b.WriteString(" " + a.Name + `="` + html.EscapeString(a.Value) + `"`)
	}
	b.WriteString(`><a href="` + e.origin + `/events/">` + html.EscapeString(e.site.Name) + "</a></kalends-calendar>")
	return b.String()
}

// frame is the same without scripts.
func (e *embedder) frame() string {
	return public.Frame(e.address(), e.site.Name, public.FrameWidth, public.FrameHeight)
}

// accent is the color in the form.
func (e *embedder) accent() string {
	if accent := e.form.get("accent"); ui.AccentAddress(accent) != "" {
		return accent
	}
	return ui.FirstText(e.site.Settings.Accent, ui.StandardAccent)
}

// views are what can be shown, by name.
func (e *embedder) views(ctx context.Context) []pair {
	list := make([]pair, 0, len(embedViews))
	for _, view := range embedViews {
		list = append(list, pair{view, ui.Say(ctx, "view."+view)})
	}
	return list
}

// languages are those of the site's pages, by name.
func (e *embedder) languages() []pair {
	var list []pair
	for _, tag := range ui.Offered(e.site) {
		list = append(list, pair{tag, i18n.NativeName(tag)})
	}
	return list
}
