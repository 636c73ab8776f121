package admin

import (
	"bufio"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

var requestID = regexp.MustCompile(`name="id" value="([^"]+)"`)

// TestRealProvider signs somebody in by the example server of zitadel/oidc (tools/issuer): by its own pages, its keys and its tokens.
func TestRealProvider(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "issuer")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir = filepath.Join("..", "..", "tools", "issuer")
	build.Env = append(os.Environ(), "GOFLAGS=")
	if said, err := build.CombinedOutput(); err != nil {
		t.Skipf("the provider can't be built here: %v\n%s", err, said)
	}
	k := kit.New(t)
	k.Tries = time.Now()
	server := exec.CommandContext(t.Context(), program, "http://localhost/admin/login/provider/callback")
	input, err := server.StdinPipe()
	k.Must(err)
	output, err := server.StdoutPipe()
	k.Must(err)
	k.Must(server.Start())
	t.Cleanup(func() {
		_ = input.Close()
		_ = server.Wait()
	})
	issuer, err := bufio.NewReader(output).ReadString('\n')
	k.Must(err)
	issuer = strings.TrimSpace(issuer)
	at, err := url.Parse(issuer)
	k.Must(err)
	k.AskAt(at.Host)
	i := &kit.Issuer{URL: issuer}
	admin := k.Person("administrator")
	admin.Get("/admin/sign-in")
	if p := admin.Post("/admin/sign-in", url.Values{"do": {"save"}, "issuer": {i.URL}, "client_id": {"kalends"}, "client_secret": {"a secret"}, "passwords": {"1"},
		"author_groups": {"staff"}, "confirm": {kit.AdminPassword}}); p.Status != 303 {
		t.Fatalf("trust: %d %s", p.Status, p.Body)
	}
	for _, want := range []string{"a new user", "the same user"} {
		b := k.Browser()
		back := throughPages(t, k, b.Begin())
		if p := b.Back(back); p.Status != 303 || b.Cookies["kalends"] == "" {
			t.Fatalf("%s: %d %s", want, p.Status, p.Body)
		}
		if again := k.Browser(); again.Back(back).Status != 422 || again.Cookies["kalends"] != "" {
			t.Errorf("%s: replayed", want)
		}
		if got := k.Peek("demo", "SELECT string_agg(role || ' ' || name, ',') FROM users WHERE email = 'test-user@zitadel.ch'"); got != "author Test User" {
			t.Errorf("%s: %s", want, got)
		}
	}
}

// throughPages signs the user of the provider in by its pages, and returns the query with which the browser goes back.
func throughPages(t *testing.T, k *kit.Kit, address string) url.Values {
	t.Helper()
	jar, err := cookiejar.New(nil)
	k.Must(err)
	var back *url.URL
	browser := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == "/admin/login/provider/callback" {
			back = r.URL
			return http.ErrUseLastResponse
		}
		return nil
	}}
	page, err := browser.Get(address)
	k.Must(err)
	body := new(strings.Builder)
	_, err = bufio.NewReader(page.Body).WriteTo(body)
	k.Must(err)
	k.Must(page.Body.Close())
	id := requestID.FindStringSubmatch(body.String())
	if id == nil {
		t.Fatalf("no form: %d %s", page.StatusCode, body)
	}
	form := url.Values{"id": {id[1]}, "username": {"test-user@127.0.0.1"}, "password": {"verysecure"}}
	page, err = browser.PostForm(page.Request.URL.Scheme+"://"+page.Request.URL.Host+"/login/username", form)
	k.Must(err)
	k.Must(page.Body.Close())
	if back == nil {
		t.Fatalf("it doesn't lead back: %d at %s", page.StatusCode, page.Request.URL)
	}
	return back.Query()
}
