package public

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// page is everything about a page except its body.
type page struct {
	title       string // "": only the site's name
	dated       string // day of a date of a series, for the title bar; "" for others
	shared      string // title for people who share the page, with time and place; "": title
	description string
	path        string                       // of the page itself, escaped, without language; "" for an error
	in          func(language string) string // path in a language if the slugs differ; nil: the same in all
	query       string                       // of the page itself with question mark, or ""
	rest        string                       // address in the API, relative to its root
	robots      string                       // "": indexable
	article     bool                         // Open Graph type article rather than a list
	section     string                       // of the navigation
	words       string                       // search words
	image       *calendar.Image
	card        string // full URL of its card, which is used instead of the image in previews; "" without one
	data        any    // structured data, or nil
	feeds       *subscription
	choice      *choice // of a list, or nil
	children    bool    // whether a category is for children, of pages without a choice
	embedded    bool    // embedded in a page of another site
	scheme      string  // of an embedded page: light, dark, or "" for the system's
	sheet       string  // an additional style sheet, or ""
	accent      string  // for an embedded page: address of the accent style sheet; "" for the site's

	season    int    // number of the season that it shows, from 1; 0: none
	still     bool   // without its script, in a frame of the administration
	report    string // path of the page for reports of mistakes on it, or ""
	edit      string // path of its form in the administration, or ""
	elsewhere string // address of the item's page on the site that it comes from; "": this site

	scope *tenancy.Scope
	lang  ui.Dates
	json  string // encoded data
}

// finish sets what depends on the request.
func (p *page) finish(ctx context.Context) {
	p.scope = tenancy.Current(ctx)
	p.lang = ui.DatesOf(p.scope.Language, p.scope.Site)
	if p.data == nil {
		return
	}
	if b, err := json.Marshal(p.data); err == nil { // escapes <, > and &
		p.json = `<script type="application/ld+json">` + string(b) + `</script>`
	}
}

// sheets returns the additional style sheets of the page. The front page and lists of events, on which most visits begin, do without that
// of events and places.
func (p *page) sheets() (sheets []string) {
	if p.choice == nil {
		sheets = append(sheets, "event.css")
	}
	if p.sheet != "" {
		sheets = append(sheets, p.sheet)
	}
	return sheets
}

// pageLanguage is a language in which a page is available.
type pageLanguage struct{ tag, name, href string }

// choose returns the address that selects the language.
func (l pageLanguage) choose() string { return choosePath + l.href }

// languages returns the addresses of a page in every language it is available in.
func (p *page) languages() []pageLanguage {
	tags := ui.Offered(p.scope.Site)
	list := make([]pageLanguage, 0, len(tags))
	for _, tag := range tags {
		list = append(list, pageLanguage{tag, i18n.NativeName(tag), "/" + tag + p.pathIn(tag) + p.query})
	}
	return list
}

// pathIn returns the path of the page in a language.
func (p *page) pathIn(language string) string {
	if p.in == nil {
		return p.path
	}
	return p.in(language)
}

// anywhere returns the address of the page that uses the visitor's language.
func (p *page) anywhere() string {
	return p.scope.Base.Origin + p.pathIn(p.scope.Site.Language) + p.query
}

// locale returns the Open Graph locale of a language, with the territory where it is most widely spoken.
func locale(tag string) string {
	of := language.Make(tag)
	base, _ := of.Base()
	region, _ := of.Region()
	return base.String() + "_" + region.String()
}

// said returns the site's texts in the language of the page.
func (p *page) said() tenancy.SiteWords { return p.scope.Words() }

// siteName returns the name of the site, or "" without a site.
func (p *page) siteName() string {
	return p.said().Name
}

// heading returns the text of the title bar.
func (p *page) heading() string {
	switch name := p.siteName(); {
	case p.title == "":
		return name
	case name == "":
		return p.title
	default:
		return ui.Joined(p.title, p.dated) + " – " + name
	}
}

// canonical returns the full address of the page.
func (p *page) canonical() string { return cmp.Or(p.elsewhere, p.own()) }

// own returns the full address of the page on this site.
func (p *page) own() string { return p.scope.Base.Pages() + p.path + p.query }

// describe returns the meta description of a list of events.
func describe(ctx context.Context, of string) string {
	return ui.SayTwo(ctx, "description.time", "Time", of, "Site", ui.SiteName(ctx))
}

// previousDate returns the original date of an event in its own time zone.
func previousDate(ctx context.Context, e *calendar.Event, at time.Time) string {
	was := ui.WallAt(at, ui.ZoneOf(e))
	d := ui.DatesIn(ctx)
	if e.AllDay {
		return d.Full(was)
	}
	return d.At(d.Full(was), d.Time(was))
}

// moved redirects from a variant spelling of a path to the page, or returns nil.
func moved(ctx context.Context, a asked, path string) *shown {
	if plain := ui.Decoded(path); a.path == plain || a.calendar {
		return nil
	}
	return &shown{redirect: ui.Href(ctx, path)}
}

// excerptOf returns the excerpt as plain text, or the beginning of the description, with the length that search
// engines show.
func excerptOf(excerpt, description string) string { return beginning(excerpt, description, 200) }

// beginning returns the excerpt, or the description if there is none, as plain text truncated between words to a
// number of characters.
func beginning(excerpt, description string, longest int) string {
	text := wording.PlainText(excerpt)
	if text == "" {
		text = wording.PlainText(description)
	}
	letters := []rune(text)
	if len(letters) <= longest {
		return text
	}
	cut := string(letters[:longest])
	if blank := strings.LastIndexByte(cut, ' '); blank > len(cut)/2 {
		cut = cut[:blank]
	}
	return cut + "…"
}
