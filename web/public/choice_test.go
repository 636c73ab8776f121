package public

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// inLanguage is a context of a public site in Berlin.
func inLanguage(t *testing.T, language string) context.Context {
	t.Helper()
	site := &tenancy.Site{Name: "Demo", Language: "en", Settings: tenancy.DefaultSettings()}
	site.SetTimezone("Europe/Berlin")
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: language, Base: tenancy.Base{Origin: "https://demo.example.org"}})
}

// chosen is what an address selects.
func chosen(query string) *choice {
	values, _ := url.ParseQuery(query)
	return &choice{at: "/events/", values: values}
}

// A named period begins today at the earliest: what is left of a week or a weekend that has begun is that week or weekend.
func TestNamedPeriods(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		today string
		start int // first day of the week
		want  string
	}{
		{"2027-03-01", 1, "today 1-1, tomorrow 2-2, week 1-7, nextweek 8-14, month 4/1-4/30"},            // a Monday
		{"2027-03-05", 1, "today 5-5, tomorrow 6-6, week 5-7, nextweek 8-14, month 4/1-4/30"},            // Friday
		{"2027-03-06", 1, "today 6-6, tomorrow 7-7, week 6-7, nextweek 8-14, month 4/1-4/30"},            // Saturday
		{"2027-03-07", 1, "today 7-7, tomorrow 8-8, week 7-7, nextweek 8-14, month 4/1-4/30"},            // Sunday
		{"2027-03-07", 7, "today 7-7, tomorrow 8-8, week 7-13, nextweek 14-20, month 4/1-4/30"},          // where weeks begin on Sunday
		{"2027-03-06", 6, "today 6-6, tomorrow 7-7, week 6-12, nextweek 13-19, month 4/1-4/30"},          // or on Saturday
		{"2027-01-31", 1, "today 31-31, tomorrow 2/1-2/1, week 31-31, nextweek 2/1-2/7, month 2/1-2/28"}, // a Sunday at the end of a month
		{"2027-12-31", 1, "today 31-31, tomorrow 1/1-1/1, week 31-1/2, nextweek 1/3-1/9, month 1/1-1/31"},
	} {
		today, err := time.Parse(time.DateOnly, c.today)
		if err != nil {
			t.Fatal(err)
		}
		day := func(at time.Time) string {
			if at.Month() == today.Month() {
				return at.Format("2")
			}
			return at.Format("1/2")
		}
		var list []string
		for _, s := range spansFrom(weeksFrom(c.start), today) {
			if s.on == "" { // hours have no days
				list = append(list, s.name+" "+day(s.days.First)+"-"+day(s.days.Last))
			}
		}
		if got := strings.Join(list, ", "); got != c.want {
			t.Errorf("on %s, weeks from %d: %s, want %s", c.today, c.start, got, c.want)
		}
	}
}

// Days in an address go before the name of a period; what is no day, or one that no calendar shows, is no page.
func TestDaysOfAnAddress(t *testing.T) {
	t.Parallel()
	today := clockAt("2027-03-01 00:00")
	for query, want := range map[string]string{
		"": "", "when=weekend": "weekend on weekend", "when=tonight": "tonight on tonight", "from=2027-05-01&when=tonight": " 2027-05-01 0001-01-01", "when=never": "", "from=2027-05-01": " 2027-05-01 0001-01-01", "to=2027-05-01": " 0001-01-01 2027-05-01",
		"from=2027-05-01&when=weekend": " 2027-05-01 0001-01-01", "from=2027-02-29": "not found", "from=soon": "not found", "to=1899-12-31": "not found", "to=2201-01-01": "not found",
		"from=2027-5-1": "not found",
	} {
		c := chosen(query)
		err := c.readDays(weeksFrom(1), today)
		got := ""
		switch {
		case errors.Is(err, calendar.ErrNotFound):
			got = "not found"
		case err != nil:
			t.Fatal(err)
		case c.On.Given():
			got = c.when + " on " + c.On.Or("")
		case c.Days != nil:
			got = c.when + " " + c.Days.First.Format(time.DateOnly) + " " + c.Days.Last.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
		if err == nil && c.values.Has("when") != (c.when != "") {
			t.Errorf("%q: the period stays in the address %q", query, c.query(1))
		}
	}
}

// One more or one less is selected without losing the rest; the page starts over, and the choice itself stays as it is.
func TestSelectingKeepsTheRest(t *testing.T) {
	t.Parallel()
	c := chosen("category=music&category=art&search=a%26b&when=today")
	for got, want := range map[string]string{
		c.query(1): "?category=music&category=art&search=a%26b&when=today", c.query(3): "?category=music&category=art&page=3&search=a%26b&when=today",
		c.without("category", "music"): "?category=art&search=a%26b&when=today", c.without("category", "none"): "?category=music&category=art&search=a%26b&when=today",
		c.with("category", "film"): "?category=music&category=art&category=film&search=a%26b&when=today", c.with("cost", "free"): "?category=music&category=art&cost=free&search=a%26b&when=today",
		c.only(): "?category=music&category=art&search=a%26b", c.words(): "?search=a%26b", chosen("").query(1): "", chosen("when=today").only(): "", chosen("").words(): "",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if len(c.values["category"]) != 2 || c.values.Has("cost") {
		t.Errorf("the choice has changed: %v", c.values)
	}
	if d := cmp.Diff([][2]string{{"search", "a&b"}, {"category", "music"}, {"category", "art"}}, c.kept()); d != "" {
		t.Error(d)
	}
	if chosen("search=x").any() || !chosen("search=x&cost=free").any() || !c.has("category", "art") || c.has("category", "a") {
		t.Error("words alone select nothing")
	}
}

// A form that was sent with empty fields leads to the address without them.
func TestEmptyFieldsLeaveTheAddress(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	for query, want := range map[string]string{"category=&cost=free": "/events/?cost=free", "category=music&category=": "/events/?category=music", "from=": "/events/",
		"category=music": "", "search=": "", "": ""} {
		c := chosen(query)
		for name, list := range c.values {
			if c.values[name] = slices.DeleteFunc(list, func(text string) bool { return text == "" }); len(c.values[name]) == 0 {
				delete(c.values, name)
			}
		}
		to := c.tidy(ctx, asked{all: query})
		if (to == nil) != (want == "") || to != nil && (to.redirect != want || !to.passing) {
			t.Errorf("%q leads to %+v", query, to)
		}
	}
}

// An organizer is selected by an id.
func TestOrganizersOfAnAddress(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{"": "", "organizer=7&organizer=8": "7 8", "organizer=0": "not found", "organizer=-1": "not found", "organizer=x": "not found"} {
		c := chosen(query)
		got := ""
		ids, err := readIDs(c.values["organizer"])
		if errors.Is(err, calendar.ErrNotFound) {
			got = "not found"
		}
		for _, id := range ids.Or(nil) {
			got = strings.TrimSpace(got + " " + idText(id))
		}
		if got != want {
			t.Errorf("%q: %q", query, got)
		}
	}
}

// Whatever a page shows can be subscribed to.
func TestSubscriptionToAChoice(t *testing.T) {
	t.Parallel()
	c := chosen("category=music&category=art&search=a%26b&organizer=7")
	c.Featured = args.Some(true)
	if s := c.subscription(); s == nil || s.calendar != "/events.ics?categories=music%2Cart&featured=true&organizer=7&search=a%26b" {
		t.Errorf("%+v", s)
	}
	if s := chosen("").subscription(); s == nil || s.calendar != "/events.ics" || s.query != "" {
		t.Errorf("everything: %+v", s)
	}
	for _, query := range []string{"city=Bonn&city=Bad+Honnef", "cost=free&how=online", "when=weekend", "from=2027-03-01&to=2027-03-31"} {
		if s := chosen(query).subscription(); s.query != "?"+query || s.calendar != "/events.ics?"+query {
			t.Errorf("%s: %+v", query, s)
		}
	}
}

// The options of a kind have what is selected even if nothing is found with it; a kind with one option is not worth a choice.
func TestOptions(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "en")
	c := chosen("category=gone&tag=open")
	c.facets = &calendar.Facets{Categories: []calendar.Facet{{Slug: "music", Name: "Music", Count: 3}}, Cities: []calendar.Facet{{Name: "Bonn"}, {Name: "Ulm"}},
		Organizers: []calendar.Facet{{ID: 7, Name: "Choir"}}, Tags: []calendar.Facet{{Slug: "open", Name: "Open air", Count: 1}}}
	var list []string
	for _, g := range c.groups(ctx) {
		list = append(list, g.name)
		if g.name == "category" && (g.chosen() != 1 || g.options[1].text != "gone" || !g.options[1].chosen || g.options[0].chosen) {
			t.Errorf("%+v", g)
		}
	}
	if got := strings.Join(list, " "); got != "category city tag" {
		t.Error(got)
	}
	if got := c.counted(ctx, option{count: 1234}); got != "1,234" {
		t.Errorf("%q", got)
	}
	if c.facets.Uncounted = true; c.counted(ctx, option{count: 3}) != "" {
		t.Error("what isn't known is told")
	}
}

// What helps people with disabilities and whom events are for can be chosen where some event says so, in the words of the reader.
func TestFactOptions(t *testing.T) {
	t.Parallel()
	ctx := inLanguage(t, "de")
	c := chosen("accessibility=toilets")
	c.facets = &calendar.Facets{Accessibility: []calendar.Facet{{Slug: "wheelchair", Count: 2}}}
	groups := c.groups(ctx)
	if len(groups) != 1 || groups[0].name != "accessibility" || groups[0].chosen() != 1 || len(groups[0].options) != 2 || groups[0].options[0].count != 2 {
		t.Fatalf("%+v", groups)
	}
	for _, o := range groups[0].options {
		if want := ui.Say(ctx, "fact.accessibility."+o.value); o.text != want || strings.Contains(o.text, "fact.") || !o.ours {
			t.Errorf("%+v, want %s", o, want)
		}
	}
	for words, good := range map[string]bool{"wheelchair": true, "wheelchair,toilets": false, "stairs": false, "": true} {
		values := url.Values{}
		if words != "" {
			values.Set("accessibility", words)
		}
		if _, err := readFacts("accessibility", values); (err == nil) != good {
			t.Errorf("%q: %v", words, err)
		}
	}
}

// A page of other sites shows what an address of this site shows, in a form that they can embed.
func TestEmbeddedForms(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/": "/embed/list/", "/events/": "/embed/list/", "/events/photo/": "/embed/list/", "/events/list/": "/embed/list/", "/events/month/": "/embed/month/",
		"/events/month/2027-03/": "/embed/month/2027-03/", "/events/week/2027-03-01/": "/embed/week/2027-03-01/", "/event/choir/": "/embed/event/choir/",
		"/event/choir/2027-03-01/": "/embed/event/choir/2027-03-01/", "/events/category/music/choir/": "/embed/list/?category=choir", "/tag/open-air/": "/embed/list/?tag=open-air",
		"/events/category/%D0%BC/": "/embed/list/?category=%D0%BC", "/event/": "", "/tag/": "", "/events/category/": "", "/events/day/": "", "/events/map/": "", "/venue/pier/": "", "/submit/": "",
	} {
		if got := embedPath(path); got != want {
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
		got, err := pageNumber(asked{query: func(string) string { return text }})
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
	order := func(from *point) string {
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
	if got := order(&point{50.94, 6.96}); got != "Bonn Aachen Ulm Alone Nowhere" { // from Cologne
		t.Error(got)
	}
	here := at("Here", 1, 50.94, 6.96)
	if km := (&point{50.94, 6.96}).away(here.Venue); km != 0 {
		t.Errorf("here is %f km away", km)
	}
	far := at("There", 1, -50.94, -173.04)
	if km := (&point{50.94, 6.96}).away(far.Venue); km < 19_900 || km > 20_100 {
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
		got := readPoint(func(name string) string { return map[string]string{"geoloc_lat": lat, "geoloc_lng": lng}[name] })
		if (got != nil) != want {
			t.Errorf("%s: %+v", query, got)
		}
	}
}

// An area is a position and how far it reaches. What is none is no page; without a radius, or where a plan has no positions, nothing is chosen.
func TestAreaOfAnAddress(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"": "none", "geoloc_lat=47.5&geoloc_lng=9.7": "none", "geoloc_lat=47.5&geoloc_lng=9.7&geoloc_radius=2.5": "47.5,9.7,2.5",
		"geoloc_lat=47.5&geoloc_radius=2": "not found", "geoloc_lat=x&geoloc_lng=9.7&geoloc_radius=2": "not found", "geoloc_lat=47.5&geoloc_lng=9.7&geoloc_radius=0": "not found",
		"geoloc_lat=47.5&geoloc_lng=9.7&geoloc_radius=NaN": "not found", "geoloc_lat=47.5&geoloc_lng=9.7&geoloc_radius=20039": "not found",
	} {
		c, site := chosen(query+"&cost=free"), &tenancy.Site{Plan: tenancy.Plan{Geo: true}}
		got := "none"
		if err := c.readArea(site); errors.Is(err, calendar.ErrNotFound) {
			got = "not found"
		} else if c.area != nil {
			got = c.area.String()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
		if kept := c.values.Has("geoloc_lat"); got == "none" && kept {
			t.Errorf("%q: %v stay in the address", query, c.values)
		}
		if got := c.everywhere(); got != "?cost=free" {
			t.Errorf("%q: everywhere is %s", query, got)
		}
		if c = chosen(query); c.readArea(&tenancy.Site{}) != nil || c.area != nil || c.any() {
			t.Errorf("%q: an area without positions", query)
		}
	}
}

// What is too long to be shown is cut between words, with a sign that there is more.
func TestBeginningsOfTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		excerpt, description string
		longest              int
		want                 string
	}{
		{"", "<p>One &amp; two</p>", 20, "One & two"}, {"<p>Short</p>", "<p>Long</p>", 20, "Short"}, {"", "", 20, ""},
		{"", "One two three four", 12, "One two…"}, {"", "Donaudampfschiff", 8, "Donaudam…"}, {"", "合唱団の春の演奏会", 4, "合唱団の…"}, {"", "exactly ten", 11, "exactly ten"},
	} {
		if got := beginning(c.excerpt, c.description, c.longest); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
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
	if got := shorten(strings.Repeat("ä", 300)); len([]rune(got)) != 200 {
		t.Errorf("%d letters", len([]rune(got)))
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
