package layout

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

// Subscription describes the feeds with the contents of a page.
type Subscription struct {
	Calendar string // path of the iCalendar file without language
	query    string // filter of the news feeds; "" for all events
	Title    string
	Single   bool             // of a single event
	Series   bool             // which is a series
	quiet    bool             // it does not take place, so the menu is not the main button
	this     string           // path of the file of a single occurrence, or ""
	Paper    string           // path of the programme of the same events, or ""
	Letters  bool             // letters can be subscribed to
	Event    int64            // the single event, or 0
	Ping     templ.Attributes // of links to calendar programs
	mail     string           // path of the form for letters about the same events, or ""
}

// SubscriptionTo returns the subscription to the events of a term, venue or organizer. param and value are the
// query parameter that selects these events in lists.
func SubscriptionTo(kind, slug, title, filter string, id int64, param, value string) *Subscription {
	return &Subscription{
		Calendar: "/" + kind + "/" + ui.PathEscape(slug) + ".ics",
		Title:    title,
		mail:     ByMailPath("?" + url.Values{param: {value}}.Encode()),
		query:    "?" + url.Values{filter: {strconv.FormatInt(id, 10)}}.Encode(),
	}
}

// SubscriptionToOne returns the subscription to an event; for an occurrence to its whole series.
func SubscriptionToOne(e *calendar.Event) *Subscription {
	s := &Subscription{Calendar: "/event/" + wording.EncodedSlug(e.Slug) + ".ics", Title: e.Title,
		Event: numbers.About(e), Single: true, Series: e.Recurring() || e.Series != nil, quiet: e.Happening.Off()}
	if e.Series != nil {
		s.this = e.Path() + "?ical=1"
	}
	return s
}

// SubscriptionToAll returns the subscription to all events, or those matching words.
func SubscriptionToAll(words string) *Subscription {
	query := ""
	if words != "" {
		query = "?" + url.Values{"search": {words}}.Encode()
	}
	return &Subscription{Calendar: "/events.ics" + query, query: query, mail: ByMailPath(query)}
}

func (s *Subscription) address(ctx context.Context) string {
	return tenancy.Current(ctx).Base.Pages() + s.Calendar
}

// Webcal returns the webcal address, which opens in calendar programs to subscribe.
func (s *Subscription) Webcal(ctx context.Context) string {
	_, rest, _ := strings.Cut(s.address(ctx), "://")
	return "webcal://" + rest
}

// googleByAddress is the page of Google Calendar that asks for the address of a calendar. For most calendars, Google refuses
// links that contain the address ("?cid=").
const googleByAddress = "https://calendar.google.com/calendar/u/0/r/settings/addbyurl"

// outlook returns the address at which Outlook subscribes to the calendar: at live.com for personal accounts, at
// office.com for accounts of schools and companies. Each accepts only its own accounts.
func (s *Subscription) outlook(ctx context.Context, domain string) string {
	return "https://outlook." + domain + "/calendar/0/addfromweb?" +
		url.Values{"url": {s.address(ctx)}, "name": {cmp.Or(s.Title, ui.SiteName(ctx))}}.Encode()
}

// News returns the full address of a news feed with the suffix of its form.
func (s *Subscription) News(ctx context.Context, suffix string) string {
	return tenancy.Current(ctx).Base.Pages() + "/events." + suffix + s.query
}
