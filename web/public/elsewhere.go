package public

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/lists"
	"github.com/kalends/kalends/web/ui"
)

// elsewhere maps paths that people guess to the right pages.
var elsewhere = map[string]string{
	"/calendar": "/events/month/", "/month": "/events/month/", "/week": "/events/week/", "/today": "/events/day/", "/day": "/events/day/",
	"/list": "/events/", "/past": layout.PastPath, "/search": "/events/", "/event": "/events/", "/venue": "/venues/",
	"/organizer": "/organizers/", "/category": "/categories/", "/tag": "/tags/", "/events/category": "/categories/",
	"/events/tag": "/tags/", "/places": "/venues/",
	"/rss": "/events.rss", "/feed": "/events.rss", "/atom": "/events.atom", "/ical": "/events.ics", "/events/feed": "/events.rss",
	"/map": layout.MapPath, "/photos": layout.PhotoPath, "/photo": layout.PhotoPath, "/images": layout.PhotoPath,
	"/home": "/", "/index": "/", "/index.html": "/",
	"/agenda": "/events/", "/events/search": "/events/", "/events/calendar": "/events/month/", "/weekend": "/events/weekend/",
	"/this-weekend": "/events/weekend/", "/tomorrow": "/events/tomorrow/", "/free": "/events/free/", "/children": "/events/children/",
	"/kids": "/events/children/", "/on-show": layout.OnShowPath, "/exhibitions": layout.OnShowPath, "/place": "/venues/",
	"/location": "/venues/", "/locations": "/venues/", "/organiser": "/organizers/", "/organisers": "/organizers/",
	"/ics": "/events.ics", "/calendar.ics": "/events.ics", "/rss.xml": "/events.rss",
	"/feed.xml": "/events.rss", "/atom.xml": "/events.atom", "/events/rss": "/events.rss", "/events/atom": "/events.atom",
	"/sitemap": "/sitemap.xml", "/events/upcoming": "/events/", "/events/today": "/events/day/",
	"/tonight": "/events/tonight/",
}

// leads returns a handler that redirects to another page of the site.
func leads(to string) layout.Handler {
	return func(ctx context.Context, a layout.Asked) (*layout.Shown, error) { return a.Lead(ctx, to), nil }
}

// leadsBelow redirects to the slug of the address below another path.
func leadsBelow(to string) layout.Handler {
	return func(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
		slug := wording.SoughtSlug(a.Param("slug"))
		if slug == "" {
			return nil, calendar.ErrNotFound
		}
		return a.Lead(ctx, to+wording.EncodedSlug(slug)+"/"), nil
	}
}

// dated redirects from the addresses of other calendar programs: from a day or month to its page, and from a slug
// to the event. It responds with 404 for a slug without an event.
func (w *Pages) dated(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	parts := []string{a.Param("when"), a.Param("month"), a.Param("day")}
	when := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "-")
	if day, err := time.Parse(time.DateOnly, when); err == nil && ui.Within(day) {
		return a.Lead(ctx, lists.DayPath(day)), nil
	}
	l := ui.DatesIn(ctx)
	for _, text := range []string{when, when + "-01"} { // a month or a year
		if month, _, ok := l.ReadMonth(text); ok {
			return a.Lead(ctx, lists.MonthPath(l, month)), nil
		}
	}
	if slug := wording.SoughtSlug(when); strings.Trim(slug, "0123456789-") != "" && a.Param("month") == "" {
		_, err := w.calendar.Events().Get(ctx, calendar.Key{Slug: slug, Former: true}, "")
		if errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrUnavailable) {
			return nil, err
		}
		return a.Lead(ctx, "/event/"+wording.EncodedSlug(slug)+"/"), nil
	}
	return nil, calendar.ErrNotFound
}

// home shows the site's home page with upcoming events, or redirects from an address with an item's id (rule 9.2).
func (w *Pages) home(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if a.Query("post_type") != "" || a.Query("p") != "" {
		return w.plain(ctx, a)
	}
	if to := a.ByName(ctx); to != nil {
		return to, nil
	}
	a.Front = a.All == ""
	return w.lists.Upcoming(ctx, a)
}
