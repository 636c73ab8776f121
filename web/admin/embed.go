package admin

import (
	"cmp"
	"context"
	"html"
	"net/url"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/public"
	"github.com/kalends/kalends/web/ui"
)

// embedder creates the code that shows the calendar on a page of another site.
type embedder struct {
	form       *frame.Form
	site       *tenancy.Site
	origin     string
	categories []frame.Pair // slugs and names
	excludes   []exclude
}

// exclude is a kind of entry that an embedded calendar can leave out.
type exclude struct {
	name    string       // the parameter
	kind    string       // part of the names of the menu's controls
	options []frame.Pair // values and names
}

// mostExcluded is the most entries of each kind that an embedded page can leave out.
const mostExcluded = 20

// embedViews are the views that another site can embed.
var embedViews = []string{"list", "month", "week"}

func (w *Pages) routesOfEmbed() []frame.Route {
	return []frame.Route{frame.GetPage("/embed", tenancy.EditOwn, w.embed)}
}

// embed shows the form and the code that it creates. The address of the page holds the form's fields.
func (w *Pages) embed(v *frame.Visit) (*frame.Reply, error) {
	all, err := offers.Terms(v.Ctx, w.calendar, calendar.Categories)
	if err != nil {
		return nil, err
	}
	e := &embedder{form: &frame.Form{Kind: "embed", Values: v.Query}, site: v.Scope().Site, origin: v.Scope().Base.Origin}
	for _, b := range offers.Tree(all) {
		e.categories = append(e.categories, frame.Pair{Name: b.Slug, Value: b.Label(v.Ctx)})
	}
	if err := w.offerExcludes(v, e); err != nil {
		return nil, err
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav.embed"), Section: "embed", Body: embedPage(e), Frames: true}, nil
}

// offerExcludes reads the entries that the calendar can leave out: the categories, the tags, and the newest venues.
func (w *Pages) offerExcludes(v *frame.Visit, e *embedder) error {
	tags, err := offers.Terms(v.Ctx, w.calendar, calendar.Tags)
	if err != nil {
		return err
	}
	offered, err := offers.Of(v.Ctx, w.calendar, calendar.OfferQuery{Venues: offers.Longest})
	if err != nil {
		return err
	}
	named := make([]frame.Pair, 0, len(tags))
	for _, t := range tags {
		named = append(named, frame.Pair{Name: t.Slug, Value: t.Name})
	}
	e.excludes = []exclude{{"categories_exclude", "categories", e.categories}, {"tags_exclude", "tags", named},
		{"venue_exclude", "venues", offers.Named(v.Ctx, offered.Venues)}}
	return nil
}

// excluded returns the valid entries of a kind that the form leaves out.
func (e *embedder) excluded(x exclude) (list []string) {
	for _, o := range x.options {
		if e.form.Among(x.name, o.Name) && len(list) < mostExcluded {
			list = append(list, o.Name)
		}
	}
	return list
}

// view is the view that the form chooses.
func (e *embedder) view() string {
	for _, view := range embedViews {
		if view == e.form.Get("view") {
			return view
		}
	}
	return embedViews[0]
}

// options are the parameters of the embedded page and the attributes of the element, which have the same names.
// They do not include default values.
func (e *embedder) options() []frame.Pair {
	var list []frame.Pair
	for _, name := range []string{"categories", "theme", "accent"} {
		value := e.form.Get(name)
		if name == "accent" && (value == cmp.Or(e.site.Settings.Accent, ui.StandardAccent) || ui.AccentAddress(value) == "") {
			continue
		}
		if value != "" {
			list = append(list, frame.Pair{Name: name, Value: frame.Cut(value, 200)})
		}
	}
	for _, x := range e.excludes {
		if values := e.excluded(x); len(values) > 0 {
			list = append(list, frame.Pair{Name: x.name, Value: strings.Join(values, ",")})
		}
	}
	return list
}

// language is the language of the embedded page, or "" for each visitor's own language.
func (e *embedder) language() string {
	for _, tag := range ui.Offered(e.site) {
		if tag == e.form.Get("lang") {
			return tag
		}
	}
	return ""
}

// address is the address of the embedded page.
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
	attributes := []frame.Pair{{Name: "view", Value: e.view()}}
	if language := e.language(); language != "" {
		attributes = append(attributes, frame.Pair{Name: "lang", Value: language})
	}
	var b strings.Builder
	b.WriteString(`<script type="module" src="` + e.origin + `/embed.js"></script>` + "\n<kalends-calendar")
	for _, a := range append(attributes, e.options()...) {
		b.WriteString(" " + a.Name + `="` + html.EscapeString(a.Value) + `"`)
	}
	b.WriteString(`><a href="` + e.origin + `/events/">` + html.EscapeString(e.site.WordsIn(e.language()).Name) + "</a></kalends-calendar>")
	return b.String()
}

// frame is the HTML of an iframe, which works without scripts.
func (e *embedder) frame() string {
	return public.Frame(e.address(), e.site.WordsIn(e.language()).Name, public.FrameWidth, public.FrameHeight)
}

func (e *embedder) accent() string {
	if accent := e.form.Get("accent"); ui.AccentAddress(accent) != "" {
		return accent
	}
	return cmp.Or(e.site.Settings.Accent, ui.StandardAccent)
}

// views are the views to choose from, with their names.
func (e *embedder) views(ctx context.Context) []frame.Pair {
	list := make([]frame.Pair, 0, len(embedViews))
	for _, view := range embedViews {
		list = append(list, frame.Pair{Name: view, Value: ui.Say(ctx, "view."+view)})
	}
	return list
}

// languages are the languages of the site's pages, with their names.
func (e *embedder) languages() []frame.Pair {
	var list []frame.Pair
	for _, tag := range ui.Offered(e.site) {
		list = append(list, frame.Pair{Name: tag, Value: i18n.NativeName(tag)})
	}
	return list
}
