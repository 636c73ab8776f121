package pg

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestToServer: a worker is connected to as the coordinator is. sslmode=prefer, which an address without sslmode means, tries TLS and then
// without; other hosts of the address are no workers.
func TestToServer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address    string
		tls, plain int // ways to connect with and without
	}{
		{"postgres://kalends@coordinator/kalends", 1, 1},
		{"postgres://kalends@coordinator,standby/kalends", 1, 1},
		{"postgres://kalends@coordinator/kalends?sslmode=allow", 1, 1},
		{"postgres://kalends@coordinator/kalends?sslmode=disable", 0, 1},
		{"postgres://kalends@coordinator/kalends?sslmode=require", 1, 0},
	} {
		config, err := pgx.ParseConfig(c.address)
		if err != nil {
			t.Fatal(err)
		}
		there, err := toServer(config, "worker:19601")
		if err != nil {
			t.Fatal(err)
		}
		var tls, plain int
		try := func(host string, port uint16, encrypted bool, name string) {
			if host != "worker" || port != 19601 {
				t.Errorf("%s leads to %s:%d", c.address, host, port)
			}
			if !encrypted {
				plain++
				return
			}
			if tls++; name != "worker" {
				t.Errorf("%s: the certificate has to be of %q", c.address, name)
			}
		}
		first := there.TLSConfig
		name := ""
		if first != nil {
			name = first.ServerName
		}
		try(there.Host, there.Port, first != nil, name)
		for _, way := range there.Fallbacks {
			name := ""
			if way.TLSConfig != nil {
				name = way.TLSConfig.ServerName
			}
			try(way.Host, way.Port, way.TLSConfig != nil, name)
		}
		if tls != c.tls || plain != c.plain {
			t.Errorf("%s: %d ways with TLS and %d without, want %d and %d", c.address, tls, plain, c.tls, c.plain)
		}
		if config.Host != "coordinator" || config.TLSConfig != nil && config.TLSConfig.ServerName == "worker" {
			t.Errorf("%s: the way to the coordinator changed", c.address)
		}
	}
}

// TestConnectionsOfAWorker: the two kinds of connections to a worker are together as many as are allowed.
func TestConnectionsOfAWorker(t *testing.T) {
	t.Parallel()
	for _, most := range []int32{3, 8, 40} {
		if sum := share(most, true) + share(most, false); sum != most {
			t.Errorf("%d of %d", sum, most)
		}
	}
	for most := range int32(8) {
		if share(most, true) < 1 || share(most, false) < 2 {
			t.Errorf("of %d, %d are for shards and %d for what Citus plans: a restore needs two of these at once", most, share(most, true), share(most, false))
		}
	}
}
