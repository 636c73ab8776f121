package server

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// proxies are the addresses whose forwarded headers count.
type proxies []netip.Prefix

// readProxies reads addresses and ranges; a text that is neither names nobody.
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

// arrival is where a request comes from and where it was sent to, as far as who
// says so is to be believed.
type arrival struct {
	scheme  string // "http" or "https"
	host    string // as the client wrote it
	client  netip.Addr
	proxied bool // brought by a proxy whose headers count
}

// arrivalOf reads where a request comes from. Call it before the body is read.
func (p proxies) arrivalOf(c *fiber.Ctx) arrival {
	remote, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	a := arrival{scheme: "http", host: c.Hostname(), client: plain(remote)}
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

// clientOf returns the nearest address that isn't one of the proxies'. Each of
// them says who came to it, so what stands before a stranger is their word alone.
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

// nearest returns what the nearest proxy says in a header: it writes after what
// was there.
func nearest(h *fasthttp.RequestHeader, name string) string {
	lines := h.PeekAll(name)
	if len(lines) == 0 {
		return ""
	}
	last := string(lines[len(lines)-1])
	return strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
}

// hop reads an address, which some proxies write with its port.
func hop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if a, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		return plain(a), true
	}
	a, err := netip.ParseAddrPort(text)
	return plain(a.Addr()), err == nil
}

// plain returns the one form of an address that is compared and shown.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }
