package public

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// page is the frame of a page: what its head says.
type page struct {
	title       string // "" : the site's name alone
	description string
	path        string                       // of the page itself, escaped, the language aside; "": an error
	in          func(language string) string // path in a language, of a page whose slug differs; nil: the same in all
	query       string                       // of the page itself, with its question mark, or ""
	rest        string                       // address of the same in the API, below its root
	robots      string                       // "": to be found
	article     bool                         // of Open Graph: one thing, not a list
	section     string                       // of the navigation
	words       string                       // that were looked for
	image       *calendar.Image
	data        any // structured data, or nil
	feeds       *subscription
	embedded    bool   // it is shown within a page of another site
	scheme      string // of an embedded page: light, dark, or "" for what the system says
	sheet       string // a style sheet of its own, or ""
	accent      string // of an embedded page: address of its style sheet, "" for the site's

	scope *tenancy.Scope
	lang  ui.Dates
	json  string // of data
}

// finish fills in what follows from the request.
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

// pageLanguage is one of the languages a page is to be had in.
type pageLanguage struct{ tag, name, href string }

// choose is where a visitor goes who chooses the language.
func (l pageLanguage) choose() string { return choosePath + l.href }

// languages lists the addresses of a page in every language it is offered in.
func (p *page) languages() []pageLanguage {
	tags := ui.Offered(p.scope.Site)
	list := make([]pageLanguage, 0, len(tags))
	for _, tag := range tags {
		list = append(list, pageLanguage{tag, i18n.NativeName(tag), "/" + tag + p.pathIn(tag) + p.query})
	}
	return list
}

// pathIn is the path of the page in a language.
func (p *page) pathIn(language string) string {
	if p.in == nil {
		return p.path
	}
	return p.in(language)
}

// anywhere is the address of the page that is in the language of whoever asks.
func (p *page) anywhere() string {
	return p.scope.Base.Origin + p.pathIn(p.scope.Site.Language) + p.query
}

// locale is a language as Open Graph names it: with the territory where most
// speak it.
func locale(tag string) string {
	of := language.Make(tag)
	base, _ := of.Base()
	region, _ := of.Region()
	return base.String() + "_" + region.String()
}

// said is what the site says of itself, in the language of the page.
func (p *page) said() tenancy.SiteWords { return p.scope.Words() }

// siteName is the name of the site, "" where no site is.
func (p *page) siteName() string {
	return p.said().Name
}

// heading is what the title bar shows.
func (p *page) heading() string {
	switch name := p.siteName(); {
	case p.title == "":
		return name
	case name == "":
		return p.title
	default:
		return p.title + " – " + name
	}
}

// canonical is the address of the page, whole.
func (p *page) canonical() string { return p.scope.Base.Pages() + p.path + p.query }

// describe says what a list of the events of some time or kind is.
func describe(ctx context.Context, of string) string {
	return ui.SayTwo(ctx, "description.time", "Time", of, "Site", ui.SiteName(ctx))
}

// previousDate is when an event was to be, on its own clock.
func previousDate(ctx context.Context, e *calendar.Event, at time.Time) string {
	was := ui.WallAt(at, ui.ZoneOf(e))
	d := ui.DatesIn(ctx)
	if e.AllDay {
		return d.Full(was)
	}
	return d.At(d.Full(was), d.Time(was))
}

// moved returns the way to a page that was asked for under another spelling of
// its path, or nil.
func moved(ctx context.Context, a asked, path string) *shown {
	if plain := ui.Decoded(path); a.path == plain || a.calendar {
		return nil
	}
	return &shown{redirect: ui.Href(ctx, path)}
}

// excerptOf returns an excerpt as plain text, or the beginning of the
// description, cut to what a search engine shows.
func excerptOf(excerpt, description string) string { return beginning(excerpt, description, 200) }

// beginning returns an excerpt as plain text, else the description, cut between words
// to so many letters.
func beginning(excerpt, description string, longest int) string {
	text := calendar.PlainText(excerpt)
	if text == "" {
		text = calendar.PlainText(description)
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
