package tenancy

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
)

// The reasons for refusing a request before any rule of the calendar applies.
var (
	ErrUnauthenticated = errors.New("not signed in")
	ErrForbidden       = errors.New("not allowed")
	ErrCredentials     = errors.New("wrong credentials")
	ErrNoSite          = errors.New("no such site")
	ErrNoScope         = errors.New("no scope in context")
	ErrReadOnly        = errors.New("site does not accept writes")
	ErrClosed          = errors.New("site is closed")
)

// ErrOutside is ErrForbidden for people whose role allows what they did, but whose Area does not include it.
var ErrOutside = fmt.Errorf("%w: outside the area", ErrForbidden)

// Scope says on whose behalf a request runs. One middleware puts it in the context; everything else reads it from
// there and never passes it on as a parameter.
type Scope struct {
	Site      *Site
	Principal Principal
	Language  string   // of the response, a BCP 47 tag
	OwnSlugs  bool     // the URL is the same in all languages, with slugs in the site's own language
	Texts     []string // languages that the reader prefers to the site's own, best first; nil: only the site's own
	Spoken    []string // like Texts, but only from the URL, without arguments
	Writing   string   // language of the URL, in which new texts are written if the site writes in it; "": the site's own
	Base      Base
	Address   string // of the client, "" for none
}

// Client returns the name under which a client's attempts are counted: its address or, for IPv6, its 64-bit
// network, because a client can use any address in that network.
func (s *Scope) Client() string {
	address, err := netip.ParseAddr(s.Address)
	if err != nil || address.Is4() {
		return s.Address
	}
	network, _ := address.Prefix(64)
	return network.String()
}

// Network returns the network of the request's client, in the sizes that internet providers assign: 24 bits of
// IPv4, 48 bits of IPv6. Requests from different addresses in a network count as from one sender.
func (s *Scope) Network() string {
	address, err := netip.ParseAddr(s.Address)
	if err != nil {
		return s.Address
	}
	bits := 48
	if address = address.Unmap(); address.Is4() {
		bits = 24
	}
	network, _ := address.Prefix(bits)
	return network.String()
}

// Base is the beginning of the URLs in a response (rule 1.1).
type Base struct {
	Origin    string // scheme and host of the request, no slash at the end
	Scheme    string // scheme for links in messages; https if the request came past the trusted proxies
	Port      string // with colon, if the request names the port on which this program listens
	Prefix    string // "/de" or ""
	Namespace string // path of the API: "/calendar/events/v1" or "/wp-json/tribe/events/v1"
}

// Host returns the host of the request, as the client wrote it.
func (b Base) Host() string {
	_, host, _ := strings.Cut(b.Origin, "://")
	return host
}

// Secure reports whether the request came over TLS.
func (b Base) Secure() bool { return strings.HasPrefix(b.Origin, "https:") }

// API returns the URL of the API's root, without a trailing slash.
func (b Base) API() string { return b.Origin + b.Prefix + b.Namespace }

// Pages returns the URL of the public pages, without a trailing slash.
func (b Base) Pages() string { return b.Origin + b.Prefix }

type scopeKey struct{}

// With returns a context that carries the scope.
func With(ctx context.Context, s Scope) context.Context {
	s.Principal.withheld = s.Site.withheld(s.Principal.Role)
	if s.Principal.Support != "" { // support must not be able to create access for anyone
		s.Principal.withheld |= ManageUsers
	}
	return context.WithValue(ctx, scopeKey{}, &s)
}

// From returns the scope of the context, or ErrNoScope: without a scope, nothing may be read or written.
func From(ctx context.Context) (*Scope, error) {
	if s, ok := ctx.Value(scopeKey{}).(*Scope); ok && s.Site != nil {
		return s, nil
	}
	return nil, ErrNoScope
}

// Current returns the scope of a context, or an anonymous scope without a site if it has none. Use it only for
// texts and URLs, or if the context is known to have a scope.
func Current(ctx context.Context) *Scope {
	if s, ok := ctx.Value(scopeKey{}).(*Scope); ok {
		return s
	}
	return &Scope{}
}
