package public

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	writing "github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// openTo is a server whose site demo takes events from everybody, at a fixed time, and
// sends mail.
func openTo(t *testing.T, options ...func(*server.Config)) (*kit.Kit, *mailtest.Server) {
	t.Helper()
	k, post := kit.Mailed(t, options...)
	takesSubmissions(k, "")
	return k, post
}

func takesSubmissions(k *kit.Kit, terms string) {
	k.T.Helper()
	k.Clock = time.Date(2027, 5, 3, 9, 0, 0, 0, time.UTC)
	k.Tries = k.Clock
	_, err := k.Platform.Sites.Configure(owning(k, "demo"), &platform.ConfigFields{Submissions: args.Some(true),
		SubmissionTerms: args.Some(terms)}, "")
	k.Must(err)
}

// owning is the context of the provider on a site.
func owning(k *kit.Kit, site string) context.Context {
	ctx, err := tenancy.Enter(tenancy.AsProvider(k.T.Context(), tenancy.Provider{Scheduled: true}), k.Sites[site])
	k.Must(err)
	return ctx
}

// later moves the clocks and has what is due be done.
func later(k *kit.Kit, d time.Duration, post writing.Post) {
	k.T.Helper()
	k.Clock = k.Clock.Add(d)
	k.Tries = k.Clock
	k.Must(writing.Submissions(k.Calendar, k.DB, k.Platform, post).Sweep(tenancy.AsProvider(k.T.Context(), tenancy.Provider{Scheduled: true})))
}

// concert is what somebody sends.
func concert() url.Values {
	return url.Values{"title": {"Choir <b>& friends</b>"}, "start_date": {"2027-06-04"}, "start_time": {"19:30"}, "end_time": {"21:00"},
		"venue": {"Old barn"}, "address": {"Mill Lane 3"}, "city": {"Riverton"}, "description": {"First line\nsecond <script>x</script>\n\nNext"},
		"cost": {"12"}, "website": {"https://example.org/choir"}, "note": {"Please be quick"}, "contact_name": {"Ada"},
		"contact_email": {"ada@example.net"}}
}

// sendsEvent sends a form of parts with a picture.
func sendsEvent(b *kit.Browser, path string, form url.Values, picture []byte) kit.Page {
	b.K.T.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name := range form {
		b.K.Must(w.WriteField(name, form.Get(name)))
	}
	part, err := w.CreateFormFile("file", "choir.png")
	b.K.Must(err)
	_, err = part.Write(picture)
	b.K.Must(err)
	b.K.Must(w.Close())
	return b.Raw(path, w.FormDataContentType(), &body)
}

// A visitor without scripts sends an event with a picture, confirms it, corrects it; an editor
// publishes it; the visitor is told.
func TestSubmission(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	b := k.Browser()
	if p := b.Get("/en/submit/"); p.Status != 200 || !p.Shows("Submit an event") || p.Header.Get("Cache-Control") != "private, no-store" {
		t.Fatalf("the form: %d %s", p.Status, p.Body)
	}
	if p := sendsEvent(b, "/en/submit/", concert(), kit.Picture(40, 30)); p.Status != 200 || !p.Shows("ada@example.net") {
		t.Fatalf("sent: %d %s", p.Status, p.Body)
	}
	letter := post.Next()
	code := kit.CodeIn(letter.Text)
	if letter.To != "ada@example.net" || code == "" || strings.Contains(letter.Text, "friends") || strings.Contains(letter.Text, "Ada") ||
		!strings.Contains(letter.Text, "http://localhost/en/submit/sent/?code=") {
		t.Fatalf("the letter: %+v", letter)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE status = 'pending'`); n != "0" {
		t.Errorf("%s events before it is confirmed", n)
	}
	at := "/en/submit/sent/?code=" + code
	if p := b.Get(at); p.Status != 200 || !p.Shows("Please confirm") || p.Shows("/media/") || namesInHead(p, code) || !p.Shows("noindex") {
		t.Fatalf("before: %d %s", p.Status, p.Body)
	}
	for range 2 { // the second changes nothing
		if p := b.Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"confirm"}}); p.Status != 200 || !p.Shows("waiting for review") {
			t.Fatalf("confirmed: %d %s", p.Status, p.Body)
		}
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE status = 'pending'`); n != "1" {
		t.Fatalf("%s events", n)
	}
	id := k.Peek("demo", `SELECT event_id::text FROM submissions`)
	form := concert()
	form.Set("title", "Choir & friends")
	form.Set("contact_email", "eve@example.net")
	form.Set("code", code)
	form.Set("do", "correct")
	if p := b.Post("/en/submit/sent/", form); p.Status != 200 || !p.Shows("Saved.") || !p.Shows("Choir & friends") {
		t.Fatalf("corrected: %d %s", p.Status, p.Body)
	}
	if got := k.Peek("demo", `SELECT sent ->> 'email' FROM submissions`); got != "ada@example.net" {
		t.Errorf("the address became %s", got)
	}
	if p := k.Browser().Get("/en/venues/"); p.Shows("Old barn") {
		t.Error("the place is shown before the event is")
	}

	e := k.Person("editor")
	if p := e.Get("/admin/submissions"); p.Status != 200 || !p.Shows("Choir & friends") || !p.Shows("Ada") {
		t.Fatalf("the list: %d %s", p.Status, p.Body)
	}
	p := e.Get("/admin/submissions/" + id)
	for _, text := range []string{"Old barn", "Mill Lane 3", "ada@example.net", "Please be quick", "<p>First line", "&lt;script&gt;x", "/media/",
		"Publishing sends an e-mail to ada@example.net. The new venue “Old barn” is published too."} {
		if p.Status != 200 || !strings.Contains(p.Body, text) {
			t.Errorf("no %q on the page: %d", text, p.Status)
		}
	}
	if p = e.Post("/admin/submissions/"+id, url.Values{"do": {"publish"}}); p.Status != 303 {
		t.Fatalf("published: %d %s", p.Status, p.Body)
	}
	told := "Everyone can see it now. The new venue is published too. The sender gets an e-mail in a minute."
	if p = e.Follow(); !p.Shows(told) || !p.Shows("Undo") || !strings.Contains(p.Body, `<a href="/event/choir-friends/">View</a>`) {
		t.Errorf("afterwards: %s", p.Body)
	}
	page := k.Browser().Get("/en/event/choir-friends/")
	if page.Status != 200 || !page.Shows("Old barn") || !page.Shows("7:30") {
		t.Errorf("public: %d %s", page.Status, page.Body)
	}
	for _, secret := range []string{"ada@example.net", "Please be quick", "Ada"} {
		if a := k.Get("/events/"+id, ""); strings.Contains(string(a.Raw), secret) || page.Shows(secret) {
			t.Errorf("%q is public", secret)
		}
	}
	post.None()
	later(k, 2*time.Minute, sender(t, post))
	last := post.Next()
	if last.To != "ada@example.net" || !strings.Contains(last.Text, "http://localhost/en/event/choir-friends/") {
		t.Errorf("told: %+v", last)
	}
	later(k, 10*time.Minute, sender(t, post))
	post.None()
	if p := b.Get(at); p.Status != 200 || !p.Shows("has been accepted") || !p.Shows("/event/choir-friends/") {
		t.Errorf("the sender's page: %d %s", p.Status, p.Body)
	}
	if p := b.Post("/en/submit/sent/", form); p.Status != 302 {
		t.Errorf("corrected after the decision: %d", p.Status)
	}
	if who := k.Peek("demo", `SELECT via || '/' || address FROM changes WHERE kind = 'event' AND action = 'create' AND id = `+id); who != "submission/" {
		t.Errorf("history: %s", who)
	}
	later(k, 31*24*time.Hour, sender(t, post))
	if n := k.Peek("demo", `SELECT count(*)::text FROM submissions`); n != "0" {
		t.Errorf("%s senders are known after 31 days", n)
	}
	if p := b.Get(at); p.Status != 410 {
		t.Errorf("the link afterwards: %d", p.Status)
	}
}

// sender sends to a mail server of a test.
func sender(t *testing.T, post *mailtest.Server) writing.Post {
	t.Helper()
	s, err := mail.New(post.URL, "calendar@example.org")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// confirmed sends what a form says, follows the letter, and returns the id of the event and the code.
func confirmed(k *kit.Kit, post *mailtest.Server, form url.Values) (id, code string) {
	k.T.Helper()
	b := k.Browser()
	if p := b.Post("/en/submit/", form); p.Status != 200 {
		k.T.Fatalf("sent: %d %s", p.Status, p.Body)
	}
	code = kit.CodeIn(post.Next().Text)
	if p := b.Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"confirm"}}); p.Status != 200 {
		k.T.Fatalf("confirmed: %d %s", p.Status, p.Body)
	}
	return k.Peek("demo", `SELECT max(event_id)::text FROM submissions`), code
}

// What an editor publishes in the form of the event, or removes there, counts as decided; its place
// is published with it.
func TestSubmissionDecidedElsewhere(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	id, code := confirmed(k, post, concert())
	other := concert()
	other.Set("title", "Spam")
	spam, _ := confirmed(k, post, other)
	k.Patch("/events/"+id, "editor", map[string]any{"status": "publish"}).Want(t, 200, "")
	k.Del("/events/"+spam, "editor").Want(t, 200, "")
	later(k, 10*time.Minute, sender(t, post))
	if letter := post.Next(); !strings.Contains(letter.Text, "friends") {
		t.Errorf("%+v", letter)
	}
	later(k, 10*time.Minute, sender(t, post))
	post.None() // of what was removed
	if p := k.Browser().Get("/en/venues/"); !p.Shows("Old barn") {
		t.Error("the place isn't public")
	}
	if p := k.Browser().Get("/en/submit/sent/?code=" + code); !p.Shows("has been accepted") {
		t.Errorf("%s", p.Body)
	}
}

// Senders take back what they sent, before and after they confirmed it, and not once it is decided.
func TestSubmissionWithdrawn(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	b := k.Browser()
	b.Post("/en/submit/", concert())
	code := kit.CodeIn(post.Next().Text)
	if p := b.Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"withdraw"}}); p.Status != 200 || !p.Shows("withdrawn") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := b.Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"confirm"}}); p.Status != 410 {
		t.Errorf("confirmed afterwards: %d", p.Status)
	}
	id, code := confirmed(k, post, concert())
	for range 2 {
		if p := b.Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"withdraw"}}); p.Status != 200 || !p.Shows("withdrawn") {
			t.Errorf("%d %s", p.Status, p.Body)
		}
	}
	if got := k.Peek("demo", `SELECT status FROM events WHERE id = `+id); got != "trash" {
		t.Errorf("the event is %s", got)
	}
	later(k, time.Hour, sender(t, post))
	post.None()
	id, code = confirmed(k, post, concert())
	e := k.Person("editor")
	e.Get("/admin/submissions/" + id)
	e.Post("/admin/submissions/"+id, url.Values{"do": {"publish"}})
	if p := b.Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"withdraw"}}); p.Status != 302 {
		t.Errorf("withdrawn after the decision: %d", p.Status)
	}
	if got := k.Peek("demo", `SELECT status FROM events WHERE id = `+id); got != "publish" {
		t.Errorf("the event is %s", got)
	}
}

// Many confirm at once with one link, and many editors decide at once: there is one event, and
// one decision.
func TestSubmissionAtOnce(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	k.Browser().Post("/en/submit/", concert())
	code := kit.CodeIn(post.Next().Text)
	editors := []*kit.Browser{k.Person("editor"), k.Person("administrator")}
	for _, e := range editors {
		e.Get("/admin/submissions")
	}
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if p := k.Browser().Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"confirm"}}); p.Status != 200 {
				t.Errorf("confirm: %d", p.Status)
			}
		})
	}
	all.Wait()
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE status = 'pending'`); n != "1" {
		t.Fatalf("%s events", n)
	}
	id := k.Peek("demo", `SELECT event_id::text FROM submissions`)
	for _, e := range editors {
		e.Get("/admin/submissions/" + id)
	}
	said := make([]string, len(editors))
	for i, e := range editors {
		all.Go(func() {
			do := []string{"publish", "refuse"}[i]
			if p := e.Post("/admin/submissions/"+id, url.Values{"do": {do}}); p.Status != 303 {
				t.Errorf("%s: %d %s", do, p.Status, p.Body)
			}
			said[i] = e.Cookies["kalends-said"]
		})
	}
	all.Wait()
	status, settled := k.Peek("demo", `SELECT status FROM events WHERE id = `+id), k.Peek("demo", `SELECT settled FROM submissions`)
	if late := strings.Count(strings.Join(said, " "), "submission.settled"); late != 1 || status == "publish" != (settled == "approved") ||
		status == "trash" != (settled == "refused") {
		t.Errorf("%d came late, the event is %s, the decision %s: %v", late, status, settled, said)
	}
}

// Editors are shown what may be in the calendar already.
func TestSubmissionSimilar(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	k.Event(map[string]any{"title": "The choir and its friends", "start_date": "2027-06-04 20:00", "end_date": "2027-06-04 21:00", "status": "publish"})
	k.Event(map[string]any{"title": "Something else", "start_date": "2027-06-04 20:00", "end_date": "2027-06-04 21:00", "status": "publish",
		"venue": map[string]any{"venue": "Old barn", "address": "Mill Lane 3", "city": "Riverton"}})
	k.Event(map[string]any{"title": "Chess", "start_date": "2027-06-04 20:00", "end_date": "2027-06-04 21:00", "status": "publish"})
	k.Event(map[string]any{"title": "Choir friends", "start_date": "2027-06-05 20:00", "end_date": "2027-06-05 21:00", "status": "publish"})
	form := concert()
	form.Set("title", "Choir & Friends")
	id, _ := confirmed(k, post, form)
	p := k.Person("editor").Get("/admin/submissions/" + id)
	if !p.Shows("already be in the calendar") || !p.Shows("The choir and its friends") || !p.Shows("Something else") || p.Shows("Chess") ||
		p.Shows(">Choir friends<") {
		t.Errorf("%s", p.Body)
	}
}

// A site without room for another event says so to the sender, who may try again.
func TestSubmissionPlan(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	b := k.Browser()
	b.Post("/en/submit/", concert())
	code := kit.CodeIn(post.Next().Text)
	k.Change("demo", `UPDATE sites SET overrides = jsonb_build_object('events', used_events)`)
	k.Platform.Resolver.Forget(k.Sites["demo"].ID)
	if p := b.Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"confirm"}}); p.Status != http.StatusForbidden || !p.Shows("Please confirm") {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	k.Exec(`UPDATE sites SET overrides = '{}'`)
	k.Platform.Resolver.Forget(k.Sites["demo"].ID)
	if p := b.Post("/en/submit/sent/", url.Values{"code": {code}, "do": {"confirm"}}); p.Status != 200 || !p.Shows("waiting for review") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
}

// What a site without mail and without room for another event refuses is kept nowhere.
func TestSubmissionPlanWithoutMail(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	takesSubmissions(k, "")
	k.Change("demo", `UPDATE sites SET overrides = jsonb_build_object('events', used_events)`)
	k.Platform.Resolver.Forget(k.Sites["demo"].ID)
	if p := k.Browser().Post("/en/submit/", concert()); p.Status != http.StatusForbidden {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM unconfirmed_submissions`); n != "0" {
		t.Errorf("%s submissions are kept", n)
	}
}

// The link to a sender opens a letter to them alone, whatever their address looks like.
func TestSenderIsWrittenToAlone(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	b, form := k.Browser(), concert()
	form.Set("contact_email", "a?bcc=eve@example.net")
	if p := b.Post("/en/submit/", form); p.Status != 200 {
		t.Fatalf("sent: %d %s", p.Status, p.Body)
	}
	b.Post("/en/submit/sent/", url.Values{"code": {kit.CodeIn(post.Next().Text)}, "do": {"confirm"}})
	p := k.Person("editor").Get("/admin/submissions/" + k.Peek("demo", `SELECT event_id::text FROM submissions`))
	if !strings.Contains(p.Body, `href="mailto:a%3Fbcc=eve@example.net"`) {
		t.Errorf("%d %s", p.Status, p.Body)
	}
}
