package web

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
)

// What the templates ask for.

func direction(l dates) string { return i18n.Direction(l.tag) }

// restPath is where the API has the same, its root at least.
func restPath(p *page) string { return firstText(p.rest, "/") }

// apiRoot is what a page tells clients to ask: its event, or the events of its
// venue, organizer or term, and the root elsewhere (rule 1.5).
func apiRoot(p *page) string {
	if p != nil && strings.HasPrefix(p.rest, "/events/") {
		return p.rest
	}
	return "/"
}

// placeLine names a venue and its town.
func placeLine(v *calendar.Venue) string {
	if v.City == "" || strings.Contains(v.Name, v.City) {
		return v.Name
	}
	return v.Name + ", " + v.City
}

// siteTime is when an event of another zone happens on the site's clock.
func siteTime(ctx context.Context, e *calendar.Event) string {
	site := siteOf(ctx)
	start, end := wallAt(e.StartUTC, site.Location), wallAt(e.EndUTC, site.Location)
	return i18n.T(ctx, "public.site_time", map[string]any{
		"Time": datesIn(ctx).span(start, end, false, 0),
		"Zone": strings.ReplaceAll(site.Timezone, "_", " ")})
}

// shortAddress is a web address as people read it.
func shortAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return strings.TrimPrefix(u.Host, "www.") + strings.TrimSuffix(u.Path, "/")
}

// dialled is a telephone number as it is dialled.
func dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '+' {
			return r
		}
		return -1
	}, phone)
}

// largest is the address of the largest size a page needs.
func largest(i *calendar.Image) string {
	for _, s := range i.Sizes {
		if s.Name == "large" {
			return blobPath(i, s.File)
		}
	}
	return blobPath(i, i.File)
}

// sourceSet names the sizes of a picture a browser may choose from; the
// thumbnail is cut and is none of them.
func sourceSet(i *calendar.Image) string {
	var set []string
	for _, s := range i.Sizes {
		if s.Name != "thumbnail" {
			set = append(set, blobPath(i, s.File)+" "+strconv.Itoa(s.Width)+"w")
		}
	}
	return strings.Join(append(set, blobPath(i, i.File)+" "+strconv.Itoa(i.Width)+"w"), ", ")
}

// trimQuery is a query without its question mark.
func trimQuery(query string) string { return strings.TrimPrefix(query, "?") }
