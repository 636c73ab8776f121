package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"strings"

	"github.com/wneessen/go-mail"
)

// Fault is why a server does not accept e-mail, as far as that can be found out without sending any.
type Fault struct {
	Cause  string
	Remedy string
}

// Error returns both.
func (f *Fault) Error() string { return f.Cause + ": " + f.Remedy }

// Check speaks with the server as Send does, up to the sender's address, and sends nothing: greeting, STARTTLS, sign-in. It returns a Fault
// that contains neither user nor password, or nil.
func (s *Sender) Check(ctx context.Context) error {
	client, err := s.client(ctx)
	if err != nil {
		return &Fault{"the address does not name a usable server", "check KALENDS_SMTP_URL"}
	}
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return s.fault(client, err)
	}
	defer func() { _ = client.CloseWithSMTPClient(conn) }()
	if err := conn.Mail(s.address); err != nil {
		return &Fault{fmt.Sprintf("the server does not take e-mail from %s (%s)", s.address, code(err)),
			"check KALENDS_MAIL_FROM, and whether the server wants user and password in KALENDS_SMTP_URL"}
	}
	_ = conn.Reset()
	return nil
}

// fault explains why no session begins.
func (s *Sender) fault(client *mail.Client, err error) *Fault {
	var network *net.OpError
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var answer *textproto.Error
	server := client.ServerAddr()
	switch text := err.Error(); {
	case errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &host):
		return &Fault{"the certificate of " + server + " is not trusted for that name",
			"use the name in the certificate in KALENDS_SMTP_URL, or have the machine trust its issuer (SSL_CERT_FILE)"}
	case errors.As(err, &record):
		return &Fault{server + " does not begin with TLS", "use smtp:// instead of smtps:// in KALENDS_SMTP_URL, which uses STARTTLS"}
	case errors.As(err, &network) && network.Op == "dial":
		return &Fault{server + " cannot be reached", "check host and port in KALENDS_SMTP_URL, and the firewall"}
	case strings.Contains(text, "STARTTLS"):
		return &Fault{server + " does not offer STARTTLS", "use smtps:// in KALENDS_SMTP_URL with the port for TLS, or, " +
			"for a relay in your own network and without a password, ?starttls=no"}
	case strings.Contains(text, "SMTP Auth autodiscover") || strings.Contains(text, "does not support SMTP AUTH"):
		return &Fault{server + " accepts no user and password",
			"remove them from KALENDS_SMTP_URL, or use the port for sending (587 or 465)"}
	case errors.As(err, &answer) && answer.Code/10 == 53:
		return &Fault{fmt.Sprintf("%s refuses user and password (%d)", server, answer.Code),
			"check both in KALENDS_SMTP_URL, where / is written %2F, + is %2B and @ is %40"}
	case errors.As(err, &answer):
		return &Fault{fmt.Sprintf("%s refuses this machine (%d)", server, answer.Code), "ask who runs the server to let it send"}
	}
	return &Fault{server + " accepts connections and does not speak SMTP",
		"check the port in KALENDS_SMTP_URL; a server that expects TLS at once needs smtps://"}
}

// code returns the number of an answer, whose text may repeat an address.
func code(err error) string {
	if answer, ok := errors.AsType[*textproto.Error](err); ok {
		return fmt.Sprint("code ", answer.Code)
	}
	return "no answer"
}
