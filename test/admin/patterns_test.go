package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// patternLink is a link that begins a new event as a copy of another.
var patternLink = regexp.MustCompile(`href="(/admin/events/new\?copy=(\d+)[^"]*)"><bdi>([^<]*)`)

// patternsOn returns the links on the form of a new event, and the titles.
func patternsOn(p kit.Page) (links, titles []string) {
	_, rest, _ := strings.Cut(p.Body, `class="patterns"`)
	list, _, _ := strings.Cut(rest, "</nav>")
	for _, m := range patternLink.FindAllStringSubmatch(list, -1) {
		links, titles = append(links, kit.Unescape(m[1])), append(titles, kit.Unescape(m[3]))
	}
	return links, titles
}

// A new event begins as a copy of what a person entered last, or of what the site has most often: on the next such day.
func TestNewEventLikeAnEarlierOne(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("author")
	if p := b.Get("/admin/events/new"); p.Status != http.StatusOK || p.Shows(`class="patterns"`) {
		t.Fatalf("without events: %d", p.Status)
	}
	for _, day := range []string{"03", "17", "10"} {
		k.Event(kit.Object{"title": "Service", "start_date": "2030-02-" + day + " 10:00", "end_date": "2030-02-" + day + " 11:30", "event_status": "cancelled"})
	}
	k.Event(kit.Object{"title": "Market", "start_date": "2030-02-01 08:00", "end_date": "2030-02-01 13:00"})
	k.Event(kit.Object{"title": "Plan", "start_date": "2030-02-01 08:00", "end_date": "2030-02-01 13:00", "status": "draft"})
	k.Event(kit.Object{"title": "Gone", "start_date": "2030-02-01 08:00", "end_date": "2030-02-01 13:00", "status": "trash"})
	k.Submitted()
	series := kit.Weekly(k, kit.Object{"title": "Yoga"})
	typed := url.Values{"title": {"Mine"}, "start_date": {"2030-06-01T10:00"}, "end_date": {"2030-06-01T11:00"}, "do": {"save"}}
	if p := b.Post("/admin/events/new", b.Fill("/admin/events/new", kit.EveryEditor, typed)); p.Status != http.StatusSeeOther {
		t.Fatalf("one's own: %d", p.Status)
	}
	links, titles := patternsOn(b.Get("/admin/events/new?start_date=2030-03-10"))
	if want := []string{"Mine", "Service", "Yoga", "Market"}; !slices.Equal(titles, want) {
		t.Fatalf("%q, want %q", titles, want)
	}
	if _, all := patternsOn(k.Person("editor").Get("/admin/events/new")); !slices.Contains(all, "Plan") || slices.Contains(all, "Gone") || slices.Contains(all, "Sent") {
		t.Errorf("an editor is offered %q", all)
	}
	at := func(link, start, end string) {
		t.Helper()
		p := b.Get(link)
		if form := kit.FormAt(p, kit.EveryEditor); p.Status != http.StatusOK || form.Get("start_date") != start || form.Get("end_date") != end ||
			form.Get("repeat") != "" || !p.Shows(`href="#f-start_date"`) {
			t.Errorf("%s: %d, %s to %s, %q", link, p.Status, form.Get("start_date"), form.Get("end_date"), form.Get("repeat"))
		}
	}
	at(links[1], "2030-03-10T10:00", "2030-03-10T11:30") // the day that was chosen in the calendar
	links, _ = patternsOn(b.Get("/admin/events/new"))
	at(links[1], "2030-02-24T10:00", "2030-02-24T11:30") // a week after the latest
	at(links[1]+"&start_date=2030-03-10T18:00", "2030-03-10T18:00", "2030-03-10T19:30")
	at(links[1]+"&start_date=soon", "2030-02-24T10:00", "2030-02-24T11:30")
	if !strings.HasPrefix(links[2], "/admin/events/new?copy=") || links[2] == fmt.Sprintf("/admin/events/new?copy=%d", series) {
		t.Errorf("the whole series is copied: %s", links[2])
	}
	if form := kit.FormAt(b.Get(links[2]), kit.EveryEditor); form.Get("repeat") != "" || form.Get("title") != "Yoga" {
		t.Errorf("a date of a series: %v", form)
	}
	p := b.Post("/admin/events/new", b.Fill(links[1], kit.EveryEditor, url.Values{"status": {"publish"}, "do": {"save"}}))
	made := k.Peek("demo", "SELECT event_status || ' ' || start_local FROM events WHERE site_id = $1 ORDER BY id DESC LIMIT 1", k.Sites["demo"].ID)
	if p.Status != http.StatusSeeOther || made != "scheduled 2030-02-24 10:00:00" {
		t.Errorf("the copy of a cancelled event: %d, %s", p.Status, made)
	}
}

// What somebody has typed into the form of a new event stays when an earlier event fills in the rest.
func TestNewEventLikeAnEarlierOneKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	venue := k.Made("/venues", kit.Object{"venue": "Church", "status": "publish"})
	id := k.Event(kit.Object{"title": "Service", "description": "With organ", "start_date": "2030-02-03 10:00", "end_date": "2030-02-03 11:30",
		"venue": venue, "cost": "5", "attendance_mode": "mixed"})
	like := fmt.Sprintf("/admin/events/new?copy=%d", id)
	send := func(address string, typed url.Values) url.Values {
		t.Helper()
		typed.Set("do", "like")
		p := b.Post(address, b.Fill("/admin/events/new", kit.EveryEditor, typed))
		if p.Status != http.StatusOK {
			t.Fatalf("%d", p.Status)
		}
		return kit.FormAt(p, kit.EveryEditor)
	}
	got := send(like+"&start_date=2030-05-04T18:00&end_date=2030-05-04T18:45", url.Values{"title": {"Mine"}, "description": {"My text"}, "tags": {"a, b"}})
	for name, want := range map[string]string{"title": "Mine", "description": "My text", "tags": "a, b", "cost": "5", "attendance_mode": "mixed",
		"start_date": "2030-05-04T18:00", "end_date": "2030-05-04T18:45", "copy": fmt.Sprint(id)} {
		if got.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Get(name), want)
		}
	}
	if !strings.HasPrefix(got.Get("venue"), "Church") && got.Get("venue") != fmt.Sprint(venue) {
		t.Errorf("the venue: %q", got["venue"])
	}
	if got := send(like, url.Values{"cost": {"12"}}); got.Get("title") != "Service" || got.Get("cost") != "12" || got.Get("start_date") != "2030-02-10T10:00" {
		t.Errorf("title %q, cost %q, start %q", got.Get("title"), got.Get("cost"), got.Get("start_date"))
	}
}
