package letters

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// box keeps the last email.
type box struct {
	to, subject, text string
	err               error
}

func (b *box) Send(_ context.Context, to, subject, text string) error {
	b.to, b.subject, b.text = to, subject, text
	return b.err
}

func writer(b *box) *Letters { return &Letters{post: b, outbox: NewOutbox()} }

func within(t *testing.T) context.Context {
	t.Helper()
	return tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: 1, Name: "Riverton", Language: "en"}, Language: "en"})
}

// hostile is the input of somebody who wants a site to send their text.
func hostile() submissions.Sent {
	return submissions.Sent{Title: "Choir\r\nBcc: b@example.net", Name: "https://evil.example <b>Ada</b>\nSubject: x", Email: "ada@example.net",
		Description: "evil", Note: "evil", Language: "en", Home: "https://riverton.example.org"}
}

// An email to an unconfirmed address contains nothing that was typed, in any language.
func TestConfirm(t *testing.T) {
	t.Parallel()
	for _, language := range i18n.Languages() {
		b, sent := &box{}, hostile()
		sent.Language = language
		if err := writer(b).Confirm(within(t), &sent, "TOKEN"); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"evil", "Choir", "Ada", "Bcc", "<b>", "{{", "letter."} {
			if strings.Contains(b.subject+b.text, text) {
				t.Errorf("%s: %q in %q %q", language, text, b.subject, b.text)
			}
		}
		link := "https://riverton.example.org/" + language + "/submit/sent/?code=TOKEN"
		if b.to != "ada@example.net" || strings.Count(b.text, link) != 1 || strings.ContainsAny(b.subject, "\r\n") {
			t.Errorf("%s: to %q: %q %q", language, b.to, b.subject, b.text)
		}
	}
}

// The email about a decision contains the link of the page, or the editor's message as plain text.
func TestSettled(t *testing.T) {
	t.Parallel()
	for _, language := range i18n.Languages() {
		b, s := &box{}, &submissions.Submission{Sent: hostile(), Status: submissions.Approved, Event: &calendar.Event{}}
		s.Language, s.Event.Slug, s.Event.Status = language, "choir", calendar.Publish
		if err := writer(b).Settled(within(t), s); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.text, "https://riverton.example.org/"+language+"/event/choir/") || strings.ContainsAny(b.subject, "\r\n") {
			t.Errorf("%s: %q %q", language, b.subject, b.text)
		}
		s.Event.Status = calendar.Future // it has no page yet
		if err := writer(b).Settled(within(t), s); err != nil || strings.Contains(b.text, "/event/") {
			t.Errorf("%s: %q %v", language, b.text, err)
		}
		s.Status, s.Message = submissions.Refused, "Too far <away>: https://example.org"
		if err := writer(b).Settled(within(t), s); err != nil || !strings.HasSuffix(b.text, "\n\nToo far <away>: https://example.org\n") {
			t.Errorf("%s: %q %v", language, b.text, err)
		}
		if strings.ContainsAny(b.subject, "\r\n") || strings.Contains(b.text, "{{") {
			t.Errorf("%s: %q %q", language, b.subject, b.text)
		}
	}
}

// A rejected email is an error.
func TestSend(t *testing.T) {
	t.Parallel()
	refused, sent := errors.New("refused"), hostile()
	if err := writer(&box{err: refused}).Confirm(within(t), &sent, "T"); !errors.Is(err, refused) {
		t.Errorf("refused: %v", err)
	}
}
