package tenancy

import (
	"context"
	"errors"
	"net/netip"
	"strings"
)

// The reasons for which a request is refused before any rule of the calendar.
var (
	ErrUnauthenticated = errors.New("not signed in")
	ErrForbidden       = errors.New("not allowed")
	ErrCredentials     = errors.New("wrong credentials")
	ErrNoSite          = errors.New("no such site")
	ErrNoScope         = errors.New("no scope in context")
	ErrReadOnly        = errors.New("site does not accept writes")
	ErrClosed          = errors.New("site is closed")
)

// Principal is who asks. The zero Principal is the anonymous visitor.
type Principal struct {
	UserID   int64
	Login    string
	Role     Role
	ReadOnly bool   // an API key that reads only
	Kind     Kind   // of the credential, "" for a session
	Key      string // the credential's name
	Seal     string // of the session, "" for none: User.Seal when it was let in
}

// Anonymous reports whether nobody is signed in; the provider acting on a site is
// somebody without being a user of it.
func (p Principal) Anonymous() bool { return p.UserID == 0 && p.Role == NoRole }

// May reports whether the principal has all of the rights.
func (p Principal) May(rights Permission) bool {
	return !p.ReadOnly && p.Role.Rights()&rights == rights
}

// MayRead is May for rights that change nothing: a read-only key keeps them.
func (p Principal) MayRead(rights Permission) bool { return p.Role.Rights()&rights == rights }

// Require returns nil when the principal has the rights, ErrUnauthenticated for
// the anonymous visitor and ErrForbidden for everybody else.
func (p Principal) Require(rights Permission) error {
	switch {
	case p.May(rights):
		return nil
	case p.Anonymous():
		return ErrUnauthenticated
	}
	return ErrForbidden
}

// Scope is whose request this is. One middleware sets it, everybody reads it,
// nobody passes it on.
type Scope struct {
	Site      *Site
	Principal Principal
	Language  string   // of the answer, a BCP 47 tag
	OwnSlugs  bool     // the address is the same in all languages, and has the slugs of the site's own
	Texts     []string // the languages that texts are wanted in before the site's own, the best first; nil: in that
	Base      Base
	Address   string // of the client, "" for none
}

// Client returns whom attempts are counted for: the client's address, and of IPv6
// its network of 64 bits, within which everybody has as many as they like.
func (s *Scope) Client() string {
	address, err := netip.ParseAddr(s.Address)
	if err != nil || address.Is4() {
		return s.Address
	}
	network, _ := address.Prefix(64)
	return network.String()
}

// Base is what the addresses in an answer start with (rule 1.1).
type Base struct {
	Origin    string // scheme and host of the request, no slash at the end
	Scheme    string // of links that are sent away: https unless who brought the request is to be believed that it isn't
	Port      string // that a request names, with its colon, when this program listens there
	Prefix    string // "/de" or ""
	Namespace string // path of the API: "/calendar/events/v1" or "/wp-json/tribe/events/v1"
}

// Host returns the host of the request, as the client wrote it.
func (b Base) Host() string {
	_, host, _ := strings.Cut(b.Origin, "://")
	return host
}

// Secure reports whether the request came by TLS.
func (b Base) Secure() bool { return strings.HasPrefix(b.Origin, "https:") }

// API returns the address of the API's root without a slash at the end.
func (b Base) API() string { return b.Origin + b.Prefix + b.Namespace }

// Pages returns the address of the public pages without a slash at the end.
func (b Base) Pages() string { return b.Origin + b.Prefix }

type scopeKey struct{}

// With returns a context that carries the scope.
func With(ctx context.Context, s Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, &s)
}

// From returns the scope of the context, or ErrNoScope: without one nothing is
// read and nothing is written.
func From(ctx context.Context) (*Scope, error) {
	if s, ok := ctx.Value(scopeKey{}).(*Scope); ok && s.Site != nil {
		return s, nil
	}
	return nil, ErrNoScope
}

// Current returns the scope of a context that is known to carry one, and the
// anonymous scope of no site otherwise; use it where only texts and addresses
// are made.
func Current(ctx context.Context) *Scope {
	if s, ok := ctx.Value(scopeKey{}).(*Scope); ok {
		return s
	}
	return &Scope{}
}

// Kind is what a credential is used as.
type Kind string

// The kinds of credentials (rule 2.1).
const (
	ApplicationPassword Kind = "application_password" // with a login, HTTP Basic
	APIKey              Kind = "api_key"              // alone, Bearer
)
