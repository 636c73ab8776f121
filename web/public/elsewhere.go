package public

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/web/ui"
)

// elsewhere maps paths that people guess to the right pages.
var elsewhere = map[string]string{
	"/calendar": "/events/month/", "/month": "/events/month/", "/week": "/events/week/", "/today": "/events/day/", "/day": "/events/day/",
	"/list": "/events/", "/past": pastPath, "/search": "/events/", "/event": "/events/", "/venue": "/venues/", "/organizer": "/organizers/",
	"/category": "/categories/", "/tag": "/tags/", "/events/category": "/categories/", "/events/tag": "/tags/", "/places": "/venues/",
	"/rss": "/events.rss", "/feed": "/events.rss", "/atom": "/events.atom", "/ical": "/events.ics", "/events/feed": "/events.rss",
	"/map": mapPath, "/photos": photoPath, "/photo": photoPath, "/images": photoPath, "/home": "/", "/index": "/", "/index.html": "/",
	"/agenda": "/events/", "/events/search": "/events/", "/events/calendar": "/events/month/", "/weekend": "/events/weekend/",
	"/this-weekend": "/events/weekend/", "/tomorrow": "/events/tomorrow/", "/free": "/events/free/", "/children": "/events/children/",
	"/kids": "/events/children/", "/on-show": onShowPath, "/exhibitions": onShowPath, "/place": "/venues/", "/location": "/venues/",
	"/locations": "/venues/", "/organiser": "/organizers/", "/organisers": "/organizers/",
	"/ics": "/events.ics", "/calendar.ics": "/events.ics", "/rss.xml": "/events.rss",
	"/feed.xml": "/events.rss", "/atom.xml": "/events.atom", "/events/rss": "/events.rss", "/events/atom": "/events.atom",
	"/sitemap": "/sitemap.xml", "/events/upcoming": "/events/", "/events/today": "/events/day/",
	"/tonight": "/events/tonight/",
}

// leads returns a handler that redirects to another page of the site.
func leads(to string) handler {
	return func(ctx context.Context, a asked) (*shown, error) { return a.lead(ctx, to), nil }
}

// lead redirects to another page, or to its iCalendar file if that was requested.
func (a *asked) lead(ctx context.Context, to string) *shown {
	if a.calendar && !strings.HasSuffix(to, ".ics") && !strings.HasSuffix(to, ".rss") {
		if strings.Contains(to, "?") {
			to += "&ical=1"
		} else {
			to += "?ical=1"
		}
	}
	return &shown{redirect: ui.Href(ctx, to), passing: true}
}

// leadsBelow redirects to the slug of the address below another path.
func leadsBelow(to string) handler {
	return func(ctx context.Context, a asked) (*shown, error) {
		slug := wording.SoughtSlug(a.param("slug"))
		if slug == "" {
			return nil, calendar.ErrNotFound
		}
		return a.lead(ctx, to+wording.EncodedSlug(slug)+"/"), nil
	}
}

// dated redirects from the addresses of other calendar programs: from a day or month to its page, and from a slug
// to the event. It responds with 404 for a slug without an event.
func (w *Pages) dated(ctx context.Context, a asked) (*shown, error) {
	parts := []string{a.param("when"), a.param("month"), a.param("day")}
	when := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "-")
	if day, err := time.Parse(time.DateOnly, when); err == nil && ui.Within(day) {
		return a.lead(ctx, dayPath(day)), nil
	}
	l := ui.DatesIn(ctx)
	for _, text := range []string{when, when + "-01"} { // a month or a year
		if month, _, ok := l.ReadMonth(text); ok {
			return a.lead(ctx, monthPath(l, month)), nil
		}
	}
	if slug := wording.SoughtSlug(when); strings.Trim(slug, "0123456789-") != "" && a.param("month") == "" {
		_, err := w.calendar.Events().Get(ctx, calendar.Key{Slug: slug, Former: true}, "")
		if errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrUnavailable) {
			return nil, err
		}
		return a.lead(ctx, "/event/"+wording.EncodedSlug(slug)+"/"), nil
	}
	return nil, calendar.ErrNotFound
}
