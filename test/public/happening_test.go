package public

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// TestPublicStatus says on every page that an event does not take place.
func TestPublicStatus(t *testing.T) {
	k, id := choirKit(t)
	k.Patch(occurrence(k, id, "2030-02-14"), "editor", kit.Object{"event_status": "cancelled", "event_status_reason": "Ice & snow"}).Want(t, 200, "")
	k.Patch(occurrence(k, id, "2030-02-28"), "editor", kit.Object{"event_status": "postponed", "title": "Concert"}).Want(t, 200, "")
	k.Event(kit.Object{"title": "Fair", "slug": "fair", "all_day": true, "start_date": "2030-02-11", "end_date": "2030-02-13", "event_status": "cancelled", "featured": true})
	k.Event(kit.Object{"title": "Ball", "slug": "ball", "start_date": "2030-02-21 20:00", "end_date": "2030-02-21 23:00", "event_status": "postponed"})
	for _, path := range []string{"/event/ball/", "/event/choir/2030-02-28/"} {
		page := string(k.Get("/"+path, "").Want(t, 200, "").Raw)
		for _, button := range regexp.MustCompile(`<button[^>]*popovertarget="subscribe"[^>]*>`).FindAllString(page, -1) {
			if !strings.Contains(button, `class="plain"`) {
				t.Errorf("%s: adding to a calendar is the main button of what is postponed: %s", path, button)
			}
		}
		if strings.Contains(page, "/event/ball/?ical") || strings.Contains(page, "calendar/render") {
			t.Errorf("%s can be put into a calendar on a day on which it does not take place", path)
		}
	}
	const crossed, cancelled = "<s><bdi>Choir</bdi></s>", `<span class="badge status-cancelled">Cancelled</span>`
	for path, want := range map[string][]string{
		"/event/choir/2030-02-14/":    {"<strong>This event is cancelled.</strong>", "Ice &amp; snow", "<title>Cancelled: Choir · Feb\u00a014,\u00a02030 – demo</title>", "<s><time"},
		"/event/choir/2030-02-28/":    {"<strong>This event is postponed.", "<title>Postponed: Concert · Feb\u00a028,\u00a02030 – demo</title>"},
		"/event/fair/":                {"<strong>This event is cancelled.</strong>"},
		"/events/":                    {crossed, cancelled, "<s><bdi>Fair</bdi></s>"},
		"/events/day/2030-02-14/":     {crossed, cancelled},
		"/events/month/2030-02/":      {"<b>Cancelled</b> " + crossed, `<b>Cancelled</b> <s><bdi>Fair</bdi></s>`, `<b>Postponed</b> <s><bdi>Concert</bdi></s>`, `title="Cancelled: Choir"`},
		"/venue/hall/":                {crossed, cancelled},
		"/organizer/singers/":         {crossed, cancelled},
		"/events/category/music/":     {crossed, cancelled},
		"/tag/voices/":                {crossed, cancelled},
		"/events/?search=choir":       {crossed, cancelled},
		"/event/choir/":               {cancelled, "<s>Thursday, February\u00a014"},
		"/de/event/choir/2030-02-14/": {"<strong>Diese Veranstaltung ist abgesagt.</strong>"},
		"/ar/events/":                 {`<span class="badge status-cancelled">ملغاة</span>`},
	} {
		page := string(k.Look(path).Want(t, 200, "").Raw)
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s lacks %s", path, text)
			}
		}
	}
}

// TestPublicAttendance shows how to take part online, to everybody, once the event
// has begun, or to nobody.
func TestPublicAttendance(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.KeepAnswers()
	const link = "https://meet.example.org/room"
	for slug, fields := range map[string]kit.Object{
		"always":  {"attendance_mode": "online", "virtual_url": link},
		"started": {"attendance_mode": "mixed", "virtual_url": link, "virtual_url_shown": "started"},
		"never":   {"attendance_mode": "online", "virtual_url": link, "virtual_url_shown": "never"},
		"there":   {"virtual_url": link, "virtual_url_shown": "never"},
	} {
		fields["slug"], fields["title"], fields["start_date"], fields["end_date"] = slug, slug, "2030-02-20 18:00:00", "2030-02-20 20:00:00"
		k.Event(fields)
	}
	check := func(slug, mode, note string, shown bool) {
		t.Helper()
		raw := k.Look("/event/"+slug+"/").Want(t, 200, "").Raw
		page, data := string(raw), kit.Structured(t, raw)
		if !strings.Contains(page, note) || strings.Contains(page, link) != shown {
			t.Errorf("%s at %s: %s", slug, k.Clock, page)
		}
		if data["eventAttendanceMode"] != "https://schema.org/"+mode+"EventAttendanceMode" || strings.Contains(fmt.Sprint(data["location"]), link) != shown ||
			strings.Contains(fmt.Sprint(data["location"]), "VirtualLocation") != (shown || mode == "Online") {
			t.Errorf("%s at %s: %v %v", slug, k.Clock, data["eventAttendanceMode"], data["location"])
		}
	}
	series := kit.Weekly(k, kit.Object{"slug": "series", "attendance_mode": "online", "virtual_url": link, "virtual_url_shown": "started"})
	check("series", "Online", "Online", false) // its first date is over, its next is to come
	check("series/2029-12-06", "Online", "Join online", true)
	check("series/2030-02-28", "Online", "The link appears here when the event begins.", false)
	if a := k.Get(kit.Item("events", series), "").Want(t, 200, ""); strings.Contains(string(a.Raw), link) {
		t.Errorf("the API tells it of a series: %s", a.Raw)
	}
	check("always", "Online", "Join online", true)
	check("started", "Mixed", "The link appears here when the event begins.", false)
	check("never", "Online", "The link is sent to participants.", false)
	check("there", "Offline", "there", false)
	list := string(k.Look("/events/").Want(t, 200, "").Raw)
	for _, want := range []string{">Online</span>", ">In person and online</span>"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list lacks %s", want)
		}
	}
	k.Clock = time.Date(2030, 2, 20, 17, 30, 0, 0, time.UTC)
	check("started", "Mixed", "Join online", true)
	check("never", "Online", "The link is sent to participants.", false)
}

// TestPublicSubscribe has the menu on every page that shows events.
func TestPublicSubscribe(t *testing.T) {
	k, _ := choirKit(t)
	for _, path := range []string{"/", "/events/", "/events/past/", "/events/month/", "/events/month/2030-03/", "/events/day/2030-02-14/", "/events/?search=choir",
		"/event/choir/", "/event/choir/2030-02-14/", "/venue/hall/", "/organizer/singers/", "/events/category/music/", "/tag/voices/"} {
		page := string(k.Look(path).Want(t, 200, "").Raw)
		for _, want := range []string{`href="https://calendar.google.com/calendar/u/0/r/settings/addbyurl" data-clip="copy"`,
			`href="webcal://localhost/`, "https://outlook.live.com/calendar/0/addfromweb?", "https://outlook.office.com/calendar/0/addfromweb?", "<copy-line"} {
			if strings.Count(page, want) != 1 {
				t.Errorf("%s has %d of %s", path, strings.Count(page, want), want)
			}
		}
	}
}

// The contact of an event is that of its organizers, each address and number once, if visitors may see them.
func TestContactOfAnEvent(t *testing.T) {
	k := kit.PublicKit(t)
	organizer := func(name, phone, email, status string) int64 {
		return k.Made("/organizers", map[string]any{"organizer": name, "phone": phone, "email": email, "status": status})
	}
	one, same, other := organizer("One", "+49 30 1", "office@example.org", "publish"), organizer("Same", "", "office@example.org", "publish"), organizer("Draft", "+49 30 2", "draft@example.org", "draft")
	k.Event(map[string]any{"title": "Fair", "slug": "fair", "organizer": []int64{one, same, other}})
	page := string(k.Look("/de/event/fair/").Raw)
	_, contact, found := strings.Cut(page, "<dt>Kontakt</dt>")
	contact, _, _ = strings.Cut(contact, "</div>")
	if !found || !strings.Contains(contact, `href="tel:+49301"`) || strings.Count(contact, `href="mailto:office@example.org"`) != 1 || strings.Contains(page, "draft@example.org") {
		t.Errorf("%s", contact)
	}
	k.Event(map[string]any{"title": "Alone", "slug": "alone", "organizer": []int64{other}})
	if strings.Contains(string(k.Look("/de/event/alone/").Raw), "<dt>Kontakt</dt>") {
		t.Error("an event has a contact whose organizers have none")
	}
}
