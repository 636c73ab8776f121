// Package mail sends email by SMTP.
package mail

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
)

// timeout limits the time for sending one email if the context does not.
const timeout = 30 * time.Second

// Sender sends email through one server. It is safe for concurrent use.
type Sender struct {
	host, from string
	address    string // of from, without the name
	domain     string // of from, for what must name one (RFC 5321 §4.1.1.1, RFC 5322 §3.6.4)
	options    []mail.Option
	line       line
}

// New returns a sender that uses the server at an address and the From address given, which may have a name:
// "Calendar <calendar@example.org>". The server address is smtps://user:password@host (port 465) or
// smtp://user:password@host (port 587), without user and password if the server requires none. With smtp the server
// must offer STARTTLS, unless it is on this machine, or the address ends in ?starttls=no and has no password. Errors
// never contain the address.
func New(address, from string) (*Sender, error) {
	sender := mail.NewMsg()
	if err := sender.From(from); err != nil {
		return nil, errors.New("the sender is not an e-mail address")
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Path != "" && u.Path != "/" {
		return nil, errors.New("the address is not of the form smtp://user:password@host:port")
	}
	name := sender.GetFrom()[0].Address
	s := &Sender{host: u.Hostname(), from: from, address: name, domain: name[strings.LastIndex(name, "@")+1:]}
	if machine, err := os.Hostname(); err != nil || !strings.Contains(machine, ".") { // such as that of a container
		s.options = append(s.options, mail.WithHELO(s.domain))
	}
	port, policy := 587, mail.TLSMandatory
	switch open := u.Query().Get("starttls") == "no"; {
	case u.Scheme == "smtps":
		port = 465
		s.options = append(s.options, mail.WithSSL())
	case u.Scheme != "smtp":
		return nil, errors.New("the address must begin with smtp:// or smtps://")
	case open && u.User != nil:
		return nil, errors.New("a password is not sent without encryption")
	case open:
		policy = mail.NoTLS
	case local(s.host):
		policy = mail.TLSOpportunistic
	}
	if strings.Contains(s.host, ":") { // an IPv6 address, which a port follows
		s.host = "[" + s.host + "]"
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return nil, errors.New("the port is not a number")
		}
	}
	s.options = append(s.options, mail.WithPort(port), mail.WithTLSPolicy(policy), mail.WithTimeout(timeout))
	if u.User != nil {
		password, _ := u.User.Password()
		s.options = append(s.options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()),
			mail.WithPassword(password))
	}
	if _, err := mail.NewClient(s.host, s.options...); err != nil {
		return nil, errors.New("the address does not name a usable server")
	}
	return s, nil
}

// local reports whether a host is this machine.
func local(host string) bool {
	address, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && address.IsLoopback()
}

// Server returns the address of the server without user and password, for logs.
func (s *Sender) Server() string {
	client, err := mail.NewClient(s.host, s.options...)
	if err != nil {
		return s.host
	}
	return client.ServerAddr()
}

// Send sends a text to one address and returns once the server has accepted it. It gives up at the deadline of
// the context, or after 30 seconds. Errors contain neither the address nor the text.
func (s *Sender) Send(ctx context.Context, to, subject, text string) error {
	letter, err := s.letter(&Message{To: to, Subject: subject, Text: text, ID: rand.Text()})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	client, err := s.client(ctx)
	if err != nil {
		return errors.New("send mail: no server")
	}
	if err := client.DialAndSendWithContext(ctx, letter); err != nil {
		return fmt.Errorf("send mail through %s: %w", s.Server(), reason(err))
	}
	return nil
}

// client returns a client whose timeout ends at the deadline of the context, because the client itself ignores the
// deadline while it reads.
func (s *Sender) client(ctx context.Context) (*mail.Client, error) {
	options := s.options
	if end, ok := ctx.Deadline(); ok {
		options = append(slices.Clip(options), mail.WithTimeout(max(min(time.Until(end), timeout), time.Millisecond)))
	}
	return mail.NewClient(s.host, options...)
}

// reason reduces an error to the part that reveals nothing about the email.
func reason(err error) error {
	var refused *mail.SendError
	var network *net.OpError
	switch {
	case errors.As(err, &network):
		return network
	case errors.As(err, &refused):
		return fmt.Errorf("refused with code %d", refused.ErrorCode())
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded
	}
	return errors.New("the server could not be reached")
}
