package public

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// subscription describes the feeds with the contents of a page.
type subscription struct {
	calendar string // path of the iCalendar file without language
	query    string // filter of the news feeds; "" for all events
	title    string
	single   bool             // of a single event
	series   bool             // which is a series
	quiet    bool             // it does not take place, so the menu is not the main button
	this     string           // path of the file of a single occurrence, or ""
	paper    string           // path of the programme of the same events, or ""
	letters  bool             // letters can be subscribed to
	event    int64            // the single event, or 0
	ping     templ.Attributes // of links to calendar programs
	mail     string           // path of the form for letters about the same events, or ""
}

// subscriptionTo returns the subscription to the events of a term, venue or organizer. param and value are the
// query parameter that selects these events in lists.
func subscriptionTo(kind, slug, title, filter string, id int64, param, value string) *subscription {
	return &subscription{
		calendar: "/" + kind + "/" + ui.PathEscape(slug) + ".ics",
		title:    title,
		mail:     byMailPath("?" + url.Values{param: {value}}.Encode()),
		query:    "?" + url.Values{filter: {strconv.FormatInt(id, 10)}}.Encode(),
	}
}

// subscriptionToOne returns the subscription to an event; for an occurrence to its whole series.
func subscriptionToOne(e *calendar.Event) *subscription {
	s := &subscription{calendar: "/event/" + wording.EncodedSlug(e.Slug) + ".ics", title: e.Title,
		event: numbers.About(e), single: true, series: e.Recurring() || e.Series != nil, quiet: e.Happening.Off()}
	if e.Series != nil {
		s.this = e.Path() + "?ical=1"
	}
	return s
}

// subscriptionToAll returns the subscription to all events, or those matching words.
func subscriptionToAll(words string) *subscription {
	query := ""
	if words != "" {
		query = "?" + url.Values{"search": {words}}.Encode()
	}
	return &subscription{calendar: "/events.ics" + query, query: query, mail: byMailPath(query)}
}

func (s *subscription) address(ctx context.Context) string {
	return tenancy.Current(ctx).Base.Pages() + s.calendar
}

// webcal returns the webcal address, which opens in calendar programs to subscribe.
func (s *subscription) webcal(ctx context.Context) string {
	_, rest, _ := strings.Cut(s.address(ctx), "://")
	return "webcal://" + rest
}

// googleByAddress is the page of Google Calendar that asks for the address of a calendar. For most calendars, Google refuses
// links that contain the address ("?cid=").
const googleByAddress = "https://calendar.google.com/calendar/u/0/r/settings/addbyurl"

// outlook returns the address at which Outlook subscribes to the calendar: at live.com for personal accounts, at
// office.com for accounts of schools and companies. Each accepts only its own accounts.
func (s *subscription) outlook(ctx context.Context, domain string) string {
	return "https://outlook." + domain + "/calendar/0/addfromweb?" +
		url.Values{"url": {s.address(ctx)}, "name": {cmp.Or(s.title, ui.SiteName(ctx))}}.Encode()
}
