package mail_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/mail/mailtest"
)

func TestSend(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	sender, err := mail.New(server.URL, "Kalends <calendar@example.org>")
	if err != nil {
		t.Fatal(err)
	}
	text := "Schöne Grüße,\nمرحبًا\n.\nhttp://example.org/admin/welcome?code=" + strings.Repeat("a", 90) + "\n"
	if err := sender.Send(t.Context(), "somebody@example.org", "Größe\r\nBcc: evil@example.org", text); err != nil {
		t.Fatal(err)
	}
	l := server.Next()
	if l.To != "somebody@example.org" || !strings.Contains(l.From, "calendar@example.org") || !strings.HasPrefix(l.Subject, "Größe") || l.Text != text {
		t.Errorf("%+v", l)
	}
	if !strings.HasSuffix(l.ID, "@example.org>") { // not the name of the machine, which others can't look up
		t.Errorf("its ID is %s", l.ID)
	}
	if !strings.Contains(l.Client, ".") {
		t.Errorf("the client calls itself %q", l.Client)
	}
	if err := sender.Send(t.Context(), "somebody@example.org", "Größe", text); err != nil {
		t.Fatal(err)
	}
	if again := server.Next(); again.ID == l.ID {
		t.Errorf("two have the ID %s", l.ID)
	}
}

func TestSendFails(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	sender, err := mail.New(server.URL, "calendar@example.org")
	if err != nil {
		t.Fatal(err)
	}
	err = sender.Send(t.Context(), "refused@example.org", "Subject", "a secret")
	if err == nil || !strings.Contains(err.Error(), "550") || strings.Contains(err.Error(), "refused@") || strings.Contains(err.Error(), "a secret") {
		t.Errorf("refused: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sender.Send(ctx, "somebody@example.org", "Subject", "Text"); err == nil {
		t.Error("sent without a context")
	}
	if err := sender.Send(t.Context(), "no address", "Subject", "Text"); err == nil {
		t.Error("sent to nobody")
	}
	server.None()
	encrypted, err := mail.New(strings.Replace(server.URL, "smtp:", "smtps:", 1), "calendar@example.org")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if err := encrypted.Send(ctx, "somebody@example.org", "Subject", "Text"); err == nil {
		t.Error("sent without encryption")
	}
}

// A server that accepts the connection and says nothing holds nobody longer than they can wait.
func TestSendToASilentServer(t *testing.T) {
	t.Parallel()
	sender, err := mail.New(mailtest.Silent(t), "calendar@example.org")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := sender.Send(ctx, "somebody@example.org", "Subject", "Text"); err == nil || time.Since(began) > 15*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"smtp://localhost", "smtps://user:pa%20ss@mail.example.org", "smtp://user:pass@mail.example.org:25",
		"smtp://relay:25?starttls=no"} {
		s, err := mail.New(good, "Name <a@example.org>")
		if err != nil {
			t.Errorf("%s: %v", good, err)
		} else if strings.Contains(s.Server(), "pa") {
			t.Errorf("the password is in %s", s.Server())
		}
	}
	for address, from := range map[string]string{"": "a@example.org", "http://user:hush@host": "a@example.org", "smtp://user:hush@host:x": "a@example.org",
		"smtp://user:hush@relay?starttls=no": "a@example.org", "smtps://user:hush@host": "nobody"} {
		if _, err := mail.New(address, from); err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s from %s: %v", address, from, err)
		}
	}
}
