package mail_test

import (
	"net"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/mail"
)

// The address of a mail server says where it is, by name or by address, and on which port.
func TestServer(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"smtp://mail.example.org":             "mail.example.org:587",
		"smtp://mail.example.org/":            "mail.example.org:587",
		"SMTP://mail.example.org":             "mail.example.org:587",
		"smtps://mail.example.org":            "mail.example.org:465",
		"smtps://mail.example.org:2465":       "mail.example.org:2465",
		"smtp://user:secret@mail.example.org": "mail.example.org:587",
		"smtp://192.0.2.1:25?starttls=no":     "192.0.2.1:25",
		"smtp://[2001:db8::1]":                "[2001:db8::1]:587",
		"smtp://[::1]:2525":                   "[::1]:2525",
		"smtps://user:secret@[2001:db8::1]":   "[2001:db8::1]:465",
		"smtps://user:secret@h?starttls=no":   "h:465", // encrypted anyway
	} {
		s, err := mail.New(address, "a@example.org")
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if s.Server() != want {
			t.Errorf("%s: %s, want %s", address, s.Server(), want)
		}
		if _, _, err := net.SplitHostPort(s.Server()); err != nil {
			t.Errorf("%s: nobody can connect to %s: %v", address, s.Server(), err)
		}
	}
}

// An address that no mail is sent to is refused, and so is one over which a password would be sent openly. The error says
// nothing of the address.
func TestServerRefused(t *testing.T) {
	t.Parallel()
	const hush = "hush"
	for address, want := range map[string]string{
		"":                         "form",
		"mail.example.org":         "form",
		"smtp://":                  "form",
		"smtp://user:hush@":        "form",
		"smtp://user:hush@h/path":  "form",
		"smtp://user:hu%sh@h":      "form",
		"smtp://user:hush@h:port":  "form",
		"smtp://user:hush@h:0":     "usable",
		"smtp://user:hush@h:65536": "usable",
		"smtp://user:hush@h:99999999999999999999": "number",
		"imap://user:hush@h":                      "smtp://",
		"smtp://user:hush@h?starttls=no":          "encryption",
		"smtp://user@h?starttls=no":               "encryption",
		"smtp://u:hush@[::1]?starttls=no":         "encryption",
		"smtp://:hush@localhost?starttls=no":      "encryption",
	} {
		_, err := mail.New(address, "a@example.org")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), hush) {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
	for _, from := range []string{"", "nobody", "a@example.org, b@example.org", "a@", "@example.org", "A <a@example.org"} {
		if _, err := mail.New("smtp://h", from); err == nil || err.Error() != "the sender is not an e-mail address" {
			t.Errorf("from %q: %v", from, err)
		}
	}
}

// Whether a server must encrypt depends on where it is: one on this machine needs not, whatever it is called.
func TestEncryption(t *testing.T) {
	t.Parallel()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { // it offers no encryption, and ends when it is asked to take a mail
				defer conn.Close()
				_, _ = conn.Write([]byte("220 mail.example.org\r\n"))
				b := make([]byte, 4096)
				for {
					n, err := conn.Read(b)
					if err != nil {
						return
					}
					answer := "250 mail.example.org\r\n"
					if strings.HasPrefix(string(b[:n]), "MAIL") {
						answer = "554 no\r\n"
					}
					_, _ = conn.Write([]byte(answer))
				}
			}()
		}
	}()
	for address, asked := range map[string]bool{
		"smtp://127.0.0.1:" + port:                  true,
		"smtp://localhost:" + port:                  true,
		"smtp://LocalHost:" + port:                  true,
		"smtp://127.0.0.1:" + port + "?starttls=no": true,
		"smtp://0.0.0.0:" + port + "?starttls=no":   true,
		"smtp://0.0.0.0:" + port:                    false, // not an address of this machine alone
	} {
		s, err := mail.New(address, "a@example.org")
		if err != nil {
			t.Fatal(err)
		}
		err = s.Send(t.Context(), "b@example.org", "Subject", "Text")
		if err == nil || strings.Contains(err.Error(), "554") != asked || strings.Contains(err.Error(), "b@example.org") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
