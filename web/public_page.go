package web

import (
	"context"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// page is the frame of a page: what its head says.
type page struct {
	title       string // "" : the site's name alone
	description string
	path        string // of the page itself, escaped, the language aside; "": an error
	query       string // of the page itself, with its question mark, or ""
	rest        string // address of the same in the API, below its root
	robots      string // "": to be found
	article     bool   // of Open Graph: one thing, not a list
	section     string // of the navigation
	words       string // that were looked for
	image       *calendar.Image
	data        any // structured data, or nil
	feeds       *subscription

	scope *tenancy.Scope
	lang  dates
	json  string // of data
}

// finish fills in what follows from the request.
func (p *page) finish(ctx context.Context) {
	p.scope = tenancy.Current(ctx)
	p.lang = datesOf(p.scope.Language, p.scope.Site)
	if p.data == nil {
		return
	}
	if b, err := json.Marshal(p.data); err == nil { // escapes <, > and &
		p.json = `<script type="application/ld+json">` + string(b) + `</script>`
	}
}

// pageLanguage is one of the languages a page is to be had in.
type pageLanguage struct{ tag, name, href string }

// languages lists the addresses of a page in every language it is offered in.
func (p *page) languages() []pageLanguage {
	tags := offered(p.scope.Site)
	list := make([]pageLanguage, 0, len(tags))
	for _, tag := range tags {
		list = append(list, pageLanguage{tag, i18n.NativeName(tag), "/" + tag + p.path + p.query})
	}
	return list
}

// locale is a language as Open Graph names it: with the territory where most
// speak it.
func locale(tag string) string {
	region, _ := language.Make(tag).Region()
	return tag + "_" + region.String()
}

// offered lists the languages of a site's public pages; of no site's: all.
func offered(site *tenancy.Site) []string {
	return slices.DeleteFunc(i18n.Languages(), func(tag string) bool { return site != nil && !site.Offers(tag) })
}

// siteName is the name of the site, "" where no site is.
func (p *page) siteName() string {
	if p.scope.Site == nil {
		return ""
	}
	return p.scope.Site.Name
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

// href is a path of this site in the language of the request.
func href(ctx context.Context, path string) string { return tenancy.Current(ctx).Base.Prefix + path }

// say is a text of the public pages.
func say(ctx context.Context, key string) string { return i18n.T(ctx, "public."+key, nil) }

// sayWith is a text of the public pages with one value in it.
func sayWith(ctx context.Context, key, name, value string) string {
	return i18n.T(ctx, "public."+key, map[string]any{name: value})
}

// sayTwo is a text of the public pages with two values in it.
func sayTwo(ctx context.Context, key, name, value, second, other string) string {
	return i18n.T(ctx, "public."+key, map[string]any{name: value, second: other})
}

// describe says what a list of the events of some time or kind is.
func describe(ctx context.Context, of string) string {
	return sayTwo(ctx, "description.time", "Time", of, "Site", siteOf(ctx).Name)
}

// datesIn returns the dates of the language of the request, in the forms of its
// site.
func datesIn(ctx context.Context) dates {
	scope := tenancy.Current(ctx)
	return datesOf(scope.Language, scope.Site)
}

// The paths of the pages, escaped.
func venuePath(v *calendar.Venue) string { return "/venue/" + calendar.EncodedSlug(v.Slug) + "/" }
func organizerPath(o *calendar.Organizer) string {
	return "/organizer/" + calendar.EncodedSlug(o.Slug) + "/"
}

func termPath(term *calendar.Term) string {
	if term.Taxonomy == calendar.Tags {
		return "/tag/" + calendar.EncodedSlug(term.Slug) + "/"
	}
	return "/events/category/" + calendar.EncodedSlug(term.Path) + "/"
}

// previousDate is when an event was to be, on its own clock.
func previousDate(ctx context.Context, e *calendar.Event, at time.Time) string {
	was := wallAt(at, zoneOf(e))
	d := datesIn(ctx)
	if e.AllDay {
		return d.full(was)
	}
	return d.at(d.full(was), d.time(was))
}

// moved returns the way to a page that was asked for under another spelling of
// its path, or nil.
func moved(ctx context.Context, a asked, path string) *shown {
	if plain := decoded(path); a.path == plain || a.calendar {
		return nil
	}
	return &shown{redirect: href(ctx, path)}
}

// blobPath is the address of a file of a picture.
func blobPath(i *calendar.Image, file string) string {
	return "/media/" + i.Key + "/" + pathEscape(file)
}

// excerptOf returns an excerpt as plain text, or the beginning of the
// description, cut to what a search engine shows.
func excerptOf(excerpt, description string) string {
	text := calendar.PlainText(excerpt)
	if text == "" {
		text = calendar.PlainText(description)
	}
	const longest = 200
	letters := []rune(text)
	if len(letters) <= longest {
		return text
	}
	cut := string(letters[:longest])
	if blank := strings.LastIndexByte(cut, ' '); blank > longest/2 {
		cut = cut[:blank]
	}
	return cut + "…"
}

// pathEscape writes a text as one part of a path.
func pathEscape(s string) string { return url.PathEscape(s) }

// plainText is the text of safe HTML.
func plainText(safe string) string { return html.UnescapeString(safe) }
