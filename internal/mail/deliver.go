package mail

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// Message is an email as text and as HTML.
type Message struct {
	To, Subject, Text, HTML string

	Name  string // of the sender, as people see it
	ID    string // what its Message-ID has before the @: the same at every try
	Leave string // where a POST ends the subscription (RFC 8058), or ""
}

// Refusal says that the server has refused an e-mail.
type Refusal struct {
	Code      int  // of the server's answer
	Recipient bool // the answer is about the recipient's address
}

// Error returns the code alone, because the text of an answer may repeat the address.
func (r *Refusal) Error() string { return fmt.Sprintf("refused with code %d", r.Code) }

// Final reports whether the server will never accept e-mail for this recipient.
func (r *Refusal) Final() bool { return r.Recipient && r.Code/100 == 5 }

// keepOpen is how long a connection waits for the next message.
const keepOpen = 5 * time.Second

// line is a connection that is kept for the next message.
type line struct {
	mu     sync.Mutex
	client *mail.Client
	open   *smtp.Client // nil: none
	close  *time.Timer
}

// take returns the connection that is kept, or nil if there is none that still works.
func (l *line) take() (*mail.Client, *smtp.Client) {
	l.mu.Lock()
	client, open := l.client, l.open
	if l.client, l.open = nil, nil; l.close != nil {
		l.close.Stop()
	}
	l.mu.Unlock()
	if open == nil {
		return nil, nil
	}
	if open.UpdateDeadline(timeout) != nil || open.Noop() != nil {
		_ = open.Close()
		return nil, nil
	}
	return client, open
}

// keep keeps a connection for a while, unless another one is kept.
func (l *line) keep(client *mail.Client, open *smtp.Client) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open != nil {
		_ = client.CloseWithSMTPClient(open)
		return
	}
	l.client, l.open = client, open
	l.close = time.AfterFunc(keepOpen, func() {
		l.mu.Lock()
		kept := l.open == open
		if kept {
			l.client, l.open = nil, nil
		}
		l.mu.Unlock()
		if kept {
			_ = client.CloseWithSMTPClient(open)
		}
	})
}

// Deliver sends a message and returns once the server has accepted it, or refused it, which is a *Refusal. Messages that follow one
// another share a connection. Errors contain neither the address nor the text.
func (s *Sender) Deliver(ctx context.Context, m *Message) error {
	letter, err := s.letter(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	client, open := s.line.take()
	if open == nil {
		if client, err = s.client(ctx); err != nil {
			return errors.New("deliver mail: no server")
		}
		if open, err = client.DialToSMTPClientWithContext(ctx); err != nil {
			return fmt.Errorf("deliver mail through %s: %w", s.Server(), reason(err))
		}
	}
	err = client.SendWithSMTPClient(open, letter)
	var refused *mail.SendError
	switch {
	case err == nil:
		s.line.keep(client, open)
		return nil
	case letter.IsDelivered(): // only the connection failed afterwards
		_ = open.Close()
		return nil
	case errors.As(err, &refused) && refused.ErrorCode() != 0:
		r := &Refusal{Code: refused.ErrorCode(), Recipient: refused.Reason == mail.ErrSMTPRcptTo}
		if r.Recipient {
			s.line.keep(client, open)
		} else {
			_ = open.Close()
		}
		return fmt.Errorf("deliver mail through %s: %w", s.Server(), r)
	}
	_ = open.Close()
	return fmt.Errorf("deliver mail through %s: %w", s.Server(), reason(err))
}

// letter returns a message as it is sent.
func (s *Sender) letter(m *Message) (*mail.Msg, error) {
	letter := mail.NewMsg(mail.WithNoDefaultUserAgent())
	from := letter.From(s.from)
	if m.Name != "" {
		from = letter.FromFormat(m.Name, s.address)
	}
	if from != nil {
		return nil, errors.New("send mail: no sender")
	}
	if err := letter.To(m.To); err != nil {
		return nil, &Refusal{Code: 501, Recipient: true} // as a server responds to an invalid address
	}
	letter.Subject(m.Subject)
	letter.SetDate()
	letter.SetMessageIDWithValue(m.ID + "@" + s.domain)
	letter.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Leave != "" {
		letter.SetGenHeaderPreformatted("List-Unsubscribe", "<"+m.Leave+">")
		letter.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	letter.SetBodyString(mail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		letter.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	}
	return letter, nil
}
