package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// publishing is a way to make an event public: its form with everything typed, and where it goes. It gets the days on which
// what is published would begin.
type publishing struct {
	begins string
	fill   func(k *kit.Kit, b *kit.Browser, day time.Time) (to string, form url.Values)
}

// plannedOn makes an event that begins at ten on a day.
func plannedOn(k *kit.Kit, day time.Time, status string) int64 {
	at := day.Format(time.DateOnly)
	return k.Event(map[string]any{"title": "Fair", "status": status, "start_date": at + " 10:00", "end_date": at + " 11:00"})
}

// copying is the form of a page of copies, sent with a step.
func copying(p kit.Page, step string) url.Values {
	form := kit.FormAt(p, `<form class="stack"`)
	form.Set("do", "copies")
	form.Set("step", step)
	return form
}

var waysToPublish = map[string]publishing{
	"a new event": {kit.EveryEditor, func(_ *kit.Kit, b *kit.Browser, day time.Time) (string, url.Values) {
		at := day.Format(time.DateOnly)
		return "/admin/events/new", b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Fair"}, "start_date": {at + "T10:00"},
			"end_date": {at + "T11:00"}, "do": {"publish"}})
	}},
	"the form of a draft": {kit.EveryEditor, func(k *kit.Kit, b *kit.Browser, day time.Time) (string, url.Values) {
		to := fmt.Sprintf("/admin/events/%d", plannedOn(k, day, "draft"))
		return to, b.Fill(to, kit.EveryEditor, url.Values{"do": {"publish"}})
	}},
	"the row of a list": {`<form class="row-form"`, func(k *kit.Kit, b *kit.Browser, day time.Time) (string, url.Values) {
		to := fmt.Sprintf("/admin/events/%d/row", plannedOn(k, day, "draft"))
		return to, b.Fill(to+"?to=/admin/events", `<form class="row-form"`, url.Values{"status": {"publish"}, "do": {"save"}})
	}},
	"a list": {`<form class="buttons" method="post" action="/admin/events"`, func(k *kit.Kit, b *kit.Browser, day time.Time) (string, url.Values) {
		id := plannedOn(k, day, "draft")
		b.Get("/admin/events?view=all")
		return "/admin/events", url.Values{"id": {fmt.Sprint(id)}, "do": {"publish"}, "to": {"/admin/events"}, "seen": {kit.AllSeen}}
	}},
	"a copy": {kit.NarrowForm, func(k *kit.Kit, b *kit.Browser, day time.Time) (string, url.Values) {
		to := fmt.Sprintf("/admin/events/%d/copy", plannedOn(k, day.AddDate(0, 0, -7), "publish"))
		return to, b.Fill(to, kit.NarrowForm, url.Values{"start_date": {day.Format(time.DateOnly) + "T10:00"}, "do": {"publish"}})
	}},
	"copies": {`<form class="stack"`, func(k *kit.Kit, b *kit.Browser, day time.Time) (string, url.Values) {
		id := plannedOn(k, day.AddDate(0, 0, -7), "publish")
		b.Get("/admin/events")
		p := b.Post("/admin/events", url.Values{"id": {fmt.Sprint(id)}, "do": {"copies"}, "to": {"/admin/events"}})
		return "/admin/events", copying(p, "same")
	}},
	"a submission": {`<form class="after"`, func(k *kit.Kit, b *kit.Browser, day time.Time) (string, url.Values) {
		id := k.Submitted()
		at := day.Format(time.DateOnly)
		k.Send(kit.Request{Method: "PUT", Path: fmt.Sprintf("/events/%d", id), As: "administrator", JSON: map[string]any{"title": "Fair",
			"start_date": at + " 10:00", "end_date": at + " 11:00", "venue": []int{}}})
		to := fmt.Sprintf("/admin/submissions/%d", id)
		return to, b.Fill(to, `<form class="after"`, url.Values{"do": {"publish"}})
	}},
}

// Whoever makes an event public, in whatever way, is asked if it is already over or already there. Nothing is public before the
// second press, and then it is.
func TestEveryWayToPublishAsks(t *testing.T) {
	t.Parallel()
	for name, way := range waysToPublish {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.NewWithFixedClock(t)
			b := k.Person("editor")
			over, ahead := k.Clock.AddDate(0, -2, 0), k.Clock.AddDate(0, 2, 0)
			plannedOn(k, ahead, "publish")
			for _, c := range []struct {
				day  time.Time
				text string
			}{{over, "Already over. Is the date right?"}, {ahead, "with th"}} {
				public := func() int {
					at := c.day.Format(time.DateOnly)
					return int(k.Get("/events?search=fair&status=publish&start_date="+at+"&end_date="+at, "administrator").Body["total"].(float64))
				}
				to, form := way.fill(k, b, c.day)
				before := public()
				p := b.Post(to, form)
				if !p.Shows(`class="notice"`) || !p.Shows(c.text) || !p.Shows("Publish anyway") && !p.Shows("Save anyway") {
					t.Fatalf("%s: not asked: %d %.3000s", c.text, p.Status, p.Body)
				}
				if got := public(); got != before {
					t.Fatalf("%s: published before the answer", c.text)
				}
				again := kit.FormAt(p, way.begins)
				for _, press := range []string{"do", "step"} {
					if form.Has(press) {
						again.Set(press, form.Get(press))
					}
				}
				if p = b.Post(to, again); p.Status != 303 {
					t.Fatalf("%s: pressed again: %d %.3000s", c.text, p.Status, p.Body)
				}
				if got := public(); got != before+1 {
					t.Errorf("%s: %d public events, not %d", c.text, got, before+1)
				}
			}
		})
	}
}

// A second round of copies makes exact doubles, so it is asked about, with all of them named; other days are asked about anew.
func TestSecondRoundOfCopies(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	b := k.Person("editor")
	var ids []string
	for i := range 3 {
		ids = append(ids, fmt.Sprint(k.Event(map[string]any{"title": fmt.Sprint("Service ", i), "start_date": "2030-03-03 10:00", "end_date": "2030-03-03 11:00"})))
	}
	b.Get("/admin/events")
	asking := url.Values{"id": ids, "do": {"copies"}, "to": {"/admin/events"}}
	round := func() kit.Page {
		return b.Post("/admin/events", copying(b.Post("/admin/events", asking), "same"))
	}
	if p := round(); p.Status != 303 {
		t.Fatalf("the first round: %d %.2000s", p.Status, p.Body)
	}
	p := round()
	if p.Status != 422 || !p.Shows("Already in the calendar") || strings.Count(p.Body, ">Service ") < 3 {
		t.Fatalf("the second round: %d %.3000s", p.Status, p.Body)
	}
	form := copying(p, "same")
	form.Set("copy_days", "1")
	if p := b.Post("/admin/events", form); p.Status != 303 {
		t.Errorf("another day: %d %.2000s", p.Status, p.Body)
	}
	if p := b.Post("/admin/events", copying(b.Post("/admin/events", asking), "draft")); p.Status != 303 {
		t.Errorf("drafts: %d %.2000s", p.Status, p.Body)
	}
	event := ids[0]
	to := "/admin/events/" + event + "/copy"
	if p := b.Post(to, b.Fill(to, kit.NarrowForm, url.Values{"start_date": {"2030-03-03T10:00"}, "do": {"publish"}})); p.Status != 422 || !p.Shows("There is already an event") {
		t.Errorf("a copy at the same time: %d %.2000s", p.Status, p.Body)
	}
}
