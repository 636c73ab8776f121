package public

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

var feedLink = regexp.MustCompile(`<link rel="alternate" type="([^"]*)" title="[^"]*" href="http://localhost([^"]*)">`)

// TestFeedsOfChoices: every list that a page can show has its feeds, and these have what the list has.
func TestFeedsOfChoices(t *testing.T) {
	k := filterKit(t)
	for _, query := range []string{"", "city=Lindau", "cost=free", "how=online", "how=here&city=Lindau", "when=today", "when=weekend",
		"from=2026-11-21&to=2026-12-31", "category=music&city=Bregenz", "tag=stage", "featured=1", "city=Lindau&cost=free&how=here", "search=jazz&city=Bregenz"} {
		page := k.Look("/events/?"+query).Want(t, 200, "")
		want := strings.Split(titles(page), ", ")
		slices.Sort(want)
		links := feedLink.FindAllStringSubmatch(page.String(), -1)
		if len(links) != 4 {
			t.Errorf("%s: %d feeds", query, len(links))
		}
		paths := []string{"/events/?ical=1&" + query}
		for _, link := range links {
			paths = append(paths, html.UnescapeString(link[2]))
		}
		for _, path := range paths {
			body := strings.ReplaceAll(string(k.Look(path).Want(t, 200, "").Raw), "\r\n ", "")
			var got []string
			for _, title := range []string{"Market", "Jazz", "Webinar", "Opera", "Lake Concert"} {
				if strings.Contains(body, "SUMMARY:"+title+"\r\n") || strings.Contains(body, "SUMMARY;LANGUAGE=en:"+title+"\r\n") ||
					regexp.MustCompile(` · `+title+`( · |</title>|")`).MatchString(body) {
					got = append(got, title)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s has %v, the page %v", path, got, want)
			}
		}
	}
	if a := k.Look("/events.ics?when=weekend"); a.Header.Get("ETag") == "" || a.Status != 200 {
		t.Errorf("%s", a)
	}
	k.Look("/events.ics?from=never").Want(t, 404, "")
}

// TestOnlineInFeeds: people find the link of an online event in their calendar program, whichever it is, and the lines of a text.
func TestOnlineInFeeds(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Talk", "attendance_mode": "online", "virtual_url": "https://live.example/talk", "categories": []string{"Talks"},
		"description": "<p>First.</p><ul><li>One</li><li><a href=\"https://a.example/two\">Two</a></li></ul>", "cost": "0"})
	e := k.Feed("/events.ics?categories=talks")
	for _, list := range e {
		if got := kit.Prop(list[0], "LOCATION"); got != "https://live.example/talk" {
			t.Errorf("LOCATION %q", got)
		}
		want := "First.\n\n• One\n• Two (https://a.example/two)\n\nOnline · https://live.example/talk\nPrice · Free\nhttp://localhost/event/talk/"
		if got := kit.Prop(list[0], "DESCRIPTION"); got != want {
			t.Errorf("DESCRIPTION %q, want %q", got, want)
		}
	}
	if len(e) != 1 {
		t.Errorf("%d entries", len(e))
	}
	if body := k.Look("/events.json?categories=talks").String(); !strings.Contains(body, "https://live.example/talk") {
		t.Errorf("news: %s", body)
	}
}
