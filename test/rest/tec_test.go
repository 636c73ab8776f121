package rest_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/test/kit"
)

var onePixel = kit.Picture(4, 3)

// tecKit is a kit whose imports may read from a site of the test, and so may its pictures.
func tecKit(t *testing.T, s *tecSite) *kit.Kit {
	t.Helper()
	k := kit.New(t, func(c *server.Config) { c.Pictures = kit.Pictures(t, t.TempDir(), s.host()) })
	k.ImportsFrom(s.host(), func(time.Duration) {})
	return k
}

// move reads a site with The Events Calendar, and returns the report.
func move(k *kit.Kit, s *tecSite, more map[string]any) kit.Report {
	k.T.Helper()
	body := map[string]any{"url": s.URL, "format": "tec"}
	maps.Copy(body, more)
	a := k.Post("/imports", "editor", body).Want(k.T, 202, "")
	k.RunImports()
	return k.ReportOf("editor", a.ID())
}

// townSite is a small site with something of everything.
func townSite(t *testing.T) *tecSite {
	t.Helper()
	s := newTECSite(t)
	hall := s.thing("venues", 501, "Town Hall &#038; Garden", "town-hall", map[string]any{"address": "Main Street 1", "city": "Bonn", "country": "Germany"})
	s.thing("venues", 502, "Unused barn", "unused-barn", nil)
	ann := s.thing("organizers", 503, "Ann", "ann", map[string]any{"email": "ann@example.org"})
	bob := s.thing("organizers", 504, "Bob", "bob", nil)
	music := s.thing("categories", 31, "Music", "music", map[string]any{"parent": 0, "description": "Loud &amp; quiet"})
	jazz := s.thing("categories", 30, "Jazz", "jazz-music", map[string]any{"parent": 31})
	s.thing("categories", 32, "Jazz", "jazz-theory", map[string]any{"parent": 0})
	free := s.thing("tags", 33, "free", "free", map[string]any{"parent": 0})
	s.add(1001, "Old concert", "2019-05-01 19:30:00", 2, map[string]any{"venue": hall, "organizer": in(ann, bob), "categories": in(jazz), "tags": in(free),
		"cost": "$10 – $20", "website": "https://example.com/e?a=1&amp;b=2"})
	s.add(1002, "Future fair", "2035-05-01 10:00:00", 8, map[string]any{"venue": hall, "categories": in(music), "featured": true,
		"image": map[string]any{"url": s.URL + "/picture.png", "id": 900}})
	s.add(1003, "No picture", "2030-05-02 10:00:00", 1, map[string]any{"image": map[string]any{"url": s.URL + "/gone.png", "id": 901}})
	s.add(1004, "Draft", "2030-05-03 10:00:00", 1, map[string]any{"status": "draft", "date_utc": "0000-00-00 00:00:00"})
	s.add(1005, "Hidden", "2030-05-04 10:00:00", 1, map[string]any{"hide_from_listings": true})
	s.add(1006, "Locked", "2030-05-05 10:00:00", 1, map[string]any{"all_day": nil, "show_map": nil, "description": ""})
	return s
}

func TestMoveTECSite(t *testing.T) {
	t.Parallel()
	s := townSite(t)
	k := tecKit(t, s)
	dry := move(k, s, map[string]any{"dry_run": true})
	if n := k.Peek("demo", `SELECT count(*)::text FROM import_brought`); n != "0" {
		t.Fatalf("a dry run brought %s things", n)
	}
	run := k.Again(dry.ID(), "run", "")
	if got := run.Counts(); got != "read 5, created 4, refused 1, warned 1" {
		t.Errorf("counts: %s %s", got, run.Raw)
	}
	if diff := cmp.Diff(said(dry), said(run)); diff != "" {
		t.Errorf("a dry run says something else: %s", diff)
	}
	if got := said(run)["5"]; !strings.Contains(fmt.Sprint(said(run)), "tec-protected") {
		t.Errorf("a protected event: %s %v", got, said(run))
	}
	old := k.Get("/events/1001", "editor").Want(t, 200, "").Body
	if old["slug"] != "old-concert" || old["cost"] != "$10 – $20" || old["website"] != "https://example.com/e?a=1&b=2" {
		t.Errorf("an event: %v", old)
	}
	venue, _ := old["venue"].(map[string]any)
	if venue["id"] != 501.0 || venue["slug"] != "town-hall" || venue["city"] != "Bonn" {
		t.Errorf("its venue: %v", venue)
	}
	if list := kit.ListOf(old["organizer"]); len(list) != 2 {
		t.Errorf("its organizers: %v", list)
	}
	category, _ := kit.ListOf(old["categories"])[0].(map[string]any)
	if category["id"] != 30.0 || category["slug"] != "jazz-music" || category["parent"] != 31.0 {
		t.Errorf("its category: %v", category)
	}
	k.Get("/categories/32", "").Want(t, 200, "")
	k.Get("/venues/502", "").Want(t, 200, "")
	if image, _ := k.Get("/events/1002", "").Want(t, 200, "").Body["image"].(map[string]any); image["width"] != 4.0 {
		t.Errorf("its picture: %v", image)
	}
	if k.Get("/events/1005", "").Want(t, 200, "").Body["hide_from_listings"] != true {
		t.Error("a hidden event is shown")
	}
	before := k.Version("demo")
	again := move(k, s, nil)
	if got := again.Counts(); got != "read 5, same 4, refused 1" || k.Version("demo") != before {
		t.Errorf("a second reading: %s, version %d after %d", got, k.Version("demo"), before)
	}
	k.Undone("demo", run, func(what string, details ...any) {
		if !strings.Contains(fmt.Sprint(details...), "venues") { // the one that no event of the site used is left, too, and goes
			t.Error(what, details)
		}
	})
}

func TestTECSiteChanges(t *testing.T) {
	t.Parallel()
	s := townSite(t)
	k := tecKit(t, s)
	move(k, s, nil)
	k.Patch("/events/1001", "editor", map[string]any{"title": "Our title"}).Want(t, 200, "")
	k.Patch("/venues/501", "editor", map[string]any{"phone": "1"}).Want(t, 200, "")
	s.mu.Lock()
	s.events[0]["title"], s.events[0]["description"] = "Their title", "<p>Their text</p>"
	s.events[2]["start_date"], s.events[2]["end_date"] = "2030-06-02 10:00:00", "2030-06-02 11:00:00"
	s.things["venues"][0]["phone"], s.things["venues"][0]["city"] = "2", "Köln"
	s.things["categories"][0]["name"] = "Musik"
	s.mu.Unlock()
	s.add(1010, "New one", "2031-01-01 10:00:00", 1, map[string]any{"venue": s.things["venues"][0]})
	r := move(k, s, nil)
	if got := r.Counts(); got != "read 7, created 1, changed 2, same 3, refused 1, warned 2" && got != "read 6, created 1, changed 2, same 2, refused 1, warned 2" {
		t.Errorf("counts: %s", got)
	}
	one := k.Get("/events/1001", "").Body
	if one["title"] != "Our title" || !strings.Contains(fmt.Sprint(one["description"]), "Their text") {
		t.Errorf("changed here and there: %v %v", one["title"], one["description"])
	}
	if got := k.Get("/events/1003", "").Body["start_date"]; got != "2030-06-02 10:00:00" {
		t.Errorf("moved there: %v", got)
	}
	if v := k.Get("/venues/501", "").Body; v["city"] != "Köln" || v["phone"] != "1" {
		t.Errorf("a venue that changed: %v", v)
	}
	if n := k.Get("/venues", "").Body["total"]; n != 2.0 {
		t.Errorf("%v venues", n)
	}
	if c := k.Get("/categories/31", "").Body; c["name"] != "Musik" {
		t.Errorf("a category that changed: %v", c)
	}
}

func TestTECLogin(t *testing.T) {
	t.Parallel()
	s := townSite(t)
	s.password = "abcd efgh ijkl"
	k := tecKit(t, s)
	body := map[string]any{"url": s.URL, "format": "tec", "user": "editor", "password": "wrong"}
	a := k.Post("/imports", "editor", body).Want(t, 202, "")
	if sealed := k.Peek("demo", `SELECT encode(secret, 'escape') || asked::text FROM imports`); strings.Contains(sealed, "wrong") {
		t.Errorf("the password is stored as %s", sealed)
	}
	k.RunImports()
	r := k.ReportOf("", a.ID())
	if problem, _ := r.Body["problem"].(map[string]any); problem["code"] != "import-login" {
		t.Errorf("a wrong password: %s", r.Raw)
	}
	body["password"] = s.password
	run := move(k, s, body)
	if strings.Contains(string(run.Raw), s.password) || run.Counts() != "read 6, created 5, refused 1, warned 1" {
		t.Errorf("with a password: %s %s", run.Counts(), run.Raw)
	}
	if got := k.Get("/events/1004", "editor").Body["status"]; got != "draft" {
		t.Errorf("a draft: %v", got)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM imports WHERE secret IS NOT NULL OR address <> ''`); n != "0" {
		t.Errorf("%s imports keep what they were fetched with", n)
	}
	for _, wrong := range []map[string]any{{"url": s.URL, "format": "tec", "user": "editor"}, {"url": s.URL, "user": "a", "password": "b"},
		{"url": s.URL, "series": true}, {"format": "tec"}} {
		if a := k.Post("/imports", "editor", wrong); a.Status != 400 {
			t.Errorf("%v: %d %s", wrong, a.Status, a.Raw)
		}
	}
	k.Post("/imports", "contributor", map[string]any{"url": s.URL, "format": "tec"}).Want(t, 403, "rest_forbidden")
}

// What people have bookmarked on the site before leads to the same here, whether or not ids and slugs were free.
func TestTECAddresses(t *testing.T) {
	t.Parallel()
	s := townSite(t)
	k := tecKit(t, s)
	taken := k.Event(map[string]any{"title": "Old concert", "slug": "old-concert"})
	s.add(taken, "Unlucky", "2030-07-01 10:00:00", 1, nil)
	k.Post("/venues", "editor", map[string]any{"venue": "Town Hall & Garden", "address": "Main Street 1", "city": "Bonn"}).Want(t, 201, "")
	move(k, s, nil)
	for address, want := range map[string]string{
		"/?p=1001":                          "/event/old-concert-2/",
		"/?p=1002&ical=1":                   "/event/future-fair/?ical=1",
		"/?post_type=tribe_events&p=1002":   "/event/future-fair/",
		"/?tribe_events=future-fair":        "/event/future-fair/",
		"/?tribe_events=future-fair&ical=1": "/event/future-fair/?ical=1",
		"/?post_type=tribe_venue&p=501":     "/venue/town-hall-garden/",
		"/?post_type=tribe_organizer&p=503": "/organizer/ann/",
		"/?tribe_venue=unused-barn":         "/venue/unused-barn/",
		"/?tribe_events_cat=music":          "/events/category/music/",
		"/venue/town-hall/":                 "/venue/town-hall-garden/",
		"/events/category/jazz-music/":      "/events/category/music/jazz-music/",
		"/events/tag/free/":                 "/tag/free/",
	} {
		if p := k.Look(address); p.Status != 301 || p.Header.Get("Location") != want {
			t.Errorf("%s: %d to %s, want %s", address, p.Status, p.Header.Get("Location"), want)
		}
	}
	for _, address := range []string{"/event/future-fair/", "/event/future-fair/?ical=1", "/events/month/2035-05/", "/organizer/ann/", "/organizer/ann/?ical=1",
		"/events/category/music/jazz-music/", "/events/category/music/?ical=1", "/tag/free/", "/venue/unused-barn/", "/event/unlucky/"} {
		if p := k.Look(address); p.Status != 200 {
			t.Errorf("%s: %d", address, p.Status)
		}
	}
}

// Single events at regular distances are offered as a series, and become one if that is asked for; then the site's new dates do, too.
func TestTECSeries(t *testing.T) {
	t.Parallel()
	s := newTECSite(t)
	k := tecKit(t, s)
	start := time.Date(2030, 1, 7, 19, 0, 0, 0, time.UTC)
	for i := range 8 {
		if i == 3 { // no choir that week
			continue
		}
		e := s.add(int64(2000+i), "Choir", start.AddDate(0, 0, 7*i).Format(time.DateTime), 2, nil)
		if i > 0 {
			e["slug"] = fmt.Sprintf("choir-%d", i+1)
		}
	}
	for i, day := range []string{"2030-02-02", "2030-02-03", "2030-04-17"} {
		s.add(int64(2100+i), "Now and then", day+" 10:00:00", 1, nil)
	}
	for i := range 4 { // provisional ids of dates of a series
		e := s.add(int64(10_000_050+i), "Yoga", time.Date(2030, time.Month(1+i), 8, 9, 0, 0, 0, time.UTC).Format(time.DateTime), 1, nil)
		e["slug"] = "yoga"
	}
	dry := move(k, s, map[string]any{"dry_run": true})
	if got := strings.Count(fmt.Sprint(said(dry)), "may-be-series"); got != 11 {
		t.Errorf("%d entries are offered as a series: %v", got, said(dry))
	}
	run := k.Send(kit.Request{Method: "POST", Path: fmt.Sprintf("/imports/%d/run?series=true", dry.ID()), As: "editor"}).Want(t, 202, "")
	k.RunImports()
	r := k.ReportOf("", run.ID())
	if got := r.Counts(); got != "read 14, created 5, same 9, warned 9" {
		t.Fatalf("counts: %s %v", got, said(r))
	}
	choir := k.Get("/events/2000", "").Want(t, 200, "").Body
	rule, _ := choir["recurrence"].(map[string]any)
	if !strings.Contains(fmt.Sprint(rule), "FREQ=WEEKLY") || !strings.Contains(fmt.Sprint(rule["exdate"]), "2030-01-28") {
		t.Errorf("the series: %v", rule)
	}
	if n := k.Get("/events?start_date=2030-01-01&end_date=2031-01-01&search=choir", "").Body["total"]; n != 7.0 {
		t.Errorf("%v dates of the choir", n)
	}
	for address, want := range map[string]string{"/?p=2005": "/event/choir/2030-02-11/", "/event/choir-6/": "/event/choir/2030-02-11/", "/?p=2000": "/event/choir/"} {
		if p := k.Look(address); p.Status != 301 || p.Header.Get("Location") != want {
			t.Errorf("%s: %d to %s", address, p.Status, p.Header.Get("Location"))
		}
	}
	if p := k.Look("/event/yoga/2030-03-08/"); p.Status != 200 {
		t.Errorf("a date of yoga: %d", p.Status)
	}
	before := k.Version("demo")
	s.mu.Lock()
	for _, e := range s.events { // which the site numbers anew
		if id, _ := e["id"].(int64); id >= 10_000_000 {
			e["id"] = id + 500
		}
	}
	s.mu.Unlock()
	if again := move(k, s, nil); again.Counts() != "read 14, same 14, warned 9" || k.Version("demo") != before {
		t.Errorf("a second reading: %s, version %d after %d", again.Counts(), k.Version("demo"), before)
	}
	s.add(2050, "Choir", start.AddDate(0, 0, 7*8).Format(time.DateTime), 2, map[string]any{"slug": "choir-9"})
	if again := move(k, s, nil); again.Counts() != "read 15, changed 1, same 14, warned 10" {
		t.Errorf("one more date: %s %v", again.Counts(), said(again))
	}
	if n := k.Get("/events?start_date=2030-01-01&end_date=2031-01-01&search=choir", "").Body["total"]; n != 8.0 {
		t.Errorf("%v dates of the choir then", n)
	}
}
