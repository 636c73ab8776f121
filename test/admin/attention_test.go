package admin

import (
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// waitingKit returns a site whose people are told what waits by a mail server.
func waitingKit(t *testing.T) (*kit.Kit, *mailtest.Server) {
	t.Helper()
	post := mailtest.New(t)
	sender, err := mail.New(post.URL, "calendar@example.org")
	if err != nil {
		t.Fatal(err)
	}
	k := kit.New(t, func(c *server.Config) { c.Post = sender })
	return k, post
}

// wait lets so much time pass for what people have been told.
func wait(k *kit.Kit, d time.Duration) {
	k.Peek("demo", "WITH a AS (UPDATE users SET told_at = told_at - $1::interval RETURNING 1) SELECT count(*)::text FROM a", d)
	k.Peek("demo", "WITH a AS (UPDATE events SET published_at = published_at - $1::interval, modified_at = modified_at - $1::interval RETURNING 1) SELECT count(*)::text FROM a", d)
	k.Peek("demo", "WITH a AS (UPDATE reports SET created_at = created_at - $1::interval RETURNING 1) SELECT count(*)::text FROM a", d)
	k.Exec("UPDATE attention_rounds SET looked = 0")
}

// People see how many things wait for them beside the navigation, those that they can decide on alone.
func TestNumbersBesideTheNavigation(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const number = `<span class="badge waits">`
	if p := k.Person("editor").Get("/admin/events"); p.Shows(number) {
		t.Error("a number where nothing waits")
	}
	k.Event(map[string]any{"title": "Fair", "start_date": "2030-02-01 10:00", "end_date": "2030-02-01 11:00", "status": "pending"})
	k.Event(map[string]any{"title": "Ball", "start_date": "2030-02-02 10:00", "end_date": "2030-02-02 11:00", "status": "pending"})
	k.Peek("demo", `INSERT INTO sources (site_id, id, version, name, kind, sealed, known, every, policy, gone, user_id, home, created_at, failing_since)
		SELECT id, 1, 1, 'Feed', 'ics', '', '', 3600, 'update', 'cancel', 1, '', now(), now() - interval '4 days' FROM sites WHERE slug = 'demo' RETURNING 'x'`)
	for role, want := range map[string]int{"administrator": 3, "editor": 2, "author": 0, "contributor": 0} {
		p := k.Person(role).Get("/admin/profile")
		if n := strings.Count(p.Body, number); n != want {
			t.Errorf("%s: %d numbers, not %d", role, n, want)
		}
	}
	if p := k.Person("editor").Get("/admin/events"); !p.Shows(`<span aria-hidden="true">2</span> <span class="hidden">waiting: 2</span>`) {
		t.Errorf("two events that wait aren't counted: %s", p.Body)
	}
}

// The number beside "Submissions" counts two kinds of things. The link leads to those that wait.
func TestNavigationLeadsToWhatWaits(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	leads := func(to, when string) {
		t.Helper()
		if p := k.Person("editor").Get("/admin/profile"); !strings.Contains(p.Body, `<a href="`+to+`"`) {
			t.Errorf("%s: the navigation does not lead to %s", when, to)
		}
	}
	leads("/admin/submissions", "no submissions are taken")
	if p := k.Person("administrator").Get("/admin/submissions"); !p.Shows("Visitors cannot submit events") || !p.Shows("/admin/settings/visitors#f-submissions") {
		t.Errorf("the page doesn't say that submissions are off, and where that is changed: %s", p.Body)
	}
	k.Configure(&platform.ConfigFields{Submissions: args.Some(true)})
	leads("/admin/submissions", "nothing waits")
	k.Reported()
	leads("/admin/submissions/mistakes", "a report waits")
	if p := k.Person("editor").Get("/admin/submissions/mistakes"); !p.Shows(`<span class="date">`) {
		t.Errorf("a report doesn't say when the event is: %s", p.Body)
	}
	waiting := kit.Item("admin/submissions", k.Submitted())
	leads("/admin/submissions", "both wait")
	k.Configure(&platform.ConfigFields{Submissions: args.Some(false), Reports: args.Some(false)})
	leads("/admin/submissions", "some wait, and no more are taken")
	if p := k.Person("administrator").Get("/admin/settings/visitors"); !p.Shows("See the submissions so far") {
		t.Error("the settings do not lead to the submissions so far")
	}
	k.Configure(&platform.ConfigFields{Submissions: args.Some(true)})
	editor := k.Person("editor")
	if p := editor.Post(waiting, editor.Fill(waiting, kit.RefusalForm, url.Values{"do": {"refuse"}})); p.Status != 303 {
		t.Fatalf("refuse: %d %s", p.Status, p.Body)
	}
	if p := editor.Get("/admin/submissions"); !p.Shows("Everything has been decided.") || p.Shows("Nothing has arrived yet") {
		t.Errorf("decided submissions are forgotten: %s", p.Body)
	}
}

// An invitation that nobody has accepted is counted on its last day, beside its page and its group, for those who can renew it.
func TestEndingInvitationsAreCounted(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const number = `<span class="badge waits">`
	b := k.Person("administrator")
	invite(b, "late", "author")
	for _, c := range []struct {
		left string
		want int
	}{{"25 hours", 0}, {"23 hours", 2}, {"-1 hours", 0}} {
		k.Peek("demo", "WITH a AS (UPDATE vouchers SET expires_at = now() + $1::interval RETURNING 1) SELECT count(*)::text FROM a", c.left)
		if n := strings.Count(b.Get("/admin/profile").Body, number); n != c.want {
			t.Errorf("%s before the end: %d numbers, not %d", c.left, n, c.want)
		}
		if k.Person("editor").Get("/admin/profile").Shows(number) {
			t.Errorf("%s before the end: an editor sees a number", c.left)
		}
	}
	k.Peek("demo", "WITH a AS (UPDATE vouchers SET expires_at = now() + interval '1 hour' RETURNING 1) SELECT count(*)::text FROM a")
	k.Peek("demo", "WITH a AS (UPDATE users SET password_hash = 'x' WHERE login = 'late' RETURNING 1) SELECT count(*)::text FROM a")
	if b.Get("/admin/profile").Shows(number) {
		t.Error("an invitation that was accepted is counted")
	}
}

// Editors are told of submissions and administrators of invitations that end, with a way to where they decide.
func TestPeopleAreToldOfSubmissionsAndInvitations(t *testing.T) {
	t.Parallel()
	k, post := waitingKit(t)
	k.Peek("demo", "WITH a AS (UPDATE users SET told = 'never' RETURNING 1) SELECT count(*)::text FROM a")
	k.Person("editor")
	k.Peek("demo", "WITH a AS (UPDATE users SET told = 'at_once', told_at = told_at - interval '9 days' WHERE login = 'editor' RETURNING 1) SELECT count(*)::text FROM a")
	k.Submitted()
	wait(k, time.Hour)
	k.TellPeople()
	letter := post.Next()
	for _, want := range []string{"New submissions (1)", "– Sent", "demo.localhost/admin/submissions\n", "/admin/profile"} {
		if !strings.Contains(letter.Text, want) {
			t.Errorf("the mail about a submission lacks %q:\n%s", want, letter.Text)
		}
	}
	k.Peek("demo", "WITH a AS (DELETE FROM submissions RETURNING 1), b AS (UPDATE events SET status = 'draft' RETURNING 1) SELECT count(*)::text FROM b")
	b := k.Person("administrator")
	b.Get("/admin/users/new")
	b.Post("/admin/users/new", url.Values{"do": {"save"}, "handle": {"late"}, "name": {"Late Guest"}, "email": {"late@example.org"}, "role": {"author"}, "confirm": {kit.AdminPassword}})
	post.Next() // the invitation
	k.Peek("demo", "WITH a AS (UPDATE users SET told = CASE WHEN login = 'administrator' THEN 'at_once' ELSE 'never' END, told_at = told_at - interval '9 days' RETURNING 1) SELECT count(*)::text FROM a")
	k.Peek("demo", "WITH a AS (UPDATE vouchers SET expires_at = now() + interval '23 hours' RETURNING 1) SELECT count(*)::text FROM a")
	k.Exec("UPDATE attention_rounds SET looked = 0")
	k.TellPeople()
	if letter = post.Next(); !strings.Contains(letter.Text, "Invitations about to expire (1)") || !strings.Contains(letter.Text, "– Late Guest") || !strings.Contains(letter.Text, "demo.localhost/admin/users\n") {
		t.Errorf("the mail about an invitation:\n%s", letter.Text)
	}
}

// Who may decide is told once of what waits, as they have chosen, in their language, however many nodes look.
func TestPeopleAreToldWhatWaits(t *testing.T) {
	t.Parallel()
	k, post := waitingKit(t)
	k.Peek("demo", "WITH a AS (UPDATE users SET told_at = told_at - interval '1 minute' RETURNING 1) SELECT count(*)::text FROM a")
	editor := k.Person("editor")
	form := kit.FormAt(editor.Get("/admin/profile"), `action="/admin/profile"`)
	if form.Get("told") != "daily" {
		t.Errorf("people are told %q unless they choose", form.Get("told"))
	}
	form.Set("told", "at_once")
	form.Set("language", "de")
	form.Set("do", "person")
	if p := editor.Post("/admin/profile", form); p.Status != 303 {
		t.Fatalf("the choice: %d %s", p.Status, p.Body)
	}
	admin := k.Person("administrator")
	form = kit.FormAt(admin.Get("/admin/profile"), `action="/admin/profile"`)
	form.Set("told", "never")
	form.Set("do", "person")
	admin.Post("/admin/profile", form)
	k.TellPeople()
	post.None()
	k.Event(map[string]any{"title": "Open day", "start_date": "2030-02-01 10:00", "end_date": "2030-02-01 11:00"})
	k.Event(map[string]any{"title": "Fair\tand more", "start_date": "2030-02-01 10:00", "end_date": "2030-02-01 11:00", "status": "pending"})
	k.TellPeople()
	post.None() // it is too early
	wait(k, time.Hour)
	var nodes sync.WaitGroup
	for range 4 {
		nodes.Go(k.TellPeople)
	}
	nodes.Wait()
	letter := post.Next()
	for _, want := range []string{"Veranstaltungen, die auf Prüfung warten (1)", "– Fair and more", "/admin/events?view=pending", "/admin/profile"} {
		if !strings.Contains(letter.Text, want) {
			t.Errorf("the mail lacks %q:\n%s", want, letter.Text)
		}
	}
	k.Exec("UPDATE attention_rounds SET looked = 0")
	k.TellPeople()
	post.None() // nobody is told twice
	if p := k.Browser().Post("/en/event/open-day/mistake/", url.Values{"text": {"See http://evil.example"}}); p.Status != 200 {
		t.Fatalf("a mistake: %d %s", p.Status, p.Body)
	}
	wait(k, time.Hour)
	k.TellPeople()
	letter = post.Next()
	if !strings.Contains(letter.Text, "Gemeldete Fehler (1)") || !strings.Contains(letter.Text, "– Open day") || strings.Contains(letter.Text, "evil") {
		t.Errorf("the mail about a mistake:\n%s", letter.Text)
	}
	k.Post("/venues", "editor", map[string]any{"venue": "Pier", "slug": "pier"}).Want(t, 201, "")
	if p := k.Browser().Post("/en/venue/pier/mistake/", url.Values{"text": {"See http://evil.example"}}); p.Status != 200 {
		t.Fatalf("a mistake in a venue: %d %s", p.Status, p.Body)
	}
	wait(k, time.Hour)
	k.TellPeople()
	letter = post.Next()
	if !strings.Contains(letter.Text, "– Pier · Veranstaltungsort") || strings.Contains(letter.Text, "Open day") {
		t.Errorf("the mail about a mistake in a venue:\n%s", letter.Text)
	}
	post.None()
}

// Administrators are told once of a source that has failed for three days (rule 17.3).
func TestAdministratorsAreToldOfAFailingSource(t *testing.T) {
	t.Parallel()
	k, post := waitingKit(t)
	k.Person("administrator") // who has a password from now on
	k.Peek("demo", "WITH a AS (UPDATE users SET told = 'at_once', told_at = told_at - interval '9 days' RETURNING 1) SELECT count(*)::text FROM a")
	k.Peek("demo", `INSERT INTO sources (site_id, id, version, name, kind, sealed, known, every, policy, gone, user_id, home, created_at, failing_since)
		SELECT id, 1, 1, 'Club', 'ics', '', '', 3600, 'update', 'cancel', 1, '', now(), now() - interval '70 hours' FROM sites WHERE slug = 'demo' RETURNING 'x'`)
	k.TellPeople()
	post.None() // it fails for less than three days
	k.Peek("demo", "WITH a AS (UPDATE sources SET failing_since = failing_since - interval '3 hours' RETURNING 1) SELECT count(*)::text FROM a")
	k.Exec("UPDATE attention_rounds SET looked = 0")
	k.TellPeople()
	if letter := post.Next(); !strings.Contains(letter.Text, "– Club") || !strings.Contains(letter.Text, "/admin/sources") {
		t.Errorf("the mail about a source:\n%s", letter.Text)
	}
	k.Exec("UPDATE attention_rounds SET looked = 0")
	k.TellPeople()
	post.None()
}
