package server_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/i18n"

	"github.com/kalends/kalends/test/kit"
)

// Requests that no well-behaved client sends.

func TestBrokenBodies(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	before := k.State()
	deep := strings.Repeat("[", 100000) + strings.Repeat("]", 100000)
	for _, one := range []struct {
		about, kind, body string
		status            int
		code              string
	}{
		{"cut off", kit.JSONType, `{"name": "x"`, 400, "rest_invalid_json"},
		{"single quotes", kit.JSONType, `{'name': 'x'}`, 400, "rest_invalid_json"},
		{"two values", kit.JSONType, `{"name": "x"} {"name": "y"}`, 400, "rest_invalid_json"},
		{"trailing bracket", kit.JSONType, `{"name": "x"}]`, 400, "rest_invalid_json"},
		{"trailing brace", kit.JSONType, `{"name": "x"}}`, 400, "rest_invalid_json"},
		{"trailing comma", kit.JSONType, `{"name": "x",}`, 400, "rest_invalid_json"},
		{"not a number", kit.JSONType, `{"name": NaN}`, 400, "rest_invalid_json"},
		{"bad UTF-8", kit.JSONType, "{\"name\": \"a\xff\"}", 400, "rest_invalid_json"},
		{"byte order mark", kit.JSONType, "\ufeff{\"name\": \"x\"}", 400, "rest_invalid_json"},
		{"only a NUL", kit.JSONType, "\x00", 400, "rest_invalid_json"},
		{"deep", kit.JSONType, deep, 400, "rest_invalid_json"},
		{"deep in an argument", kit.JSONType, `{"name": "x", "other": ` + deep + `}`, 400, "rest_invalid_json"},
		{"half a surrogate", kit.JSONType, `{"slug": "x", "description": "\ud800"}`, 400, "rest_invalid_json"},
		{"number beyond all", kit.JSONType, `{"name": 1e999999999}`, 400, "rest_invalid_param"},
		{"a scalar", kit.JSONType, `5`, 400, "rest_missing_callback_param"},
		{"a list", kit.JSONType, `[{"name": "x"}]`, 400, "rest_missing_callback_param"},
		{"null", kit.JSONType, `null`, 400, "rest_missing_callback_param"},
		{"blanks", kit.JSONType, `  `, 400, "rest_invalid_json"},
		{"text/plain", "text/plain", `{"name": "x"}`, 415, "rest_unsupported_media_type"},
		{"text/xml", "text/xml", `<name>x</name>`, 415, "rest_unsupported_media_type"},
		{"no type", "", `{"name": "x"}`, 400, "rest_missing_callback_param"},
		{"broken type", ";;;", `{"name": "x"}`, 400, "rest_missing_callback_param"},
		{"xml", "application/xml", `<name>x</name>`, 415, "rest_unsupported_media_type"},
		{"multipart without boundary", "multipart/form-data", "--x\r\n", 400, "rest_bad_request"},
		{"multipart cut off", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\ny",
			400, "rest_bad_request"},
		{"form of percent signs", "application/x-www-form-urlencoded", "%%%=%%%&name=%00", 400, "rest_invalid_param"},
		{"form of brackets", "application/x-www-form-urlencoded", "[]=1&[=2&]=3&name[[[=x&a[b][c]=4", 400, "rest_missing_callback_param"},
		{"name as an object", "application/x-www-form-urlencoded", "name[a]=x", 400, "rest_invalid_param"},
		{"too large", kit.JSONType, `{"name": "` + strings.Repeat("x", 1<<20) + `"}`, 413, "rest_content_too_large"},
		{"large form", "application/x-www-form-urlencoded", "name=x&other=" + strings.Repeat("x", 1<<20), 413, "rest_content_too_large"},
	} {
		a := k.Send(kit.Request{Method: "POST", Path: "/tags", As: "administrator", Body: one.body,
			Headers: map[string]string{"Content-Type": one.kind}})
		if a.Status != one.status || a.Code() != one.code {
			t.Errorf("%s: got %.300s, want %d %s", one.about, a, one.status, one.code)
		}
		k.IsError(one.about, a)
	}
	if after := k.State(); after != before {
		t.Errorf("refused writes left traces: %s, before %s", after, before)
	}
}

// No request body is decompressed, whoever sends it to whatever address, and however its encoding is declared.
func TestPackedBodies(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	var bomb bytes.Buffer
	packer := gzip.NewWriter(&bomb)
	_, err := packer.Write(bytes.Repeat([]byte(" "), 8<<20))
	k.Must(err)
	k.Must(packer.Close())
	for _, path := range []string{"/tags", "//platform/v1/sites", "//platform/v1/imports", "//admin/login", "//event/none"} {
		for _, encoding := range []string{"gzip", "GZIP", "deflate", "br", "zstd", "identity, gzip", "gzip, gzip", "x-gzip", "utf-8"} {
			a := k.Send(kit.Request{Method: "POST", Path: path, Body: bomb.String(), Headers: map[string]string{"Content-Type": kit.JSONType, "Content-Encoding": encoding}})
			if a.Status != http.StatusUnsupportedMediaType || a.Header.Get("Accept-Encoding") != "identity" {
				t.Errorf("%s to %s: %d", encoding, path, a.Status)
			}
		}
	}
	for _, encoding := range []string{"", "identity", " Identity "} {
		a := k.Send(kit.Request{Method: "POST", Path: "/tags", As: "administrator", Body: `{"name": "x` + encoding + `"}`,
			Headers: map[string]string{"Content-Type": kit.JSONType, "Content-Encoding": encoding}})
		a.Want(t, 201, "")
	}
}

func TestLargestBody(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	body := func(size int) string {
		start, end := `{"name": "largest", "other": "`, `"}`
		return start + strings.Repeat("x", size-len(start)-len(end)) + end
	}
	send := func(size int) kit.Answer {
		return k.Send(kit.Request{Method: "POST", Path: "/tags", As: "administrator", Body: body(size),
			Headers: map[string]string{"Content-Type": kit.JSONType}})
	}
	send(1<<20+1).Want(t, 413, "rest_content_too_large")
	send(1<<20).Want(t, 201, "")
}

// TestPathTricks requests deceptive paths: none is an internal error, and none reaches an item except under its own
// name.
func TestPathTricks(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(map[string]any{"slug": "secret", "status": "private"})
	root := "//calendar/events/v1"
	for path, want := range map[string]int{
		fmt.Sprintf("%s/events%%2F%d", root, id):                404,
		root + "/events/by-slug/..%2Fsecret":                    403,
		root + "/events/by-slug/secret%00":                      403,
		root + "/events/by-slug/%2573ecret":                     403, // a slug may come percent-encoded, and is as little shown
		root + "/events/by-slug/%25%30%30":                      404,
		root + "/events/by-slug/%00":                            404,
		root + "/events/by-slug/%ff%fe":                         404,
		root + "/events/by-slug/..":                             0,
		root + "/events/by-slug/%2e%2e":                         0,
		root + "/events/../venues":                              0,
		root + "/events/by-slug/" + strings.Repeat("a", 5000):   404,
		root + "/events/by-slug/" + strings.Repeat("%F0", 1000): 404,
		root + "/events/" + strings.Repeat("9", 5000):           404,
		root + "/events/-1":                                     404,
		root + "/events/1e3":                                    404,
		root + "/events/0x1":                                    404,
		root + "/events/%EF%BC%91":                              404,
		root + "/events/0":                                      404,
		root + "/events/1;id=2":                                 404,
		root + "//events":                                       404,
		root + "/%2e/events":                                    0,
		root + "/events/?rest_route=/tribe/events/v1/venues":    200,
		"//?rest_route=/tribe/events/v1/venues":                 200,
		"//?rest_route=../../etc/passwd":                        404,
		"//de/de/calendar/events/v1/events":                     404,
		"//xx/calendar/events/v1/events":                        404,
		"//calendar/events/v1x/events":                          404,
		"//media/../../etc/passwd":                              404,
		"//media/%2e%2e/%2e%2e%2fpasswd":                        404,
		"//media/a%00b/c":                                       404,
		"//media/key/..%5c..%5cx":                               404,
	} {
		a := k.Get(path, "")
		about := path[:min(len(path), 80)]
		switch {
		case a.Status >= 500 || want != 0 && a.Status != want:
			t.Errorf("%s: got %.200s, want %d", about, a, want)
		case bytes.Contains(a.Raw, []byte("secret")):
			t.Errorf("%s: shows the private event", about)
		}
		k.IsError(about, a)
	}
}

func TestMethodTricks(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(nil)
	item := fmt.Sprintf("/events/%d", id)
	override := func(method string) kit.Answer {
		return k.Send(kit.Request{Method: "POST", Path: item, Headers: map[string]string{"X-HTTP-Method-Override": method}})
	}
	override("DELETE").Want(t, 401, "rest_forbidden")
	override("delete").Want(t, 401, "rest_forbidden")
	for _, method := range []string{"BREW", "GET /", strings.Repeat("X", 3000), "CONNECT", "TRACE"} {
		if a := override(method); a.Status >= 500 || a.Status < 400 {
			t.Errorf("override %.20q: %s", method, a)
		}
	}
	k.Send(kit.Request{Method: "GET", Path: item, Headers: map[string]string{"X-HTTP-Method-Override": "DELETE"}}).Want(t, 200, "")
	for _, path := range []string{"/events", "/events/1", "/events/by-slug/x", "/doc", "/", "/tags/1", "/media"} {
		a := k.Send(kit.Request{Method: "TRACE", Path: path}).Want(t, 405, "rest_method_not_allowed")
		if a.Header.Get("Allow") == "" {
			t.Errorf("%s: no Allow", path)
		}
	}
	k.Get(item, "").Want(t, 200, "")
}

func TestUnknownSite(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	seen := map[string]bool{}
	for _, language := range i18n.Languages() {
		a := k.Send(kit.Request{Method: "GET", Path: "//" + language + "/calendar/events/v1/events", Site: "nobody"}).
			Want(t, 404, "site-not-found")
		text, _ := a.Body["message"].(string)
		if seen[text] || a.Header.Get("Content-Language") != language {
			t.Errorf("%s: %s, Content-Language %s", language, a, a.Header.Get("Content-Language"))
		}
		seen[text] = true
		k.IsError(language, a)
	}
	k.Send(kit.Request{Method: "POST", Path: "/events", Site: "nobody", JSON: kit.Valid("event")}).Want(t, 404, "site-not-found")
	if page := k.Send(kit.Request{Method: "GET", Path: "//", Site: "nobody"}); page.Status != 404 {
		t.Errorf("the page of no site: %d", page.Status)
	}
}

// TestWrongCredentials sends wrong credentials to every kind of route, including public reads.
func TestWrongCredentials(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	basic := func(login, password string) string {
		r, _ := http.NewRequest(http.MethodGet, "http://x/", nil)
		r.SetBasicAuth(login, password)
		return r.Header.Get("Authorization")
	}
	right := k.Secrets["demo/administrator"]
	for about, header := range map[string]string{
		"unknown user":         basic("nobody", right),
		"another's password":   basic("editor", right),
		"wrong password":       basic("administrator", strings.Repeat("a", 24)),
		"empty":                basic("", ""),
		"no base64":            "Basic ???",
		"no colon":             "Basic YWJj",
		"basic alone":          "Basic",
		"login with NUL":       basic("administrator\x00", right),
		"login not UTF-8":      basic("\xff", right),
		"long":                 basic(strings.Repeat("x", 3000), strings.Repeat("y", 3000)),
		"wrong key":            "Bearer kal_" + strings.Repeat("a", 40),
		"bearer alone":         "Bearer",
		"password as a bearer": "Bearer " + right,
		"provider's token":     "Bearer " + kit.ProviderToken,
	} {
		for _, r := range []kit.Request{{Method: "GET", Path: "/events"}, {Method: "GET", Path: "/"}, {Method: "GET", Path: "/doc"},
			{Method: "POST", Path: "/events", JSON: kit.Valid("event")}, {Method: "GET", Path: "/tags/1"}} {
			r.As = header
			a := k.Send(r).Want(t, 401, "rest_invalid_credentials")
			if a.Header.Get("WWW-Authenticate") == "" || !strings.Contains(a.Header.Get("Cache-Control"), "no-store") {
				t.Errorf("%s %s: headers %v", about, r.Path, a.Header)
			}
			k.IsError(about, a)
		}
	}
}

func TestRawRequests(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	addr := k.Listen()
	const path = "/calendar/events/v1/tags"
	body := `{"name":"x"}`
	for _, one := range []struct {
		about, text string
		allowed     []int
	}{
		{"absolute form", "GET http://localhost" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{200}},
		{"absolute form of another host", "GET http://nobody.localhost" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{200, 404, 400}},
		{"no host", "GET " + path + " HTTP/1.1\r\n\r\n", []int{400, 404, 200}},
		{"host of blanks", "GET " + path + " HTTP/1.1\r\nHost:   \r\n\r\n", []int{400, 404, 200}},
		{"host with a path", "GET " + path + " HTTP/1.1\r\nHost: localhost/x\r\n\r\n", []int{400, 404}},
		{"host with credentials", "GET " + path + " HTTP/1.1\r\nHost: a@localhost\r\n\r\n", []int{200, 400, 404}},
		{"host with NUL", "GET " + path + " HTTP/1.1\r\nHost: loc\x00alhost\r\n\r\n", []int{400, 404}},
		{"host of dots", "GET " + path + " HTTP/1.1\r\nHost: ..localhost\r\n\r\n", []int{400, 404}},
		{"long host", "GET " + path + " HTTP/1.1\r\nHost: " + strings.Repeat("a", 5000) + "\r\n\r\n", []int{400, 404}},
		{"long path", "GET " + path + "/" + strings.Repeat("a", 40000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{404, 414, 431}},
		{"long header", "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("a", 40000) + "\r\n\r\n", []int{431}},
		{"two lengths", "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5\r\nContent-Length: 12\r\n\r\n" + body, []int{400, 401}},
		{"length and chunks", "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", []int{400}},
		{"negative length", "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n", []int{400, 411}},
		{"broken chunks", "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", []int{400}},
		{"no HTTP", "hello\r\n\r\n", []int{400}},
		{"NUL in the path", "GET " + path + "\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{400, 404}},
		{"line break in a header", "GET " + path + "/%0d%0aSet-Cookie:x HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{404}},
	} {
		got := kit.Raw(t, addr, one.text)
		ok := got == 0
		for _, status := range one.allowed {
			ok = ok || got == status
		}
		if !ok {
			t.Errorf("%s: status %d, want one of %v", one.about, got, one.allowed)
		}
	}
	if got := kit.Raw(t, addr, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); got != 200 {
		t.Errorf("afterwards: status %d", got)
	}
}

// A program whose headers are too large learns so in its own language, from any origin.
func TestLargeHeadersAreAnsweredInJSON(t *testing.T) {
	t.Parallel()
	conn, err := net.Dial("tcp", kit.New(t).Listen())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, "GET /calendar/events/v1/tags HTTP/1.1\r\nHost: localhost\r\nX: "+strings.Repeat("a", 40000)+"\r\n\r\n")
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var body struct {
		Code string
		Data struct{ Status int }
	}
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil || body.Code != "rest_bad_request" || body.Data.Status != 431 {
		t.Errorf("%v: %+v", err, body)
	}
	if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge || res.Header.Get("Access-Control-Allow-Origin") != "*" || !strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		t.Errorf("%d %v", res.StatusCode, res.Header)
	}
}

// Requests that a proxy may have interpreted differently are rejected and the connection is closed, so that nothing
// embedded in them is answered.
func TestTwoReadings(t *testing.T) {
	t.Parallel()
	addr := kit.New(t).Listen()
	const post, within = "POST /calendar/events/v1/tags HTTP/1.1\r\nHost: localhost\r\n", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for about, text := range map[string]string{
		"two lengths":        post + "Content-Length: 2\r\ncontent-length: 3\r\n\r\n{} " + within,
		"length and chunks":  post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + within,
		"two codings":        post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + within,
		"another coding":     post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + within,
		"head of a chunk":    post + "Transfer-Encoding: chunked\r\n\r\n2;\nxx\r\n{}\r\n0\r\n\r\n" + within,
		"end of a chunk":     post + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX0\r\n\r\n" + within,
		"size of a chunk":    post + "Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n" + within,
		"bare line feeds":    post + "Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n" + within,
		"blank before colon": post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + within,
		"folded header":      post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + within,
		"folded length":      post + "Content-Length:\r\n 0\r\n\r\n" + within,
		"chunks before 1.1":  strings.Replace(post, "HTTP/1.1", "HTTP/1.0", 1) + "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + within,
		"a user in the host": "GET /calendar/events/v1/tags HTTP/1.1\r\nHost: localhost:80@two.localhost\r\n\r\n" + within,
		"control character":  "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: a\x01b\r\n\r\n" + within,
		"two hosts":          "GET /calendar/events/v1/tags HTTP/1.1\r\nHost: localhost\r\nHOST: two.localhost\r\n\r\n" + within,
	} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(5 * time.Minute))
		_, err = io.WriteString(conn, text)
		answers, last := io.ReadAll(conn)
		_ = conn.Close()
		if err != nil || last != nil || !strings.HasPrefix(string(answers), "HTTP/1.1 400 ") || strings.Count(string(answers), "HTTP/1.1") != 1 {
			t.Errorf("%s: %q, %v, %v", about, answers, err, last)
		}
	}
}

// TestHugeBody sends 100 MB: the response is 413 or a closed connection, and the server continues.
func TestHugeBody(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	addr := k.Listen()
	block := strings.Repeat("x", 1<<20)
	for _, path := range []string{"/calendar/events/v1/events", "/calendar/events/v1/media"} {
		parts := []string{"POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n"}
		for range 100 {
			parts = append(parts, block)
		}
		if got := kit.Raw(t, addr, parts...); got != 413 && got != 0 {
			t.Errorf("%s: status %d", path, got)
		}
	}
	if got := kit.Raw(t, addr, "GET /calendar/events/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"); got != 200 {
		t.Errorf("afterwards: status %d", got)
	}
}

// Names that are invalid text for Postgres are not found, rather than an internal error.
func TestProviderNamesThatAreNoText(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, name := range []string{"%00", "%FF", "a%00b"} {
		for _, one := range [][3]string{
			{"GET", "/sites/*", "rest_site_not_found"},
			{"PATCH", "/sites/*", "rest_site_not_found"},
			{"DELETE", "/sites/*", "rest_site_not_found"},
			{"POST", "/sites/*/undelete", "rest_site_not_found"},
			{"GET", "/sites/*/users", "rest_site_not_found"},
			{"GET", "/sites/*/domains", "rest_site_not_found"},
			{"GET", "/sites/*/audit", "rest_site_not_found"},
			{"POST", "/sites/*/exports", "rest_site_not_found"},
			{"GET", "/plans/*", "rest_plan_not_found"},
			{"DELETE", "/plans/*", "rest_plan_not_found"},
			{"POST", "/sites/demo/domains/*/check", "rest_domain_not_found"},
		} {
			k.Provider(one[0], strings.Replace(one[1], "*", name, 1), nil).Want(t, 404, one[2])
		}
		k.Provider("PUT", "/plans/"+name, nil).Want(t, 400, "rest_invalid_param")
		b := k.Console()
		for _, path := range []string{"/sites/", "/plans/"} {
			if p := b.Get("/admin/provider" + path + name); p.Status != http.StatusNotFound {
				t.Errorf("the console at %s%s: %d", path, name, p.Status)
			}
		}
	}
}

// Proxies ask about names with GET; other methods are rejected as usual.
func TestAskTakesNothingButQuestions(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	a := k.Provider("POST", "/domains/ask?domain=demo.localhost", nil).Want(t, 405, "rest_method_not_allowed")
	if allow := a.Header.Get("Allow"); allow != "GET, HEAD" {
		t.Errorf("Allow: %q", allow)
	}
}
