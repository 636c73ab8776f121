package public

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	writing "github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/kit"
)

// between is a database in which something happens right before an unconfirmed submission is dropped.
type between struct {
	*storage.DB
	happens func()
}

func (b between) Submissions() submissions.Store { return droppedAfter{b.DB.Submissions(), b.happens} }

type droppedAfter struct {
	submissions.Store
	happens func()
}

func (d droppedAfter) Drop(ctx context.Context, hash []byte) error {
	d.happens()
	return d.Store.Drop(ctx, hash)
}

// A sender confirms in one window at the moment at which they withdraw in another: they are told that it is withdrawn
// when it is, and an event that is there has its picture.
func TestSubmissionWithdrawnAsConfirmed(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	sendPictured(k, "POST", "/submissions", recital(), "choir.png", kit.Picture(40, 30)).Want(t, 201, "")
	token := kit.CodeIn(post.Next().Text)
	var picture string
	service := writing.Submissions(k.Calendar, between{k.DB, func() {
		a := k.Post("/submissions/sent/confirm", "", map[string]any{"token": token}).Want(t, 200, "").Has(t, "status", "waiting")
		picture, _ = a.Body["image"].(string)
	}}, k.Platform, sender(t, post))
	visitor := tenancy.With(t.Context(), tenancy.Scope{Site: k.Sites["demo"], Language: "en"})
	sub, err := service.Withdraw(visitor, token, nil)
	if err != nil || sub.Status != submissions.Withdrawn {
		t.Fatalf("withdrawn: %+v, %v", sub, err)
	}
	if got := k.Peek("demo", `SELECT status FROM events`); got != "trash" {
		t.Errorf("the event is %s", got)
	}
	if a := k.Send(kit.Request{Method: "GET", Path: picture}); a.Status != http.StatusOK {
		t.Errorf("the picture %q of the event in the trash: %d", picture, a.Status)
	}
}

// meanwhile is a post at which something happens while the first letter is sent.
type meanwhile struct {
	writing.Post
	happens func()
}

func (m *meanwhile) Send(ctx context.Context, to, subject, text string) error {
	if happens := m.happens; happens != nil {
		m.happens = nil
		happens()
	}
	return m.Post.Send(ctx, to, subject, text)
}

// An editor decides anew while the letter about the first decision is sent: the sender is told of that, too.
func TestSubmissionDecidedAnewDuringLetter(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	id, _ := sentByAPI(k, post)
	k.Post("/submissions/"+id+"/refuse", "editor", map[string]any{"message": "Not here."}).Want(t, 200, "")
	later(k, 2*time.Minute, &meanwhile{sender(t, post), func() {
		k.Patch("/events/"+id, "editor", map[string]any{"status": "pending"}).Want(t, 200, "")
		k.Post("/submissions/"+id+"/approve", "editor", nil).Want(t, 200, "")
	}})
	if l := post.Next(); !strings.Contains(l.Text, "Not here.") {
		t.Errorf("first: %+v", l)
	}
	later(k, 2*time.Minute, sender(t, post))
	if l := post.Next(); !strings.Contains(l.Text, "/event/") {
		t.Errorf("then: %+v", l)
	}
	later(k, time.Hour, sender(t, post))
	post.None()
}

// Who publishes what was sent and then, before its sender is told, makes a draft of it or removes it, hasn't decided for
// good: the sender is told once it is published for longer.
func TestSubmissionPublishedForAMoment(t *testing.T) {
	t.Parallel()
	for _, moment := range []string{"draft", "private", "trash"} {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			k, post := openTo(t)
			id, _ := sentByAPI(k, post)
			k.Post("/submissions/"+id+"/approve", "editor", nil).Want(t, 200, "")
			k.Patch("/events/"+id, "editor", map[string]any{"status": moment}).Want(t, 200, "")
			later(k, 2*time.Minute, sender(t, post))
			post.None()
			k.Patch("/events/"+id, "editor", map[string]any{"status": "publish"}).Want(t, 200, "")
			later(k, 10*time.Minute, sender(t, post))
			if l := post.Next(); !strings.Contains(l.Text, "/event/") {
				t.Errorf("%+v", l)
			}
			k.Patch("/events/"+id, "editor", map[string]any{"status": moment}).Want(t, 200, "")
			k.Patch("/events/"+id, "editor", map[string]any{"status": "publish"}).Want(t, 200, "")
			later(k, time.Hour, sender(t, post))
			post.None()
		})
	}
}

// Who publishes what was refused, after its sender was told that it was, has the sender told of that, too.
func TestSubmissionPublishedAfterRefusal(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	id, _ := sentByAPI(k, post)
	k.Post("/submissions/"+id+"/refuse", "editor", nil).Want(t, 200, "")
	later(k, 2*time.Minute, sender(t, post))
	post.Next()
	k.Patch("/events/"+id, "editor", map[string]any{"status": "publish"}).Want(t, 200, "")
	later(k, 10*time.Minute, sender(t, post))
	if l := post.Next(); !strings.Contains(l.Text, "/event/") {
		t.Errorf("%+v", l)
	}
}

// The venue that came with an event is public as long as an approved event has it: not when the approval is reverted, and in the trash
// if the event is. One that was there before stays as it is.
func TestSubmissionVenueOfRevertedApproval(t *testing.T) {
	t.Parallel()
	for _, reverted := range []string{"pending", "draft", "private", "trash"} {
		t.Run(reverted, func(t *testing.T) {
			t.Parallel()
			k, post := openTo(t)
			k.Post("/venues", "editor", map[string]any{"venue": "City hall", "address": "Mill Lane 3", "city": "Riverton"}).Want(t, 201, "")
			k.Peek("demo", `UPDATE venues SET author = NULL, published_at = published_at - interval '1 day' RETURNING name`)
			venues := func(want string) {
				t.Helper()
				if got := k.Peek("demo", `SELECT string_agg(concat_ws(' ', name, status), ', ' ORDER BY name, status) FROM venues`); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}
			approve := func(id string) { k.Post("/submissions/"+id+"/approve", "editor", nil).Want(t, 200, "") }
			revert := func(ids ...string) {
				for _, id := range ids {
					k.Patch("/events/"+id, "editor", map[string]any{"status": reverted}).Want(t, 200, "")
				}
				later(k, 10*time.Minute, sender(t, post))
			}
			first, _ := sentByAPI(k, post)
			there, _ := sentByAPI(k, post, "title", "Talk", "venue", "City hall", "contact_email", "bob@example.net")
			approve(first)
			approve(there)
			venues("City hall publish, Old barn publish")
			revert(first, there)
			if reverted == "trash" {
				venues("City hall publish, Old barn trash")
			} else {
				venues("City hall publish, Old barn pending")
			}

			second, _ := sentByAPI(k, post, "title", "Dance", "contact_email", "eve@example.net")
			approve(second)
			later(k, 10*time.Minute, sender(t, post))
			last := "City hall publish, Old barn publish"
			if reverted == "trash" {
				last += ", Old barn trash" // of the first, which nobody could use for the second
			}
			k.Patch("/events/"+first, "editor", map[string]any{"status": "pending"}).Want(t, 200, "")
			approve(first)
			revert(first)
			venues(last) // the other is of the second, which is approved
		})
	}
}

// A venue that came with a submission does not outlive it: it goes to the trash with the last event that has it, and comes back with it.
// What the site had before stays.
func TestSubmittedVenueGoesWithItsEvent(t *testing.T) {
	t.Parallel()
	k, post := openTo(t)
	k.Post("/venues", "editor", map[string]any{"venue": "City hall", "address": "Mill Lane 3", "city": "Riverton"}).Want(t, 201, "")
	venues := func(when, want string) {
		t.Helper()
		if got := k.Peek("demo", `SELECT string_agg(concat_ws(' ', name, status), ', ' ORDER BY name, status) FROM venues`); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}
	first, _ := sentByAPI(k, post)
	second, token := sentByAPI(k, post, "title", "Talk", "contact_email", "bob@example.net")
	sentByAPI(k, post, "title", "Dance", "venue", "City hall", "contact_email", "eve@example.net")
	e := k.Person("editor")
	refuse := url.Values{"do": {"refuse"}}
	undo := func() {
		e.Follow()
		e.Post("/admin/events/undo", url.Values{"writes": {e.Page.Hidden("writes")}, "to": {"/admin/submissions"}})
	}
	e.Get("/admin/submissions/" + first)
	e.Post("/admin/submissions/"+first, refuse)
	venues("another submission has it", "City hall publish, Old barn pending")
	e.Get("/admin/submissions/" + second)
	e.Post("/admin/submissions/"+second, refuse)
	venues("nothing has it", "City hall publish, Old barn trash")
	undo()
	venues("undone", "City hall publish, Old barn pending")
	e.Get("/admin/submissions/" + second)
	e.Post("/admin/submissions/"+second, refuse)
	e.Post("/admin/events", e.Fill("/admin/submissions/"+second, `<form class="after" method="post" action="/admin/events"`, url.Values{"do": {"restore"}}))
	if p := e.Get("/admin/submissions/" + second); !p.Shows(`value="publish"`) {
		t.Error("what the page of a declined submission restores does not wait for a decision")
	}
	later(k, 10*time.Minute, sender(t, post))
	venues("restored from its page", "City hall publish, Old barn pending")
	e.Get("/admin/submissions/" + second)
	e.Post("/admin/submissions/"+second, url.Values{"do": {"publish"}})
	venues("published", "City hall publish, Old barn publish")
	undo()
	venues("published and undone", "City hall publish, Old barn pending")
	k.Del("/submissions/sent?token="+token, "").Want(t, 200, "")
	venues("withdrawn", "City hall publish, Old barn trash")
	k.Patch("/events/"+second, "editor", map[string]any{"status": "publish"}).Want(t, 200, "")
	later(k, 10*time.Minute, sender(t, post))
	venues("published after all", "City hall publish, Old barn publish")
	post.Next()
	third, token := sentByAPI(k, post, "title", "Play", "venue", "New barn", "contact_email", "ann@example.net")
	k.Patch("/submissions/sent", "", map[string]any{"token": token, "venue": "City hall"}).Want(t, 200, "")
	venues("the sender names another", "City hall publish, New barn trash, Old barn publish")
	k.Post("/submissions/"+third+"/refuse", "editor", nil).Want(t, 200, "")
	venues("refused", "City hall publish, New barn trash, Old barn publish")
}
