package feeds

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/ical"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
)

// CalendarType is the media type of iCalendar files.
const CalendarType = "text/calendar; charset=utf-8"

// refresh is the polling interval that feeds suggest to clients.
const refresh = time.Hour

// About describes a feed.
type About struct {
	Title string // "" means the site's name alone
	Path  string // path of the page with the same content, without the language
	File  string // name to save the feed as, without extension
	Said  Said
}

// Calendar returns an iCalendar document of the events that match a filter.
func Calendar(ctx context.Context, events services.Events, f *calendar.FeedFilter, about About) (*Document, error) {
	feed, err := events.Feed(ctx, f)
	if err != nil {
		return nil, err
	}
	return calendarOf(ctx, feed.Next, about, feed.Version, feed.Until, events.Now(), false), nil
}

// Event returns an iCalendar document of one event, or of a series with its exceptions. A single occurrence is
// written as a separate event.
func Event(ctx context.Context, events services.Events, e *calendar.Event, said Said) (*Document, error) {
	f, err := events.WithExceptions(ctx, e)
	if err != nil {
		return nil, err
	}
	path := e.Path()
	list := []services.FeedEvent{f}
	next := func(context.Context) (some []services.FeedEvent, _ error) {
		some, list = list, nil
		return some, nil
	}
	about := About{Title: e.Title, Path: path, File: e.Slug, Said: said}
	return calendarOf(ctx, next, about, e.Version, time.Time{}, events.Now(), e.Series != nil), nil
}

// Kept returns an iCalendar document of the events that a visitor has kept. Each kept date of a series is a
// separate event. Unless series is nil, the document also includes kept whole series.
func Kept(ctx context.Context, events services.Events, kept *calendar.Page[calendar.Event], series *calendar.FeedFilter, about About,
) (*Document, error) {
	list := make([]services.FeedEvent, 0, len(kept.Items))
	for _, e := range kept.Items {
		list = append(list, services.FeedEvent{Event: e})
	}
	version, until := kept.Version, calendar.Midnight(events.Now(), tenancy.Current(ctx).Site.Location)
	rest := func(context.Context) ([]services.FeedEvent, error) { return nil, nil }
	if series != nil {
		feed, err := events.Feed(ctx, series)
		if err != nil {
			return nil, err
		}
		version, rest = min(version, feed.Version), feed.Next
	}
	next := func(ctx context.Context) ([]services.FeedEvent, error) {
		if some := list; len(some) > 0 {
			list = nil
			return some, nil
		}
		return rest(ctx)
	}
	return calendarOf(ctx, next, about, version, until, events.Now(), true), nil
}

func calendarOf(ctx context.Context, next func(context.Context) ([]services.FeedEvent, error), about About,
	version int64, until, now time.Time, alone bool,
) *Document {
	var out bytes.Buffer
	scope := tenancy.Current(ctx)
	w := &calendarWriter{
		Writer: ical.NewWriter(&out),
		scope:  scope,
		now:    now,
		said:   &about.Said,
		gone:   i18n.T(ctx, "feed.gone", nil),
		alone:  alone,
	}
	w.Begin(&ical.Calendar{
		Product: "-//Kalends//Kalends//" + strings.ToUpper(scope.Language), Name: titleOf(scope, about), Language: scope.Asked(),
		Color: colorName(scope.Site.Settings.Accent), URL: scope.Base.Pages() + about.Path, Refresh: refresh,
	})
	ended := false
	piece := func(ctx context.Context) ([]byte, error) {
		if ended {
			return nil, io.EOF
		}
		some, err := next(ctx)
		if err != nil {
			return nil, err
		}
		for i := range some {
			w.add(&some[i])
		}
		if ended = len(some) == 0; ended {
			if err := w.End(); err != nil {
				return nil, err
			}
		}
		made := bytes.Clone(out.Bytes())
		out.Reset()
		return made, nil
	}
	return &Document{Kind: CalendarType, Name: cmp.Or(about.File, "events") + ".ics", Version: version, Until: until,
		Changed: changed(ctx, until, now), next: piece}
}

// titleOf returns the name of the site combined with the title of the feed.
func titleOf(scope *tenancy.Scope, about About) string {
	name := scope.Words().Name
	switch {
	case about.Title == "":
		return name
	case name == "":
		return about.Title
	}
	return about.Title + " – " + name
}

// calendarWriter writes events into an iCalendar file.
type calendarWriter struct {
	*ical.Writer
	scope *tenancy.Scope
	now   time.Time
	said  *Said
	gone  string // title written for events that no longer exist
	alone bool   // an occurrence is written without its series
}

func (w *calendarWriter) add(f *services.FeedEvent) {
	if f.Gone {
		v := w.when(f.Event)
		v.Status, v.Summary, v.Exact = ical.Cancelled, w.gone, "gone"
		w.Event(v)
		return
	}
	w.Event(w.whole(f.Event))
	defer func(alone bool) { w.alone = alone }(w.alone)
	w.alone = false // written together with their series
	for _, e := range f.Exceptions {
		v := w.whole(e)
		v.Sequence = max(v.Sequence, f.Sequence)
		w.Event(v)
	}
}

// when returns the properties that every event has in a calendar: its identity, its times and its revision number.
func (w *calendarWriter) when(e *calendar.Event) *ical.Event {
	v := &ical.Event{UID: services.UIDOf(w.scope.Site, e), Sequence: e.Sequence, Stamp: e.Modified, Modified: e.Modified,
		Start: e.Start, End: e.End, Zone: e.Clock().Zone, AllDay: e.AllDay}
	switch {
	case e.Series != nil && w.alone:
		v.UID = services.UIDOf(w.scope.Site, &calendar.Event{Post: calendar.Post{ID: e.ID}})
	case e.Series != nil:
		v.RecurrenceID = e.Series.OriginalStart
	}
	if e.Recurrence != nil {
		w.recurs(v, e)
	}
	return v
}

// recurs sets when a series takes place. Clients support only one RRULE per event (RFC 5545 §3.8.5.3), so the
// stored dates of further rules are written as RDATEs.
func (w *calendarWriter) recurs(v *ical.Event, e *calendar.Event) {
	set := e.Recurrence
	v.Dates, v.Except = set.Dates, set.Except
	if len(set.Rules) == 0 {
		return
	}
	first := max(0, slices.IndexFunc(set.Rules, func(r recur.Rule) bool { // first rule that yields the start, which counts towards COUNT
		return recur.Set{Rules: []recur.Rule{r}}.Hits(e.Clock())
	}))
	v.Rules = []string{set.Rules[first].Text(e.Clock())}
	if len(set.Rules) == 1 {
		v.Dates = beside(set, e.Clock())
		return
	}
	given := map[time.Time]bool{}
	for _, o := range datesOf(e, recur.Set{Rules: set.Rules[first : first+1]}, w.now) {
		given[o] = true
	}
	v.Dates = nil
	for _, o := range datesOf(e, recur.Set{Rules: set.Rules, Dates: set.Dates}, w.now) {
		if !given[o] {
			v.Dates = append(v.Dates, o)
		}
	}
}

// beside returns the single dates of a series that its rules do not yield, without duplicates, which some programs
// would show twice. It keeps the start.
func beside(set *recur.Set, clock recur.Clock) []time.Time {
	yielded := recur.Set{Rules: set.Rules}.Among(clock, set.Dates)
	list := slices.DeleteFunc(slices.Clone(set.Dates), func(date time.Time) bool {
		_, twice := slices.BinarySearchFunc(yielded, date, time.Time.Compare)
		return twice && !date.Equal(clock.Start)
	})
	slices.SortFunc(list, time.Time.Compare)
	return slices.CompactFunc(list, time.Time.Equal)
}

// mostDates is the maximum number of RDATEs written for rules other than the first.
const mostDates = 20_000

func datesOf(e *calendar.Event, set recur.Set, now time.Time) []time.Time {
	of := *e
	of.Recurrence = &set
	dates, _ := of.Starts(calendar.Horizon(now), mostDates)
	return dates
}

// whole returns an event with everything that the reader may see.
func (w *calendarWriter) whole(e *calendar.Event) *ical.Event {
	v := w.when(e)
	v.Status, v.Class, v.Created = statusOf(e), "PUBLIC", e.Date
	v.Summary, v.URL = e.Title, e.Address(w.scope.Base.Pages())
	if e.Status != calendar.Publish {
		v.Class = "PRIVATE"
	}
	if e.Masked {
		return v
	}
	v.Conference = onlineOf(w.scope, e, w.now)
	v.Description, v.HTML, v.Facts = entryText(w.scope, e, v.Conference, w.said)
	v.Cost = prices.Text(w.scope.Site, w.scope.Language, e.Cost)
	if status := e.Happening.Status; status == "postponed" || status == "rescheduled" {
		v.Exact = status
	}
	v.Location = placeOf(w.scope, e, v.Conference)
	v.Comment = e.Happening.Reason
	if e.Image != nil {
		v.Image = &ical.Image{URL: imageOf(w.scope, e), Type: e.Image.Large().MIME}
	}
	if len(e.Venues) > 0 {
		if venue := &e.Venues[0]; venue.GeoLat != nil && venue.GeoLng != nil {
			v.Geo = &ical.Geo{Lat: *venue.GeoLat, Lng: *venue.GeoLng}
		}
	}
	for i := range e.Organizers {
		if o := &e.Organizers[i]; o.Email != "" { // iCalendar allows one organizer, identified by e-mail address
			v.Organizer = &ical.Organizer{Name: o.Name, Email: o.Email}
			break
		}
	}
	for _, list := range [][]calendar.Term{e.Categories, e.Tags} {
		for i := range list {
			v.Categories = append(v.Categories, list[i].Name)
			if list[i].Taxonomy == calendar.Tags {
				v.Tags = append(v.Tags, list[i].Name)
			}
			if v.Color == "" {
				v.Color = colorName(list[i].Color)
			}
		}
	}
	return v
}

func statusOf(e *calendar.Event) string {
	switch e.Happening.Status {
	case "cancelled":
		return ical.Cancelled
	case "postponed":
		return ical.Tentative
	}
	return ical.Confirmed
}
