// Package mailtest provides a mail server for tests. It accepts and keeps every email.
package mailtest

import (
	"bufio"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"testing"
	"time"
)

// Letter is a received email.
type Letter struct {
	From, To, Subject, Text string
	ID                      string // with its angle brackets
	Client                  string // what the client calls itself
	HTML                    string // "" for an email of text alone
	Header                  mail.Header
}

// Server is a mail server on this machine.
type Server struct {
	URL     string // for mail.New
	t       testing.TB
	letters chan Letter
}

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	s := &Server{URL: "smtp://" + listener.Addr().String(), t: t, letters: make(chan Letter, 100)}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.talk(conn)
		}
	}()
	return s
}

// Silent starts a server that accepts connections but never responds, and returns its address for mail.New. It ends
// with the test.
func Silent(t testing.TB) string {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0") // the system accepts connections to it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return "smtp://" + listener.Addr().String()
}

// Next returns the next email, or fails the test.
func (s *Server) Next() Letter {
	s.t.Helper()
	select {
	case l := <-s.letters:
		return l
	case <-time.After(20 * time.Second):
		s.t.Fatal("no mail")
		return Letter{}
	}
}

// Letters are the emails that have arrived. The server holds at most a hundred that have not been received from the
// channel.
func (s *Server) Letters() <-chan Letter { return s.letters }

// None fails the test if an email has arrived.
func (s *Server) None() {
	s.t.Helper()
	select {
	case l := <-s.letters:
		s.t.Errorf("mail to %s: %s", l.To, l.Subject)
	default:
	}
}

// talk implements as much SMTP as an email needs (RFC 5321).
func (s *Server) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in, letter := bufio.NewReader(conn), Letter{}
	say := func(text string) { _, _ = fmt.Fprint(conn, text+"\r\n") }
	say("220 mailtest")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch strings.ToUpper(verb) {
		case "EHLO", "HELO":
			letter.Client = rest
			say("250 ok")
		case "RCPT":
			letter.To = strings.Trim(strings.TrimPrefix(rest, "TO:"), "<>")
			if strings.HasPrefix(letter.To, "refused@") {
				say("550 no")
				continue
			}
			say("250 ok")
		case "DATA":
			say("354 go on")
			var body strings.Builder
			for {
				text, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if text == ".\r\n" {
					break
				}
				body.WriteString(strings.TrimPrefix(text, "."))
			}
			s.letters <- read(letter, body.String())
			say("250 ok")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// read parses the headers and text of an email.
func read(l Letter, source string) Letter {
	m, err := mail.ReadMessage(strings.NewReader(source))
	if err != nil {
		l.Text = source
		return l
	}
	l.Header, l.From, l.ID = m.Header, m.Header.Get("From"), m.Header.Get("Message-Id")
	l.Subject, _ = (&mime.WordDecoder{}).DecodeHeader(m.Header.Get("Subject"))
	kind, about, _ := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if kind != "multipart/alternative" {
		l.Text = plain(m.Body)
		return l
	}
	for parts := multipart.NewReader(m.Body, about["boundary"]); ; {
		part, err := parts.NextRawPart()
		if err != nil {
			return l
		}
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			l.HTML = plain(part)
		} else {
			l.Text = plain(part)
		}
	}
}

// plain decodes a body.
func plain(body io.Reader) string {
	text, _ := io.ReadAll(quotedprintable.NewReader(body))
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}
