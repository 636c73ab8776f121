// Package layout has the parts that all public pages share: the request for a page and its answer, the frame around the
// page, and a visitor's choices in a list, with its filters.
package layout

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"golang.org/x/text/language"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Page is everything about a page except its body.
type Page struct {
	Title       string // "": only the site's name
	Dated       string // day of a date of a series, for the title bar; "" for others
	Shared      string // title for people who share the page, with time and place; "": title
	Description string
	Path        string                       // of the page itself, escaped, without language; "" for an error
	In          func(language string) string // path in a language if the slugs differ; nil: the same in all
	Query       string                       // of the page itself with question mark, or ""
	Rest        string                       // Address in the API, relative to its root
	Robots      string                       // "": indexable
	Article     bool                         // Open Graph type article rather than a list
	Section     string                       // of the navigation
	words       string                       // search words
	Image       *calendar.Image
	Card        string // full URL of its card, which is used instead of the image in previews; "" without one
	Data        any    // structured data, or nil
	Feeds       *Subscription
	Letters     bool    // letters can be subscribed to
	Choice      *Choice // of a list, or nil
	ForChildren bool    // whether a category is for children, of pages that do not know it from their choice
	Embedded    bool    // embedded in a page of another site
	scheme      string  // of an embedded page: light, dark, or "" for the system's
	Sheet       string  // an additional style sheet, or ""
	accent      string  // for an embedded page: address of the accent style sheet; "" for the site's

	Season    int    // number of the season that it shows, from 1; 0: none
	Still     bool   // without its script, in a frame of the administration
	Report    string // path of the page for reports of mistakes on it, or ""
	Edit      string // path of its form in the administration, or ""
	Elsewhere string // Address of the item's page on the site that it comes from; "": this site

	unseen bool // its address must not leak

	scope *tenancy.Scope
	lang  ui.Dates
	json  string // encoded data
}

// finish sets what depends on the request.
func (p *Page) finish(ctx context.Context) {
	p.scope = tenancy.Current(ctx)
	p.lang = ui.DatesOf(p.scope.Language, p.scope.Site)
	if p.Data == nil {
		return
	}
	if b, err := json.Marshal(p.Data); err == nil { // escapes <, > and &
		p.json = `<script type="application/ld+json">` + string(b) + `</script>`
	}
}

// sheets returns the additional style sheets of the page. The front page and lists of events, on which most visits begin, do without that
// of events and places.
func (p *Page) sheets() (sheets []string) {
	if p.Choice == nil {
		sheets = append(sheets, "event.css")
	}
	if p.Sheet != "" {
		sheets = append(sheets, p.Sheet)
	}
	return sheets
}

// pageLanguage is a language in which a page is available.
type pageLanguage struct{ tag, name, href string }

// choose returns the address that selects the language.
func (l pageLanguage) choose() string { return choosePath + l.href }

// languages returns the addresses of a page in every language it is available in.
func (p *Page) languages() []pageLanguage {
	tags := ui.Offered(p.scope.Site)
	list := make([]pageLanguage, 0, len(tags))
	for _, tag := range tags {
		list = append(list, pageLanguage{tag, i18n.NativeName(tag), "/" + tag + p.pathIn(tag) + p.Query})
	}
	return list
}

// pathIn returns the path of the page in a language.
func (p *Page) pathIn(language string) string {
	if p.In == nil {
		return p.Path
	}
	return p.In(language)
}

// anywhere returns the address of the page that uses the visitor's language.
func (p *Page) anywhere() string {
	return p.scope.Base.Origin + p.pathIn(p.scope.Site.Language) + p.Query
}

// locale returns the Open Graph locale of a language, with the territory where it is most widely spoken.
func locale(tag string) string {
	of := language.Make(tag)
	base, _ := of.Base()
	region, _ := of.Region()
	return base.String() + "_" + region.String()
}

// Said returns the site's texts in the language of the page.
func (p *Page) Said() tenancy.SiteWords { return p.scope.Words() }

// siteName returns the name of the site, or "" without a site.
func (p *Page) siteName() string {
	return p.Said().Name
}

// heading returns the text of the title bar.
func (p *Page) heading() string {
	switch name := p.siteName(); {
	case p.Title == "":
		return name
	case name == "":
		return p.Title
	default:
		return ui.Joined(p.Title, p.Dated) + " – " + name
	}
}

// canonical returns the full address of the page.
func (p *Page) canonical() string { return cmp.Or(p.Elsewhere, p.own()) }

// own returns the full address of the page on this site.
func (p *Page) own() string { return p.scope.Base.Pages() + p.Path + p.Query }

// Describe returns the meta description of a list of events.
func Describe(ctx context.Context, of string) string {
	return ui.SayTwo(ctx, "description.time", "Time", of, "Site", ui.SiteName(ctx))
}

// PreviousDate returns the original date of an event in its own time zone.
func PreviousDate(ctx context.Context, e *calendar.Event, at time.Time) string {
	was := ui.WallAt(at, ui.ZoneOf(e))
	d := ui.DatesIn(ctx)
	if e.AllDay {
		return d.Full(was)
	}
	return d.At(d.Full(was), d.Time(was))
}

// Moved redirects from a variant spelling of a path to the page, or returns nil.
func Moved(ctx context.Context, a Asked, path string) *Shown {
	if plain := ui.Decoded(path); a.Path == plain || a.Calendar {
		return nil
	}
	return &Shown{Redirect: ui.Href(ctx, path)}
}

// Excerpt returns the excerpt as plain text, or the beginning of the description, with the length that search
// engines show.
func Excerpt(excerpt, description string) string { return beginning(excerpt, description, 200) }

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

// Searched turns the page into a search page if there are search words, and returns them.
func (p *Page) Searched(ctx context.Context, a Asked) args.Opt[string] {
	words := a.Query("search")
	if words == "" {
		return args.Opt[string]{}
	}
	p.words = Shorten(words)
	p.Title, p.Robots = ui.SayWith(ctx, "search.results", "Words", p.words), "noindex"
	return args.Some(p.words)
}

// Tint applies the colors in an embedded page's address instead of the site's.
func (p *Page) Tint(values url.Values) {
	p.scheme, p.accent = values.Get("theme"), ui.AccentAddress("#"+values.Get("accent"))
}

// cardText describes the card of a page, for people who cannot see it: its text and its picture.
func (p *Page) cardText() string {
	text := cmp.Or(p.Shared, p.Title)
	if p.Image == nil {
		return text
	}
	return ui.Joined(text, p.Image.Alt)
}

// cardType returns the media type of the card. picture may be nil.
func cardType(picture *calendar.Image) string {
	if picture != nil {
		return "image/jpeg"
	}
	return "image/png"
}

// restPath returns the path in the API with the same content as the page. The default is the API's root.
func restPath(p *Page) string { return cmp.Or(p.Rest, "/") }

// current returns the attributes that mark a link to the current page.
func current(here bool) templ.Attributes {
	if !here {
		return nil
	}
	return templ.Attributes{"aria-current": "page"}
}

// Shorten limits a text to what an address may contain.
func Shorten(text string) string {
	const longest = 200
	if letters := []rune(text); len(letters) > longest {
		return string(letters[:longest])
	}
	return text
}

// IDText formats an ID for an address or a field.
func IDText(id int64) string { return strconv.FormatInt(id, 10) }
