package public

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/test/publictest"
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
	ctx := publictest.InLanguage(t, "en")
	e := publictest.Event("2027-07-14 19:30", "2027-07-14 21:30", false)
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
		v.Event = publictest.Event(c.start, c.end, true)
		v.End = v.End.Add(59 * time.Second)
		if got := parameters(v.google(ctx)).Get("dates"); got != c.first+"/"+c.after {
			t.Errorf("Google, %s to %s: %s", c.start, c.end, got)
		}
		q := parameters(v.outlook(ctx))
		if got := strings.ReplaceAll(q.Get("startdt")+"/"+q.Get("enddt"), "-", ""); got != c.first+"/"+c.after || q.Get("allday") != "true" {
			t.Errorf("Outlook, %s to %s: %v", c.start, c.end, q)
		}
	}
	if v.Event = publictest.Event("2027-07-14 10:00", "2027-07-14 11:00", false); v.place(ctx) != "" || parameters(v.google(ctx)).Get("location") != "" {
		t.Error("nowhere is somewhere")
	}
}

// What is said of a ticket depends on when it is sold, by the day of the site.
func TestNotesOfTickets(t *testing.T) {
	t.Parallel()
	ctx := publictest.InLanguage(t, "en")
	now := time.Date(2027, 7, 14, 12, 0, 0, 0, time.UTC)
	before, after := now.Add(-time.Hour), time.Date(2027, 7, 31, 22, 30, 0, 0, time.UTC) // August in Berlin
	for _, c := range []struct {
		ticket calendar.Ticket
		want   string
	}{
		{calendar.Ticket{}, ""}, {calendar.Ticket{Status: "available"}, ""}, {calendar.Ticket{Status: "sold_out", Available: &after}, ui.Say(ctx, "ticket.sold_out")},
		{calendar.Ticket{Available: &after}, "Aug\u00a01"}, {calendar.Ticket{Available: &before}, ""}, {calendar.Ticket{Available: &before, Until: &after}, "Aug\u00a01"},
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
	ctx := publictest.InLanguage(t, "en")
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

// Only a paragraph of some lines begins with a large letter, in scripts whose letters stand by themselves.
func TestLargeFirstLetter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": false, "<p>Doors open half an hour before.</p>": false, "<p>Short.</p><p>" + strings.Repeat("long ", 50) + "</p>": false,
		"<p>" + strings.Repeat("lang ", 50) + "</p>": true, "<p>„<b>" + strings.Repeat("Ä ", 150) + "</b></p>": true, "<p>" + strings.Repeat("ночь ", 50) + "</p>": true,
		"<ul><li>" + strings.Repeat("long ", 50) + "</li></ul>": false, "<p>" + strings.Repeat("ليل ", 60) + "</p>": false, "<p>" + strings.Repeat("रात ", 60) + "</p>": false,
	} {
		if got := beginsLong(text); got != want {
			t.Errorf("%.30q: %t", text, got)
		}
	}
}
