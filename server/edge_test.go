package server_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/web"
	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/ui"
)

// largeIDs are those at which the integers of something end.
var largeIDs = []string{"2147483647", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808"}

// TestLargeIDs asks every route of the interface for ids that nothing has: that is
// what it is told, whatever their size.
func TestLargeIDs(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, r := range api.New(k.calendar).Routes() {
		for _, method := range r.Methods {
			for _, id := range largeIDs {
				if !strings.Contains(r.Path, "{id}") {
					continue
				}
				req := request{Method: method, Path: strings.Replace(r.Path, "{id}", id, 1), As: "administrator"}
				if method != http.MethodGet && method != http.MethodDelete {
					req.JSON = valid(r.Resource)
				}
				if a := k.send(req); a.Status != http.StatusNotFound {
					t.Errorf("%s %s: %s", method, req.Path, a)
				}
			}
		}
	}
	for _, path := range []string{"/platform/v1/sites/demo/users/", "/platform/v1/jobs/"} {
		for _, id := range largeIDs {
			if a := k.provider("GET", strings.TrimPrefix(path, "/platform/v1")+id, nil); a.Status != http.StatusNotFound {
				t.Errorf("%s: %s", path+id, a)
			}
		}
	}
	for _, query := range []string{"/events?include=", "/events?venue=", "/events?organizer=", "/events?categories=", "/events?post_parent=",
		"/venues?event=", "/organizers?event=", "/categories?parent=", "/categories?post=", "/tags?include=", "/tags?event="} {
		for _, id := range largeIDs {
			if a := k.get(query+id, ""); a.Status >= 500 {
				t.Errorf("%s: %s", query+id, a)
			}
		}
	}
}

// walkPages calls for each page of the site's administration and the provider's
// console with who may open it.
func (k *kit) walkPages(visit func(b *browser, p ui.Page)) {
	k.t.Helper()
	administrator, provider := k.person("administrator"), k.console()
	administrator.get("/admin/profile")
	for _, p := range web.New(web.Config{Calendar: k.calendar, Platform: k.platform}).Pages() {
		switch {
		case strings.HasSuffix(p.Path, "/logout"), strings.HasSuffix(p.Path, "/login"):
		case frame.Console(p.Path):
			visit(provider, p)
		default:
			visit(administrator, p)
		}
	}
}

// TestLargeIDsOfPages is TestLargeIDs for the pages: in the address, in filters and
// in forms.
func TestLargeIDsOfPages(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.walkPages(func(b *browser, p ui.Page) {
		for _, id := range largeIDs {
			path := strings.NewReplacer("#", id, ":slug", "demo", "*", id, ":month", "2030-01", ":day", "2030-01-01", ":file", "a").Replace(p.Path)
			names := []string{"id", "ids", "copy", "of", "keep", "into", "from", "to", "category", "venue", "author", "open", "event", "image"}
			values := url.Values{}
			for _, name := range names {
				values.Set(name, id)
			}
			var got page
			if p.Method == http.MethodGet {
				got = b.get(path + "?" + values.Encode())
			} else {
				got = b.post(path, values)
			}
			if got.Status >= 500 {
				t.Errorf("%s %s with %s: %d", p.Method, path, id, got.Status)
			}
		}
	})
}

// TestNoText sends pages what is no text, in the query and in the form: it is
// refused before anything looks for it.
func TestNoText(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	nobody := k.browser()
	for _, text := range []string{"%00", "a%00b", "%ff", "%ed%a0%80"} {
		k.walkPages(func(b *browser, p ui.Page) {
			path := strings.NewReplacer("#", "1", ":slug", "demo", "*", "demo", ":month", "2030-01", ":day", "2030-01-01", ":file", "a").Replace(p.Path)
			for _, name := range []string{"search", "q", "page", text} {
				var got page
				if p.Method == http.MethodGet {
					got = b.get(path + "?" + name + "=" + text)
				} else {
					got = b.raw(path, "application/x-www-form-urlencoded", strings.NewReader("csrf="+url.QueryEscape(b.cookies["csrf"])+"&"+name+"="+text))
				}
				if strings.HasPrefix(path, "/static/") {
					continue
				}
				if got.Status != http.StatusBadRequest {
					t.Errorf("%s %s %s=%s: %d", p.Method, path, name, text, got.Status)
				}
			}
		})
		if got := nobody.get("/events/?search=" + text); got.Status != http.StatusBadRequest || !got.shows("400") && !strings.Contains(got.Body, "<h1") {
			t.Errorf("a search for %s: %d %s", text, got.Status, got.Body)
		}
	}
}

// TestHeadOfExports asks for the head of what is sent while it is made: nothing
// comes behind it that could be taken for the next answer.
func TestHeadOfExports(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("administrator")
	conn, err := net.Dial("tcp", k.listen())
	k.must(err)
	defer func() { _ = conn.Close() }()
	k.must(conn.SetDeadline(time.Now().Add(5 * time.Minute)))
	answers := bufio.NewReader(conn)
	for range 2 {
		for method, path := range map[string]string{http.MethodHead: "/admin/audit/export", http.MethodGet: "/healthz"} {
			_, err = io.WriteString(conn, method+" "+path+" HTTP/1.1\r\nHost: localhost\r\nCookie: kalends="+b.cookies["kalends"]+"\r\n\r\n")
			k.must(err)
			res, err := http.ReadResponse(answers, &http.Request{Method: method})
			k.must(err)
			_, err = io.Copy(io.Discard, res.Body)
			k.must(err)
			k.must(res.Body.Close())
			if res.StatusCode != http.StatusOK || res.Close {
				t.Errorf("%s %s: %d", method, path, res.StatusCode)
			}
		}
	}
}
