package rest

import (
	"fmt"
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
		for name, value := range more {
			body[name] = value
		}
		id := k.Event(body)
		names[fmt.Sprint(id)] = title
		return id
	}
	hall := k.Made("/venues", kit.Object{"venue": "Hall", "accessibility": []string{"toilets", "wheelchair", "toilets"}})
	barn := k.Made("/venues", kit.Object{"venue": "Barn", "accessibility": "wheelchair", "status": "draft"})
	at("hall", kit.Object{"venue": hall, "audience": "children,adults"})
	at("own", kit.Object{"venue": hall, "accessibility": []string{"sign_language"}, "audience": []string{"families"}})
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
	} {
		list := k.Get("/events?starts_after=2029-12-31&orderby=title&"+filter, "").Want(t, 200, "")
		if got := list.Named(names); got != want {
			t.Errorf("%s finds %q, want %q", filter, got, want)
		}
	}
	for _, wrong := range []string{"accessibility=stairs", "audience=cats", "audience[]=children&audience[]=cats"} {
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
	if !strings.Contains(page, "from 7:00") || strings.Contains(page, "endDate") || strings.Contains(page, "11:00") {
		t.Errorf("the page says when it ends")
	}
	for path, want := range map[string]string{"//events/?list=1": "from 7:00", "/events.ics?starts_after=2029-12-31": "DTEND"} {
		if raw := string(k.Get(path, "").Want(t, 200, "").Raw); !strings.Contains(raw, want) {
			t.Errorf("%s lacks %s", path, want)
		}
	}
}
