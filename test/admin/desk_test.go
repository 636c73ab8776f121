package admin

import (
	"fmt"
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// The overview shows the same counts as the lists that it links to, and can be made the start page.
func TestAdminDesk(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Post("/venues", "administrator", map[string]any{"venue": "Hall"})
	at := func(day string) map[string]any {
		return map[string]any{"title": "On " + day, "start_date": day + " 10:00", "end_date": day + " 11:00"}
	}
	with := func(event map[string]any, more map[string]any) map[string]any {
		maps.Copy(event, more)
		return event
	}
	k.Event(at("2030-02-01"))
	k.Event(with(at("2030-02-02"), map[string]any{"venue": map[string]any{"venue": "Old mill"}}))
	k.Event(with(at("2030-02-03"), map[string]any{"attendance_mode": "online"}))
	k.Event(with(at("2030-02-04"), map[string]any{"status": "pending"}))
	k.Event(at("2001-02-05"))
	k.Event(with(at("2030-02-06"), map[string]any{"recurrence": map[string]any{"every": "day", "count": 5}}))
	b := k.Person("administrator")
	p := b.Get("/admin/desk")
	if p.Status != 200 || !p.Shows("On 2030-02-01") || !p.Shows("On 2030-02-04") || p.Shows("On 2001-02-05") || strings.Count(p.Body, "On 2030-02-06") != 1 {
		t.Fatalf("the overview: %d %s", p.Status, p.Body)
	}
	for lack, want := range map[string]int{"image": 5, "place": 3} {
		if !p.Shows(fmt.Sprintf(`<a href="/admin/events?lacks=%s&view=upcoming">`, lack)) {
			t.Errorf("no way to what lacks: %s", lack)
		}
		if list := b.Get("/admin/events?view=upcoming&lacks=" + lack); strings.Count(list.Body, `type="checkbox" form="many" name="id"`) != want {
			t.Errorf("%s: the list has %d, not %d", lack, strings.Count(list.Body, `type="checkbox" form="many" name="id"`), want)
		}
		if !p.Shows(fmt.Sprintf(`<span class="count">%d</span>`, want)) {
			t.Errorf("%s isn't counted as %d: %s", lack, want, p.Body)
		}
	}
	if p := b.Get("/admin/events?lacks=nonsense&view=upcoming"); strings.Count(p.Body, `type="checkbox" form="many" name="id"`) != 5 {
		t.Error("what nobody can lack narrows the list")
	}
	if b.Get("/admin").Status != 200 {
		t.Error("the overview comes first unasked")
	}
	b.Post("/admin/desk", url.Values{"start": {"desk"}})
	if p := b.Get("/admin"); p.Header.Get("Location") != "/admin/desk" {
		t.Errorf("the first page: %d", p.Status)
	}
	if p := b.Get("/admin/desk"); !p.Shows(`<a href="/admin?view=month">Calendar</a>`) || b.Get("/admin?view=month").Status != 200 {
		t.Error("no way to the calendar")
	}
	b.Post("/admin/desk", url.Values{"start": {"nonsense"}})
	if b.Get("/admin").Status != 303 {
		t.Error("a first page that is none is remembered")
	}
	b.Post("/admin/desk", url.Values{"start": {"calendar"}})
	if b.Get("/admin").Status != 200 {
		t.Error("the calendar doesn't come first again")
	}
	if p := k.Person("subscriber").Get("/admin/desk"); p.Status != 403 {
		t.Errorf("a subscriber: %d", p.Status)
	}
}

// The overview lists people whose invitation has expired.
func TestAdminDeskNamesTheStranded(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	form := kit.FormAt(b.Get("/admin/users/new"), `<form class="stack narrow"`)
	form.Set("handle", "guest")
	form.Set("name", "A Guest")
	form.Set("email", "guest@example.org")
	form.Set("confirm", kit.AdminPassword)
	if p := b.Post("/admin/users/new", form); !p.Shows(`<copy-line`) {
		t.Errorf("the link can't be copied: %d %s", p.Status, p.Body)
	}
	if b.Get("/admin/desk").Shows("A Guest") {
		t.Error("the invitation is good")
	}
	k.Peek("demo", "WITH over AS (UPDATE vouchers SET expires_at = expires_at - interval '8 days' RETURNING 1) SELECT count(*)::text FROM over")
	if !b.Get("/admin/desk").Shows("A Guest") {
		t.Error("the invitation has expired")
	}
	if k.Person("editor").Get("/admin/desk").Shows("A Guest") {
		t.Error("an editor sees people")
	}
}
