package platform

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/apitest"
)

// domainFew keeps the domains of one site in memory.
type domainFew struct{ list map[string]platform.Domain }

func (s *domainFew) List(context.Context, time.Time) ([]platform.Domain, error) {
	var all []platform.Domain
	for _, d := range s.list {
		all = append(all, d)
	}
	return all, nil
}

func (s *domainFew) Claim(_ context.Context, d platform.Domain, _ time.Time, _ int) (platform.Domain, error) {
	s.list[d.Name] = d
	return d, nil
}

func (s *domainFew) Touch(context.Context, string, time.Time) error { return nil }

func (s *domainFew) Prove(_ context.Context, name, _ string, by platform.Proof) error {
	s.list[name] = platform.Domain{Name: name, By: by, Proved: sampleDay}
	return nil
}

func (s *domainFew) Remove(_ context.Context, name string) error {
	delete(s.list, name)
	return nil
}

// oneRecord is a DNS resolver that knows one record, once it is set.
type oneRecord struct{ name, value string }

func (r *oneRecord) LookupHost(ctx context.Context, name string) ([]string, error) {
	return r.LookupTXT(ctx, name)
}

func (r *oneRecord) LookupTXT(_ context.Context, name string) ([]string, error) {
	if name != r.name {
		return nil, &net.DNSError{Name: name, IsNotFound: true}
	}
	return []string{r.value}, nil
}

func TestPlatformDomains(t *testing.T) {
	t.Parallel()
	dns := &oneRecord{}
	app := aPlatform(func(o *platform.Options) { o.Names = dns })
	doc := apitest.Load(t, []byte(ask(t, app, "GET", "/doc", "").body))
	for _, c := range []struct {
		method, path, body string
		status             int
		schema, contains   string
	}{
		{"POST", "/sites/demo/domains", `{"domain":"Bücher.example"}`, 201, "Domain", `"state":"pending","target":"demo.kalends.example"`},
		{"GET", "/sites/demo/domains", "", 200, "DomainList", `"name":"_kalends.xn--bcher-kva.example","type":"TXT","value":"kalends=`},
		{"POST", "/sites/demo/domains/xn--bcher-kva.example/check", "", 200, "Domain", `"found":"absent"`},
		{"POST", "/sites/demo/domains/xn--bcher-kva.example/check", "", 200, "Domain", `"points":"failed"`}, // the platform has no address
		{"POST", "/sites/demo/domains", `{"domain":"*.example"}`, 400, "", `problem.domain.wildcard`},
		{"POST", "/sites/demo/domains", `{}`, 400, "", ``},
		{"POST", "/sites/none/domains", `{"domain":"a.example"}`, 404, "", ``},
		{"POST", "/sites/demo/domains/other.example/check", "", 404, "", ``},
	} {
		got := ask(t, app, c.method, c.path, c.body)
		if got.status != c.status || c.schema != "" && !strings.Contains(got.body, c.contains) {
			t.Errorf("%s %s: %d %s", c.method, c.path, got.status, got.body)
			continue
		}
		if c.schema != "" {
			apitest.Satisfies(t, doc, c.schema, []byte(got.body))
		}
	}
	claimed := ask(t, app, "GET", "/sites/demo/domains", "").body
	_, after, _ := strings.Cut(claimed, `"value":"`)
	value, _, _ := strings.Cut(after, `"`)
	dns.name, dns.value = "_kalends.xn--bcher-kva.example.", value
	for _, c := range []struct{ method, path, contains string }{
		{"POST", "/sites/demo/domains/xn--bcher-kva.example/check", `"proved_by":"dns"`},
		{"DELETE", "/sites/demo/domains/b%C3%BCcher.example", `"domain":"xn--bcher-kva.example"`},
	} {
		got := ask(t, app, c.method, c.path, "")
		if got.status != http.StatusOK || !strings.Contains(got.body, c.contains) {
			t.Errorf("%s %s: %d %s", c.method, c.path, got.status, got.body)
			continue
		}
		apitest.Satisfies(t, doc, "Domain", []byte(got.body))
	}
}
