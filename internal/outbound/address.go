package outbound

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Address ranges that are not public. For IPv6, only 2000::/3 is public, which excludes the loopback, unspecified,
// unique-local, link-local, multicast, IPv4-mapped and NAT64 ranges.
const (
	publicIPv6 = "2000::/3"

	refusedRanges = "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 " +
		"172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 " +
		"198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 " +
		"2001::/23 2001:db8::/32 2002::/16 3fff::/20"
)

// addressRules distinguishes public addresses from all others.
type addressRules struct {
	public  netip.Prefix
	refused []netip.Prefix
}

func newAddressRules() addressRules {
	rules := addressRules{public: netip.MustParsePrefix(publicIPv6)}
	for r := range strings.FieldsSeq(refusedRanges) {
		rules.refused = append(rules.refused, netip.MustParsePrefix(r))
	}
	return rules
}

// check returns ErrRefusedAddress unless ip is a public unicast address.
func (rules addressRules) check(ip netip.Addr) error {
	refused := !ip.IsValid() || ip.Zone() != "" || !ip.Is4() && !rules.public.Contains(ip)
	for _, r := range rules.refused {
		refused = refused || r.Contains(ip)
	}
	if refused {
		return fmt.Errorf("%w: %s", ErrRefusedAddress, ip)
	}
	return nil
}

// checkHost returns ErrRefusedAddress for a host that is, or that some resolver may interpret as, a non-public
// address: literal addresses, 127.1, 0x7f000001, 017700000001, localhost. It does not resolve other names.
func (rules addressRules) checkHost(host string) error {
	if strings.Contains(host, ":") || endsInNumber(host) {
		ip, err := netip.ParseAddr(host)
		if err != nil {
			return fmt.Errorf("%w: %q", ErrRefusedAddress, host)
		}
		return rules.check(ip)
	}
	if host == "" || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return fmt.Errorf("%w: %q", ErrRefusedAddress, host)
	}
	return nil
}

// endsInNumber reports whether the last label is a number, which is how the URL parsers of browsers recognize IPv4
// addresses.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	_, err := strconv.ParseUint(last, 0, 64)
	return err == nil || last != "" && strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x")
}

// hostPort returns the lowercase host without trailing dot, and the port, which defaults to that of the scheme.
func hostPort(u *url.URL) (host, port string) {
	host, port = strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return host, port
}
