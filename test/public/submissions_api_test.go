package public

import (
	"bytes"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/mail/mailtest"

	"github.com/kalends/kalends/test/kit"
)

// recital is what somebody sends to the interface.
func recital(more ...any) map[string]any {
	body := map[string]any{"title": "Choir <b>& friends</b>", "start_date": "2027-06-04 19:30", "end_date": "2027-06-04 21:00",
		"venue": "Old barn", "address": "Mill Lane 3", "city": "Riverton", "description": "First line\nsecond <script>x</script>", "cost": "12",
		"website": "https://example.org/choir", "note": "Please be quick", "contact_name": "Ada", "contact_email": "ada@example.net"}
	for i := 0; i < len(more); i += 2 {
		body[fmt.Sprint(more[i])] = more[i+1]
	}
	return body
}

// wrong reports whether an answer says that an argument is wrong.
func wrong(a kit.Answer, name string) bool {
	_, said := a.Params()[name]
	return said
}

// sendPictured sends a form of parts with a picture.
func sendPictured(k *kit.Kit, method, path string, fields map[string]any, name string, picture []byte) kit.Answer {
	k.T.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for field, value := range fields {
		k.Must(w.WriteField(field, fmt.Sprint(value)))
	}
	part, err := w.CreateFormFile("file", name)
	k.Must(err)
	_, err = part.Write(picture)
	k.Must(err)
	k.Must(w.Close())
	return k.Send(kit.Request{Method: method, Path: path, Body: body.String(), Headers: map[string]string{"Content-Type": w.FormDataContentType()}})
}

// sentByAPI sends something, confirms it by the letter, and returns the id of the event and the token.
func sentByAPI(k *kit.Kit, post *mailtest.Server, more ...any) (id, token string) {
	k.T.Helper()
	k.Post("/submissions", "", recital(more...)).Want(k.T, 201, "")
	token = kit.CodeIn(post.Next().Text)
	k.Post("/submissions/sent/confirm", "", map[string]any{"token": token}).Want(k.T, 200, "").Has(k.T, "status", "waiting")
	return k.Peek("demo", `SELECT max(event_id)::text FROM submissions`), token
}

// Somebody sends an event by the interface, confirms, corrects it; an editor finds and publishes it.
func TestSubmissionAPI(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	k.Event(map[string]any{"title": "Choir and friends", "start_date": "2027-06-04 18:00:00", "end_date": "2027-06-04 20:00:00"})
	k.Event(map[string]any{"title": "Choir friends", "start_date": "2027-06-04 18:00:00", "end_date": "2027-06-04 20:00:00", "status": "draft"})
	k.Get("/submissions/form", "").Want(t, 200, "").Has(t, "open", true, "terms", "", "confirmed_by_email", true)
	a := sendPictured(k, "POST", "/submissions", recital(), "choir.png", kit.Picture(40, 30)).Want(t, 201, "")
	a.Has(t, "status", "unconfirmed", "title", "Choir <b>& friends</b>", "start_date", "2027-06-04 19:30:00", "contact_confirmed", false)
	if similar, _ := a.Body["similar"].([]any); len(similar) != 1 || !strings.Contains(fmt.Sprint(similar), "Choir and friends") {
		t.Errorf("what may be the same: %v", a.Body["similar"])
	}
	if a.Body["token"] != nil || a.Body["event"] != nil || a.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("told too much: %s %v", a, a.Header)
	}
	token := kit.CodeIn(post.Next().Text)
	sent := "/submissions/sent?token=" + token
	k.Patch("/submissions/sent", "", map[string]any{"token": token, "title": "x"}).Want(t, 409, "submission-not-confirmed")
	for range 2 {
		k.Post("/submissions/sent/confirm", "", map[string]any{"token": token}).Want(t, 200, "").Has(t, "status", "waiting", "contact_confirmed", true)
	}
	a = k.Patch("/submissions/sent", "", map[string]any{"token": token, "title": "Choir & friends", "note": "", "contact_email": "eve@example.net"}).Want(t, 200, "")
	a.Has(t, "title", "Choir & friends", "contact_email", "ada@example.net", "venue", "Old barn", "start_date", "2027-06-04 19:30:00")
	if a.Body["note"] != nil || a.Header.Get("X-Kalends-Ignored") != "contact_email" {
		t.Errorf("corrected: %s, ignored %q", a, a.Header.Get("X-Kalends-Ignored"))
	}
	sendPictured(k, "PUT", "/submissions/sent", map[string]any{"token": token}, "a.png", kit.Picture(8, 8)).Want(t, 200, "")
	if a := k.Get(sent, "").Want(t, 200, "").Has(t, "status", "waiting"); a.Header.Get("Cache-Control") != "private, no-store" || a.Body["event"] != nil {
		t.Errorf("the sender's: %s %v", a, a.Header)
	}

	list := k.Get("/submissions", "editor").Want(t, 200, "").Has(t, "total", 1)
	one, _ := list.Body["submissions"].([]any)[0].(map[string]any)
	id := fmt.Sprint(one["id"])
	a = k.Get("/submissions/"+id, "editor").Want(t, 200, "").Has(t, "contact_email", "ada@example.net", "rest_url",
		"http://localhost/calendar/events/v1/submissions/"+id)
	if a.Text("event", "status") != "pending" || a.Text("event", "image", "width") != "8" || len(a.Body["similar"].([]any)) != 2 {
		t.Errorf("the editor's: %s", a)
	}
	k.Post("/submissions/"+id+"/approve", "editor", nil).Want(t, 200, "").Has(t, "status", "approved", "decided_by", k.Peek("demo", `SELECT id::text FROM users WHERE login = 'editor'`))
	k.Post("/submissions/"+id+"/refuse", "editor", map[string]any{"message": "No."}).Want(t, 409, "submission-decided")
	k.Patch("/submissions/sent", "", map[string]any{"token": token, "title": "x"}).Want(t, 409, "submission-decided")
	k.Del(sent, "").Want(t, 409, "submission-decided")
	k.Get(sent, "").Want(t, 200, "").Has(t, "status", "approved", "event_url", "http://localhost/event/choir-friends/")
	k.Get("/submissions", "editor").Want(t, 200, "").Has(t, "total", 0)
	k.Get("/submissions?status=decided", "editor").Want(t, 200, "").Has(t, "total", 1)
	if a := k.Get("/events/"+id, "").Want(t, 200, ""); strings.Contains(string(a.Raw), "ada@example.net") || a.Text("venue", "venue") != "Old barn" {
		t.Errorf("public: %s", a)
	}
	later(k, 2*time.Minute, sender(t, post))
	if letter := post.Next(); letter.To != "ada@example.net" || !strings.Contains(letter.Text, "/event/choir-friends/") {
		t.Errorf("told: %+v", letter)
	}
}

// An editor makes a draft of one, and refuses another with a message; a sender takes a third back.
func TestSubmissionAPIDecisions(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	draft, _ := sentByAPI(k, post, "title", "Draft")
	k.Post("/submissions/"+draft+"/approve", "editor", map[string]any{"status": "draft"}).Want(t, 200, "").Has(t, "status", "accepted")
	k.Get("/events/"+draft, "editor").Want(t, 200, "").Has(t, "show_map_link", true) // as in the form of the administration
	refused, token := sentByAPI(k, post, "title", "Refused")
	k.Post("/submissions/"+refused+"/refuse", "editor", map[string]any{"message": "Too far <away>: https://example.org"}).Want(t, 200, "").
		Has(t, "status", "refused", "message", "Too far <away>: https://example.org")
	quiet, _ := sentByAPI(k, post, "title", "Spam")
	k.Post("/submissions/"+quiet+"/refuse", "editor", map[string]any{"tell": false}).Want(t, 200, "")
	_, taken := sentByAPI(k, post, "title", "Taken back")
	for range 2 {
		k.Del("/submissions/sent?token="+taken, "").Want(t, 200, "").Has(t, "status", "withdrawn")
	}
	later(k, 2*time.Minute, sender(t, post))
	if letter := post.Next(); !strings.Contains(letter.Text, "Too far <away>: https://example.org") || strings.Contains(letter.Text, "Draft") {
		t.Errorf("told: %+v", letter)
	}
	post.None()
	k.Get("/submissions/sent?token="+token, "").Want(t, 200, "").Has(t, "status", "refused", "message", "Too far <away>: https://example.org")
	if gone := k.Get("/events/"+refused, "editor"); gone.Status != 403 {
		t.Errorf("the event: %s", gone)
	}
}

// One editor publishes an event at the moment at which another refuses it: its venue is published only if the event is.
func TestSubmissionVenueFollowsDecision(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	for i := range 5 {
		hall := fmt.Sprint("Hall ", i)
		id, _ := sentByAPI(k, post, "title", fmt.Sprint("Talk ", i), "venue", hall, "contact_email", fmt.Sprintf("ada%d@example.net", i))
		var both sync.WaitGroup
		both.Go(func() { k.Post("/submissions/"+id+"/refuse", "administrator", nil) })
		both.Go(func() {
			a := k.Post("/submissions/"+id+"/approve", "editor", nil)
			if venue, _ := a.Body["venue"].(string); a.Status == 200 && venue != hall || a.Status != 200 && a.Status != 409 {
				t.Errorf("approved: %s", a)
			}
		})
		both.Wait()
		event := k.Peek("demo", `SELECT status FROM events WHERE id = `+id)
		venue := k.Peek("demo", `SELECT status FROM venues WHERE name = '`+hall+`'`)
		if (event == "publish") != (venue == "publish") {
			t.Errorf("the event is %s, its venue %s", event, venue)
		}
	}
}

// Who may list and decide are editors and administrators; anybody may send, and their token opens
// what they sent and nothing else.
func TestSubmissionAPIRights(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	id, token := sentByAPI(k, post)
	want := map[string]int{"": 401, "subscriber": 403, "contributor": 403, "author": 403, "editor": 200, "administrator": 200}
	for _, caller := range kit.Callers() {
		as, code := k.As("demo", caller), want[caller]
		if caller == "reader" {
			code = 200
		}
		for _, path := range []string{"/submissions", "/submissions/" + id} {
			if a := k.Get(path, as); a.Status != code {
				t.Errorf("%s as %q: %s", path, caller, a)
			}
		}
		if a := k.Send(kit.Request{Method: "OPTIONS", Path: "/submissions", As: as}); a.Header.Get("Allow") != "GET, POST" {
			t.Errorf("allowed to %q: %s", caller, a.Header.Get("Allow"))
		}
		if want[caller] != 200 {
			for _, path := range []string{"/approve", "/refuse"} {
				if a := k.Post("/submissions/"+id+path, as, nil); a.Status != max(want[caller], 401) && a.Status != 403 {
					t.Errorf("%s as %q: %s", path, caller, a)
				}
			}
		}
	}
	k.Post("/submissions", "administrator", recital("contact_email", "b@example.net")).Want(t, 201, "").Has(t, "status", "unconfirmed")
	post.Next()
	k.Post("/submissions", "Bearer none", recital()).Want(t, 401, "rest_invalid_credentials")
	for _, guess := range []string{"x", strings.ToLower(token), token[1:], token + "A", strings.Repeat("A", 26), "%00", "'--", strings.Repeat("A", 100)} {
		a := k.Get("/submissions/sent?token="+guess, "editor")
		if a.Code() != "rest-submission-not-found" && a.Code() != "rest_invalid_param" {
			t.Errorf("%.30q: %s", guess, a)
		}
		k.IsError(guess, a)
	}
	k.Get("/submissions/sent", "").Want(t, 400, "rest_missing_callback_param")
	k.Patch("/submissions/sent", "", map[string]any{"title": "x"}).Want(t, 400, "rest_missing_callback_param")
	k.Del("/submissions/sent", "").Want(t, 400, "rest_missing_callback_param")
	if a := k.Send(kit.Request{Method: "GET", Path: "/submissions/sent?token=" + token, Site: "two"}); a.Status != 404 {
		t.Errorf("on another site: %s", a)
	}
	other := k.Event(nil)
	k.Get(fmt.Sprint("/submissions/", other), "editor").Want(t, 404, "rest-submission-not-found")
	k.Post(fmt.Sprint("/submissions/", other, "/approve"), "editor", nil).Want(t, 404, "rest-submission-not-found")
}

// What is wrong is said in the language of the request, with the name of the argument; nothing is kept
// and nobody written to.
func TestSubmissionAPIRefused(t *testing.T) {
	t.Parallel()
	k, post := kit.Mailed(t)
	k.Post("/submissions", "", recital()).Want(t, 403, "submissions-closed")
	k.Get("/submissions/form", "").Want(t, 200, "").Has(t, "open", false)
	takesSubmissions(k, "Be kind.")
	k.Get("/submissions/form", "").Want(t, 200, "").Has(t, "open", true, "terms", "Be kind.")
	for _, one := range []struct {
		name  string
		value any
	}{
		{"title", " "}, {"title", strings.Repeat("x", 201)}, {"title", []any{"x"}}, {"start_date", "2027-02-30"}, {"start_date", "2028-06-04 19:00"},
		{"end_date", "2027-06-04 19:00"}, {"venue", ""}, {"website", "javascript:alert(1)"}, {"website", "data:text/html,x"}, {"category", "x"}, {"category", 7777},
		{"description", strings.Repeat("x", 10_001)}, {"contact_name", " "}, {"contact_email", "nobody"}, {"note", strings.Repeat("x", 2001)},
		{"contact_email", "a@example.net\r\nBcc: b@example.net"}, {"contact_email", "a@example.net, b@example.net"},
		{"contact_email", "Ada <a@example.net>"}, {"contact_email", "a@example.net%0aBcc:b@example.net"}, {"terms", false}, {"terms", nil},
	} {
		a := k.Send(kit.Request{Method: "POST", Path: "//de/calendar/events/v1/submissions", JSON: recital("terms", true, one.name, one.value)})
		if a.Status != 400 || !wrong(a, one.name) && one.value != "2028-06-04 19:00" { // which the end is before
			t.Errorf("%s = %v: %s", one.name, one.value, a)
		}
		k.IsError(one.name, a)
	}
	if a := sendPictured(k, "POST", "/submissions", recital("terms", 1), "a.png", []byte("<html>")); a.Status != 400 || !wrong(a, "file") {
		t.Errorf("no picture: %s", a)
	}
	post.None()
	if n := k.Peek("demo", `SELECT count(*)::text FROM unconfirmed_submissions`); n != "0" {
		t.Errorf("%s are kept", n)
	}
	takesSubmissions(k, "")
	k.Post("/submissions", "", recital("contact_email", "refused@example.net")).Want(t, 503, "letter-not-sent")
	if n := k.Peek("demo", `SELECT count(*)::text FROM unconfirmed_submissions`); n != "0" {
		t.Errorf("%s are kept", n)
	}
}

// Two hundred at once, large bodies, fields by the thousand and lines in names do no harm: few letters
// leave, and none says what a stranger typed.
func TestSubmissionAPIAttacked(t *testing.T) {
	t.Parallel()
	k, post := openTo(t, kit.BehindProxy())
	var group sync.WaitGroup
	statuses, lock := map[int]int{}, sync.Mutex{}
	for i := range 200 {
		group.Go(func() {
			r := kit.Request{Method: "POST", Path: "/submissions", JSON: recital("contact_email", fmt.Sprintf("a%d@example.net", i)),
				Headers: map[string]string{"X-Forwarded-For": "203.0.113.7"}}
			a := k.Send(r)
			lock.Lock()
			defer lock.Unlock()
			statuses[a.Status]++
			if a.Status == 429 && a.Header.Get("Retry-After") == "" {
				t.Error("nothing says when to come again")
			}
		})
	}
	group.Wait()
	if statuses[201] != 5 || statuses[201]+statuses[429] != 200 {
		t.Errorf("200 at once: %v", statuses)
	}
	for range statuses[201] {
		post.Next()
	}
	for i := range 9 { // one mail box from everywhere
		a := k.Send(kit.Request{Method: "POST", Path: "/submissions", JSON: recital("contact_email", "victim@example.net", "contact_name", "A\r\nBcc: b@example.net\r\n\r\nhttps://evil.example"),
			Headers: map[string]string{"X-Forwarded-For": fmt.Sprintf("198.51.100.%d", i)}})
		if want := map[bool]int{true: 201, false: 429}[i < 3]; a.Status != want {
			t.Errorf("letter %d: %s", i, a)
		} else if want == 201 {
			if l := post.Next(); strings.Contains(l.Text+l.Subject, "evil") || strings.Contains(l.Text+l.Subject, "Bcc") || strings.Contains(l.Text, "Choir") {
				t.Errorf("the letter: %+v", l)
			}
		}
	}
	post.None()
	for about, r := range map[string]kit.Request{
		"1 MB of title":    {JSON: recital("title", strings.Repeat("x", 1<<20-1000))},
		"2 MB":             {JSON: recital("title", strings.Repeat("x", 2<<20))},
		"fields":           {JSON: maps.Collect(func(yield func(string, any) bool) { yieldMany(yield) })},
		"parts":            {Body: parts(5000), Headers: map[string]string{"Content-Type": "multipart/form-data; boundary=x"}},
		"parts of 2 MB":    {Body: "--x\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n" + strings.Repeat("x", 2<<20) + "\r\n--x--\r\n", Headers: map[string]string{"Content-Type": "multipart/form-data; boundary=x"}},
		"names like paths": {JSON: map[string]any{"__proto__": 1, "constructor": map[string]any{}, "title": map[string]any{"$ne": 1}}},
	} {
		r.Method, r.Path = "POST", "/submissions"
		a := k.Send(r)
		if a.Status < 400 || a.Status >= 500 {
			t.Errorf("%s: %.200s", about, a)
		}
		k.IsError(about, a)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM unconfirmed_submissions`); n != "8" {
		t.Errorf("%s are kept", n)
	}
}

func yieldMany(yield func(string, any) bool) {
	for i := range 20_000 {
		if !yield(fmt.Sprint("field", i), i) {
			return
		}
	}
}

func parts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "--x\r\nContent-Disposition: form-data; name=\"f%d\"\r\n\r\n1\r\n", i)
	}
	return b.String() + "--x--\r\n"
}

// Where no mail is sent, the answer has the token, for nothing else leads back.
func TestSubmissionAPIWithoutMail(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	takesSubmissions(k, "")
	k.Get("/submissions/form", "").Has(t, "confirmed_by_email", false)
	a := k.Post("/submissions", "", recital()).Want(t, http.StatusCreated, "").Has(t, "status", "waiting", "contact_confirmed", false)
	k.Del("/submissions/sent?token="+a.Text("token"), "").Want(t, 200, "").Has(t, "status", "withdrawn")
}
