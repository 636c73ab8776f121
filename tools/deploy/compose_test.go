package deploy

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// project loads docker-compose.yml as docker compose does: checked against the schema, with variables put in,
// consistent, and of some profiles.
func project(t testing.TB, environment types.Mapping, profiles ...string) *types.Project {
	t.Helper()
	dir, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	p, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{WorkingDir: dir, Environment: environment,
		ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(dir, "docker-compose.yml")}}},
		func(o *loader.Options) {
			o.SetProjectName("kalends", true)
			o.Profiles = profiles
		})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCompose(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		profiles, services []string
	}{
		{nil, []string{"kalends", "postgres", "redis"}},
		{[]string{"tls"}, []string{"caddy", "kalends", "postgres", "redis"}},
		{[]string{"tls", "two"}, []string{"caddy", "kalends", "kalends-2", "postgres", "redis"}},
		{[]string{"citus"}, []string{"citus", "citus-join", "citus-migrate", "citus-worker-1", "citus-worker-2", "kalends", "postgres", "redis"}},
	} {
		p := project(t, types.Mapping{}, c.profiles...)
		if got := p.ServiceNames(); !slices.Equal(got, c.services) {
			t.Errorf("with profiles %v %v run, want %v", c.profiles, got, c.services)
		}
		for name, s := range p.Services {
			ends := name == "citus-join" || name == "citus-migrate"
			if s.HealthCheck == nil && name != "caddy" && !ends {
				t.Errorf("%s has no health check", name)
			}
			for needed, how := range s.DependsOn {
				ready := how.Condition == types.ServiceConditionHealthy && p.Services[needed].HealthCheck != nil
				done := how.Condition == types.ServiceConditionCompletedSuccessfully && strings.HasPrefix(needed, "citus-")
				if !ready && !done {
					t.Errorf("%s starts when %s is %s", name, needed, how.Condition)
				}
			}
			for _, v := range s.Volumes {
				if _, err := os.Stat(v.Source); v.Type == types.VolumeTypeBind && err != nil {
					t.Errorf("%s mounts %v", name, err)
				}
				if _, named := p.Volumes[v.Source]; v.Type == types.VolumeTypeVolume && !named {
					t.Errorf("%s mounts the volume %q, which isn't there", name, v.Source)
				}
			}
		}
	}
}

// TestComposeCitus: Kalends starts when the cluster has its tables, and the servers that trust whoever reaches them are
// reached by Kalends alone.
func TestComposeCitus(t *testing.T) {
	t.Parallel()
	p := project(t, types.Mapping{"DATABASE_URL": "postgres://kalends@citus:5432/kalends?sslmode=disable"}, "citus")
	kalends := p.Services["kalends"]
	if got := *kalends.Environment["DATABASE_URL"]; got != *p.Services["citus-migrate"].Environment["DATABASE_URL"] {
		t.Errorf("tables are made elsewhere than in %s", got)
	}
	if how := kalends.DependsOn["citus-migrate"]; how.Condition != types.ServiceConditionCompletedSuccessfully || how.Required {
		t.Errorf("Kalends waits for the cluster: %+v", how)
	}
	if !p.Networks["citus"].Internal {
		t.Error("others reach the cluster")
	}
	for name, s := range p.Services {
		_, inside := s.Networks["citus"]
		if trusted := strings.HasPrefix(name, "citus"); trusted && (len(s.Networks) != 1 || len(s.Ports) > 0) || inside && !trusted && name != "kalends" {
			t.Errorf("%s is in %v with ports %v", name, s.Networks, s.Ports)
		}
	}
	mounted := map[string]bool{}
	for _, name := range []string{"citus", "citus-worker-1", "citus-worker-2"} {
		mounted[p.Services[name].Volumes[0].Source] = true
	}
	if len(mounted) != 3 {
		t.Errorf("servers share data: %v", mounted)
	}
}

// TestComposeTwoNodes: the second node is like the first, with the same database and pictures, and no port of its own; Caddy gets both.
func TestComposeTwoNodes(t *testing.T) {
	t.Parallel()
	p := project(t, types.Mapping{"KALENDS_UPSTREAM": "kalends:8080 kalends-2:8080", "KALENDS_PLATFORM_DOMAIN": "calendars.example"}, "tls", "two")
	first, second := p.Services["kalends"], p.Services["kalends-2"]
	for name, value := range first.Environment {
		other, ok := second.Environment[name]
		if !ok || (value == nil) != (other == nil) || value != nil && *value != *other {
			t.Errorf("%s differs", name)
		}
	}
	if first.Volumes[0].Source != second.Volumes[0].Source || len(second.Ports) > 0 || !second.ReadOnly || len(second.Networks) != len(first.Networks) {
		t.Errorf("the second has %v, ports %v, networks %v", second.Volumes, second.Ports, second.Networks)
	}
	if got := *p.Services["caddy"].Environment["KALENDS_UPSTREAM"]; got != "kalends:8080 kalends-2:8080" {
		t.Errorf("Caddy sends requests to %q", got)
	}
}

// TestComposeSettings: what stands in .env arrives where it is meant to.
func TestComposeSettings(t *testing.T) {
	t.Parallel()
	p := project(t, types.Mapping{"POSTGRES_PASSWORD": "p4ss", "KALENDS_PORT": "9000", "KALENDS_PLATFORM_DOMAIN": "calendars.example",
		"KALENDS_LOG_LEVEL": "debug", "KALENDS_FRONT": "10.99.99"}, "tls")
	at := func(service, name string) string {
		value := p.Services[service].Environment[name]
		if value == nil {
			t.Errorf("%s has no %s", service, name)
			return ""
		}
		return *value
	}
	if url := at("kalends", "DATABASE_URL"); !strings.Contains(url, ":p4ss@postgres:5432/") || at("postgres", "POSTGRES_PASSWORD") != "p4ss" {
		t.Errorf("passwords differ: %s", url)
	}
	if at("kalends", "KALENDS_PLATFORM_DOMAIN") != "calendars.example" || at("caddy", "KALENDS_PLATFORM_DOMAIN") != "calendars.example" {
		t.Error("the domain doesn't arrive")
	}
	if got := fmt.Sprint(p.Services["kalends"].Ports[0].HostIP, ":", p.Services["kalends"].Ports[0].Published); got != "127.0.0.1:9000" {
		t.Errorf("the port is %s", got)
	}
	if got := at("kalends", "KALENDS_LOG_LEVEL"); got != "debug" {
		t.Errorf("a setting that stands without a value arrives as %q", got)
	}
	if value := p.Services["kalends"].Environment["KALENDS_HISTORY_DAYS"]; value != nil {
		t.Errorf("a setting that nobody gives is %q", *value)
	}
	address, network := p.Services["caddy"].Networks["front"].Ipv4Address, p.Networks["front"].Ipam.Config[0]
	if address != "10.99.99.2" || address != at("kalends", "KALENDS_TRUSTED_PROXIES") {
		t.Errorf("Caddy is at %s, and %s is trusted", address, at("kalends", "KALENDS_TRUSTED_PROXIES"))
	}
	caddy := netip.MustParseAddr(address)
	if !netip.MustParsePrefix(network.Subnet).Contains(caddy) || netip.MustParsePrefix(network.IPRange).Contains(caddy) {
		t.Errorf("%s may be given to another in %s, %s", address, network.Subnet, network.IPRange)
	}
	if ipam := p.Networks["default"].Ipam.Config; len(ipam) > 0 {
		t.Errorf("the network of Postgres and Redis is fixed to %v", ipam[0])
	}
	if got := *p.Services["caddy"].Environment["KALENDS_UPSTREAM"]; got != "kalends:"+fmt.Sprint(p.Services["kalends"].Ports[0].Target) {
		t.Errorf("Caddy sends requests to %s", got)
	}
}
