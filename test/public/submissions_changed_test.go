package public

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// What a sender corrects after an editor has opened the submission is not published, refused or made a draft by the page that the
// editor has open. The page shows what has changed, and then the decision counts.
func TestSubmissionChangedBeforeDecision(t *testing.T) {
	t.Parallel()
	for _, do := range []string{"publish", "draft", "refuse"} {
		for field, value := range map[string]string{"title": "Buy pills", "description": "Buy pills", "address": "Pill Lane 1", "website": "https://pills.example/"} {
			k, post := openTo(t)
			id, code := confirmed(k, post, concert())
			e := k.Person("editor")
			e.Get("/admin/submissions/" + id)
			form := concert()
			form.Set("code", code)
			form.Set("do", "correct")
			form.Set(field, value)
			if p := k.Browser().Post("/en/submit/sent/", form); p.Status != 200 || !p.Shows("Saved.") {
				t.Fatalf("corrected: %d %s", p.Status, p.Body)
			}
			p := e.Post("/admin/submissions/"+id, url.Values{"do": {do}})
			if p.Status != 409 || !p.Shows("This was changed after you opened the page") || !p.Shows(value) {
				t.Errorf("%s after %s was corrected: %d %.3000s", do, field, p.Status, p.Body)
			}
			if got := k.Peek("demo", `SELECT status FROM events WHERE id = `+id); got != "pending" {
				t.Errorf("%s after %s was corrected: the event is %s", do, field, got)
			}
			if p := e.Post("/admin/submissions/"+id, url.Values{"do": {do}}); p.Status != 303 {
				t.Errorf("%s, having seen %s: %d", do, field, p.Status)
			}
			if got := k.Peek("demo", `SELECT status FROM events WHERE id = `+id); got == "pending" {
				t.Errorf("%s, having seen %s: nothing happens", do, field)
			}
		}
	}
}

// A form that does not say what the editor has seen decides nothing.
func TestDecisionWithoutWhatWasSeen(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	id, _ := confirmed(k, post, concert())
	e := k.Person("editor")
	e.Get("/admin/submissions/" + id)
	for _, seen := range []string{"", "x", "-1", "0"} {
		if p := e.Post("/admin/submissions/"+id, url.Values{"do": {"publish"}, "seen": {seen}}); p.Status != 409 {
			t.Errorf("%q: %d", seen, p.Status)
		}
	}
}

// The interface decides about what If-Match names; without it, about what there is.
func TestSubmissionIfMatch(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	for _, do := range []string{"approve", "refuse"} {
		k.Tries = k.Tries.Add(time.Hour)
		id, token := sentByAPI(k, post)
		seen := k.Get("/submissions/"+id, "editor").Want(t, 200, "").Header.Get("ETag")
		decide := func(tag string) kit.Answer {
			return k.Send(kit.Request{Method: "POST", Path: "/submissions/" + id + "/" + do, As: "editor", JSON: kit.Object{},
				Headers: map[string]string{"If-Match": tag}})
		}
		k.Patch("/submissions/sent", "", map[string]any{"token": token, "title": "Buy pills"}).Want(t, 200, "")
		decide(seen).Want(t, 412, "rest_precondition_failed")
		if got := k.Peek("demo", `SELECT status FROM events WHERE id = `+id); got != "pending" {
			t.Errorf("%s: the event is %s", do, got)
		}
		decide(k.Get("/submissions/"+id, "editor").Header.Get("ETag")).Want(t, 200, "")
	}
	k.Tries = k.Tries.Add(time.Hour)
	id, token := sentByAPI(k, post)
	k.Patch("/submissions/sent", "", map[string]any{"token": token, "title": "Choir at eight"}).Want(t, 200, "")
	k.Post(fmt.Sprintf("/submissions/%s/approve", id), "editor", kit.Object{}).Want(t, 200, "").Has(t, "status", "approved")
}

// A sender, too, changes or withdraws what If-Match names.
func TestSentIfMatch(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	id, token := sentByAPI(k, post)
	seen := k.Get("/submissions/sent?token="+token, "").Want(t, 200, "").Header.Get("ETag")
	k.Patch("/events/"+id, "editor", kit.Object{"title": "Choir, by the editor"}).Want(t, 200, "")
	for _, method := range []string{"PATCH", "DELETE"} {
		k.Send(kit.Request{Method: method, Path: "/submissions/sent?token=" + token, JSON: kit.Object{"token": token, "cost": "13"},
			Headers: map[string]string{"If-Match": seen}}).Want(t, 412, "rest_precondition_failed")
	}
	k.Send(kit.Request{Method: "DELETE", Path: "/submissions/sent?token=" + token,
		Headers: map[string]string{"If-Match": k.Get("/submissions/sent?token="+token, "").Header.Get("ETag")}}).Want(t, 200, "")
}

// Clients that fill the form of a site don't close it for others: what they have most of makes room.
func TestSubmissionFormStaysOpen(t *testing.T) {
	t.Parallel()
	k, post := openTo(t, kit.BehindProxy())
	send := func(client, email string) int {
		form := concert()
		form.Set("contact_email", email)
		return k.Browser().Post("/en/submit/", form, "X-Forwarded-For", client).Status
	}
	if got := send("203.0.113.5", "early@example.net"); got != 200 {
		t.Fatalf("early: %d", got)
	}
	early := kit.CodeIn(post.Next().Text)
	k.Change("demo", `INSERT INTO unconfirmed_submissions (site_id, id, email, client, network, sent, created_at, expires_at)
		SELECT u.site_id, decode(lpad(to_hex(n), 64, '0'), 'hex'), n || '@evil.example', decode(lpad(to_hex(n / 5), 64, '0'), 'hex'), decode('ee', 'hex'), u.sent, u.created_at + n * interval '1 second', u.expires_at
		FROM unconfirmed_submissions u, generate_series(1, 500) n`)
	k.Tries = k.Tries.Add(time.Hour)
	if got := send("192.0.2.9", "late@example.net"); got != 200 {
		t.Fatalf("the form is closed: %d", got)
	}
	late := kit.CodeIn(post.Next().Text)
	for about, code := range map[string]string{"early": early, "late": late} {
		if p := k.Browser().Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"confirm"}}); p.Status != 200 || !p.Shows("waiting for review") {
			t.Errorf("%s: %d %.2000s", about, p.Status, p.Body)
		}
	}
}

// Pictures of what is not confirmed count towards the limit of a site.
func TestUnconfirmedPicturesCount(t *testing.T) {
	t.Parallel()
	k, post := openTo(t, kit.BehindProxy())
	k.Provider("PATCH", "/sites/demo", kit.Object{"limits": kit.Object{"media_bytes": 900}}).Want(t, 200, "")
	picture := kit.Picture(40, 30)
	taken, refused := 0, 0
	for i := range 15 {
		k.Tries = k.Tries.Add(time.Hour)
		form := recital("contact_email", fmt.Sprintf("a%d@example.net", i))
		switch a := sendPictured(k, "POST", "/submissions", form, "choir.png", picture); a.Status {
		case 201:
			taken++
			post.Next()
		case 403:
			refused++
		default:
			t.Fatalf("%s", a)
		}
	}
	if within := k.Peek("demo", "SELECT (sum(bytes) BETWEEN 1 AND 900)::text FROM unconfirmed_submissions"); taken == 0 || refused == 0 || within != "true" {
		t.Errorf("%d taken, %d refused, within the limit: %s", taken, refused, within)
	}
	k.Post("/submissions", "", recital("contact_email", "without@example.net")).Want(t, 201, "")
}

// A network whose confirmed submissions wait in hundreds has to wait itself; others find the form open, also when a thousand wait.
func TestWaitingSubmissionsLeaveRoom(t *testing.T) {
	t.Parallel()
	k, post := openTo(t, kit.BehindProxy())
	send := func(client, email string) int {
		k.Tries = k.Tries.Add(time.Hour)
		form := concert()
		form.Set("contact_email", email)
		status := k.Browser().Post("/en/submit/", form, "X-Forwarded-For", client).Status
		if status == 200 {
			code := kit.CodeIn(post.Next().Text)
			if p := k.Browser().Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"confirm"}}); p.Status != 200 {
				t.Fatalf("%s: %d", email, p.Status)
			}
		}
		return status
	}
	if got := send("203.0.113.5", "first@example.net"); got != 200 {
		t.Fatalf("first: %d", got)
	}
	more := func(from, to int) {
		k.Change("demo", fmt.Sprintf(`
			WITH made AS (
				INSERT INTO events
				SELECT (jsonb_populate_record(e, jsonb_build_object('id', 100000 + n, 'slug', '', 'uid', ''))).*
				FROM events e, generate_series(%d, %d) n
				WHERE e.id = (SELECT min(p.id) FROM events p WHERE p.status = 'pending')
				RETURNING site_id, id
			)
			INSERT INTO submissions (site_id, event_id, id, email, sent, proved, created_at, network)
			SELECT m.site_id, m.id, decode(lpad(to_hex(m.id), 64, '0'), 'hex'), m.id || '@evil.example', s.sent, true, s.created_at, s.network
			FROM made m, (SELECT * FROM submissions ORDER BY event_id LIMIT 1) s`, from, to))
	}
	more(1, 250)
	for i, c := range []struct {
		client string
		open   bool
	}{{"203.0.113.5", false}, {"192.0.2.9", true}} {
		if got := send(c.client, fmt.Sprintf("hundreds%d@example.net", i)); (got == 200) != c.open {
			t.Errorf("with 250 of one network, %s: %d", c.client, got)
		}
	}
	more(251, 1100)
	for i := range 6 {
		if got := send("192.0.2.9", fmt.Sprintf("thousand%d@example.net", i)); (got == 200) != (i < 4) {
			t.Errorf("with 1,100 of one network, submission %d of another: %d", i, got)
		}
	}
	if got := send("198.51.100.7", "third@example.net"); got != 200 {
		t.Errorf("a third network: %d", got)
	}
}
