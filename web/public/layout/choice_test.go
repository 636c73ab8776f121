package layout

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/publictest"
	"github.com/kalends/kalends/web/ui"
)

// chosen is what an address selects.
func chosen(query string) *Choice {
	values, _ := url.ParseQuery(query)
	return &Choice{At: "/events/", Values: values}
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
		for _, s := range spansFrom(publictest.WeeksFrom(c.start), today) {
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
	today := publictest.ClockAt("2027-03-01 00:00")
	for query, want := range map[string]string{
		"": "", "when=weekend": "weekend on weekend", "when=tonight": "tonight on tonight", "from=2027-05-01&when=tonight": " 2027-05-01 0001-01-01", "when=never": "", "from=2027-05-01": " 2027-05-01 0001-01-01", "to=2027-05-01": " 0001-01-01 2027-05-01",
		"from=2027-05-01&when=weekend": " 2027-05-01 0001-01-01", "from=2027-02-29": "not found", "from=soon": "not found", "to=1899-12-31": "not found", "to=2201-01-01": "not found",
		"from=2027-5-1": "not found",
	} {
		c := chosen(query)
		err := c.readDays(publictest.WeeksFrom(1), today)
		got := ""
		switch {
		case errors.Is(err, calendar.ErrNotFound):
			got = "not found"
		case err != nil:
			t.Fatal(err)
		case c.On.Given():
			got = c.When + " on " + c.On.Or("")
		case c.Days != nil:
			got = c.When + " " + c.Days.First.Format(time.DateOnly) + " " + c.Days.Last.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
		if err == nil && c.Values.Has("when") != (c.When != "") {
			t.Errorf("%q: the period stays in the address %q", query, c.Query(1))
		}
	}
}

// One more or one less is selected without losing the rest; the page starts over, and the choice itself stays as it is.
func TestSelectingKeepsTheRest(t *testing.T) {
	t.Parallel()
	c := chosen("category=music&category=art&search=a%26b&when=today")
	for got, want := range map[string]string{
		c.Query(1): "?category=music&category=art&search=a%26b&when=today", c.Query(3): "?category=music&category=art&page=3&search=a%26b&when=today",
		c.without("category", "music"): "?category=art&search=a%26b&when=today", c.without("category", "none"): "?category=music&category=art&search=a%26b&when=today",
		c.with("category", "film"): "?category=music&category=art&category=film&search=a%26b&when=today", c.with("cost", "free"): "?category=music&category=art&cost=free&search=a%26b&when=today",
		c.Only(): "?category=music&category=art&search=a%26b", c.Words(): "?search=a%26b", chosen("").Query(1): "", chosen("when=today").Only(): "", chosen("").Words(): "",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if len(c.Values["category"]) != 2 || c.Values.Has("cost") {
		t.Errorf("the choice has changed: %v", c.Values)
	}
	if d := cmp.Diff([][2]string{{"search", "a&b"}, {"category", "music"}, {"category", "art"}}, c.Kept()); d != "" {
		t.Error(d)
	}
	if chosen("search=x").Any() || !chosen("search=x&cost=free").Any() || !c.has("category", "art") || c.has("category", "a") {
		t.Error("words alone select nothing")
	}
}

// A form that was sent with empty fields leads to the address without them.
func TestEmptyFieldsLeaveTheAddress(t *testing.T) {
	t.Parallel()
	ctx := publictest.InLanguage(t, "en")
	for query, want := range map[string]string{"category=&cost=free": "/events/?cost=free", "category=music&category=": "/events/?category=music", "from=": "/events/",
		"category=music": "", "search=": "", "": ""} {
		c := chosen(query)
		for name, list := range c.Values {
			if c.Values[name] = slices.DeleteFunc(list, func(text string) bool { return text == "" }); len(c.Values[name]) == 0 {
				delete(c.Values, name)
			}
		}
		to := c.Tidy(ctx, Asked{All: query})
		if (to == nil) != (want == "") || to != nil && (to.Redirect != want || !to.Passing) {
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
		ids, err := ReadIDs(c.Values["organizer"])
		if errors.Is(err, calendar.ErrNotFound) {
			got = "not found"
		}
		for _, id := range ids.Or(nil) {
			got = strings.TrimSpace(got + " " + strconv.FormatInt(id, 10))
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
	if s := c.Subscription(); s == nil || s.Calendar != "/events.ics?categories=music%2Cart&featured=true&organizer=7&search=a%26b" {
		t.Errorf("%+v", s)
	}
	if s := chosen("").Subscription(); s == nil || s.Calendar != "/events.ics" || s.query != "" {
		t.Errorf("everything: %+v", s)
	}
	for _, query := range []string{"city=Bonn&city=Bad+Honnef", "cost=free&how=online", "when=weekend", "from=2027-03-01&to=2027-03-31"} {
		if s := chosen(query).Subscription(); s.query != "?"+query || s.Calendar != "/events.ics?"+query {
			t.Errorf("%s: %+v", query, s)
		}
	}
}

// The options of a kind have what is selected even if nothing is found with it; a kind with one option is not worth a choice.
func TestOptions(t *testing.T) {
	t.Parallel()
	ctx := publictest.InLanguage(t, "en")
	c := chosen("category=gone&tag=open")
	c.Facets = &calendar.Facets{Categories: []calendar.Facet{{Slug: "music", Name: "Music", Count: 3}}, Cities: []calendar.Facet{{Name: "Bonn"}, {Name: "Ulm"}},
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
	if c.Facets.Uncounted = true; c.counted(ctx, option{count: 3}) != "" {
		t.Error("what isn't known is told")
	}
}

// What helps people with disabilities and whom events are for can be chosen where some event says so, in the words of the reader.
func TestFactOptions(t *testing.T) {
	t.Parallel()
	ctx := publictest.InLanguage(t, "de")
	c := chosen("accessibility=toilets")
	c.Facets = &calendar.Facets{Accessibility: []calendar.Facet{{Slug: "wheelchair", Count: 2}}}
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
		} else if c.Area != nil {
			got = c.Area.String()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
		if kept := c.Values.Has("geoloc_lat"); got == "none" && kept {
			t.Errorf("%q: %v stay in the address", query, c.Values)
		}
		if got := c.everywhere(); got != "?cost=free" {
			t.Errorf("%q: everywhere is %s", query, got)
		}
		if c = chosen(query); c.readArea(&tenancy.Site{}) != nil || c.Area != nil || c.Any() {
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
	if got := Shorten(strings.Repeat("ä", 300)); len([]rune(got)) != 200 {
		t.Errorf("%d letters", len([]rune(got)))
	}
}
