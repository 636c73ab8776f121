package discovery

import (
	"context"
	"encoding/xml"
	"errors"
	"math"
	"net/url"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// eachPerMap is the maximum number of pages of each kind in a sitemap: events, series, their occurrences, venues,
// organizers, categories. Sites with more have an index of several sitemaps.
const eachPerMap = 1000

// allTexts requests the slugs in all languages.
var allTexts = calendar.Speaking{Translations: args.Some("full")}

// urlset is a sitemap (sitemaps.org) with the languages of each page.
type urlset struct {
	XMLName xml.Name   `xml:"urlset"`
	Space   string     `xml:"xmlns,attr"`
	XHTML   string     `xml:"xmlns:xhtml,attr"`
	URLs    []mapEntry `xml:"url"`

	origin    string
	site      *tenancy.Site
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

// mapIndex lists the parts of a large sitemap.
type mapIndex struct {
	XMLName xml.Name  `xml:"sitemapindex"`
	Space   string    `xml:"xmlns,attr"`
	Parts   []mapPart `xml:"sitemap"`
}

type mapPart struct {
	Address string `xml:"loc"`
}

const sitemaps = "http://www.sitemaps.org/schemas/sitemap/0.9"

// sitemap lists the pages of a site, up to eachPerMap of each kind per part.
func (w *Pages) sitemap(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	part := 1
	if text := a.Query("part"); text != "" {
		var err error
		if part, err = strconv.Atoi(text); err != nil || part < 1 || part > 1_000_000 {
			return nil, calendar.ErrPage
		}
	}
	origin := tenancy.Current(ctx).Base.Origin
	set := urlset{Space: sitemaps, XHTML: "http://www.w3.org/1999/xhtml", origin: origin,
		site: ui.SiteOf(ctx), languages: ui.Offered(ui.SiteOf(ctx))}
	if part == 1 {
		set.add(func(string) string { return "/events/" }, time.Time{})
	}
	most, version, err := w.mapAll(ctx, &set, part)
	if err == nil && part == 1 {
		err = w.mapNear(ctx, &set)
	}
	switch {
	case err != nil:
		return nil, err
	case most > eachPerMap && a.Query("part") == "":
		index := mapIndex{Space: sitemaps}
		for n := range (most + eachPerMap - 1) / eachPerMap {
			index.Parts = append(index.Parts, mapPart{origin + "/sitemap.xml?part=" + strconv.Itoa(n+1)})
		}
		return mapFile(index, version, w.layout.Midnight(ctx))
	case len(set.URLs) == 0:
		return nil, calendar.ErrPage
	}
	return mapFile(set, version, w.layout.Midnight(ctx))
}

// mapAll adds page number part of each kind. It returns the number of pages of the kind that has most, and the lowest
// version of the site at which it read.
func (w *Pages) mapAll(ctx context.Context, set *urlset, part int) (most int, version int64, err error) {
	paging, version := calendar.Paging{Page: args.Some(part)}, int64(math.MaxInt64)
	for _, kind := range []func(context.Context, *urlset, calendar.Paging) (int, int64, error){
		w.mapEvents, w.mapSeries, w.mapDates, w.mapVenues, w.mapOrganizers, w.mapCategories,
	} {
		total, at, err := kind(ctx, set, paging)
		if errors.Is(err, calendar.ErrPage) { // another kind has more pages
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		most, version = max(most, total), min(version, at)
	}
	return most, version, nil
}

// mapNear adds the pages of popular filters that find events.
func (w *Pages) mapNear(ctx context.Context, set *urlset) error {
	for _, one := range layout.Nears {
		c := &layout.Choice{At: "/events/", Values: url.Values{one.Parameter: {one.Value}}}
		c.Coming()
		c.PerPage = args.Some(1)
		if err := w.layout.Fill(ctx, c); err != nil {
			return err
		}
		page, _, err := w.calendar.Events().Choose(ctx, &c.Choice)
		if err != nil {
			return err
		}
		if page.Total > 0 {
			set.add(func(string) string { return layout.NearPath(one.Name) }, time.Time{})
		}
	}
	return nil
}

// mapEvents adds single events.
func (w *Pages) mapEvents(ctx context.Context, set *urlset, paging calendar.Paging) (int, int64, error) {
	f := &calendar.EventFilter{Paging: paging, Speaking: allTexts, Recurring: args.Some(false),
		StartsAfter: args.DayArg(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))}
	page, _, err := w.calendar.Events().ListLong(ctx, f, eachPerMap)
	for _, e := range page.Items {
		if !e.Protected() {
			set.add(func(tag string) string { return e.In(set.site, tag).Path() }, e.Modified)
		}
	}
	return page.Total, page.Version, err
}

// mapSeries adds the series that take place within a year before or after today.
func (w *Pages) mapSeries(ctx context.Context, set *urlset, paging calendar.Paging) (int, int64, error) {
	today := w.layout.Today(ctx)
	f := &calendar.EventFilter{Paging: paging, Speaking: allTexts, Recurring: args.Some(true), Series: args.Some(calendar.SeriesFirst),
		EndsAfter: args.DayArg(today.AddDate(-1, 0, 0)), StartsBefore: args.DayArg(today.AddDate(1, 0, 0))}
	page, _, err := w.calendar.Events().ListLong(ctx, f, eachPerMap)
	for _, e := range page.Items {
		if !e.Protected() {
			set.add(func(tag string) string { return e.In(set.site, tag).WholePath() }, e.Modified)
		}
	}
	return page.Total, page.Version, err
}

// mapDates adds the occurrences of the coming year.
func (w *Pages) mapDates(ctx context.Context, set *urlset, paging calendar.Paging) (int, int64, error) {
	f := &calendar.EventFilter{Paging: paging, Speaking: allTexts, Recurring: args.Some(true),
		EndsAfter: w.layout.Yesterday(ctx), StartsBefore: args.DayArg(w.layout.Today(ctx).AddDate(1, 0, 0))}
	page, _, err := w.calendar.Events().ListLong(ctx, f, eachPerMap)
	for _, e := range page.Items {
		if !e.Protected() {
			set.add(func(tag string) string { return e.In(set.site, tag).Path() }, e.Modified)
		}
	}
	return page.Total, page.Version, err
}

func (w *Pages) mapVenues(ctx context.Context, set *urlset, paging calendar.Paging) (int, int64, error) {
	page, err := w.calendar.Venues().ListLong(ctx, &calendar.PlaceFilter{Paging: paging, Speaking: allTexts}, eachPerMap)
	for _, v := range page.Items {
		set.add(func(tag string) string { return ui.VenuePath(v.In(set.site, tag)) }, v.Modified)
	}
	return page.Total, page.Version, err
}

func (w *Pages) mapOrganizers(ctx context.Context, set *urlset, paging calendar.Paging) (int, int64, error) {
	page, err := w.calendar.Organizers().ListLong(ctx, &calendar.PlaceFilter{Paging: paging, Speaking: allTexts}, eachPerMap)
	for _, o := range page.Items {
		set.add(func(tag string) string { return ui.OrganizerPath(o.In(set.site, tag)) }, o.Modified)
	}
	return page.Total, page.Version, err
}

func (w *Pages) mapCategories(ctx context.Context, set *urlset, paging calendar.Paging) (int, int64, error) {
	f := &calendar.CategoryFilter{}
	f.Paging = paging
	page, err := w.calendar.Terms(calendar.Categories).ListLong(ctx, f, eachPerMap)
	for _, term := range page.Items {
		set.add(func(tag string) string { return ui.TermPath(term.In(set.site, tag)) }, time.Time{})
	}
	return page.Total, page.Version, err
}

// add adds a page in every language it is available in.
func (s *urlset) add(pathIn func(language string) string, modified time.Time) {
	own := pathIn(s.site.Language)
	e := mapEntry{Address: s.origin + own}
	if !modified.IsZero() {
		e.Modified = modified.UTC().Format(time.RFC3339)
	}
	for _, tag := range s.languages {
		e.Links = append(e.Links, mapLang{"alternate", tag, s.origin + "/" + tag + pathIn(tag)})
	}
	e.Links = append(e.Links, mapLang{"alternate", "x-default", s.origin + own})
	s.URLs = append(s.URLs, e)
}

func mapFile(content any, version int64, until time.Time) (*layout.Shown, error) {
	b, err := xml.Marshal(content)
	if err != nil {
		return nil, err
	}
	file := append([]byte(xml.Header), b...)
	return &layout.Shown{File: file, Kind: "application/xml; charset=utf-8", Version: version, Until: until}, nil
}
