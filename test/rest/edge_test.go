package rest

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/web"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// largeIDs are those at which the integers of something end.
var largeIDs = []string{"2147483647", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808"}

// TestLargeIDs asks every route of the interface for ids that nothing has: that is
// what it is told, whatever their size.
func TestLargeIDs(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, r := range api.New(k.Calendar).Routes() {
		for _, method := range r.Methods {
			for _, id := range largeIDs {
				if !strings.Contains(r.Path, "{id}") {
					continue
				}
				req := kit.Request{Method: method, Path: strings.Replace(r.Path, "{id}", id, 1), As: "administrator"}
				if method != http.MethodGet && method != http.MethodDelete {
					req.JSON = kit.Valid(r.Resource)
				}
				if a := k.Send(req); a.Status != http.StatusNotFound {
					t.Errorf("%s %s: %s", method, req.Path, a)
				}
			}
		}
	}
	for _, path := range []string{"/platform/v1/sites/demo/users/", "/platform/v1/jobs/"} {
		for _, id := range largeIDs {
			if a := k.Provider("GET", strings.TrimPrefix(path, "/platform/v1")+id, nil); a.Status != http.StatusNotFound {
				t.Errorf("%s: %s", path+id, a)
			}
		}
	}
	for _, query := range []string{"/events?include=", "/events?venue=", "/events?organizer=", "/events?categories=", "/events?post_parent=",
		"/venues?event=", "/organizers?event=", "/categories?parent=", "/categories?post=", "/tags?include=", "/tags?event="} {
		for _, id := range largeIDs {
			if a := k.Get(query+id, ""); a.Status >= 500 {
				t.Errorf("%s: %s", query+id, a)
			}
		}
	}
}

// walkPages calls for each page of the site's administration and the provider's
// console with who may open it.
func walkPages(k *kit.Kit, visit func(b *kit.Browser, p ui.Page)) {
	k.T.Helper()
	administrator, provider := k.Person("administrator"), k.Console()
	administrator.Get("/admin/profile")
	for _, p := range web.New(web.Config{Calendar: k.Calendar, Platform: k.Platform}).Pages() {
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
	k := kit.New(t)
	walkPages(k, func(b *kit.Browser, p ui.Page) {
		for _, id := range largeIDs {
			path := strings.NewReplacer("#", id, ":slug", "demo", "*", id, ":month", "2030-01", ":day", "2030-01-01", ":file", "a").Replace(p.Path)
			names := []string{"id", "ids", "copy", "of", "keep", "into", "from", "to", "category", "venue", "author", "open", "event", "image"}
			values := url.Values{}
			for _, name := range names {
				values.Set(name, id)
			}
			var got kit.Page
			if p.Method == http.MethodGet {
				got = b.Get(path + "?" + values.Encode())
			} else {
				got = b.Post(path, values)
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
	k := kit.New(t)
	nobody := k.Browser()
	for _, text := range []string{"%00", "a%00b", "%ff", "%ed%a0%80"} {
		walkPages(k, func(b *kit.Browser, p ui.Page) {
			path := strings.NewReplacer("#", "1", ":slug", "demo", "*", "demo", ":month", "2030-01", ":day", "2030-01-01", ":file", "a").Replace(p.Path)
			for _, name := range []string{"search", "q", "page", text} {
				var got kit.Page
				if p.Method == http.MethodGet {
					got = b.Get(path + "?" + name + "=" + text)
				} else {
					got = b.Raw(path, "application/x-www-form-urlencoded", strings.NewReader("csrf="+url.QueryEscape(b.Cookies["csrf"])+"&"+name+"="+text))
				}
				if strings.HasPrefix(path, "/static/") {
					continue
				}
				if got.Status != http.StatusBadRequest {
					t.Errorf("%s %s %s=%s: %d", p.Method, path, name, text, got.Status)
				}
			}
		})
		if got := nobody.Get("/events/?search=" + text); got.Status != http.StatusBadRequest || !got.Shows("400") && !strings.Contains(got.Body, "<h1") {
			t.Errorf("a search for %s: %d %s", text, got.Status, got.Body)
		}
	}
}

// TestHeadOfExports asks for the head of what is sent while it is made: nothing
// comes behind it that could be taken for the next answer.
func TestHeadOfExports(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	conn, err := net.Dial("tcp", k.Listen())
	k.Must(err)
	defer func() { _ = conn.Close() }()
	k.Must(conn.SetDeadline(time.Now().Add(5 * time.Minute)))
	answers := bufio.NewReader(conn)
	for range 2 {
		for method, path := range map[string]string{http.MethodHead: "/admin/audit/export", http.MethodGet: "/healthz"} {
			_, err = io.WriteString(conn, method+" "+path+" HTTP/1.1\r\nHost: localhost\r\nCookie: kalends="+b.Cookies["kalends"]+"\r\n\r\n")
			k.Must(err)
			res, err := http.ReadResponse(answers, &http.Request{Method: method})
			k.Must(err)
			_, err = io.Copy(io.Discard, res.Body)
			k.Must(err)
			k.Must(res.Body.Close())
			if res.StatusCode != http.StatusOK || res.Close {
				t.Errorf("%s %s: %d", method, path, res.StatusCode)
			}
		}
	}
}
