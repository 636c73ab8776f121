// Package lists has the lists of events in all their forms: by date, by month and week, with pictures, on a map, on paper and as
// feeds; what a search finds; and the lists of venues, organizers, categories and tags.
package lists

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// Pages are the lists.
type Pages struct {
	calendar *services.Calendar
	layout   *layout.Pages
}

// New returns the pages.
func New(c *services.Calendar, l *layout.Pages) *Pages { return &Pages{calendar: c, layout: l} }

// Routes are the routes of these pages.
func (w *Pages) Routes() []layout.Route {
	return []layout.Route{
		layout.At("/events.ics", w.calendarFeed),
		layout.At("/events.csv", w.table(false)),
		layout.At("/events.xlsx", w.table(true)),
		layout.At("/events.rss", w.news(feeds.Forms[0])),
		layout.At("/events.atom", w.news(feeds.Forms[1])),
		layout.At("/events.json", w.news(feeds.Forms[2])),
		layout.At("/events", w.Upcoming),
		layout.At("/events/list", w.Upcoming),
		layout.At("/events/past", w.past),
		layout.At("/events/month", w.Month),
		layout.At("/events/month/:month", w.Month),
		layout.At("/events/week", w.Week),
		layout.At("/events/week/:day", w.Week),
		layout.At("/events/day", w.day),
		layout.At("/events/day/:day", w.day),
		layout.At("/events/photo", w.photo),
		layout.At("/events/map", w.showMap),
		layout.At("/events/map/found", w.atPin),
		layout.At("/events/found", w.found),
		layout.At(layout.CountPath, w.counted),
		layout.At("/events/go", w.jump),
		layout.At("/events/tonight", w.nearby(layout.Nears[0])),
		layout.At("/events/tomorrow", w.nearby(layout.Nears[1])),
		layout.At("/events/weekend", w.nearby(layout.Nears[2])),
		layout.At("/events/free", w.nearby(layout.Nears[3])),
		layout.At("/events/children", w.nearby(layout.Nears[4])),
		layout.At("/events/on-show", w.onShow),
		layout.At("/events/kept", w.kept),
		layout.At("/events/kept.ics", w.keptCalendar),
		layout.At("/events/programme", w.programme),
		layout.At("/events/programme.txt", w.programmeText),
		layout.At("/events/programme.docx", w.programmeDocument),
		layout.At("/venues", w.venues),
		layout.At("/organizers", w.organizers),
		layout.At("/categories", w.categories),
		layout.At("/tags", w.tags),
	}
}

// Agenda is a chronological list of events grouped by month.
type Agenda struct {
	Events   []*calendar.Event
	Months   []agendaMonth
	Page     int
	Pages    int
	next     string // Query of the next page, or ""
	previous string
	search   string         // search words
	at       string         // path of the list's other pages; "" if it is the same
	older    string         // address for searching past events, or ""
	Over     bool           // no upcoming events were found, so these are past ones
	total    int            // number of events on all pages
	typed    string         // the typed words, if exactly is the address of a search for them
	meant    string         // the words that were searched for instead of the typed ones; "": none
	exactly  string         // address of a search for the words alone, if they were read as a filter; or ""
	Venue    int64          // id of the venue whose page contains the list, or 0
	Past     bool           // of a series: past dates
	choice   *layout.Choice // the choice of the list, or nil
	shelf    *shelf         // events on show, listed beside the other events, or nil
	earlier  []Entry        // today's events that are over
	front    *front         // the part above the list on the front page, or nil
	none     *nothing       // shown in place of events, or nil
}

// agendaMonth is the events of a list in one month.
type agendaMonth struct {
	First  time.Time
	Events []Entry
}

// Entry is an event in a list.
type Entry struct {
	*calendar.Event
	Day   time.Time // under which it is listed
	again bool      // the previous entry has the same day
	rule  string    // how often it is repeated, or ""
	eager bool      // its picture is the first of the page and loads with high priority
}

// Upcoming lists events that are not over. With search words it lists those that match, or past events that match if there are
// no others.
func (w *Pages) Upcoming(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if a.Calendar {
		return w.calendarFeed(ctx, a)
	}
	p := &layout.Page{Title: ui.Say(ctx, "upcoming"), Path: "/events/", Rest: "/events", Section: "list",
		Description: ui.SayWith(ctx, "description.list", "Site", ui.SiteName(ctx))}
	return w.showList(ctx, a, p, "list")
}

// past lists past events, latest first, or the search results among them.
func (w *Pages) past(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if a.Calendar {
		return w.CalendarOf(ctx, a, feeds.About{Title: ui.Say(ctx, "past"), Path: layout.PastPath},
			func(f *calendar.FeedFilter) { f.EndsBefore = w.layout.Yesterday(ctx) })
	}
	p := &layout.Page{Title: ui.Say(ctx, "past"), Path: layout.PastPath, Rest: "/events", Section: "past",
		Description: ui.SayWith(ctx, "description.list", "Site", ui.SiteName(ctx))}
	f := &calendar.EventFilter{Search: p.Searched(ctx, a)}
	l, found, err := w.list(ctx, a, f.Over())
	if err != nil {
		return nil, err
	}
	next, err := w.nextEnd(ctx)
	if err != nil {
		return nil, err
	}
	p.Query, p.Feeds = l.Query(l.Page), layout.SubscriptionToAll(l.search)
	return &layout.Shown{Page: p, Body: pastPage(p, l), Version: found.Version, Until: next}, nil
}

// nextEnd returns the time at which the next event ends, or midnight if that is earlier.
func (w *Pages) nextEnd(ctx context.Context) (time.Time, error) {
	f := (&calendar.EventFilter{OrderBy: args.Some("end_date"), StartsBefore: args.DateArg("tomorrow")}).Coming()
	f.PerPage = args.Some(1)
	page, _, err := w.calendar.Events().List(ctx, f)
	return Ends(page.Items, w.layout.Midnight(ctx)), err
}

// Ends returns the time at which the first of these events ends, or limit if that is earlier. None of the events
// may be over.
func Ends(events []*calendar.Event, limit time.Time) time.Time {
	for _, e := range events {
		if e.EndUTC.Before(limit) {
			limit = e.EndUTC
		}
	}
	return limit
}

// Listed returns a response that shows a list of events that are not over. The list changes when its first event ends, and at
// midnight, because events that began on an earlier day are listed under today.
func (w *Pages) Listed(ctx context.Context, p *layout.Page, body templ.Component, version int64, l *Agenda) *layout.Shown {
	answer := &layout.Shown{Page: p, Body: body, Version: version, Until: w.layout.Midnight(ctx)}
	if l.shelf != nil {
		answer.Until = Ends(l.shelf.events, answer.Until)
	}
	if !l.Over {
		answer.Until = Ends(l.Events, answer.Until)
	}
	return answer
}

// list reads one page of events and groups them by month.
func (w *Pages) list(ctx context.Context, a layout.Asked, f *calendar.EventFilter) (*Agenda, *calendar.Page[calendar.Event], error) {
	number, err := PageNumber(a)
	if err != nil {
		return nil, nil, err
	}
	f.Page = args.Some(number)
	list := w.calendar.Events().List
	if f.Search.Given() { // a search shows what exists rather than how often
		list = w.calendar.Events().Once
	}
	page, q, err := list(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	l := &Agenda{Page: number, Pages: (page.Total + q.PerPage - 1) / q.PerPage, total: page.Total, search: f.Search.Or("")}
	l.Link()
	from := w.layout.Today(ctx)
	if q.Descending {
		from = time.Time{}
	}
	l.Fill(ui.DatesIn(ctx), page.Items, from)
	return l, &page, nil
}

// mostAsOnce is how long a list may be to show each series only at its first date. This requires reading the whole
// list.
const mostAsOnce = 5000

// manyDates reports whether a list may have several dates of a series, and is short enough to show only the first of each.
func manyDates(page *calendar.Page[calendar.Event]) bool {
	dated := func(e *calendar.Event) bool { return e.Series != nil }
	return page.Total <= mostAsOnce && (page.Total > len(page.Items) || slices.ContainsFunc(page.Items, dated))
}

// eachOnce leaves only the first date of each series on a page. It is for lists that are too long for removing the
// other dates from all pages.
func eachOnce(events []*calendar.Event) []*calendar.Event {
	seen := map[int64]bool{}
	return slices.DeleteFunc(events, func(e *calendar.Event) bool {
		again := e.Series != nil && seen[e.Series.ID]
		if e.Series != nil {
			seen[e.Series.ID] = true
		}
		return again
	})
}

// PageNumber parses the page number.
func PageNumber(a layout.Asked) (int, error) {
	text := a.Query("page")
	if text == "" {
		return 1, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > 1_000_000 {
		return 0, calendar.ErrPage
	}
	return number, nil
}

// Link sets the links to the previous and next page.
func (l *Agenda) Link() {
	if l.Page < l.Pages {
		l.next = l.Query(l.Page + 1)
	}
	if l.Page > 1 {
		l.previous = l.Query(l.Page - 1)
	}
}

// Fill sets the events of the list, with agendaMonths.
func (l *Agenda) Fill(dates ui.Dates, events []*calendar.Event, from time.Time) {
	l.Events, l.Months = events, agendaMonths(dates, events, from)
}

// agendaMonths groups events by month. Ongoing events that began before from are listed under from.
func agendaMonths(l ui.Dates, events []*calendar.Event, from time.Time) []agendaMonth {
	var list []agendaMonth
	var before time.Time
	pictures := 0
	for _, e := range events {
		day := args.DayOf(e.Start)
		if day.Before(from) {
			day = from
		}
		if first := l.MonthOf(day); len(list) == 0 || !list[len(list)-1].First.Equal(first) {
			list = append(list, agendaMonth{First: first})
		}
		last := &list[len(list)-1]
		last.Events = append(last.Events, Entry{Event: e, Day: day, again: day.Equal(before), eager: pictures == 0})
		if pictured(e) {
			pictures++
		}
		before = day
	}
	return list
}

// moves returns when the named period of a choice changes: at midnight, or at the end of its hours.
func (w *Pages) moves(ctx context.Context, c *layout.Choice) time.Time {
	end := w.layout.Midnight(ctx)
	if on, given := c.On.Get(); given {
		if period := w.period(ctx, on); period.Until.Before(end) {
			return period.Until
		}
	}
	return end
}

// period returns a named period at the site.
func (w *Pages) period(ctx context.Context, on string) calendar.Period {
	return calendar.PeriodOf(on, w.calendar.Now(), ui.SiteOf(ctx).Location, ui.DatesIn(ctx).WeekStart())
}

// daysOf returns the days that a choice selects by dates or by name. For a named period that has begun, it returns
// the remaining days. An open end is the zero time.
func (w *Pages) daysOf(ctx context.Context, c *layout.Choice) calendar.Days {
	if on, given := c.On.Get(); given {
		days, today := w.period(ctx, on).Days(ui.SiteOf(ctx).Location), w.layout.Today(ctx)
		if days.First.Before(today) && !days.Last.Before(today) {
			days.First = today
		}
		return days
	}
	if c.Days != nil {
		return *c.Days
	}
	return calendar.Days{}
}

// Query returns the query of a page of the list, or "" for the first.
func (l *Agenda) Query(page int) string {
	if l.choice != nil {
		return l.choice.Query(page)
	}
	values := url.Values{}
	if l.search != "" {
		values.Set("search", l.search)
	}
	if l.Past {
		values.Set("past", "1")
	}
	if page > 1 {
		values.Set("page", strconv.Itoa(page))
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// other returns the address of another page of the list by its query.
func (l *Agenda) other(ctx context.Context, query string) string {
	switch {
	case l.at != "":
		return ui.Href(ctx, l.at) + query
	case l.embedded(): // whose addresses are relative to the site
		return ui.Href(ctx, l.choice.At) + query
	}
	return "?" + trimQuery(query)
}

// embedded reports whether the list is embedded in another site.
func (l *Agenda) embedded() bool { return l.choice != nil && l.choice.Embedded && l.at == "" }

// position describes which of how many pages this is.
func (l *Agenda) position(ctx context.Context) string {
	d := ui.DatesIn(ctx)
	return i18n.T(ctx, "public.page", map[string]any{"Page": d.Number(l.Page), "Pages": d.Number(l.Pages)})
}
