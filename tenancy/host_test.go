package tenancy

import (
	"strings"
	"testing"
)

func TestHost(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"":                      "",
		"example.org":           "example.org",
		"Example.ORG":           "example.org",
		"example.org:8080":      "example.org",
		"example.org:":          "example.org",
		"example.org.":          "example.org",
		"EXAMPLE.org.:443":      "example.org",
		"demo.localhost:8080":   "demo.localhost",
		"xn--bcher-kva.example": "xn--bcher-kva.example",
		"XN--BCHER-KVA.example": "xn--bcher-kva.example",
		"my_host":               "my_host",
		"127.0.0.1:8080":        "127.0.0.1",
		"[::1]:8080":            "::1",
		"[::1]":                 "::1",
		"::1":                   "::1",
		"[2001:DB8:0::1]:80":    "2001:db8::1",
		"[fe80::1%eth0]:80":     "fe80::1",
	} {
		if got, ok := Host(header); !ok || got != want {
			t.Errorf("%q: %q, %v, want %q", header, got, ok, want)
		}
	}
}

func TestHostRefuses(t *testing.T) {
	t.Parallel()
	for _, header := range []string{
		".", "..", "a..b", ".example.org", "example.org..", "-a.org", "a-.org", "*.example.org",
		"example.org:http", "example.org:80:80", "example.org:123456", ":80", "example.org:8 0",
		"user@example.org", "example.org/path", "example.org?x", "example.org#x", "exa mple.org", "example.org\x00",
		"a,b.org", "a\\b.org", "bücher.example", "%65xample.org", "example.org\n", " example.org",
		"[", "]", "[]", "[::1", "[::1]x", "[::1]:x", "[example.org]", "[127.0.0.1]", "[[::1]]", "::g", "[::1]::80",
		strings.Repeat("a", 64) + ".org", strings.Repeat("a.", 127) + "org",
	} {
		if got, ok := Host(header); ok {
			t.Errorf("%q is %q", header, got)
		}
	}
}

func TestDomainOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Events.Example.org":    "events.example.org",
		" events.example.org. ": "events.example.org",
		"Bücher.example":        "xn--bcher-kva.example",
		"xn--bcher-kva.example": "xn--bcher-kva.example",
		"intranet":              "intranet",
	} {
		if got, ok := DomainForm(name); !ok || got != want {
			t.Errorf("%q: %q, %v, want %q", name, got, ok, want)
		}
	}
	for _, name := range []string{
		"", ".", "*.example.org", "*", "a_b.example", "127.0.0.1", "::1", "[::1]", "example.org:80", "https://example.org",
		"example.org/", "a..b", "xn--a.example", "exa mple.org", "1",
	} {
		if got, ok := DomainForm(name); ok {
			t.Errorf("%q is the domain %q", name, got)
		}
	}
}

func FuzzHost(f *testing.F) {
	for _, seed := range []string{"", "example.org:80", "[::1]:80", "a.b.", "::", "[]:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		name, ok := Host(header)
		if !ok {
			return
		}
		again, ok := Host(name)
		if !ok || again != name {
			t.Errorf("%q is %q, which is %q, %v", header, name, again, ok)
		}
	})
}
