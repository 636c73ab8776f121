package admin

import (
	"fmt"
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// The form says beside the venue what else is there, dates of series included; nobody
// reads the names of what they may not see.
func TestAdminVenueTaken(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	hall := k.Post("/venues", "administrator", map[string]any{"venue": "Hall"}).ID()
	at := func(title, start, end string, more map[string]any) int64 {
		fields := map[string]any{"title": title, "venue": hall, "start_date": start, "end_date": end}
		maps.Copy(fields, more)
		return k.Event(fields)
	}
	at("Choir", "2031-05-01 19:00", "2031-05-01 21:00", map[string]any{"recurrence": map[string]any{"every": "week", "count": 4}})
	at("Council in secret", "2031-05-09 10:00", "2031-05-09 12:00", map[string]any{"status": "private"})
	at("Quiet plan", "2031-05-09 10:00", "2031-05-09 12:00", map[string]any{"status": "draft"})
	at("Called off", "2031-05-10 10:00", "2031-05-10 12:00", map[string]any{"event_status": "cancelled"})
	at("Before", "2031-05-11 08:00", "2031-05-11 10:00", nil)
	contributor, editor := k.Person("contributor"), k.Person("editor")
	contributor.Get("/admin/events")
	editor.Get("/admin/events")
	looks := func(b *kit.Browser, start, end string) string {
		return b.Post("/admin/events/preview", url.Values{"start_date": {start}, "end_date": {end}, "venue": {fmt.Sprintf("Hall (#%d)", hall)}}).Body
	}
	for _, c := range []struct {
		who               *kit.Browser
		day, shows, hides string
	}{
		{contributor, "2031-05-08T20:00", "Choir", "cannot see"},
		{editor, "2031-05-09T11:00", "Council in secret", "cannot see"},
		{contributor, "2031-05-09T11:00", "An event you cannot see", "Council"},
		{contributor, "2031-05-09T11:00", "already booked", "Quiet plan"},
		{editor, "2031-05-10T11:00", `data-live="taken"`, "already booked"},
		{editor, "2031-05-11T10:00", `data-live="taken"`, "already booked"},
	} {
		end := strings.Replace(c.day, ":00", ":30", 1)
		body := looks(c.who, c.day, end)
		if !strings.Contains(body, c.shows) || strings.Contains(body, c.hides) {
			t.Errorf("at %s: %q is missing, or %q is there: %s", c.day, c.shows, c.hides, body)
		}
	}
	own := at("Own", "2031-05-08 20:00", "2031-05-08 22:00", nil)
	p := editor.Get(fmt.Sprintf("/admin/events/%d", own))
	_, taken, _ := strings.Cut(p.Body, `data-live="taken"`)
	if taken = taken[:min(len(taken), 2000)]; !p.Shows("already booked") || !strings.Contains(taken, "Choir") || strings.Contains(taken, ">Own<") {
		t.Errorf("the form that opens doesn’t say it: %s", p.Body)
	}
}

// What the list shows of an event is changed there, and can be taken back; who comes
// second sees both versions.
func TestAdminQuickEdit(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(map[string]any{"title": "Fair", "start_date": "2031-05-01 10:00", "end_date": "2031-05-01 12:00"})
	path := fmt.Sprintf("/admin/events/%d/row", id)
	b := k.Person("editor")
	small := func(p kit.Page) url.Values { return kit.FormAt(p, `<form class="row-form"`) }
	first := small(b.Get(path + "?to=%2Fadmin%2Fevents%3Fview%3Dall"))
	second := small(b.Get(path + "?to=%2Fadmin%2Fevents"))
	first.Set("title", "Spring fair")
	first.Set("start_date", "2031-05-02T11:00")
	first.Set("status", "draft")
	if p := b.Post(path, first); p.Status != 422 || !strings.Contains(p.Body, `class="row-form"`) {
		t.Fatalf("an end before the start: %d %s", p.Status, p.Body)
	}
	first.Set("end_date", "2031-05-02T13:00") // as a script of the page does
	p := b.Post(path, first)
	if at := p.Header.Get("Location"); p.Status != 303 || at != fmt.Sprintf("/admin/events?view=all#event-%d", id) {
		t.Fatalf("saved: %d %s %s", p.Status, at, p.Body)
	}
	if e := k.Get(fmt.Sprintf("/events/%d", id), "administrator"); e.Text("title") != "Spring fair" || e.Text("end_date") != "2031-05-02 13:00:00" || e.Text("status") != "draft" {
		t.Errorf("stored: %s", e.Raw)
	}
	second.Set("title", "Autumn fair")
	if p := b.Post(path, second); p.Status != 409 || !p.Shows("Someone else made changes as well") {
		t.Errorf("who comes second: %d %s", p.Status, p.Body)
	}
	wrong := small(b.Get(path + "?to=%2Fadmin%2Fevents"))
	wrong.Set("title", "")
	if p := b.Post(path, wrong); p.Status != 422 || !strings.Contains(p.Body, `class="row-form"`) {
		t.Errorf("without a title: %d %s", p.Status, p.Body)
	}
}
