package admin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// An editor sends an event back with a word. Its author sees that in the form and in the list, and is told of it once by mail.
func TestEventsAreSentBack(t *testing.T) {
	t.Parallel()
	k, post := waitingKit(t)
	k.Peek("demo", "WITH a AS (UPDATE users SET told = 'at_once', told_at = told_at - interval '1 day' RETURNING 1) SELECT count(*)::text FROM a")
	made := k.Post("/events", "contributor", kit.Object{"title": "Fair", "start_date": "2030-02-01 10:00", "end_date": "2030-02-01 11:00",
		"status": "pending"}).Want(t, 201, "")
	path := fmt.Sprintf("/admin/events/%v", made.Body["id"])
	author, editor := k.Person("contributor"), k.Person("editor")
	if p := author.Get(path); p.Shows(`value="back"`) {
		t.Error("the author can send their own event back")
	}
	form := kit.FormAt(editor.Get(path), kit.EveryEditor)
	form.Set("do", "back")
	if p := editor.Post(path, form); p.Status != 422 || !p.Shows("Say what should change.") {
		t.Errorf("without a word: %d", p.Status)
	}
	form.Set("review_note", "Which hall?\r\nAnd who plays?")
	if p := editor.Post(path, form); p.Status != 303 {
		t.Fatalf("status %d", p.Status)
	}
	if p := editor.Get(path); !p.Shows("Sent back to the author.") || p.Shows(`value="back"`) {
		t.Error("nobody says that it was sent back, or it can be sent back twice")
	}
	if p := author.Get(path); !p.Shows("Sent back by") || !p.Shows("Which hall?\nAnd who plays?") {
		t.Error("the author isn't told in the form")
	}
	if p := author.Get("/admin/events?view=draft"); !p.Shows("mark-returned") || !p.Shows("Which hall?") ||
		!p.Shows(`<span aria-hidden="true">1</span> <span class="hidden">waiting: 1</span>`) {
		t.Error("the author isn't told in the list")
	}
	if p := k.Person("author").Get("/admin/profile"); p.Shows(`class="badge waits"`) {
		t.Error("it waits for another author")
	}
	k.TellPeople()
	post.None() // it is too early
	k.Change("demo", "UPDATE changes SET at = at - interval '1 hour'")
	k.Exec("UPDATE attention_rounds SET looked = 0")
	k.TellPeople()
	letter := post.Next()
	for _, want := range []string{"Events sent back to you (1)", "– Fair\n  Which hall? And who plays?", "/admin/events?view=draft"} {
		if !strings.Contains(letter.Text, want) {
			t.Errorf("the mail lacks %q:\n%s", want, letter.Text)
		}
	}
	k.Exec("UPDATE attention_rounds SET looked = 0")
	k.TellPeople()
	post.None()
	form = kit.FormAt(author.Get(path), kit.EveryEditor)
	form.Set("do", "pending")
	author.Post(path, form)
	if p := author.Get("/admin/events"); p.Shows(`class="badge waits"`) {
		t.Error("it still waits for its author")
	}
	form = kit.FormAt(editor.Get(path), kit.EveryEditor)
	if p := editor.Get(path); !p.Shows("Sent back by") {
		t.Error("the editor doesn't see what was asked for")
	}
	form.Set("do", "publish")
	editor.Post(path, form)
	if p := editor.Get(path); p.Shows("Which hall?") {
		t.Error("a published event keeps the note")
	}
	if p := editor.Get(path + "/revisions"); !p.Shows("Review note") {
		t.Error("the history doesn't have the note")
	}
}
