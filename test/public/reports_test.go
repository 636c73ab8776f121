package public

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// reports returns how many reports site demo has.
func reports(k *kit.Kit) string {
	k.T.Helper()
	return k.Peek("demo", `SELECT count(*)::text FROM reports`)
}

// A visitor reports a mistake in an event, and one in a date of a series; editors see what was said of what, and decide.
func TestReports(t *testing.T) {
	k := kit.PublicKit(t)
	choir := k.Event(map[string]any{"title": "Choir", "slug": "choir", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00", "recurrence": map[string]any{"rrule": "FREQ=WEEKLY;COUNT=5"}})
	visitor, editor := k.Browser(), k.Person("editor")
	if p := editor.Get("/admin/submissions/mistakes"); p.Status != 200 || !p.Shows("Nothing to do here.") || !p.Shows(`href="/admin/submissions/mistakes"`) {
		t.Fatalf("none yet: %d %s", p.Status, p.Body)
	}
	if p := visitor.Get("/en/event/lake/"); strings.Count(p.Body, `href="/en/event/lake/mistake/"`) != 1 {
		t.Error("nothing leads to the form")
	}
	before := k.Peek("demo", `SELECT version::text FROM sites WHERE slug = 'demo'`)
	if p := visitor.Get("/en/event/lake/mistake/"); p.Status != 200 || !p.Shows("What is wrong?") || !p.Shows("Lake Concert") || !p.Shows("noindex") {
		t.Fatalf("the form: %d %s", p.Status, p.Body)
	}
	said := "It begins at <b>eight</b>,\r\nnot at \"seven\"."
	for range 2 { // sent twice, it is kept once
		if p := visitor.Post("/en/event/lake/mistake/", url.Values{"text": {said}, "email": {"Ada@example.net"}}); p.Status != 200 || !p.Shows("An editor will check it.") ||
			p.Header.Get("Cache-Control") != "private, no-store" {
			t.Fatalf("sent: %d %s", p.Status, p.Body)
		}
	}
	if p := visitor.Post("/de/event/choir/2026-12-08/mistake/", url.Values{"text": {"Fällt aus"}}); p.Status != 200 || !p.Shows("Die Redaktion prüft Ihre Meldung.") {
		t.Fatalf("of a date: %d %s", p.Status, p.Body)
	}
	if n := reports(k); n != "2" {
		t.Fatalf("%s reports", n)
	}
	if after := k.Peek("demo", `SELECT version::text FROM sites WHERE slug = 'demo'`); after != before {
		t.Errorf("a report made version %s of %s", after, before)
	}
	for _, path := range []string{"/admin/submissions/mistakes", "/admin/submissions", "/admin/desk"} {
		if p := editor.Get(path); !p.Shows(`<span class="count">2</span>`) {
			t.Errorf("%s does not say how many", path)
		}
	}
	p := editor.Get("/admin/submissions/mistakes")
	if strings.Contains(p.Body, "<b>eight") {
		t.Error("what was said is HTML")
	}
	for _, want := range []string{"It begins at <b>eight</b>,", "mailto:Ada@example.net", "Lake Concert", "Fällt aus", "Dec\u00a08,\u00a02026",
		"/admin/events/" + k.Peek("demo", `SELECT date_id::text FROM reports WHERE date_id > 0`)} {
		if !p.Shows(want) {
			t.Errorf("editors are not shown %s", want)
		}
	}
	date := k.Peek("demo", `SELECT date_id::text FROM reports WHERE date_id > 0`)
	for path, want := range map[string]string{
		"/admin/events/" + k.Peek("demo", `SELECT event_id::text FROM reports WHERE date_id = 0`): "at <b>eight</b>,",
		"/admin/events/" + k.Peek("demo", `SELECT event_id::text FROM reports WHERE date_id > 0`): "Fällt aus",
		"/admin/events/" + date: "Fällt aus",
	} {
		if p := editor.Get(path); strings.Count(p.Body, "A visitor has reported a mistake") != 1 || !p.Shows(want) {
			t.Errorf("%s does not show what was reported", path)
		}
	}
	dates := k.Get(fmt.Sprintf("/events/%d/occurrences?start_date=2026-12-01&end_date=2027-12-01", choir), "").Want(t, 200, "").Body["events"].([]any)
	other := fmt.Sprint(dates[2].(map[string]any)["id"]) // the report is about the second
	if p := editor.Get("/admin/events/" + other); p.Status != 200 || p.Shows("A visitor has reported") {
		t.Errorf("another date shows the report: %d", p.Status)
	}
	for _, role := range []string{"author", "contributor", "subscriber"} {
		if p := k.Person(role).Get("/admin/submissions/mistakes"); p.Status == 200 || p.Shows("Fällt aus") {
			t.Errorf("shown to %s: %d", role, p.Status)
		}
	}
	ids := strings.Split(k.Peek("demo", `SELECT string_agg(id, ' ' ORDER BY said) FROM reports`), " ")
	editor.Get("/admin/submissions/mistakes?report=" + ids[0] + "&do=correct")
	if n := reports(k); n != "2" {
		t.Errorf("an address decided: %s are left", n)
	}
	wrong := editor.Fill("/admin/events/"+date, `class="editor"`, nil)
	wrong.Set("corrected", ids[0])
	wrong.Set("title", "")
	if p := editor.Post("/admin/events/"+date, wrong); p.Status != 422 || !p.Shows(`value="`+ids[0]+`" checked`) || reports(k) != "2" {
		t.Errorf("a form that was not saved: %d, %s are left", p.Status, reports(k))
	}
	form := editor.Fill("/admin/events/"+date, `class="editor"`, nil)
	form.Set("corrected", ids[0])
	form.Set("applies_to", "this")
	form.Set("start_date", "2026-12-08T20:00")
	if p := editor.Post("/admin/events/"+date, form); p.Status != 303 {
		t.Fatalf("saved: %d", p.Status)
	}
	if p := editor.Follow(); !p.Shows("The report is marked as done.") || p.Shows("A visitor has reported") {
		t.Error("the form does not say that the report is done")
	}
	if start := k.Get("/events/"+date, "").At("start_date"); start != "2026-12-08 20:00:00" || reports(k) != "1" {
		t.Errorf("at %v, %s are left", start, reports(k))
	}
	form = kit.FormAt(editor.Get("/admin/submissions/mistakes"), `action="/admin/submissions/mistakes"`)
	form.Set("do", "dismiss")
	if p := editor.Post("/admin/submissions/mistakes", form); p.Status != 303 || form.Get("report") != ids[1] {
		t.Fatalf("dismiss: %d %s", p.Status, p.Body)
	}
	editor.Follow()
	if n := reports(k); n != "0" {
		t.Errorf("%s are left", n)
	}
	if got := k.Peek("demo", `SELECT string_agg(who || ' ' || action || ' ' || (before ->> 'title'), ', ' ORDER BY version) FROM changes WHERE kind = 'report'`); got != "editor correct Choir, editor dismiss Lake Concert" {
		t.Errorf("the history says %q", got)
	}
	if p := k.Person("administrator").Get("/admin/audit?kind=report"); !p.Shows("Corrected") || !p.Shows("Dismissed") || !p.Shows("Lake Concert") {
		t.Error("the page of the history does not say who decided")
	}
	editor.Get("/admin/submissions/mistakes")
	editor.Post("/admin/submissions/mistakes", url.Values{"report": {ids[0]}, "do": {"correct"}})
	if p := editor.Follow(); !p.Shows("Nothing was changed") {
		t.Errorf("decided twice: %s", p.Body)
	}
}

// What nobody can see cannot be reported on, what is empty or too long is refused with what was typed, and programs get nowhere.
func TestReportsRefused(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Secret", "slug": "secret", "post_password": "sesame", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"})
	k.Event(map[string]any{"title": "Draft", "slug": "draft", "status": "draft", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"})
	b := k.Browser()
	for _, slug := range []string{"secret", "draft", "nowhere", "lake/2026-12-08"} {
		path := "/en/event/" + slug + "/mistake/"
		if p := b.Get(path); p.Status != 404 || p.Shows("Secret") || p.Shows("Draft") {
			t.Errorf("the form of %s: %d", slug, p.Status)
		}
		if p := b.Post(path, url.Values{"text": {"x"}, "password": {"sesame"}}); p.Status != 404 {
			t.Errorf("sent about %s: %d", slug, p.Status)
		}
	}
	if p := b.Get("/en/event/secret/"); p.Shows("mistake/") {
		t.Error("the page that asks for a password leads to the form")
	}
	if p := k.Send(kit.Request{Method: "POST", Path: "//en/event/lake/mistake/", Site: "two", Body: "text=x", Headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}); p.Status != 404 {
		t.Errorf("on another site: %d", p.Status)
	}
	for name, form := range map[string]url.Values{
		"nothing": {}, "blanks": {"text": {" \r\n\t"}}, "too long": {"text": {strings.Repeat("ä", 2001)}}, "no address": {"text": {"Wrong day"}, "email": {"nobody"}},
		"two addresses": {"text": {"Wrong day"}, "email": {"a@example.net, b@example.net"}},
	} {
		p := b.Post("/en/event/lake/mistake/", form)
		if p.Status != 422 || !p.Shows(`aria-invalid="true"`) || !p.Shows(`role="alert"`) || len(form.Get("text")) < 100 && !p.Shows(strings.TrimSpace(form.Get("text"))) {
			t.Errorf("%s: %d %s", name, p.Status, p.Body)
		}
	}
	if p := b.Post("/en/event/lake/mistake/", url.Values{"text": {"Buy"}, "homepage": {"https://example.org"}}); p.Status != 200 || !p.Shows("An editor will check it.") {
		t.Errorf("a program learns why: %d", p.Status)
	}
	if p := b.Post("/en/event/lake/mistake/", url.Values{"text": {"x"}}, "Origin", "https://elsewhere.example"); p.Status != 403 || !p.Shows("The form was not sent") {
		t.Errorf("from a page of another site: %d", p.Status)
	}
	if n := reports(k); n != "0" {
		t.Errorf("%s are kept", n)
	}
	if p := b.Post("/en/event/lake/mistake/", url.Values{"text": {strings.Repeat("ä", 2000)}}); p.Status != 200 {
		t.Errorf("as long as may be: %d", p.Status)
	}
	_, err := k.Platform.Sites.Configure(owning(k, "demo"), &platform.ConfigFields{Reports: args.Some(false)}, "")
	k.Must(err)
	if p := b.Get("/en/event/lake/"); p.Shows("mistake/") {
		t.Error("the event still leads to the form")
	}
	if get, post := b.Get("/en/event/lake/mistake/"), b.Post("/en/event/lake/mistake/", url.Values{"text": {"x"}}); get.Status != 404 || post.Status != 404 {
		t.Errorf("turned off: %d, %d", get.Status, post.Status)
	}
}

// One client, one network and all of them together may only report so much, and a network that reports a lot leaves room for others.
func TestReportsAreLimited(t *testing.T) {
	t.Parallel()
	k := kit.New(t, kit.BehindProxy())
	k.Event(map[string]any{"title": "Lake", "slug": "lake", "start_date": "2031-12-01 19:00", "end_date": "2031-12-01 21:00"})
	k.Tries = time.Date(2027, 5, 3, 9, 0, 0, 0, time.UTC)
	n := 0
	send := func(client string) int {
		n++
		return k.Browser().Post("/en/event/lake/mistake/", url.Values{"text": {fmt.Sprint("Mistake ", n)}}, "X-Forwarded-For", client).Status
	}
	taken := 0
	for range 8 {
		if send("203.0.113.7") == 200 {
			taken++
		}
	}
	if taken != 5 {
		t.Errorf("%d of one client at once", taken)
	}
	for i := range 30 { // the same network
		if send(fmt.Sprintf("203.0.113.%d", 100+i)) == 200 {
			taken++
		}
	}
	if taken != 20 {
		t.Errorf("%d of one network", taken)
	}
	k.Change("demo", `
		INSERT INTO reports (site_id, id, event_id, date_id, day, said, email, email_key, network, created_at)
		SELECT e.site_id, 'many ' || n, e.id, 0, '', 'x', '', '', sha256(('net ' || n % 30)::bytea), now()
		FROM events e, generate_series(1, 300) n
		WHERE e.slug = 'lake'`)
	taken = 0
	for i := range 6 { // where many wait, each network may add a few
		if send(fmt.Sprintf("198.51.100.%d", i)) == 200 {
			taken++
		}
	}
	if taken != 3 || send("192.0.2.1") != 200 {
		t.Errorf("%d of a network while many wait", taken)
	}
}

// Reports go with their event, are not shown while it is in the trash, and are forgotten after 90 days; whoever reported can be taken out.
func TestReportsEnd(t *testing.T) {
	k := kit.PublicKit(t)
	b := k.Browser()
	lake := k.Peek("demo", `SELECT id::text FROM events WHERE slug = 'lake'`)
	k.Event(map[string]any{"title": "Choir", "slug": "choir", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"})
	for _, slug := range []string{"lake", "choir"} {
		if p := b.Post("/en/event/"+slug+"/mistake/", url.Values{"text": {"Wrong"}, "email": {"Ada@example.net"}}); p.Status != 200 {
			t.Fatalf("%d %s", p.Status, p.Body)
		}
	}
	if held, err := k.DB.Person(owning(k, "demo"), "ada@example.net"); err != nil || len(held["reports"]) != 2 {
		t.Errorf("held of a person: %v, %v", held, err)
	}
	if n, err := k.DB.ErasePerson(owning(k, "demo"), "ada@example.net"); err != nil || n < 2 || k.Peek("demo", `SELECT count(*)::text FROM reports WHERE email || email_key <> ''`) != "0" {
		t.Errorf("erased: %d, %v", n, err)
	}
	k.Del("/events/"+lake, "editor").Want(t, 200, "")
	if p := k.Person("editor").Get("/admin/submissions/mistakes"); p.Shows("Lake Concert") || !p.Shows("Choir") {
		t.Error("what is in the trash is shown")
	}
	k.Del("/events/"+lake+"?force=true", "editor").Want(t, 200, "")
	if n := reports(k); n != "1" {
		t.Errorf("%s reports without the event", n)
	}
	k.Clock = k.Clock.Add(89 * 24 * time.Hour)
	later(k, time.Hour, nil)
	if n := reports(k); n != "1" {
		t.Errorf("%s are left before the time", n)
	}
	later(k, 24*time.Hour, nil)
	if n := reports(k); n != "0" {
		t.Errorf("%s are left after 90 days", n)
	}
}

// Visitors report mistakes in venues and organizers like those in events. A report follows its venue when that is merged, hides with
// it in the trash, and goes with it.
func TestReportsOfPlaces(t *testing.T) {
	k := kit.PublicKit(t)
	visitor, editor := k.Browser(), k.Person("editor")
	for path, name := range map[string]string{"venue/pier": "Pier", "organizer/society": "Society"} {
		if p := visitor.Get("/en/" + path + "/"); strings.Count(p.Body, `href="/en/`+path+`/mistake/"`) != 1 {
			t.Errorf("%s: not one link leads to the form", path)
		}
		if p := visitor.Get("/en/" + path + "/mistake/"); p.Status != 200 || !p.Shows("What is wrong?") || !p.Shows(name) || !p.Shows("noindex") {
			t.Errorf("the form of %s: %d %s", path, p.Status, p.Body)
		}
		if p := visitor.Post("/en/"+path+"/mistake/", url.Values{"text": {"Number 2, not 1: " + name}}); p.Status != 200 || !p.Shows("An editor will check it.") {
			t.Fatalf("%s: %d %s", path, p.Status, p.Body)
		}
		if p := visitor.Post("/en/"+path+"/mistake/", url.Values{"text": {"x"}}, "Origin", "https://elsewhere.example"); p.Status != 403 {
			t.Errorf("%s from a page of another site: %d", path, p.Status)
		}
	}
	hidden := k.Post("/venues", "editor", map[string]any{"venue": "Hidden", "slug": "hidden", "status": "draft"}).Want(t, 201, "").ID()
	if get, post := visitor.Get("/en/venue/hidden/mistake/"), visitor.Post("/en/venue/hidden/mistake/", url.Values{"text": {"x"}}); get.Status != 404 || post.Status != 404 {
		t.Errorf("of a draft: %d, %d", get.Status, post.Status)
	}
	pier := k.Peek("demo", `SELECT id::text FROM venues WHERE slug = 'pier'`)
	p := editor.Get("/admin/submissions/mistakes")
	for _, want := range []string{"Number 2, not 1: Pier", "/admin/venues/" + pier, "/admin/organizers/", `<span class="badge">Organizer</span>`} {
		if !p.Shows(want) {
			t.Errorf("editors are not shown %s", want)
		}
	}
	for _, path := range []string{"/admin/venues/" + pier, "/admin/organizers/" + k.Peek("demo", `SELECT organizer_id::text FROM reports WHERE organizer_id > 0`)} {
		if p := editor.Get(path); strings.Count(p.Body, "A visitor has reported a mistake") != 1 || !p.Shows("Number 2, not 1") {
			t.Errorf("%s does not show what was reported", path)
		}
	}
	k.Post("/venues/"+fmt.Sprint(hidden), "editor", map[string]any{"status": "publish"}).Want(t, 200, "")
	form := kit.MergeForm(editor.Get("/admin/venues/merge?id=" + fmt.Sprint(hidden) + "&id=" + pier))
	form.Set("keep", fmt.Sprint(hidden))
	form.Set("do", "merge")
	form = kit.MergeForm(editor.Post("/admin/venues/merge", form)) // the preview of that choice
	form.Set("do", "merge")
	if p := editor.Post("/admin/venues/merge", form); p.Status != 303 {
		t.Fatalf("merged: %d", p.Status)
	}
	if got := k.Peek("demo", `SELECT venue_id::text FROM reports WHERE venue_id > 0`); got != fmt.Sprint(hidden) {
		t.Errorf("the report is about %s after the merge", got)
	}
	report := k.Peek("demo", `SELECT id FROM reports WHERE organizer_id > 0`)
	if p := editor.Post("/admin/submissions/mistakes", url.Values{"report": {report}, "do": {"correct"}}); p.Status != 303 {
		t.Fatalf("decided: %d %s", p.Status, p.Body)
	}
	if p := k.Person("administrator").Get("/admin/audit?kind=report"); !p.Shows("Corrected") || !p.Shows("/admin/organizers/") {
		t.Error("the history does not lead to the organizer")
	}
	k.Del("/venues/"+fmt.Sprint(hidden), "editor").Want(t, 200, "")
	if p := editor.Get("/admin/submissions/mistakes"); p.Shows("Number 2") {
		t.Error("what is in the trash is shown")
	}
	k.Del("/venues/"+fmt.Sprint(hidden)+"?force=true", "editor").Want(t, 200, "")
	if n := reports(k); n != "0" {
		t.Errorf("%s reports without their venue", n)
	}
}
