package public

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	writing "github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/kit"
)

// returned has an editor send a submission back, and returns the code in the letter about it.
func returned(t *testing.T, e *kit.Browser, post *mailtest.Server, id, note string) string {
	t.Helper()
	e.Get("/admin/submissions/" + id)
	if p := e.Post("/admin/submissions/"+id, url.Values{"do": {"back"}, "review_note": {note}}); p.Status != 303 {
		t.Fatalf("sent back: %d %s", p.Status, p.Body)
	}
	later(e.K, 2*time.Minute, sender(t, post))
	letter := post.Next()
	code := kit.CodeIn(letter.Text)
	if code == "" {
		t.Fatalf("the letter: %+v", letter)
	}
	return code
}

func statusOf(k *kit.Kit, id string) string {
	k.T.Helper()
	return k.Peek("demo", `SELECT status FROM events WHERE id = `+id)
}

// An editor sends an event back with a note; the sender gets a link, sees the note, changes the event without scripts and sends it again;
// the editor sees what has changed.
func TestSubmissionIsSentBack(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	id, first := confirmed(k, post, concert())
	e, b := k.Person("editor"), k.Browser()
	if p := e.Get("/admin/submissions/" + id); !p.Shows(`name="review_note"`) || p.Shows("What the sender changed") {
		t.Fatalf("the page of the submission: %s", p.Body)
	}
	const note = "Which <b>hall</b>?\nAnd is 12 the price?"
	if p := e.Post("/admin/submissions/"+id, url.Values{"do": {"back"}, "review_note": {note}}); p.Status != 303 {
		t.Fatalf("sent back: %d %s", p.Status, p.Body)
	}
	if p := e.Get("/admin/submissions"); !p.Shows("Sent back. The sender gets an e-mail") || p.Shows("friends") {
		t.Errorf("it still waits: %s", p.Body)
	}
	if p := e.Get("/admin/submissions/" + id); !p.Shows("Sent back") || p.Shows(`value="publish"`) {
		t.Errorf("it can be decided: %s", p.Body)
	}
	later(k, 30*time.Second, sender(t, post))
	post.None() // it can still be undone
	later(k, time.Minute, sender(t, post))
	letter := post.Next()
	code := kit.CodeIn(letter.Text)
	if letter.To != "ada@example.net" || code == "" || code == first || !strings.Contains(letter.Text, note) || !strings.Contains(letter.Text, "within 30 days") {
		t.Fatalf("the letter: %+v", letter)
	}
	later(k, time.Hour, sender(t, post))
	post.None()
	at := "/en/submit/sent/?code=" + code
	before := k.Peek("demo", `SELECT version::text FROM sites WHERE slug = 'demo'`)
	for range 2 {
		p := b.Get(at)
		for _, want := range []string{"The editors ask you", "Which <b>hall</b>?", `value="Choir <b>& friends</b>"`, `value="again"`, `value="withdraw"`} {
			if !p.Shows(want) {
				t.Errorf("the form lacks %s", want)
			}
		}
		if p.Status != 200 || strings.Contains(p.Body, "<b>hall") || p.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("the form: %d", p.Status)
		}
	}
	if now := k.Peek("demo", `SELECT version::text FROM sites WHERE slug = 'demo'`); now != before || statusOf(k, id) != "draft" {
		t.Error("opening the link changed something")
	}
	form := concert()
	form.Set("code", code)
	form.Set("cost", "15")
	form.Set("venue", "New barn")
	form.Set("note", "The new one")
	form.Set("do", "correct") // of a page that does not have what the editor asks for
	if p := b.Post("/en/submit/sent/", form); p.Status != 409 || !p.Shows("Which <b>hall</b>?") || !p.Shows(`value="New barn"`) || statusOf(k, id) != "draft" {
		t.Errorf("without having seen the note: %d", p.Status)
	}
	form.Set("do", "again")
	for range 2 { // pressed twice
		if p := b.Post("/en/submit/sent/", form); p.Status != 200 || !p.Shows("waiting for review") || !p.Shows("Saved.") {
			t.Fatalf("sent again: %d %s", p.Status, p.Body)
		}
	}
	if statusOf(k, id) != "pending" {
		t.Errorf("the event is %s", statusOf(k, id))
	}
	if p := e.Get("/admin/submissions"); !p.Shows("friends") {
		t.Error("it doesn't wait again")
	}
	p := e.Get("/admin/submissions/" + id)
	for _, want := range []string{"What the sender changed", "Which <b>hall</b>?", "Old barn", "New barn", "The new one", `value="publish"`} {
		if !p.Shows(want) {
			t.Errorf("the editor isn't shown %s", want)
		}
	}
	if rows := strings.Count(p.Body, `<th scope="row">`); rows != 2 {
		t.Errorf("%d fields are shown as changed", rows)
	}
	later(k, time.Hour, sender(t, post))
	post.None()
	for _, one := range []string{first, code} {
		if p := b.Get("/en/submit/sent/?code=" + one); p.Status != 200 || !p.Shows("waiting for review") {
			t.Errorf("a link that is good: %d", p.Status)
		}
	}
	second := returned(t, e, post, id, "And the address?")
	if p := b.Get("/en/submit/sent/?code=" + second); !p.Shows("And the address?") {
		t.Error("the second note isn't shown")
	}
	if p := b.Post("/en/submit/sent/", url.Values{"code": {second}, "do": {"withdraw"}}); p.Status != 200 || !p.Shows("withdrawn") || statusOf(k, id) != "trash" {
		t.Errorf("withdrawn: %d, the event is %s", p.Status, statusOf(k, id))
	}
}

// Nobody sends a submission back or again who may not, and what is too long or empty is refused.
func TestSentBackIsProtected(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	id, _ := confirmed(k, post, concert())
	e := k.Person("editor")
	for _, note := range []string{"", " \n ", kit.Letters(2001)} {
		e.Get("/admin/submissions/" + id)
		if p := e.Post("/admin/submissions/"+id, url.Values{"do": {"back"}, "review_note": {note}}); p.Status != 422 || !p.Shows(`id="f-review_note"`) {
			t.Errorf("a note of %d letters: %d", len(note), p.Status)
		}
	}
	for _, role := range []string{"author", "contributor"} {
		o := k.Person(role)
		o.Get("/admin/events")
		if p := o.Post("/admin/submissions/"+id, url.Values{"do": {"back"}, "review_note": {"Why?"}, "seen": {kit.AllSeen}}); p.Status != 403 {
			t.Errorf("by an %s: %d", role, p.Status)
		}
	}
	if statusOf(k, id) != "pending" {
		t.Fatalf("the event is %s", statusOf(k, id))
	}
	code := returned(t, e, post, id, strings.Repeat("xxxx ", 400))
	if stored := k.Peek("demo", `SELECT row_to_json(w)::text FROM submissions w`); strings.Contains(stored, code) {
		t.Error("the code is stored")
	}
	b := k.Browser()
	form := concert()
	form.Set("do", "again")
	form.Set("title", "Pills")
	for _, wrong := range []string{"", code[1:], code + "A", strings.ToLower(code), kit.Letters(5000), k.Peek("demo", `SELECT encode(link, 'hex') FROM submissions`)} {
		form.Set("code", wrong)
		if p := b.Post("/en/submit/sent/", form); p.Status != 410 {
			t.Errorf("code %.40q: %d", wrong, p.Status)
		}
	}
	form.Set("code", code)
	if p := b.Post("/en/submit/sent/", form, "Sec-Fetch-Site", "cross-site"); p.Status != 403 {
		t.Errorf("from a foreign site: %d", p.Status)
	}
	form.Set("title", "")
	if p := b.Post("/en/submit/sent/", form); p.Status != 422 || !p.Shows(`value="again"`) || !p.Shows("xxxx") {
		t.Errorf("without a title: %d", p.Status)
	}
	if got := k.Peek("demo", `SELECT status || ' ' || title FROM events WHERE id = `+id); got != "draft Choir <b>& friends</b>" && got != "draft Choir & friends" {
		t.Errorf("something was changed: %s", got)
	}
	later(k, 31*24*time.Hour, sender(t, post))
	if p := b.Get("/en/submit/sent/?code=" + code); p.Status != 410 {
		t.Errorf("after a month: %d", p.Status)
	}
}

// Two editors decide at once, and a sender sends again while an editor publishes: one of them is first, and the other is told.
func TestSentBackAtOnce(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	id, _ := confirmed(k, post, concert())
	editors := []*kit.Browser{k.Person("editor"), k.Person("administrator")}
	for _, e := range editors {
		e.Get("/admin/submissions/" + id)
	}
	var all sync.WaitGroup
	for _, e := range editors {
		all.Go(func() {
			if p := e.Post("/admin/submissions/"+id, url.Values{"do": {"back"}, "review_note": {"Why?"}}); p.Status != 303 {
				t.Errorf("sent back: %d", p.Status)
			}
		})
	}
	all.Wait()
	if said := editors[0].Cookies["kalends-said"] + editors[1].Cookies["kalends-said"]; strings.Count(said, "submission.settled") != 1 {
		t.Errorf("not one was late: %s", said)
	}
	later(k, 2*time.Minute, sender(t, post))
	code := kit.CodeIn(post.Next().Text)
	post.None()
	form := concert()
	form.Set("code", code)
	form.Set("do", "again")
	form.Set("title", "Choir again")
	for range 3 {
		all.Go(func() {
			if p := k.Browser().Post("/en/submit/sent/", form); p.Status != 200 && p.Status != 302 {
				t.Errorf("sent again: %d", p.Status)
			}
		})
	}
	all.Go(func() { k.Patch("/events/"+id, "editor", map[string]any{"status": "publish"}).Want(t, 200, "") })
	all.Wait()
	if got := statusOf(k, id); got != "publish" {
		t.Errorf("the event is %s", got)
	}
}

// What an editor takes back is not written about; what is sent back with a note elsewhere is; and a letter that a mail server refuses is
// sent once more, with a link of its own.
func TestLettersOfWhatIsSentBack(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	id, _ := confirmed(k, post, concert())
	e := k.Person("editor")
	e.Get("/admin/submissions/" + id)
	e.Post("/admin/submissions/"+id, url.Values{"do": {"back"}, "review_note": {"Why?"}})
	e.Follow()
	undo := url.Values{"writes": {e.Page.Hidden("writes")}, "to": {"/admin/submissions"}}
	if p := e.Post("/admin/events/undo", undo); p.Status != 303 {
		t.Fatalf("undo: %d %s", p.Status, p.Body)
	}
	later(k, 10*time.Minute, sender(t, post))
	post.None()
	if got := k.Peek("demo", `SELECT e.status || e.review_note || w.settled FROM events e JOIN submissions w ON w.event_id = e.id`); got != "pending" {
		t.Errorf("taken back, it is %s", got)
	}
	k.Patch("/events/"+id, "editor", map[string]any{"status": "draft", "review_note": "From afar"}).Want(t, 200, "")
	k.Get("/submissions/"+id, "editor").Want(t, 200, "").Has(t, "status", "returned", "message", "From afar")
	lost := &lossy{}
	k.Clock = k.Clock.Add(10 * time.Minute)
	k.Tries = k.Clock
	err := writing.Submissions(k.Calendar, k.DB, k.Platform, lost).Sweep(tenancy.AsProvider(t.Context(), tenancy.Provider{Scheduled: true}))
	if err == nil || strings.Contains(err.Error(), kit.CodeIn(lost.text)) || kit.CodeIn(lost.text) == "" {
		t.Fatalf("%v, the letter: %q", err, lost.text)
	}
	later(k, time.Minute, sender(t, post))
	post.None() // not before a while
	later(k, 20*time.Minute, sender(t, post))
	code := kit.CodeIn(post.Next().Text)
	for one, status := range map[string]int{code: 200, kit.CodeIn(lost.text): 410} {
		if p := k.Browser().Get("/en/submit/sent/?code=" + one); p.Status != status {
			t.Errorf("a link leads to %d, not to %d", p.Status, status)
		}
	}
	k.Patch("/submissions/sent", "", map[string]any{"token": code, "cost": "15"}).Want(t, 200, "").Has(t, "status", "waiting")
	if statusOf(k, id) != "pending" {
		t.Errorf("changed by a program, the event is %s", statusOf(k, id))
	}
}

// lossy keeps the last letter and says that it was not sent.
type lossy struct{ text string }

func (l *lossy) Send(_ context.Context, _, _, text string) error {
	l.text = text
	return errors.New("the mail server has gone")
}
