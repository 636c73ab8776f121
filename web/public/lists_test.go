package public

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// A page of other sites shows what an address of this site shows, in a form that they can embed.
func TestEmbeddedForms(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/": "/embed/list/", "/events/": "/embed/list/", "/events/photo/": "/embed/list/", "/events/list/": "/embed/list/", "/events/month/": "/embed/month/",
		"/events/month/2027-03/": "/embed/month/2027-03/", "/events/week/2027-03-01/": "/embed/week/2027-03-01/", "/event/choir/": "/embed/event/choir/",
		"/event/choir/2027-03-01/": "/embed/event/choir/2027-03-01/", "/events/category/music/choir/": "/embed/list/?category=choir", "/tag/open-air/": "/embed/list/?tag=open-air",
		"/events/category/%D0%BC/": "/embed/list/?category=%D0%BC", "/event/": "", "/tag/": "", "/events/category/": "", "/events/day/": "", "/events/map/": "", "/venue/pier/": "", "/submit/": "",
	} {
		if got := layout.EmbedPath(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for _, c := range []struct {
		most string
		want int
	}{{"", 800}, {"400", 400}, {"9000", 800}, {"0", 800}, {"-1", 800}, {"x", 800}} {
		if got := atMost(800, c.most); got != c.want {
			t.Errorf("at most %q: %d", c.most, got)
		}
	}
	if got := Frame(`https://example.org/?a=1&b="2"`, `Choir <b>`, 400, 300); strings.Contains(got, "<b>") || !strings.Contains(got, `src="https://example.org/?a=1&amp;b=&#34;2&#34;"`) {
		t.Error(got)
	}
}

// Links to other calendars and to a letter have all of the event's title, whatever signs are in it.
func TestLinksToOtherCalendars(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	e := event("2027-07-14 19:30", "2027-07-14 21:30", false)
	e.Title, e.Slug, e.Status, e.Venues = "Rhythm & Blues? 100% + #1", "blues", calendar.Publish, []calendar.Venue{{Name: "Pier", City: "Lindau"}}
	e.StartUTC, e.EndUTC = e.Start.Add(-2*time.Hour), e.End.Add(-2*time.Hour)
	v := &eventView{Event: e}
	parameters := func(address string) url.Values {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return u.Query()
	}
	page := "https://demo.example.org/event/blues/"
	if q := parameters(v.letter(ctx)); q.Get("subject") != e.Title || q.Get("body") != page || len(q) != 2 || strings.Contains(v.letter(ctx), "+") {
		t.Errorf("a letter: %s", v.letter(ctx))
	}
	if q := parameters(v.google(ctx)); q.Get("text") != e.Title || q.Get("dates") != "20270714T173000Z/20270714T193000Z" || q.Get("location") != "Pier, Lindau" || q.Get("details") != page {
		t.Errorf("Google: %v", q)
	}
	if q := parameters(v.outlook(ctx)); q.Get("subject") != e.Title || q.Get("startdt") != "2027-07-14T17:30:00Z" || q.Has("allday") {
		t.Errorf("Outlook: %v", q)
	}
	for _, c := range []struct{ start, end, first, after string }{
		{"2027-07-14 00:00", "2027-07-14 23:59", "20270714", "20270715"}, {"2027-07-14 00:00", "2027-07-16 23:59", "20270714", "20270717"}, {"2027-12-31 00:00", "2027-12-31 23:59", "20271231", "20280101"},
	} {
		v.Event = event(c.start, c.end, true)
		v.End = v.End.Add(59 * time.Second)
		if got := parameters(v.google(ctx)).Get("dates"); got != c.first+"/"+c.after {
			t.Errorf("Google, %s to %s: %s", c.start, c.end, got)
		}
		q := parameters(v.outlook(ctx))
		if got := strings.ReplaceAll(q.Get("startdt")+"/"+q.Get("enddt"), "-", ""); got != c.first+"/"+c.after || q.Get("allday") != "true" {
			t.Errorf("Outlook, %s to %s: %v", c.start, c.end, q)
		}
	}
	if v.Event = event("2027-07-14 10:00", "2027-07-14 11:00", false); v.place(ctx) != "" || parameters(v.google(ctx)).Get("location") != "" {
		t.Error("nowhere is somewhere")
	}
}

// Nobody is led beyond the years that calendars show.
func TestStepsEndWithTheCalendar(t *testing.T) {
	t.Parallel()
	for day, want := range map[string]string{"2027-03-01 00:00": "/events/day/2027-03-01/", "1900-01-01 00:00": "/events/day/1900-01-01/", "1899-12-31 00:00": "", "2200-12-31 00:00": "/events/day/2200-12-31/", "2201-01-01 00:00": ""} {
		if got := stepTo(dayPath, clockAt(day)); got != want {
			t.Errorf("%s: %q", day, got)
		}
	}
	if g := newGrid(weeksFrom(1), clockAt("1900-01-01 00:00"), clockAt("2027-03-01 00:00"), nil); g.previous != "" || g.next != "/events/month/1900-02/" {
		t.Errorf("%q, %q", g.previous, g.next)
	}
	if g := newGrid(weeksFrom(1), clockAt("2200-12-01 00:00"), clockAt("2027-03-01 00:00"), nil); g.next != "" || g.previous != "/events/month/2200-11/" {
		t.Errorf("%q, %q", g.previous, g.next)
	}
}

// A list is by months; what has begun stands under the first day of the list, and a day is named once.
func TestMonthsOfAList(t *testing.T) {
	t.Parallel()
	list := []*calendar.Event{event("2027-02-01 10:00", "2027-03-09 11:00", false), event("2027-03-06 10:00", "2027-03-06 11:00", false), event("2027-03-08 10:00", "2027-03-08 11:00", false), event("2027-04-01 00:00", "2027-04-01 23:59", true)}
	draw := func(from time.Time) string {
		var parts []string
		for _, m := range agendaMonths(weeksFrom(1), list, from) {
			text := m.first.Format("2006-01")
			for _, e := range m.events {
				text += " " + e.day.Format("2") + map[bool]string{true: "+"}[e.again]
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ", ")
	}
	if got := draw(clockAt("2027-03-06 00:00")); got != "2027-03 6 6+ 8, 2027-04 1" {
		t.Error(got)
	}
	if got := draw(time.Time{}); got != "2027-02 1, 2027-03 6 8, 2027-04 1" {
		t.Error(got)
	}
	if agendaMonths(weeksFrom(1), nil, time.Time{}) != nil {
		t.Error("nothing has months")
	}
}

// A page of a list has a number from 1; its address leaves out the first.
func TestNumbersOfPages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 1, "1": 1, "20": 20, "0": 0, "-1": 0, "x": 0, "1000000": 1_000_000, "1000001": 0, "1.5": 0, "99999999999999999999": 0} {
		got, err := pageNumber(layout.Asked{Query: func(string) string { return text }})
		if got != want || (err != nil) != (want == 0) || err != nil && !errors.Is(err, calendar.ErrPage) {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	l := &agenda{page: 2, pages: 3, search: "a&b", past: true}
	if l.link(); l.previous != "?past=1&search=a%26b" || l.next != "?page=3&past=1&search=a%26b" {
		t.Errorf("%s, %s", l.previous, l.next)
	}
	l = &agenda{page: 1, pages: 1}
	if l.link(); l.previous+l.next != "" {
		t.Errorf("%s, %s", l.previous, l.next)
	}
}

// The nearest place comes first; where nobody said where they are, the one with the most events. Places that nobody located come last.
func TestOrderOfPlaces(t *testing.T) {
	t.Parallel()
	at := func(name string, events int, position ...float64) place {
		v := &calendar.Venue{Name: name}
		if len(position) == 2 {
			v.GeoLat, v.GeoLng = &position[0], &position[1]
		}
		return place{Venue: v, events: events, km: -1}
	}
	order := func(from *layout.Point) string {
		m := &eventPlaces{places: []place{at("Nowhere", 9), at("Bonn", 1, 50.73, 7.1), at("Ulm", 5, 48.4, 9.99), at("Aachen", 1, 50.78, 6.08), at("Alone", 9)}}
		m.order(from)
		var names []string
		for _, p := range m.places {
			names = append(names, p.Name)
		}
		return strings.Join(names, " ")
	}
	if got := order(nil); got != "Alone Nowhere Ulm Aachen Bonn" {
		t.Error(got)
	}
	if got := order(&layout.Point{Lat: 50.94, Lng: 6.96}); got != "Bonn Aachen Ulm Alone Nowhere" { // from Cologne
		t.Error(got)
	}
	here := at("Here", 1, 50.94, 6.96)
	if km := (&layout.Point{Lat: 50.94, Lng: 6.96}).Away(here.Venue); km != 0 {
		t.Errorf("here is %f km away", km)
	}
	far := at("There", 1, -50.94, -173.04)
	if km := (&layout.Point{Lat: 50.94, Lng: 6.96}).Away(far.Venue); km < 19_900 || km > 20_100 {
		t.Errorf("the other side of the earth is %f km away", km)
	}
	ctx := inLanguage(t, "en")
	for km, want := range map[float64]string{-1: "", 0: "1", 0.4: "1", 1.6: "2", 1234.4: "1,234"} {
		if got := (&place{km: km}).distance(ctx); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%f km: %q", km, got)
		}
	}
	for query, want := range map[string]bool{"50.9,6.9": true, "90,180": true, "-90,-180": true, "91,0": false, "0,181": false, "x,0": false, ",": false, "NaN,0": false, "0,Inf": false} {
		lat, lng, _ := strings.Cut(query, ",")
		got := layout.ReadPoint(func(name string) string { return map[string]string{"geoloc_lat": lat, "geoloc_lng": lng}[name] })
		if (got != nil) != want {
			t.Errorf("%s: %+v", query, got)
		}
	}
}

// What is said of a ticket depends on when it is sold, by the day of the site.
func TestNotesOfTickets(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	now := time.Date(2027, 7, 14, 12, 0, 0, 0, time.UTC)
	before, after := now.Add(-time.Hour), time.Date(2027, 7, 31, 22, 30, 0, 0, time.UTC) // August in Berlin
	for _, c := range []struct {
		ticket calendar.Ticket
		want   string
	}{
		{calendar.Ticket{}, ""}, {calendar.Ticket{Status: "available"}, ""}, {calendar.Ticket{Status: "sold_out", Available: &after}, ui.Say(ctx, "ticket.sold_out")},
		{calendar.Ticket{Available: &after}, "Aug 1"}, {calendar.Ticket{Available: &before}, ""}, {calendar.Ticket{Available: &before, Until: &after}, "Aug 1"},
		{calendar.Ticket{Until: &before}, ui.Say(ctx, "ticket.closed")},
	} {
		if got := ticketNote(ctx, &c.ticket, now); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.ticket, got, c.want)
		}
	}
}

// The main button of an event leads to tickets that are sold at an address now; what can't be had there is said beside the price.
func TestSaleOfTickets(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	now := time.Date(2030, 3, 5, 12, 0, 0, 0, time.UTC)
	before, after := now.Add(-time.Hour), now.Add(time.Hour)
	online := func(t calendar.Ticket) calendar.Ticket {
		t.URL = "https://tickets.example/" + t.Name
		return t
	}
	for name, c := range map[string]struct {
		tickets []calendar.Ticket
		over    bool
		status  calendar.Happening
		to      string // name of the ticket of the button
		sale    string
	}{
		"no tickets":        {},
		"the first on sale": {tickets: []calendar.Ticket{{Name: "a"}, online(calendar.Ticket{Name: "b", Status: "sold_out"}), online(calendar.Ticket{Name: "c"}), online(calendar.Ticket{Name: "d"})}, to: "c"},
		"not yet, no more":  {tickets: []calendar.Ticket{online(calendar.Ticket{Available: &after}), online(calendar.Ticket{Until: &before})}},
		"presale":           {tickets: []calendar.Ticket{online(calendar.Ticket{Name: "a", Status: "presale", Available: &before, Until: &after})}, to: "a"},
		"over":              {tickets: []calendar.Ticket{online(calendar.Ticket{Name: "a"}), {Status: "sold_out"}}, over: true},
		"sold out":          {tickets: []calendar.Ticket{online(calendar.Ticket{Status: "sold_out"}), {Status: "sold_out"}}, sale: ui.Say(ctx, "ticket.sold_out")},
		"box office":        {tickets: []calendar.Ticket{online(calendar.Ticket{Status: "sold_out"}), {Status: "box_office"}}, sale: ui.Say(ctx, "ticket.box_office")},
		"both":              {tickets: []calendar.Ticket{online(calendar.Ticket{Name: "a"}), {Status: "box_office"}}, to: "a"},
		"cancelled":         {tickets: []calendar.Ticket{online(calendar.Ticket{Name: "a"})}, status: calendar.Happening{Status: "cancelled"}},
	} {
		v := &eventView{Event: &calendar.Event{Tickets: c.tickets, Happening: c.status}, now: now, over: c.over}
		got := ""
		if offer := v.offer(); offer != nil {
			got = offer.Name
		}
		if sale := v.sale(ctx); got != c.to || sale != c.sale {
			t.Errorf("%s: to %q with %q, want %q with %q", name, got, sale, c.to, c.sale)
		}
	}
}

// Web addresses and telephone numbers are shown and dialled in their plain form.
func TestAddressesAndNumbers(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"https://www.example.org/": "example.org", "https://example.org/a/": "example.org/a", "mailto:a@example.org": "mailto:a@example.org", "no address": "no address", "http://[::1": "http://[::1"} {
		if got := shortAddress(address); got != want {
			t.Errorf("%s: %s", address, got)
		}
	}
	for phone, want := range map[string]string{"+49 30 / 123-45": "+493012345", "(030) 12 34": "0301234", "": "", "none": "", "٠٣٠ ١٢٣٤": "0301234", "+۴۹ ३०": "+4930"} {
		if got := dialled(phone); got != want {
			t.Errorf("%s: %s", phone, got)
		}
	}
}
