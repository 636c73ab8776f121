// Package discovery has what other programs find a site by: its map, the files for robots and assistants, its icons, and the
// reference of the API.
package discovery

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/docs"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// Pages are the files and the reference.
type Pages struct {
	calendar *services.Calendar
	layout   *layout.Pages
	document func(context.Context) []byte // nil: there is no API reference
}

// New returns the pages. document returns the OpenAPI document of the API in the language of the context.
func New(c *services.Calendar, l *layout.Pages, document func(context.Context) []byte) *Pages {
	return &Pages{calendar: c, layout: l, document: document}
}

// Routes are the routes of these pages.
func (w *Pages) Routes() []layout.Route {
	return []layout.Route{
		layout.At("/api-reference", w.reference),
		layout.At("/api-reference/:resource", w.reference),
		layout.At("/favicon.ico", w.favicon),
		layout.At("/apple-touch-icon.png", w.icon("/apple-touch-icon.png")),
		layout.At("/icon-192.png", w.icon("/icon-192.png")),
		layout.At("/icon-512.png", w.icon("/icon-512.png")),
		layout.At("/manifest.webmanifest", w.manifest),
		layout.At("/robots.txt", w.robots),
		layout.At("/llms.txt", w.llms),
		layout.At(recipesPath, w.recipes),
		layout.At("/.well-known/api-catalog", w.apiCatalog),
		layout.At("/sitemap.xml", w.sitemap),
	}
}

// robots tells search engines where the sitemap is, and excludes endless lists and the API. It allows feeds,
// because programs that read them, such as Google Calendar, follow these rules. The longest matching rule applies;
// of two equally long rules, the one that allows access.
func (w *Pages) robots(ctx context.Context, _ layout.Asked) (*layout.Shown, error) {
	base := tenancy.Current(ctx).Base
	var text strings.Builder
	text.WriteString("User-agent: *\nDisallow: /*?*search=\nDisallow: /language/\n")
	for _, root := range []string{"/calendar/events/v1/", "/wp-json/"} {
		text.WriteString("Disallow: " + root + "\nDisallow: /*" + root + "\n")
	}
	for _, before := range []string{"/", "/*/"} {
		for _, feed := range []string{"events.ics", "events.rss", "events.atom", "events.json",
			"calendar/events/v1/events.ics", "wp-json/tribe/events/v1/events.ics"} {
			text.WriteString("Allow: " + before + feed + "\n")
		}
	}
	text.WriteString("Allow: /*.ics?*search=\nAllow: /*?*ical=1*search=\nAllow: /*?*search=*ical=1\n\n" +
		"Sitemap: " + base.Origin + "/sitemap.xml\n")
	return &layout.Shown{File: []byte(text.String()), Kind: "text/plain; charset=utf-8", Version: ui.SiteOf(ctx).Version}, nil
}

// escapeLink escapes the text of a link in Markdown.
var escapeLink = strings.NewReplacer("\\", "\\\\", "[", "\\[", "]", "\\]", "`", "\\`", "<", "&lt;")

// llms tells language models what the site is and where to read it (llmstxt.org).
func (w *Pages) llms(ctx context.Context, _ layout.Asked) (*layout.Shown, error) {
	site, base := ui.SiteOf(ctx), tenancy.Current(ctx).Base
	var text strings.Builder
	text.WriteString("# " + escapeLink.Replace(ui.SiteName(ctx)) + "\n\n> " + ui.SayWith(ctx, "llms.about", "Zone", site.Timezone) + "\n")
	link := func(key, path, about string) {
		text.WriteString("- [" + escapeLink.Replace(ui.Say(ctx, key)) + "](" + base.Pages() + path + ")")
		if about != "" {
			text.WriteString(": " + ui.Say(ctx, about))
		}
		text.WriteString("\n")
	}
	text.WriteString("\n## " + ui.Say(ctx, "nav") + "\n\n")
	link("upcoming", "/events/", "")
	link("month", "/events/month/", "")
	link("index.venues", "/venues/", "")
	link("organizers", "/organizers/", "")
	link("categories", "/categories/", "")
	text.WriteString("\n## " + ui.Say(ctx, "llms.programs") + "\n\n")
	link("reference.title", ReferencePath, "llms.api")
	link("reference.file", base.Namespace+"/doc", "")
	link("llms.build", recipesPath, "llms.build.text")
	link("subscribe.address", "/events.ics", "llms.file")
	return &layout.Shown{File: []byte(text.String()), Kind: "text/plain; charset=utf-8", Version: siteVersion(ctx)}, nil
}

// recipesPath is the path of the recipes for developers.
const recipesPath = "/build.md"

// recipes tells developers how to build on this site.
func (w *Pages) recipes(ctx context.Context, _ layout.Asked) (*layout.Shown, error) {
	text := strings.ReplaceAll(docs.Build, docs.Example, tenancy.Current(ctx).Base.Origin)
	return &layout.Shown{File: []byte(text), Kind: "text/markdown; charset=utf-8", Version: siteVersion(ctx)}, nil
}

// A linkset is a set of links with a common anchor (RFC 9264).
type linkset struct {
	Anchor string `json:"anchor"`
	Desc   []link `json:"service-desc"`
	Doc    []link `json:"service-doc"`
}

type link struct {
	Href string `json:"href"`
	Type string `json:"type"`
}

// apiCatalog links to the descriptions of the API (RFC 9727).
func (w *Pages) apiCatalog(ctx context.Context, _ layout.Asked) (*layout.Shown, error) {
	base := tenancy.Current(ctx).Base
	file, err := json.Marshal(map[string][]linkset{"linkset": {{Anchor: base.API(),
		Desc: []link{{documentPath(ctx), "application/json"}},
		Doc:  []link{{base.Pages() + ReferencePath, "text/html"}}}}})
	return &layout.Shown{
		File:    file,
		Kind:    `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`,
		Version: siteVersion(ctx),
	}, err
}
