package rest

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Rule 5.12: what an event says counts, else what its published venues say; a filter wants all of accessibility and any of audience.
func TestFactsOfEvents(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	names := map[string]string{}
	at := func(title string, more kit.Object) int64 {
		body := kit.Object{"title": title, "start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}
		maps.Copy(body, more)
		id := k.Event(body)
		names[fmt.Sprint(id)] = title
		return id
	}
	hall := k.Made("/venues", kit.Object{"venue": "Hall", "accessibility": []string{"toilets", "wheelchair", "toilets"}})
	barn := k.Made("/venues", kit.Object{"venue": "Barn", "accessibility": "wheelchair", "status": "draft"})
	at("hall", kit.Object{"venue": hall, "audience": "children,adults", "event_language": "en,de,en"})
	at("own", kit.Object{"venue": hall, "accessibility": []string{"sign_language"}, "audience": []string{"families"}, "event_language": []string{"zxx"}})
	at("barn", kit.Object{"venue": barn})
	at("locked", kit.Object{"accessibility": []string{"wheelchair"}, "audience": []string{"children"}, "post_password": "anchor"})
	for filter, want := range map[string]string{
		"accessibility=wheelchair":                 "hall",
		"accessibility=wheelchair,toilets":         "hall",
		"accessibility=wheelchair,sign_language":   "",
		"accessibility=sign_language":              "own",
		"audience=children":                        "hall",
		"audience=children,families":               "hall own",
		"audience=adults&accessibility=toilets":    "hall",
		"audience=seniors":                         "",
		"audience=&accessibility=&search=barn":     "barn",
		"accessibility=wheelchair&password=anchor": "hall locked",
		"audience=children&series=first":           "hall",
		"event_language=de":                        "hall",
		"event_language=fr,zxx":                    "own",
		"event_language=fr":                        "",
	} {
		list := k.Get("/events?starts_after=2029-12-31&orderby=title&"+filter, "").Want(t, 200, "")
		if got := list.Named(names); got != want {
			t.Errorf("%s finds %q, want %q", filter, got, want)
		}
	}
	for _, wrong := range []string{"accessibility=stairs", "audience=cats", "event_language=klingon", "audience[]=children&audience[]=cats"} {
		k.Get("/events?"+wrong, "").Refused(t, wrong[:strings.IndexAny(wrong, "=[")])
	}
	k.Get("/changes?accessibility=wheelchair", "administrator").Refused(t, "accessibility")
	k.Get("/changes?audience=children", "administrator").Want(t, 200, "")
	k.Get(kit.Item("venues", hall), "").Has(t, "accessibility", []any{"wheelchair", "toilets"})
	k.Patch(kit.Item("venues", hall), "administrator", kit.Object{"accessibility": ""}).Want(t, 200, "")
	if list := k.Get("/events?starts_after=2029-12-31&accessibility=wheelchair", ""); list.IDs("events") != "" {
		t.Errorf("the venue has nothing any more: %s", list)
	}
}

// Until when one must have registered is on the event's own clock, wherever it is said; the page, calendar files and structured data have it.
func TestRegistrationUntil(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	until := k.Clock.AddDate(0, 0, 3).Format("2006-01-02")
	id := k.Event(kit.Object{"title": "Course", "slug": "course", "start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00", "timezone": "Asia/Tokyo",
		"cost": "10 EUR", "registration_until": until + "T03:00:00Z", "event_language": []string{"es", "en"}})
	k.Get(kit.Item("events", id), "").Has(t, "registration_until", until+" 12:00:00",
		"event_language", []any{"en", "es"}, "json_ld.inLanguage", []any{"en", "es"})
	k.Patch(kit.Item("events", id), "editor", kit.Object{"registration_until": until}).Want(t, 200, "").Has(t, "registration_until", until+" 23:59:00")
	k.Patch(kit.Item("events", id), "editor", kit.Object{"registration_until": "soon"}).Refused(t, "registration_until")
	page := func() string { return string(k.Get("//event/course/", "").Want(t, 200, "").Raw) }
	for _, want := range []string{"Register by", `"validThrough":"` + until, `"inLanguage":["en","es"]`, "Spanish"} {
		if !strings.Contains(page(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if file := strings.ReplaceAll(string(k.Get("/events.ics?starts_after=2029-12-31", "").Raw), "\r\n ", ""); !strings.Contains(file, "Register by "+until+`\n`) {
		t.Error("the calendar file doesn't say until when one can register")
	}
	k.Clock = k.Clock.AddDate(0, 0, 5)
	if text := page(); strings.Contains(text, "Register by") || !strings.Contains(text, "Registration closed") {
		t.Error("the page doesn't say that registration is closed")
	}
	k.Patch(kit.Item("events", id), "editor", kit.Object{"registration_until": nil}).Want(t, 200, "").Has(t, "registration_until", "-")
}

// Who performs is a list of names, which may have commas, and a video is a link: in answers, on the page, in structured data and in tables. A page
// with it is imported with both.
func TestPerformersAndVideo(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(kit.Object{"title": "Gala", "slug": "gala", "start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00",
		"performers": []string{" Ann Lee ", "Smith, Jr.", "", "Ann Lee"}, "video_url": "https://video.example.org/gala"})
	path := kit.Item("events", id)
	k.Get(path, "").Has(t, "performers", []any{"Ann Lee", "Smith, Jr."}, "video_url", "https://video.example.org/gala", "json_ld.performer.1.name", "Smith, Jr.",
		"json_ld.performer.0.@type", "PerformingGroup", "json_ld.subjectOf.url", "https://video.example.org/gala")
	page := string(k.Get("//event/gala/", "").Want(t, 200, "").Raw)
	for _, want := range []string{"Performers", "<bdi>Smith, Jr.</bdi>", `href="https://video.example.org/gala"`, "Watch the video", `"performer":[{"@type":"PerformingGroup","name":"Ann Lee"}`,
		`"subjectOf":{"@type":"MediaObject","url":"https://video.example.org/gala"}`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "<iframe") || strings.Contains(page, "<video") {
		t.Error("the page loads the video")
	}
	k.Patch(path, "editor", kit.Object{"performers": "Bo\r\nCy, Di\n"}).Want(t, 200, "").Has(t, "performers", []any{"Bo", "Cy, Di"})
	k.Patch(path, "editor", kit.Object{"performers": 5}).Refused(t, "performers")
	k.Patch(path, "editor", kit.Object{"performers": []string{kit.Letters(201)}}).Refused(t, "performers")
	k.Patch(path, "editor", kit.Object{"video_url": "javascript:alert(1)"}).Refused(t, "video_url")
	k.Patch(path, "editor", kit.Object{"performers": nil, "video_url": ""}).Want(t, 200, "").Has(t, "performers", "-", "video_url", "-")
	k.Get(path, "").Has(t, "json_ld.performer", "Organization", "json_ld.subjectOf", "-")
}

// An end that nobody knows is on no page and in no structured data. Lists and calendar files keep it.
func TestEndUnknown(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(kit.Object{"title": "Open", "slug": "open", "start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 23:00:00", "end_unknown": true})
	e := k.Get(kit.Item("events", id), "").Has(t, "end_unknown", true, "end_date", "2030-03-01 23:00:00")
	if e.At("json_ld.endDate") != "-" || e.At("json_ld.startDate") == "-" {
		t.Errorf("structured data: %v", e.At("json_ld"))
	}
	page := string(k.Get("//event/open/", "").Want(t, 200, "").Raw)
	if !strings.Contains(page, "from\u00a07:00") || strings.Contains(page, "endDate") || strings.Contains(page, "11:00") {
		t.Errorf("the page says when it ends")
	}
	for path, want := range map[string]string{"//events/?list=1": "from 7:00", "/events.ics?starts_after=2029-12-31": "DTEND"} {
		if raw := string(k.Get(path, "").Want(t, 200, "").Raw); !strings.Contains(raw, want) {
			t.Errorf("%s lacks %s", path, want)
		}
	}
}
