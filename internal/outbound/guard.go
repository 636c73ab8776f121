// Package outbound decides which addresses the server may contact on behalf of users, for any purpose.
package outbound

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
)

// ErrRefusedAddress is returned for a URL, or an address it resolves to, that the server must not contact.
var ErrRefusedAddress = errors.New("outbound: refused address")

// Guard decides which addresses the server may contact on behalf of users: public ones, and those listed in the
// configuration.
type Guard struct {
	rules  addressRules
	secure bool
	allow  map[string]bool
	lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// NewGuard returns a Guard. hosts, each a host or host:port, may be private or use another port. Secure demands https of all others.
func NewGuard(hosts []string, secure bool) *Guard {
	g := &Guard{rules: newAddressRules(), secure: secure, allow: map[string]bool{}, lookup: net.DefaultResolver.LookupNetIP}
	for _, host := range hosts {
		g.allow[strings.ToLower(host)] = true
	}
	return g
}

// Check returns ErrRefusedAddress for a URL that must not be requested.
func (g *Guard) Check(u *url.URL) error {
	host, port := hostPort(u)
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.User != nil:
		return fmt.Errorf("%w: %s", ErrRefusedAddress, u.Redacted())
	case g.allowed(host, port):
		return nil
	case g.secure && u.Scheme != "https":
		return fmt.Errorf("%w: %s", ErrRefusedAddress, u.Redacted())
	case port != "80" && port != "443":
		return fmt.Errorf("%w: port %s", ErrRefusedAddress, port)
	}
	return g.rules.checkHost(host)
}

// allowed reports whether the configuration lists the host with this port or, for the standard ports, without a port.
func (g *Guard) allowed(host, port string) bool {
	return g.allow[net.JoinHostPort(host, port)] || (port == "80" || port == "443") && g.allow[host]
}

// Dial connects to addr, the host:port of the URL. All addresses of the name must be public, and so must the address
// actually connected to, in case the name resolves differently by then.
func (g *Guard) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	var dialer net.Dialer
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if g.allowed(host, port) {
		return dialer.DialContext(ctx, network, addr)
	}
	ips, err := g.lookup(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for _, ip := range ips {
		if err := g.rules.check(ip.Unmap()); err != nil {
			return nil, err
		}
	}
	dialer.Control = g.control
	return dialer.DialContext(ctx, network, addr)
}

// control rejects a connection based on the address about to be used.
func (g *Guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %q", ErrRefusedAddress, address)
	}
	return g.rules.check(to.Addr().Unmap())
}
