package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
)

// TestNamesOfPrivateAddresses uses a fake name server.
func TestNamesOfPrivateAddresses(t *testing.T) {
	t.Parallel()
	for _, ips := range []string{"127.0.0.1", "93.184.216.34 10.0.0.1", "::ffff:192.168.0.1", "2606:2800::1 fd00::1", "64:ff9b::a00:1"} {
		g := NewGuard(nil, false)
		g.lookup = func(context.Context, string, string) (found []netip.Addr, err error) {
			for ip := range strings.FieldsSeq(ips) {
				found = append(found, netip.MustParseAddr(ip))
			}
			return found, nil
		}
		if conn, err := g.Dial(t.Context(), "tcp", "pictures.example.org:80"); conn != nil || !errors.Is(err, ErrRefusedAddress) {
			t.Errorf("%s: %v", ips, err)
		}
	}
}

// TestRebinding uses a name that resolves to a public address at first, and to the loopback address when connecting.
func TestRebinding(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	g := NewGuard(nil, false)
	g.lookup = func(context.Context, string, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
	}
	conn, err := g.Dial(t.Context(), "tcp", listener.Addr().String())
	if conn != nil || !errors.Is(err, ErrRefusedAddress) {
		t.Errorf("got %v", err)
	}
	if err := g.control("tcp", "93.184.216.34:443", nil); err != nil {
		t.Errorf("public: %v", err)
	}
}

func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	rules := newAddressRules()
	for _, ip := range []string{"8.8.8.8", "1.1.1.1", "93.184.216.34", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"} {
		if err := rules.check(netip.MustParseAddr(ip)); err != nil {
			t.Error(err)
		}
	}
	for _, host := range []string{"example.org", "1.example", "xn--bcher-kva.example", "8.8.8.8", "0xdata.example"} {
		if err := rules.checkHost(host); err != nil {
			t.Error(err)
		}
	}
}
