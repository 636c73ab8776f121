package public

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// What is wrong is told at its field, which gets the focus, and everything that was typed is
// there again.
func TestSubmissionRefused(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	takesSubmissions(k, "Be kind.\nNo <b>advertising</b>.")
	k.Post("/categories", "editor", map[string]any{"name": "Music"}).Want(t, 201, "")
	b := k.Browser()
	if p := b.Get("/en/submit/"); !strings.Contains(p.Body, "No &lt;b&gt;advertising") {
		t.Error("terms are missing")
	}
	for _, one := range []struct {
		change url.Values
		field  string
		status int
	}{
		{url.Values{"title": {""}}, "title", 422},
		{url.Values{"title": {strings.Repeat("x", 201)}}, "title", 422},
		{url.Values{"start_date": {""}}, "start_date", 422},
		{url.Values{"start_date": {"2027-02-30"}}, "start_date", 422},
		{url.Values{"start_date": {"2026-06-04"}}, "start_date", 422},
		{url.Values{"start_time": {""}}, "start_time", 422},
		{url.Values{"end_time": {"19:00"}}, "end_date", 422},
		{url.Values{"venue": {""}}, "venue", 422},
		{url.Values{"website": {"javascript:alert(1)"}}, "website", 422},
		{url.Values{"category": {"x"}}, "category", 422},
		{url.Values{"description": {strings.Repeat("x", 10_001)}}, "description", 422},
		{url.Values{"contact_name": {" "}}, "contact_name", 422},
		{url.Values{"contact_email": {"nobody"}}, "contact_email", 422},
		{url.Values{"contact_email": {"a@example.net\r\nBcc: b@example.net"}}, "contact_email", 422},
		{url.Values{"contact_email": {"a@example.net, b@example.net"}}, "contact_email", 422},
		{url.Values{"terms": {""}}, "terms", 422},
	} {
		form := concert()
		form.Set("terms", "1")
		maps.Copy(form, one.change)
		p := b.Post("/en/submit/", form)
		if p.Status != one.status || !strings.Contains(p.Body, `href="#f-`+one.field+`"`) || !strings.Contains(p.Body, `id="p-`+one.field+`"`) {
			t.Errorf("%v: %d", one.change, p.Status)
		}
		input := regexp.MustCompile(`<(?:input|textarea|select) id="f-` + one.field + `"[^>]*>`).FindString(p.Body)
		if !strings.Contains(input, "autofocus") || !strings.Contains(input, `aria-invalid="true"`) {
			t.Errorf("%v: the field is %s", one.change, input)
		}
		if one.field != "description" && !p.Shows("second <script>x</script>") || one.field != "venue" && !p.Shows("Old barn") {
			t.Errorf("%v: what was typed is gone", one.change)
		}
	}
	if p := b.Post("/en/submit/", concert()); !p.Shows("Please agree to the terms.") {
		t.Error("nothing is said of the terms")
	}
	form := concert()
	form.Set("terms", "1")
	form.Set("title", "")
	if p := sendsEvent(b, "/en/submit/", form, kit.Picture(4, 3)); !p.Shows("choose the image again") {
		t.Error("nothing is said of the picture")
	}
	form.Set("title", "Choir")
	if p := sendsEvent(b, "/en/submit/", form, []byte("<html>")); p.Status != 422 || !strings.Contains(p.Body, `id="p-file"`) {
		t.Errorf("no picture: %d %s", p.Status, p.Body)
	}
	post.None()
	if n := k.Peek("demo", `SELECT count(*)::text FROM unconfirmed_submissions`); n != "0" {
		t.Errorf("%s are kept", n)
	}
}

// Nobody sends anything where the site doesn't take it, from a page of another site, or by
// the field that only programs see.
func TestSubmissionStrangers(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t)
	b := k.Browser()
	for _, path := range []string{"/en/submit/", "/submit"} {
		if p := b.Get(path); p.Status != 404 {
			t.Errorf("%s while it is off: %d", path, p.Status)
		}
	}
	if p := b.Post("/en/submit/", concert()); p.Status != 404 {
		t.Errorf("sent while it is off: %d", p.Status)
	}
	takesSubmissions(k, "")
	if p := b.Post("/en/submit/", concert(), "Origin", "https://evil.example"); p.Status != 403 {
		t.Errorf("from elsewhere: %d", p.Status)
	}
	if p := b.Post("/en/submit/", concert(), "Sec-Fetch-Site", "cross-site"); p.Status != 403 {
		t.Errorf("from elsewhere: %d", p.Status)
	}
	form := concert()
	form.Set("homepage", "https://spam.example")
	if p := b.Post("/en/submit/", form); p.Status != 200 || !p.Shows("ada@example.net") {
		t.Errorf("a program: %d", p.Status)
	}
	for _, code := range []string{"", "x", strings.Repeat("A", 26), strings.Repeat("A", 10_000)} {
		if p := b.Get("/en/submit/sent/?code=" + code); p.Status != 410 {
			t.Errorf("%.30s: %d", code, p.Status)
		}
		if p := b.Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"confirm"}}); p.Status != 410 {
			t.Errorf("%.30s: %d", code, p.Status)
		}
	}
	post.None()
	if n := k.Peek("demo", `SELECT count(*)::text FROM unconfirmed_submissions`); n != "0" {
		t.Errorf("%s are kept", n)
	}
	id, _ := confirmed(k, post, concert())
	for _, role := range []string{"author", "contributor", "subscriber"} {
		b := k.Person(role)
		for _, path := range []string{"/admin/submissions", "/admin/submissions/" + id} {
			if p := b.Get(path); p.Status != 403 {
				t.Errorf("%s: %s: %d", role, path, p.Status)
			}
		}
	}
	e := k.Person("editor")
	if p := e.Post("/admin/submissions/"+id, url.Values{"do": {"publish"}, "csrf": {"made up"}}); p.Status != 403 {
		t.Errorf("with a form of another session: %d", p.Status)
	}
	if p := e.Get("/admin/submissions/77777"); p.Status != 404 {
		t.Errorf("of no submission: %d", p.Status)
	}
}

// One address gets three letters and no more, whoever asks; a client that sends a lot waits.
func TestSubmissionLimits(t *testing.T) {
	t.Parallel()
	k, post := openTo(t, kit.BehindProxy())
	send := func(client, email string) int {
		form := concert()
		form.Set("contact_email", email)
		return k.Browser().Post("/en/submit/", form, "X-Forwarded-For", client).Status
	}
	for i := range 3 {
		if got := send(fmt.Sprintf("203.0.113.%d", i), "victim@example.net"); got != 200 {
			t.Fatalf("letter %d: %d", i, got)
		}
		post.Next()
	}
	for i := range 3 {
		k.Tries = k.Tries.Add(time.Hour)
		if got := send(fmt.Sprintf("198.51.100.%d", i), "Victim@example.net"); got != 429 {
			t.Errorf("one letter more: %d", got)
		}
	}
	post.None()
	sent := 0
	for i := range 8 { // of one network of IPv6
		if send(fmt.Sprintf("2001:db8::%d", i+1), fmt.Sprintf("a%d@example.net", i)) == 200 {
			post.Next()
			sent++
		}
	}
	if sent != 5 {
		t.Errorf("%d at once", sent)
	}
	for i := range 30 {
		k.Tries = k.Tries.Add(time.Minute)
		if send("2001:db8::9", fmt.Sprintf("b%d@example.net", i)) == 200 {
			post.Next()
			sent++
		}
	}
	if sent != 20 {
		t.Errorf("%d of one client are kept", sent)
	}
	later(k, 73*time.Hour, sender(t, post))
	if n := k.Peek("demo", `SELECT count(*)::text FROM unconfirmed_submissions`); n != "0" {
		t.Errorf("%s are kept after three days", n)
	}
	if got := send("198.51.100.9", "victim@example.net"); got != 200 {
		t.Errorf("afterwards: %d", got)
	}
}

// Whoever's letter can't be sent is told, and nothing is kept, the picture neither.
func TestSubmissionWithoutLetter(t *testing.T) {
	t.Parallel()
	k, _ := openTo(t)
	form := concert()
	form.Set("contact_email", "refused@example.net")
	if p := sendsEvent(k.Browser(), "/en/submit/", form, kit.Picture(4, 3)); p.Status != 503 || !p.Shows("could not be sent to "+form.Get("contact_email")) ||
		!p.Shows(`aria-describedby="h-contact_email"`) || !p.Shows("We only see your event once you open the link in it.") || !p.Shows("Old barn") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM unconfirmed_submissions`); n != "0" {
		t.Errorf("%s are kept", n)
	}
}

// Where no mail is sent, what is sent waits at once, and its sender gets the link there.
func TestSubmissionWithoutMail(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	takesSubmissions(k, "")
	p := k.Browser().Post("/en/submit/", concert())
	code := kit.CodeIn(p.Body)
	if p.Status != 200 || code == "" || !p.Shows("waiting for review") {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	id := k.Peek("demo", `SELECT event_id::text FROM submissions WHERE NOT proved`)
	e := k.Person("editor")
	if p := e.Get("/admin/submissions/" + id); p.Status != 200 || !p.Shows("not confirmed") || strings.Contains(p.Body, `name="tell"`) {
		t.Errorf("%s", p.Body)
	}
	if p := k.Person("administrator").Get("/admin/settings/visitors"); !p.Shows("cannot send e-mail") {
		t.Error("the settings don't say so")
	}
	if p := e.Post("/admin/submissions/"+id, url.Values{"do": {"refuse"}}); p.Status != 303 {
		t.Errorf("%d", p.Status)
	}
	later(k, time.Hour, nil)
	if p := k.Browser().Get("/en/submit/sent/?code=" + code); !p.Shows("not accepted") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
}

// A refusal goes to the trash and tells its sender, in their language and with the editor's
// words, unless it is taken back before.
func TestSubmissionRefusal(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	b := k.Browser()
	b.Post("/de/submit/", concert())
	code := kit.CodeIn(post.Next().Text)
	b.Post("/de/submit/sent/", url.Values{"code": {code}, "do": {"confirm"}})
	id := k.Peek("demo", `SELECT event_id::text FROM submissions`)
	e := k.Person("editor")
	e.Get("/admin/submissions/" + id)
	refuse := url.Values{"do": {"refuse"}, "tell": {"0", "1"}, "message": {"Too far away.\r\nBcc: x@example.net"}}
	e.Post("/admin/submissions/"+id, refuse)
	if p := e.Follow(); !p.Shows("Undo") {
		t.Fatalf("no way back: %s", p.Body)
	}
	undo := url.Values{"writes": {e.Page.Hidden("writes")}, "to": {"/admin/submissions"}}
	if p := e.Post("/admin/events/undo", undo); p.Status != 303 {
		t.Fatalf("undo: %d %s", p.Status, p.Body)
	}
	if p := e.Get("/admin/submissions/" + id); !p.Shows("Pending review") || p.Shows("Too far away") {
		t.Errorf("after undo: %s", p.Body)
	}
	later(k, 2*time.Minute, sender(t, post))
	post.None()
	e.Post("/admin/submissions/"+id, refuse)
	if p := e.Post("/admin/submissions/"+id, url.Values{"do": {"publish"}}); p.Status != 303 || !e.Follow().Shows("this submission has already been decided") {
		t.Errorf("decided twice: %s", e.Page.Body)
	}
	later(k, 2*time.Minute, sender(t, post))
	letter := post.Next()
	if letter.To != "ada@example.net" || !strings.Contains(letter.Text, "Too far away.") || !strings.Contains(letter.Text, "wurde nicht angenommen") ||
		strings.Contains(letter.Subject, "Bcc") {
		t.Errorf("%+v", letter)
	}
	if p := b.Get("/de/submit/sent/?code=" + code); !p.Shows("Too far away.") {
		t.Errorf("the sender's page: %s", p.Body)
	}
	if got := k.Peek("demo", `SELECT status FROM events WHERE id = `+id); got != "trash" {
		t.Errorf("the event is %s", got)
	}
}
