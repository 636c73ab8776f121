package platform_test

import (
	"errors"
	"testing"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// A domain points here if all of its addresses are those of the site's name on the platform. Only the site's own domains are looked up, for a
// limited time.
func TestWhereDomainsPoint(t *testing.T) {
	t.Parallel()
	i, dns := withRecords(t)
	site, other := i.Site("club"), i.Site("choir")
	claim(t, i, site, "club.example")
	claim(t, i, other, "choir.example")
	ours := i.Domains.Target(site) + "."
	for _, c := range []struct {
		what        string
		ours, found []string
		fails       error
		want        platform.Direction
	}{
		{"the same", []string{"192.0.2.1", "2001:db8::1"}, []string{"2001:db8::1", "192.0.2.1"}, nil, platform.PointsHere},
		{"one of two", []string{"192.0.2.1", "2001:db8::1"}, []string{"192.0.2.1"}, nil, platform.PointsHere},
		{"another server", []string{"192.0.2.1"}, []string{"192.0.2.9"}, nil, platform.PointsElsewhere},
		{"another server, too", []string{"192.0.2.1"}, []string{"192.0.2.1", "192.0.2.9"}, nil, platform.PointsElsewhere},
		{"nothing", []string{"192.0.2.1"}, nil, nil, platform.PointsNowhere},
		{"a platform without an address", nil, []string{"192.0.2.1"}, nil, platform.PointsUnknown},
		{"no answer", []string{"192.0.2.1"}, []string{"192.0.2.1"}, errors.New("timeout"), platform.PointsUnknown},
	} {
		dns.mu.Lock()
		dns.texts, dns.err, dns.until = map[string][]string{ours: c.ours, "club.example.": c.found}, c.fails, 0
		dns.mu.Unlock()
		got, err := i.Domains.Point(i.Enter(site), "Club.Example")
		if err != nil || got.Direction != c.want || got.Domain != "club.example" {
			t.Errorf("%s: %+v, %v", c.what, got, err)
		}
		if dns.until <= 0 {
			t.Errorf("%s: looked up without a limit", c.what)
		}
	}
	for _, name := range []string{"choir.example", "localhost", "10.0.0.1", "unknown.example"} {
		if _, err := i.Domains.Point(i.Enter(site), name); !errors.Is(err, platform.ErrNoDomain) {
			t.Errorf("%s, which is not the site's: %v", name, err)
		}
	}
	if _, err := i.Domains.Point(tenancy.With(t.Context(), tenancy.Scope{Site: site}), "club.example"); !errors.Is(err, tenancy.ErrUnauthenticated) {
		t.Errorf("nobody looks it up: %v", err)
	}
}
