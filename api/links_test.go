package api

import (
	"net/url"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/test/apitest"
)

// encoded returns arguments as an address has them.
func encoded(list []Param) string {
	v := NewView(new(apitest.Scope("en")))
	text := v.Address("x", list)
	text, err := url.QueryUnescape(text)
	if err != nil {
		return err.Error()
	}
	return text[len("https://demo.example"+Namespace+"/x/"):]
}

// The addresses of other pages repeat every filter of a list as it was applied, in the order of TEC (rule 4.4).
func TestLinksOfEvents(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	winter := time.Date(2027, 1, 15, 18, 0, 0, 0, time.UTC)
	from := func(at time.Time, instant bool) calendar.Edge {
		return calendar.Edge{Compare: calendar.From, At: at, Instant: instant}
	}
	for name, c := range map[string]struct {
		query calendar.EventQuery
		want  string
	}{
		"nothing":          {calendar.EventQuery{}, "?per_page=0&status=publish"},
		"in order":         {calendar.EventQuery{PerPage: 7, OrderBy: "start_date"}, "?per_page=7&status=publish"},
		"the last first":   {calendar.EventQuery{PerPage: 7, OrderBy: "title", Descending: true}, "?per_page=7&status=publish&orderby=title&order=desc"},
		"somebody's own":   {calendar.EventQuery{PerPage: 7, OrderBy: "start_date", Viewer: calendar.Viewer{User: 4}}, "?per_page=7"},
		"chosen statuses":  {calendar.EventQuery{PerPage: 7, OrderBy: "start_date", Viewer: calendar.Viewer{All: true}, Statuses: []calendar.Status{calendar.Draft, calendar.Pending}}, "?per_page=7&status=draft,pending"},
		"a wall-clock day": {calendar.EventQuery{PerPage: 7, OrderBy: "start_date", Edges: []calendar.Edge{from(winter, false)}}, "?per_page=7&start_date=2027-01-15 18:00:00&status=publish"},
		"an instant":       {calendar.EventQuery{PerPage: 7, OrderBy: "start_date", Edges: []calendar.Edge{from(winter, true)}}, "?per_page=7&start_date=2027-01-15 19:00:00&status=publish&strict_dates=true"},
		"everything": {calendar.EventQuery{PerPage: 7, OrderBy: "date", Descending: true, Search: wording.Search{Text: "jazz & more"}, Located: &no, Near: &calendar.Circle{Lat: 47.5, Lng: -9.25, Km: 10},
			Parent: 3, Include: []int64{5, 4}, Venues: []int64{1}, Organizers: []int64{2, 3}, Featured: &yes, Categories: args.Refs{{ID: 8}, {Text: "music/jazz"}}, Tags: args.Refs{{Text: "live"}},
			Ticketed: &no, Series: 9, Recurring: &yes, Happening: []string{"cancelled", "postponed"}, Attendance: "online",
			Texts: calendar.TextQuery{Language: "de", Whole: true, Translated: "de"}},
			"?per_page=7&search=jazz & more&geoloc=false&geoloc_lat=47.5&geoloc_lng=-9.25&geoloc_radius=10&status=publish&post_parent=3&include=5,4&venue=1&organizer=2,3" +
				"&featured=true&categories=8,music/jazz&tags=live&ticketed=false&content_language=de&translations=full&translated=true&series=9&recurring=true" +
				"&event_status=cancelled,postponed&attendance_mode=online&orderby=date&order=desc"},
		"one of each series": {calendar.EventQuery{PerPage: 7, OrderBy: "start_date", First: true}, "?per_page=7&status=publish&series=first"},
	} {
		s := apitest.Scope("en")
		if got := encoded(eventLinks(&s, c.query)); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, c.want)
		}
	}
}

// An instant is in the site's time, except where that time comes twice or has no year of four digits: then it is in UTC.
func TestInstantsOfLinks(t *testing.T) {
	t.Parallel()
	s := apitest.Scope("en")
	for at, want := range map[string]string{
		"2027-07-01T10:00:00Z": "2027-07-01 12:00:00",
		"2027-03-28T00:59:59Z": "2027-03-28 01:59:59", // the last second before the clocks go forward
		"2027-03-28T01:00:00Z": "2027-03-28 03:00:00",
		"2027-10-31T00:30:00Z": "2027-10-31 02:30:00", // the first of two
		"2027-10-31T01:30:00Z": "2027-10-31T01:30:00Z",
		"2027-10-31T02:00:00Z": "2027-10-31 03:00:00",
		"9999-12-31T23:30:00Z": "9999-12-31T23:30:00Z",
	} {
		moment, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := instant(moment, s.Site.Location); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}

// Lists of venues, organizers and terms repeat their filters as well; terms leave out what is usual.
func TestLinksOfPlacesAndTerms(t *testing.T) {
	t.Parallel()
	yes := true
	for name, c := range map[string]struct {
		links []Param
		want  string
	}{
		"places": {placeLinks(calendar.PlaceQuery{PerPage: 10}), "?per_page=10&status=publish"},
		"places with everything": {placeLinks(calendar.PlaceQuery{PerPage: 10, Event: 4, HasEvents: &yes, UpcomingAfter: time.Unix(1, 0), Search: wording.Search{Text: "hall"},
			Statuses: []calendar.Status{calendar.Trash}, Texts: calendar.TextQuery{Language: "fr"}}),
			"?per_page=10&event=4&has_events=true&only_with_upcoming=true&search=hall&status=trash&content_language=fr"},
		"terms":          {termLinks(calendar.TermQuery{PerPage: 10, OrderBy: "name", HideEmpty: true}, 10), ""},
		"many terms":     {termLinks(calendar.TermQuery{PerPage: 50, OrderBy: "name", HideEmpty: true}, 10), "?per_page=50"},
		"terms unhidden": {termLinks(calendar.TermQuery{PerPage: 10, OrderBy: "count", Descending: true}, 10), "?orderby=count&order=desc&hide_empty=false"},
		"terms with everything": {termLinks(calendar.TermQuery{PerPage: 10, OrderBy: "name", HideEmpty: true, Search: "jazz", Include: args.Refs{{ID: 1}, {Text: "a"}}, Exclude: args.Refs{{ID: 2}}, Parent: 5,
			Event: 6, Slug: "jazz"}, 10), "?search=jazz&include=1,a&exclude=2&parent=5&event=6&slug=jazz"},
	} {
		if got := encoded(c.links); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// The next and the previous page are there where they are, the page number comes last, and page 1 has none (rule 4.4).
func TestPagesBeside(t *testing.T) {
	t.Parallel()
	const root = "https://demo.example" + Namespace + "/events/"
	one := []Param{{"per_page", "2"}, {"search", "a&b c"}}
	for _, c := range []struct {
		name                 string
		l                    Listing
		here, next, previous string
	}{
		{"the only page", Listing{Page: 1, PerPage: 2, Total: 2, Links: one}, "?page=1&per_page=2&search=a%26b+c", "", ""},
		{"nothing", Listing{Page: 1, PerPage: 2, Links: one}, "?page=1&per_page=2&search=a%26b+c", "", ""},
		{"the first", Listing{Page: 1, PerPage: 2, Total: 3, Links: one}, "?page=1&per_page=2&search=a%26b+c", "?per_page=2&search=a%26b+c&page=2", ""},
		{"the second", Listing{Page: 2, PerPage: 2, Total: 5, Links: one}, "?page=2&per_page=2&search=a%26b+c", "?per_page=2&search=a%26b+c&page=3", "?per_page=2&search=a%26b+c"},
		{"the last", Listing{Page: 3, PerPage: 2, Total: 5, Links: one}, "?page=3&per_page=2&search=a%26b+c", "", "?per_page=2&search=a%26b+c&page=2"},
		{"beyond the last", Listing{Page: 9, PerPage: 2, Total: 5, Links: one}, "?page=9&per_page=2&search=a%26b+c", "", "?per_page=2&search=a%26b+c&page=3"},
		{"beyond nothing", Listing{Page: 9, PerPage: 2, Links: one}, "?page=9&per_page=2&search=a%26b+c", "", ""},
		{"no filters", Listing{Page: 2, PerPage: 2, Total: 3}, "?page=2", "", ""},
		{"a walk", Listing{Page: 1, PerPage: 2, Total: 5, walk: true, place: "x,7", Links: one}, "?page=1&per_page=2&search=a%26b+c", "?per_page=2&search=a%26b+c&after=x%2C7", ""},
		{"the end of a walk", Listing{Page: 1, PerPage: 2, Total: 5, walk: true, Links: one}, "?page=1&per_page=2&search=a%26b+c", "", ""},
	} {
		s := apitest.Scope("en")
		v := NewView(&s)
		c.l.Collection = "events"
		next, previous := v.sides(c.l)
		full := func(text string) string {
			if text != "" {
				return root + text
			}
			return ""
		}
		if c.name == "no filters" {
			if previous != root {
				t.Errorf("page 1 without filters is %s", previous)
			}
			continue
		}
		if here := v.here(c.l); here != root+c.here || next != full(c.next) || previous != full(c.previous) {
			t.Errorf("%s: %s\nnext %s\nprevious %s", c.name, here, next, previous)
		}
		if len(c.l.Links) > 0 && (len(one) != 2 || one[0].Name != "per_page") {
			t.Errorf("%s changed the filters to %v", c.name, one)
		}
	}
}

// A tag tells the version that it was made of, unless it is weak or none of ours; other bytes have another tag.
func TestVersionsOfTags(t *testing.T) {
	t.Parallel()
	for _, version := range []int64{0, 1, 35, 36, 1 << 40} {
		tag := etag(version, []byte("x"))
		if got, ours := taggedVersion(tag); !ours || got != version || tag[0] != '"' || tag[len(tag)-1] != '"' {
			t.Errorf("%s of %d is read as %d, %v", tag, version, got, ours)
		}
		if got, ours := taggedVersion(" " + tag + " "); !ours || got != version {
			t.Errorf("%s with spaces is read as %d, %v", tag, got, ours)
		}
		if other := etag(version, []byte("y")); other == tag {
			t.Errorf("other bytes have the tag %s", tag)
		}
		if _, ours := taggedVersion("W/" + tag); ours {
			t.Errorf("weak: %s counts", tag)
		}
	}
	for _, tag := range []string{"", `""`, "*", `"x"`, `"-1"`, `"!-1"`, "abc", `"zzzzzzzzzzzzzzzzzzzz-1"`} {
		if version, ours := taggedVersion(tag); ours {
			t.Errorf("%s counts as one of version %d", tag, version)
		}
	}
}
