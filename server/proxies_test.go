package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/server"

	"github.com/kalends/kalends/test/kit"
)

// linked returns an address linked in the response to a request.
func linked(k *kit.Kit, headers map[string]string) string {
	k.T.Helper()
	k.Event(nil)
	body := k.Send(kit.Request{Method: "GET", Path: "/events", Headers: headers}).Want(k.T, 200, "").Body
	url, _ := body["rest_url"].(string)
	base, _, _ := strings.Cut(url, "/calendar")
	return base
}

// Of the forwarded headers three count, each as written by the nearest proxy, and invalid values are ignored.
func TestForwarded(t *testing.T) {
	t.Parallel()
	k := kit.New(t, kit.BehindProxy())
	for _, one := range []struct {
		headers map[string]string
		want    string
	}{
		{map[string]string{"X-Forwarded-Proto": "https"}, "https://localhost"},
		{map[string]string{"X-Forwarded-Proto": "HTTPS"}, "https://localhost"},
		{map[string]string{"X-Forwarded-Proto": "http, https"}, "https://localhost"},
		{map[string]string{"X-Forwarded-Proto": "https, http"}, "http://localhost"},
		{map[string]string{"X-Forwarded-Proto": "www.evil.example/c?u=https"}, "http://localhost"},
		{map[string]string{"X-Forwarded-Proto": "javascript"}, "http://localhost"},
		{map[string]string{"X-Url-Scheme": "www.evil.example/c?u=https"}, "http://localhost"},
		{map[string]string{"X-Url-Scheme": "https"}, "http://localhost"},
		{map[string]string{"X-Forwarded-Protocol": "https"}, "http://localhost"},
		{map[string]string{"X-Forwarded-Ssl": "on"}, "http://localhost"},
		{map[string]string{"X-Forwarded-Host": "demo.localhost"}, "http://demo.localhost"},
		{map[string]string{"X-Forwarded-Host": "evil.example, demo.localhost"}, "http://demo.localhost"},
	} {
		if got := linked(k, one.headers); got != one.want {
			t.Errorf("%v: links begin with %s, want %s", one.headers, got, one.want)
		}
	}
	stranger := kit.New(t)
	if got := linked(stranger, map[string]string{"X-Forwarded-Proto": "https", "X-Forwarded-Host": "demo.localhost"}); got != "http://localhost" {
		t.Errorf("from a stranger: %s", got)
	}
}

// Responses over TLS have Strict-Transport-Security, including cached ones and errors, and others do not.
func TestStrictTransport(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t, kit.BehindProxy())
	for _, path := range []string{"/events", "/events", "/events/99", "//healthz", "//events/", "//admin/login", "//static/nothing"} {
		for scheme, want := range map[string]string{"https": "max-age=31536000", "http": ""} {
			a := k.Send(kit.Request{Method: "GET", Path: path, Headers: map[string]string{"X-Forwarded-Proto": scheme}})
			if got := a.Header.Get("Strict-Transport-Security"); got != want {
				t.Errorf("%s by %s: %q, want %q", path, scheme, got, want)
			}
		}
	}
}

// The history records the nearest address that is not a proxy.
func TestClientBehindProxies(t *testing.T) {
	t.Parallel()
	k := kit.New(t, kit.BehindProxy("10.0.0.0/24", "fd00::1"))
	for said, want := range map[string]string{
		"":                       "0.0.0.0",
		"203.0.113.50":           "203.0.113.50",
		"10.9.8.7, 203.0.113.50": "203.0.113.50",
		"203.0.113.50, 10.0.0.3": "203.0.113.50",
		"1.1.1.1, 203.0.113.50, 10.0.0.3, fd00::1":   "203.0.113.50",
		"10.0.0.9, 10.0.0.3":                         "10.0.0.9",
		"203.0.113.50:4711":                          "203.0.113.50",
		"[2001:db8::1]:4711":                         "2001:db8::1",
		"[2001:db8::1]":                              "2001:db8::1",
		"::ffff:203.0.113.50":                        "203.0.113.50",
		"fe80::1%eth0":                               "fe80::1",
		"=HYPERLINK(1)":                              "0.0.0.0",
		"203.0.113.50, unknown, 10.0.0.3":            "10.0.0.3",
		"203.0.113.50, " + strings.Repeat("A", 9000): "0.0.0.0",
		",,,": "0.0.0.0",
	} {
		k.Send(kit.Request{Method: "POST", Path: "/tags", As: "administrator", JSON: map[string]any{"name": "t" + said[:min(len(said), 50)]},
			Headers: map[string]string{"X-Forwarded-For": said}})
		if got := k.Peek("demo", `SELECT address FROM changes ORDER BY version DESC, at DESC LIMIT 1`); got != want {
			t.Errorf("%.60q: %.60q, want %q", said, got, want)
		}
	}
}

// Trailers never count as headers.
func TestTrailers(t *testing.T) {
	t.Parallel()
	k := kit.New(t, func(c *server.Config) { c.Proxies = []string{"127.0.0.1"} })
	login, _ := http.NewRequest(http.MethodPost, "http://localhost/", nil)
	login.SetBasicAuth("administrator", k.Secrets["demo/administrator"])
	addr := k.Listen()
	send := func(trailers string) int {
		return kit.Raw(t, addr, "POST /calendar/events/v1/tags HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: "+
			login.Header.Get("Authorization")+"\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n{\"name\":\"x\"}\r\n0\r\n"+trailers+"\r\n")
	}
	if got := send("X-Http-Method-Override: PATCH\r\n"); got != 201 { // a tag is patched at its own address
		t.Errorf("a method behind the body: %d", got)
	}
	for _, name := range []string{"X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-For", "x-forwarded-for"} {
		if got := send(name + ": 203.0.113.50\r\n"); got != 400 {
			t.Errorf("%s behind the body: %d", name, got)
		}
	}
}
