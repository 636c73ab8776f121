package web

import (
	"context"
	"encoding/xml"
	"strconv"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// eventsPerMap is how many events a site map names; a site that has more has an
// index of several.
const eventsPerMap = 1000

// robots tells search engines where the site map is, and that lists without end
// are not worth their time.
func (w *public) robots(ctx context.Context, _ asked) (*shown, error) {
	base := tenancy.Current(ctx).Base
	text := "User-agent: *\nDisallow: /*?*search=\nDisallow: /calendar/events/v1/\nDisallow: /*/calendar/events/v1/\n" +
		"Disallow: /wp-json/\nDisallow: /*/wp-json/\n\nSitemap: " + base.Origin + "/sitemap.xml\n"
	return &shown{file: []byte(text), kind: "text/plain; charset=utf-8", version: siteOf(ctx).Version}, nil
}

// urlset is a site map (sitemaps.org), with the languages of each page.
type urlset struct {
	XMLName xml.Name   `xml:"urlset"`
	Space   string     `xml:"xmlns,attr"`
	XHTML   string     `xml:"xmlns:xhtml,attr"`
	URLs    []mapEntry `xml:"url"`

	languages []string
}

type mapEntry struct {
	Address  string    `xml:"loc"`
	Modified string    `xml:"lastmod,omitempty"`
	Links    []mapLang `xml:"xhtml:link"`
}

type mapLang struct {
	Rel  string `xml:"rel,attr"`
	Lang string `xml:"hreflang,attr"`
	Href string `xml:"href,attr"`
}

// mapIndex names the parts of a large site map.
type mapIndex struct {
	XMLName xml.Name  `xml:"sitemapindex"`
	Space   string    `xml:"xmlns,attr"`
	Parts   []mapPart `xml:"sitemap"`
}

type mapPart struct {
	Address string `xml:"loc"`
}

const sitemaps = "http://www.sitemaps.org/schemas/sitemap/0.9"

// sitemap names the pages of a site: events, then, in the first part, places
// and categories.
func (w *public) sitemap(ctx context.Context, a asked) (*shown, error) {
	part := 1
	if text := a.query("part"); text != "" {
		var err error
		if part, err = strconv.Atoi(text); err != nil || part < 1 || part > 1_000_000 {
			return nil, calendar.ErrPage
		}
	}
	f := &calendar.EventFilter{StartsAfter: dateArg(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))}
	f.Page = args.Some(part)
	page, _, err := w.calendar.Events().ListLong(ctx, f, eventsPerMap)
	if err != nil {
		return nil, err
	}
	origin := tenancy.Current(ctx).Base.Origin
	if page.Total > eventsPerMap && a.query("part") == "" {
		index := mapIndex{Space: sitemaps}
		for n := range (page.Total + eventsPerMap - 1) / eventsPerMap {
			index.Parts = append(index.Parts, mapPart{origin + "/sitemap.xml?part=" + strconv.Itoa(n+1)})
		}
		return mapFile(index, page.Version)
	}
	set := urlset{Space: sitemaps, XHTML: "http://www.w3.org/1999/xhtml", languages: offered(siteOf(ctx))}
	if part == 1 {
		set.add(origin, "/events/", time.Time{})
		if err := w.mapPlaces(ctx, origin, &set); err != nil {
			return nil, err
		}
	}
	for _, e := range page.Items {
		if !e.Protected() {
			set.add(origin, eventPath(e), e.Modified)
		}
	}
	return mapFile(set, page.Version)
}

// mapPlaces adds venues, organizers and categories.
func (w *public) mapPlaces(ctx context.Context, origin string, set *urlset) error {
	paging := func(n int) calendar.Paging { return calendar.Paging{Page: args.Some(n), PerPage: args.Some(50)} }
	for n, more := 1, true; more && n <= mostMapPages; n++ {
		page, _, err := w.calendar.Venues().List(ctx, &calendar.PlaceFilter{Paging: paging(n)})
		if err != nil {
			return err
		}
		for _, v := range page.Items {
			set.add(origin, venuePath(v), v.Modified)
		}
		more = page.Total > n*50
	}
	for n, more := 1, true; more && n <= mostMapPages; n++ {
		page, _, err := w.calendar.Organizers().List(ctx, &calendar.PlaceFilter{Paging: paging(n)})
		if err != nil {
			return err
		}
		for _, o := range page.Items {
			set.add(origin, organizerPath(o), o.Modified)
		}
		more = page.Total > n*50
	}
	for n, more := 1, true; more && n <= mostMapPages; n++ {
		f := &calendar.CategoryFilter{}
		f.Paging = paging(n)
		page, _, err := w.calendar.Terms(calendar.Categories).List(ctx, f)
		if err != nil {
			return err
		}
		for _, term := range page.Items {
			set.add(origin, termPath(term), time.Time{})
		}
		more = page.Total > n*50
	}
	return nil
}

// mostMapPages bounds how many pages of places a site map names.
const mostMapPages = 40

// add names a page in every language it is offered in.
func (s *urlset) add(origin, path string, modified time.Time) {
	e := mapEntry{Address: origin + path}
	if !modified.IsZero() {
		e.Modified = modified.UTC().Format(time.RFC3339)
	}
	for _, tag := range s.languages {
		e.Links = append(e.Links, mapLang{"alternate", tag, origin + "/" + tag + path})
	}
	e.Links = append(e.Links, mapLang{"alternate", "x-default", origin + path})
	s.URLs = append(s.URLs, e)
}

func mapFile(content any, version int64) (*shown, error) {
	b, err := xml.Marshal(content)
	if err != nil {
		return nil, err
	}
	return &shown{file: append([]byte(xml.Header), b...), kind: "application/xml; charset=utf-8", version: version}, nil
}
