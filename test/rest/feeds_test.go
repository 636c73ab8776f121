package rest

import (
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

func feedKit(t *testing.T) *kit.Kit {
	t.Helper()
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 2, 20, 12, 0, 0, 0, time.UTC)
	return k
}

func on(k *kit.Kit, title, day string, fields kit.Object) int64 {
	k.T.Helper()
	all := kit.Object{"title": title, "start_date": day + " 19:30", "end_date": day + " 22:00"}
	maps.Copy(all, fields)
	return k.Event(all)
}

// TestFeed: a calendar file has what a list of the public has, and of what that
// doesn't show nothing.
func TestFeed(t *testing.T) {
	k := feedKit(t)
	on(k, "Concert", "2030-03-01", kit.Object{"description": "<p>Loud</p>", "categories": []string{"music"}, "tags": []string{"free"},
		"venue": kit.Object{"venue": "Hall", "city": "Bonn", "geo_lat": 50.5, "geo_lng": 7.25}, "organizer": kit.Object{"organizer": "Club", "email": "club@example.org"}})
	on(k, "Off", "2030-03-02", kit.Object{"event_status": "cancelled", "event_status_reason": "ill"})
	on(k, "Later", "2030-03-03", kit.Object{"event_status": "postponed"})
	on(k, "Locked", "2030-03-04", kit.Object{"post_password": "x", "description": "within", "venue": kit.Object{"venue": "Bunker"}})
	on(k, "Old", "2029-11-22", nil)
	on(k, "Ancient", "2029-11-21", nil)
	on(k, "Far", "2050-01-01", nil)
	on(k, "A\r\nEND:VEVENT", "2030-03-05", nil)
	for title, fields := range map[string]kit.Object{"Draft": {"status": "draft"}, "Hidden": {"hide_from_listings": true}, "Private": {"status": "private"},
		"Future": {"date": "2031-01-01 00:00:00"}} {
		on(k, title, "2030-03-06", fields)
	}
	events := k.Feed("/events.ics")
	var titles []string
	for title := range events {
		titles = append(titles, title)
	}
	slices.Sort(titles)
	if want := []string{"A END:VEVENT", "Concert", "Far", "Later", "Locked", "Off", "Old"}; !slices.Equal(titles, want) {
		t.Errorf("%q, want %q", titles, want)
	}
	concert := events["Concert"][0]
	for name, want := range map[string]string{"STATUS": "CONFIRMED", "DTSTART": "20300301T193000", "DTEND": "20300301T220000",
		"LOCATION": "Hall, Bonn", "GEO": "50.500000;7.250000", "ORGANIZER": "mailto:club@example.org", "DESCRIPTION": "Loud\n\nhttp://localhost/event/concert/",
		"CLASS": "PUBLIC", "URL": "http://localhost/event/concert/", "CATEGORIES": "music,free", "SEQUENCE": "0"} {
		if got := kit.Prop(concert, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if kit.Prop(events["Off"][0], "STATUS") != "CANCELLED" || kit.Prop(events["Off"][0], "COMMENT") != "ill" || kit.Prop(events["Later"][0], "STATUS") != "TENTATIVE" {
		t.Error("status")
	}
	if locked := events["Locked"][0]; kit.Prop(locked, "DESCRIPTION")+kit.Prop(locked, "LOCATION") != "" || strings.Contains(string(k.Look("/events.ics").Raw), "within") {
		t.Errorf("what a mask hides: %v", locked)
	}
}

// TestFeedOfSeries: a series is one event with rules, and what differs stands beside
// it; whoever expands it gets what the lists say.
func TestFeedOfSeries(t *testing.T) {
	k := feedKit(t)
	id := on(k, "Choir", "2030-03-05", kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=10", "exdate": []string{"2030-03-12"}}})
	var ids []int64
	for _, e := range k.Get(fmt.Sprintf("/events/%d/occurrences", id), "").Body["events"].([]any) {
		ids = append(ids, int64(e.(map[string]any)["id"].(float64)))
	}
	k.Patch(fmt.Sprintf("/events/%d", ids[2]), "editor", kit.Object{"start_date": "2030-03-27 20:00", "end_date": "2030-03-27 21:00"}).Want(t, 200, "")
	k.Patch(fmt.Sprintf("/events/%d", ids[3]), "editor", kit.Object{"event_status": "cancelled"}).Want(t, 200, "")
	for _, path := range []string{"/events.ics", "/event/choir.ics", "/event/choir/?ical=1"} {
		events := k.Feed(path)["Choir"]
		if len(events) != 3 {
			t.Fatalf("%s: %v", path, events)
		}
		if uid := kit.Prop(events[0], "UID"); kit.Prop(events[1], "UID") != uid || kit.Prop(events[2], "UID") != uid || !strings.HasPrefix(uid, fmt.Sprintf("%d@", id)) {
			t.Errorf("%s: UIDs", path)
		}
		for i, want := range []map[string]string{
			{"DTSTART": "20300305T193000", "RRULE": "FREQ=WEEKLY;COUNT=10", "EXDATE": "20300312T193000", "RECURRENCE-ID": ""},
			{"DTSTART": "20300327T200000", "RRULE": "", "RECURRENCE-ID": "20300326T193000"},
			{"DTSTART": "20300402T193000", "RECURRENCE-ID": "20300402T193000", "STATUS": "CANCELLED"},
		} {
			for name, v := range want {
				if got := kit.Prop(events[i], name); got != v {
					t.Errorf("%s, %d: %s: %q, want %q", path, i, name, got, v)
				}
			}
		}
	}
	// In a window with nothing but what differs there is that alone.
	if events := k.Feed("/events.ics?start_date=2030-04-02&end_date=2030-04-02")["Choir"]; len(events) != 1 || kit.Prop(events[0], "RRULE") != "" {
		t.Errorf("%v", events)
	}
	// Of several rules the first is a rule and the others are dates: programs know one.
	on(k, "Two", "2030-03-04", kit.Object{"recurrence": kit.Object{"rrule": []string{"FREQ=WEEKLY;COUNT=3", "FREQ=DAILY;INTERVAL=7;COUNT=4", "FREQ=DAILY;COUNT=2"}}})
	two := k.Feed("/events.ics")["Two"][0]
	if kit.Prop(two, "RRULE") != "FREQ=WEEKLY;COUNT=3" || kit.Prop(two, "RDATE") != "20300305T193000,20300325T193000" || len(two.Properties) == 0 {
		t.Errorf("%v", two)
	}
}

// TestFeedGone: for a month what was public is told to be cancelled, by nothing but
// when it was; what never was is not told at all.
func TestFeedGone(t *testing.T) {
	k := feedKit(t)
	path := func(id int64) string { return fmt.Sprintf("/events/%d", id) }
	told := map[int64]string{}
	for name, do := range map[string]func(int64){
		"trashed": func(id int64) { k.Del(path(id), "editor").Want(t, 200, "") },
		"deleted": func(id int64) { k.Del(path(id)+"?force=true", "editor").Want(t, 200, "") },
		"in two":  func(id int64) { k.Del(path(id), "editor"); k.Del(path(id)+"?force=true", "editor").Want(t, 200, "") },
		"unpublished": func(id int64) {
			k.Patch(path(id), "editor", kit.Object{"status": "draft", "title": "Secret plan"}).Want(t, 200, "")
		},
		"hidden": func(id int64) { k.Patch(path(id), "editor", kit.Object{"hide_from_listings": true}).Want(t, 200, "") },
		"hidden and deleted": func(id int64) {
			k.Patch(path(id), "editor", kit.Object{"hide_from_listings": true}).Want(t, 200, "")
			k.Del(path(id)+"?force=true", "editor").Want(t, 200, "")
		},
		"shown again and deleted": func(id int64) {
			k.Patch(path(id), "editor", kit.Object{"hide_from_listings": true}).Want(t, 200, "")
			k.Patch(path(id), "editor", kit.Object{"hide_from_listings": false}).Want(t, 200, "")
			k.Del(path(id)+"?force=true", "editor").Want(t, 200, "")
		},
		"hidden, then a draft": func(id int64) {
			k.Patch(path(id), "editor", kit.Object{"hide_from_listings": true}).Want(t, 200, "")
			k.Patch(path(id), "editor", kit.Object{"status": "draft"}).Want(t, 200, "")
			k.Patch(path(id), "editor", kit.Object{"hide_from_listings": false}).Want(t, 200, "")
		},
	} {
		id := on(k, name, "2030-03-01", kit.Object{"description": "text of " + name})
		do(id)
		told[id] = name
	}
	for _, fields := range []kit.Object{{"status": "draft"}, {"hide_from_listings": true}, {"status": "draft", "hide_from_listings": true}} {
		for _, force := range []string{"", "?force=true"} {
			id := on(k, "never public", "2030-03-01", fields)
			k.Patch(path(id), "editor", kit.Object{"title": "still not"}).Want(t, 200, "")
			k.Del(path(id)+force, "editor").Want(t, 200, "")
		}
	}
	id := on(k, "never public", "2030-03-01", kit.Object{"status": "draft"})
	k.Patch(path(id), "editor", kit.Object{"hide_from_listings": true}).Want(t, 200, "")
	id = on(k, "never public", "2030-03-01", kit.Object{"hide_from_listings": true})
	k.Patch(path(id), "editor", kit.Object{"status": "draft"}).Want(t, 200, "")
	k.Patch(path(id), "editor", kit.Object{"hide_from_listings": false}).Want(t, 200, "")
	id = on(k, "never public", "2030-03-01", kit.Object{"hide_from_listings": true})
	k.Patch(path(id), "editor", kit.Object{"hide_from_listings": false, "status": "draft"}).Want(t, 200, "")
	back := on(k, "back again", "2030-03-01", nil)
	k.Del(path(back), "editor").Want(t, 200, "")
	k.Patch(path(back), "editor", kit.Object{"status": "publish"}).Want(t, 200, "")

	events := k.Feed("/events.ics")
	if len(events["back again"]) != 1 || len(events) != 2 {
		t.Errorf("%v", events)
	}
	for _, e := range events["Cancelled"] {
		var id int64
		_, _ = fmt.Sscanf(kit.Prop(e, "UID"), "%d@", &id)
		if told[id] == "" {
			t.Errorf("told of %v", e)
		}
		delete(told, id)
		if kit.Prop(e, "STATUS") != "CANCELLED" || kit.Prop(e, "DTSTART") != "20300301T193000" || kit.Prop(e, "SEQUENCE") == "0" ||
			kit.Prop(e, "DESCRIPTION")+kit.Prop(e, "URL")+kit.Prop(e, "CATEGORIES") != "" {
			t.Errorf("%v", e)
		}
	}
	if len(told) != 0 {
		t.Errorf("not told of %v", told)
	}
	if raw := string(k.Look("/events.ics").Raw); strings.Contains(raw, "Secret") || strings.Contains(raw, "text of") {
		t.Error(raw)
	}
	if got := k.Feed("/events.ics?featured=true"); len(got["Cancelled"]) != 0 {
		t.Errorf("with a filter: %v", got)
	}
	k.Clock = k.Clock.AddDate(0, 0, 31)
	if got := k.Feed("/events.ics")["Cancelled"]; len(got) != 0 {
		t.Errorf("a month later: %d", len(got))
	}
}

// TestFeedRoutes: every page of a list is to be had as a file, with its events and no
// others, in every language and under every name of the API.
func TestFeedRoutes(t *testing.T) {
	k := feedKit(t)
	on(k, "In", "2030-03-01", kit.Object{"categories": []string{"music"}, "tags": []string{"loud"}, "venue": kit.Object{"venue": "Hall"}, "organizer": kit.Object{"organizer": "Club"}})
	on(k, "Out", "2030-04-01", nil)
	for path, want := range map[string]int{"/events.ics": 2, "/de/events.ics": 2, "/events/?ical=1": 2, "/?ical=1": 2, "/events/past/?ical=1": 0,
		"/calendar/events/v1/events.ics": 2, "/wp-json/tribe/events/v1/events.ics": 2, "/ja/wp-json/tribe/events/v1/events.ics": 2,
		"/events.ics?categories=music": 1, "/events.ics?search=out": 1, "/events.ics?venue[]=1000000&include=1": -1, "/events.ics?start_date=2030-03-02": 1,
		"/events.ics?page=2&per_page=1": 2, "/venue/hall.ics": 1, "/venue/hall/?ical=1": 1, "/organizer/club.ics": 1, "/organizer/club/?ical=1": 1,
		"/category/music.ics": 1, "/events/category/music/?ical=1": 1, "/tag/loud.ics": 1, "/tag/loud/?ical=1": 1, "/events/tag/loud/?ical=1": 1, "/events/photo/?ical=1": 2,
		"/events/week/2030-02-25/?ical=1": 1, "/de/events/list/?ical=1": 2, "/events/tag/none/?ical=1": -1, "/events/2030-13/?ical=1": -1, "/event/in.ics": 1, "/event/in/?ical=1": 1,
		"/event/in/event.ics": 1, "/events/month/2030-03/?ical=1": 1, "/events/day/2030-04-01/?ical=1": 1, "/venue/none.ics": -1, "/event/none.ics": -1} {
		a := k.Look(path)
		if got := strings.Count(string(a.Raw), "BEGIN:VEVENT"); want >= 0 && (a.Status != 200 || got != want) || want < 0 && a.Status < 400 {
			t.Errorf("%s: %d, %d events, want %d", path, a.Status, got, want)
		}
	}
	for path, problem := range map[string]string{"/events.ics?venue=999999": "venue", "/events.ics?start_date=nonsense": "start_date", "/events.ics?series=x": "series"} {
		k.Get(path, "").Want(t, 400, "rest_invalid_param")
		if k.Get(path, "").Params()[problem] == nil {
			t.Errorf("%s: %s", path, k.Get(path, ""))
		}
		if a := k.Look(path); a.Status != 400 {
			t.Errorf("%s: %d", path, a.Status)
		}
	}
	for path, to := range map[string]string{"/events/today/?ical=1": "/events/day/?ical=1", "/de/events/2030-03/?ical=1": "/de/events/month/2030-03/?ical=1",
		"/events/2030-03-01/?ical=1": "/events/day/2030-03-01/?ical=1", "/events/2030-03-01/": "/events/day/2030-03-01/", "/events/tag/loud/": "/tag/loud/",
		"/ical/?ical=1": "/events.ics", "/calendar?ical=1": "/events/month/?ical=1"} {
		if a := k.Look(path); a.Status/100 != 3 || !strings.HasSuffix(a.Header.Get("Location"), to) {
			t.Errorf("%s: %d %q, want %q", path, a.Status, a.Header.Get("Location"), to)
		}
	}
	k.Site("other")
	if a := k.Send(kit.Request{Method: "GET", Path: "//events.ics", Site: "other"}); a.Status != 200 || strings.Contains(string(a.Raw), "VEVENT") {
		t.Errorf("another site: %s", a)
	}
	if a := k.Send(kit.Request{Method: "POST", Path: "//events.ics"}); a.Status != 405 {
		t.Errorf("%d", a.Status)
	}
	for _, path := range []string{"/venue/hall.ics", "/event/in.ics"} {
		if name := k.Look(path).Header.Get("Content-Disposition"); strings.ContainsAny(name, "\r\n") || !strings.HasPrefix(name, "attachment; ") {
			t.Errorf("%s: %q", path, name)
		}
	}
}

// TestFeedTags: a feed that a client holds is not sent again, in whichever form, until
// something changes.
func TestFeedTags(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	on(k, "One", "2030-03-01", kit.Object{"description": strings.Repeat("word ", 400)})
	for _, path := range []string{"/events.ics", "/events.rss", "/events.atom", "/events.json", "/event/one.ics", "/calendar/events/v1/events.ics"} {
		for _, coding := range []string{"identity", "gzip", "br"} {
			a := k.Look(path, "Accept-Encoding", coding)
			tag := a.Header.Get("ETag")
			if a.Status != 200 || tag == "" || coding != "identity" && a.Header.Get("Content-Encoding") != coding {
				t.Fatalf("%s %s: %d %v", path, coding, a.Status, a.Header)
			}
			if again := k.Look(path, "Accept-Encoding", coding, "If-None-Match", tag); again.Status != 304 || len(again.Raw) != 0 {
				t.Errorf("%s %s: %d", path, coding, again.Status)
			}
			if head := k.Send(kit.Request{Method: "HEAD", Path: "/" + path}); head.Status != 200 || len(head.Raw) != 0 {
				t.Errorf("%s: HEAD %d", path, head.Status)
			}
			if part := k.Look(path, "Range", "bytes=0-9"); part.Status != 200 {
				t.Errorf("%s: Range %d", path, part.Status)
			}
		}
	}
	tag := k.Look("/events.ics").Header.Get("ETag")
	on(k, "Two", "2030-03-02", nil)
	if a := k.Look("/events.ics", "If-None-Match", tag); a.Status != 200 || strings.Count(string(a.Raw), "BEGIN:VEVENT") != 2 {
		t.Errorf("%d", a.Status)
	}
}

// TestFeedModified: who asks by the time alone gets a feed anew after every change, also
// one that takes events away, and else 304. A change is not told while another node may
// not know of it.
func TestFeedModified(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	k.Clock = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC) // days begin before anything is written
	id := on(k, "One", "2030-03-01", kit.Object{"description": strings.Repeat("word ", 400), "categories": []string{"music"}})
	paths := []string{"/events.ics", "/de/events.ics", "/events.rss", "/events.atom", "/ja/events.json", "/event/one.ics", "/category/music.ics",
		"/events/?ical=1", "/calendar/events/v1/events.ics", "/fr/wp-json/tribe/events/v1/events.ics"}
	const change = "Last-Modified"
	last, past := "", -3600 // seconds
	changes := func(what string, do func()) {
		t.Helper()
		do()
		for _, path := range paths {
			if a := k.Look(path, "If-Modified-Since", last); a.Status == 304 || a.Header.Get(change) != "" {
				t.Errorf("%s, %s at once: %d %q", what, path, a.Status, a.Header.Get(change))
			}
		}
		past += 60
		k.Exec(`UPDATE sites SET version = version + 1, changed_at = now() + make_interval(secs => $1) WHERE slug = 'demo'`, past)
		now := k.Look(paths[0], "Cache-Control", "no-cache").Header.Get(change)
		was, _ := http.ParseTime(last)
		if at, err := http.ParseTime(now); err != nil || !at.After(was) {
			t.Fatalf("%s: changed %q, before %q", what, now, last)
		}
		for _, path := range paths {
			if a := k.Look(path, "If-Modified-Since", last); a.Status == 304 {
				t.Errorf("%s, %s: %d", what, path, a.Status)
			}
		}
		last = now
		for _, path := range paths[:5] {
			for _, coding := range []string{"identity", "gzip", "br"} {
				if a := k.Look(path, "Accept-Encoding", coding); a.Status != 200 || a.Header.Get(change) != now {
					t.Errorf("%s, %s %s: %d, changed %q, want %q", what, path, coding, a.Status, a.Header.Get(change), now)
				}
				a := k.Look(path, "Accept-Encoding", coding, "If-Modified-Since", now)
				if a.Status != 304 || len(a.Raw) != 0 || a.Header.Get("ETag") == "" || a.Header.Get(change) != now {
					t.Errorf("%s, %s %s: %d %v", what, path, coding, a.Status, a.Header)
				}
			}
			if a := k.Look(path, "If-Modified-Since", now, "If-None-Match", `"other"`); a.Status != 200 {
				t.Errorf("%s, %s: a tag goes before: %d", what, path, a.Status)
			}
			if a := k.Look(path, "If-Modified-Since", "yesterday"); a.Status != 200 {
				t.Errorf("%s, %s: no time: %d", what, path, a.Status)
			}
			if a := k.Send(kit.Request{Method: "HEAD", Path: "/" + path}); a.Header.Get(change) != now {
				t.Errorf("%s, %s: HEAD %v", what, path, a.Header)
			}
		}
	}
	var extra int64
	changes("creation", func() { extra = on(k, "Two", "2030-03-02", nil) })
	for _, step := range []struct {
		what string
		do   func()
	}{
		{"trash", func() { k.Del(kit.Item("events", extra), "editor").Want(t, 200, "") }},
		{"return", func() { k.Patch(kit.Item("events", extra), "editor", kit.Object{"status": "publish"}).Want(t, 200, "") }},
		{"end", func() { k.Del(kit.Item("events", extra)+"?force=true", "editor").Want(t, 200, "") }},
		{"another", func() { k.Patch(kit.Item("events", id), "editor", kit.Object{"title": "Uno"}).Want(t, 200, "") }},
	} {
		changes(step.what, step.do)
	}
	if a := k.Get("/events.ics", "editor"); a.Header.Get(change) != "" {
		t.Errorf("with rights: %v", a.Header)
	}
}

// TestFeedLong: what is too long to be kept is sent as it is made, whole, and not at
// all to who has it.
func TestFeedLong(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	const events = 130
	for i := range events {
		on(k, fmt.Sprintf("E%d", i), "2030-03-01", kit.Object{"description": strings.Repeat("many words ", 2000)})
	}
	for _, path := range []string{"/events.ics", "/calendar/events/v1/events.ics"} {
		a := k.Look(path)
		raw := string(a.Raw)
		if a.Status != 200 || len(raw) < 3<<20 || strings.Count(raw, "END:VEVENT\r\n") != events || !strings.HasSuffix(raw, "END:VCALENDAR\r\n") {
			t.Fatalf("%d, %d bytes, %d events", a.Status, len(raw), strings.Count(raw, "END:VEVENT"))
		}
		tag := a.Header.Get("ETag")
		if !strings.HasPrefix(tag, `W/"`) {
			t.Errorf("tag %s", tag)
		}
		if again := k.Look(path, "If-None-Match", tag); again.Status != 304 {
			t.Errorf("%d", again.Status)
		}
		if head := k.Send(kit.Request{Method: "HEAD", Path: "/" + path}); head.Status != 200 || len(head.Raw) != 0 {
			t.Errorf("HEAD: %d", head.Status)
		}
	}
	on(k, "New", "2030-03-02", nil)
	if a := k.Look("/events.ics", "Accept-Encoding", "gzip"); a.Status != 200 || a.Header.Get("Content-Encoding") != "gzip" || len(a.Raw) > 300<<10 {
		t.Errorf("%d %v, %d bytes", a.Status, a.Header, len(a.Raw))
	}
}

// TestNews: RSS and Atom are well-formed and have what was published last first, with
// whole addresses; nothing of what lists don't show.
func TestNews(t *testing.T) {
	k := feedKit(t)
	on(k, `<b>&"1"`, "2030-03-01", kit.Object{"date": "2030-01-01 10:00:00", "description": "<p>a &amp; b</p>"})
	on(k, "Second", "2030-03-02", kit.Object{"date": "2030-01-02 10:00:00", "recurrence": kit.Object{"rrule": "FREQ=DAILY;COUNT=5"}})
	on(k, "Locked", "2030-03-03", kit.Object{"date": "2029-12-02 10:00:00", "post_password": "x", "description": "within"})
	on(k, "Draft", "2030-03-03", kit.Object{"status": "draft"})
	var rss struct {
		Items []struct {
			Title string `xml:"title"`
			Link  string `xml:"link"`
		} `xml:"channel>item"`
	}
	a := k.Look("/de/events.rss")
	if err := xml.Unmarshal(a.Raw, &rss); err != nil || len(rss.Items) != 3 || !strings.HasPrefix(rss.Items[0].Title, "Samstag, 2.\u00a0März") || !strings.HasSuffix(rss.Items[0].Title, " · Second") || !strings.HasPrefix(rss.Items[1].Title, "Freitag, 1.\u00a0März") || !strings.HasSuffix(rss.Items[1].Title, ` · <b>&"1"`) ||
		!strings.HasPrefix(rss.Items[0].Link, "http://localhost/de/event/second/2030-03-02/") || strings.Contains(string(a.Raw), "within") {
		t.Errorf("%v %+v", err, rss)
	}
	var atom struct {
		Entries []struct {
			ID string `xml:"id"`
		} `xml:"entry"`
	}
	if a = k.Look("/events.atom?search=second"); xml.Unmarshal(a.Raw, &atom) != nil || len(atom.Entries) != 1 || !strings.HasPrefix(atom.Entries[0].ID, "urn:kalends:event:") {
		t.Errorf("%s", a)
	}
	if items := k.Look("/events.json").Body["items"].([]any); len(items) != 3 || items[2].(map[string]any)["content_html"] == nil {
		t.Errorf("%v", items)
	}
	if page := string(k.Look("/events/").Raw); !strings.Contains(page, `type="application/rss+xml"`) || !strings.Contains(page, `href="http://localhost/events.ics"`) {
		t.Error("no discovery")
	}
}

// TestFeedOfSeveralRules: the rule that a calendar is given is the one that names the
// start, for that counts; what the others give are dates.
func TestFeedOfSeveralRules(t *testing.T) {
	k := feedKit(t)
	on(k, "Both", "2030-03-05", kit.Object{"recurrence": kit.Object{"rrule": []string{"FREQ=MONTHLY;BYDAY=-1FR;COUNT=4", "FREQ=WEEKLY;BYDAY=TU;COUNT=6"},
		"rdate": []string{"2030-03-10 09:00"}}})
	both := k.Feed("/events.ics")["Both"][0]
	if got := kit.Prop(both, "RRULE"); got != "FREQ=WEEKLY;COUNT=6;BYDAY=TU" {
		t.Errorf("the rule is %s", got)
	}
	var dates []string
	for _, p := range both.Properties {
		if p.IANAToken == "RDATE" {
			dates = append(dates, strings.Split(p.Value, ",")...)
		}
	}
	slices.Sort(dates)
	want := []string{"20300310T090000", "20300329T193000", "20300426T193000", "20300531T193000", "20300628T193000"}
	if !slices.Equal(dates, want) {
		t.Errorf("dates %v, want %v", dates, want)
	}
	if total := fmt.Sprint(k.Get("/events", "").Body["total"]); total != "11" {
		t.Errorf("%s are listed, want 11", total)
	}
}
