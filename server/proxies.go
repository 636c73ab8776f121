package server

import (
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// proxies are the addresses whose forwarded headers are trusted.
type proxies []netip.Prefix

// readProxies parses addresses and ranges. Invalid texts are ignored.
func readProxies(list []string) proxies {
	var p proxies
	for _, text := range list {
		if one, err := netip.ParseAddr(text); err == nil {
			p = append(p, netip.PrefixFrom(plain(one), plain(one).BitLen()))
		} else if many, err := netip.ParsePrefix(text); err == nil {
			p = append(p, many.Masked())
		}
	}
	return p
}

func (p proxies) trust(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(known netip.Prefix) bool { return known.Contains(a) })
}

// arrival is the origin and target of a request, from trusted sources only.
type arrival struct {
	scheme  string // "http" or "https"
	host    string // as sent by the client
	client  netip.Addr
	proxied bool // forwarded by a trusted proxy
}

// arrivalOf returns the arrival of a request. It must be called before the body is read.
func (p proxies) arrivalOf(c *fiber.Ctx) arrival {
	a := arrival{scheme: "http", host: c.Hostname(), client: peer(c.Context().RemoteAddr())}
	if a.proxied = p.trust(a.client); !a.proxied {
		return a
	}
	h := &c.Request().Header
	if said := strings.ToLower(nearest(h, fiber.HeaderXForwardedProto)); said == "https" {
		a.scheme = said
	}
	if said := nearest(h, fiber.HeaderXForwardedHost); said != "" {
		a.host = said
	}
	a.client = p.clientOf(h, a.client)
	return a
}

// clientOf returns the last address that is not a trusted proxy. Each proxy vouches for the address before it, so
// everything before an untrusted address is only a claim.
func (p proxies) clientOf(h *fasthttp.RequestHeader, last netip.Addr) netip.Addr {
	lines := h.PeekAll(fiber.HeaderXForwardedFor)
	for _, line := range slices.Backward(lines) {
		rest, more := string(line), true
		for more {
			before, text := "", rest
			at := strings.LastIndexByte(rest, ',')
			if more = at >= 0; more {
				before, text = rest[:at], rest[at+1:]
			}
			said, ok := hop(text)
			if !ok {
				return last
			}
			if last = said; !p.trust(said) {
				return said
			}
			rest = before
		}
	}
	return last
}

// nearest returns the value that the last proxy added to a header, which it appends.
func nearest(h *fasthttp.RequestHeader, name string) string {
	lines := h.PeekAll(name)
	if len(lines) == 0 {
		return ""
	}
	last := string(lines[len(lines)-1])
	return strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
}

// hop parses an address, which some proxies write with a port.
func hop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if a, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		return plain(a), true
	}
	a, err := netip.ParseAddrPort(text)
	return plain(a.Addr()), err == nil
}

// peer returns the address at the other end of a connection.
func peer(remote net.Addr) netip.Addr {
	tcp, ok := remote.(*net.TCPAddr)
	if !ok {
		return netip.IPv4Unspecified()
	}
	return plain(tcp.AddrPort().Addr())
}

// plain returns the canonical form of an address.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }
