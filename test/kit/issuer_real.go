package kit

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
)

var requestID = regexp.MustCompile(`name="id" value="([^"]+)"`)

// RealIssuer is the example server of zitadel/oidc (tools/issuer), with its own pages, keys and tokens.
type RealIssuer struct {
	URL      string
	callback string
	kit      *Kit
}

// RealIssuer starts a provider that sends browsers back to a path of localhost. The test is skipped where it can't be built.
func (k *Kit) RealIssuer(callback string) *RealIssuer {
	k.T.Helper()
	program := filepath.Join(k.T.TempDir(), "issuer")
	build := exec.CommandContext(k.T.Context(), "go", "build", "-o", program, ".")
	build.Dir = filepath.Join("..", "..", "tools", "issuer")
	build.Env = append(os.Environ(), "GOFLAGS=")
	if said, err := build.CombinedOutput(); err != nil {
		k.T.Skipf("the provider can't be built here: %v\n%s", err, said)
	}
	server := exec.CommandContext(k.T.Context(), program, "http://localhost"+callback)
	input, err := server.StdinPipe()
	k.Must(err)
	output, err := server.StdoutPipe()
	k.Must(err)
	k.Must(server.Start())
	k.T.Cleanup(func() {
		_ = input.Close()
		_ = server.Wait()
	})
	issuer, err := bufio.NewReader(output).ReadString('\n')
	k.Must(err)
	issuer = strings.TrimSpace(issuer)
	at, err := url.Parse(issuer)
	k.Must(err)
	k.AskAt(at.Host)
	return &RealIssuer{issuer, callback, k}
}

// Through signs the user of the provider in by its pages, and returns the query with which the browser goes back.
func (i *RealIssuer) Through(address string) url.Values {
	i.kit.T.Helper()
	jar, err := cookiejar.New(nil)
	i.kit.Must(err)
	var back *url.URL
	browser := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == i.callback {
			back = r.URL
			return http.ErrUseLastResponse
		}
		return nil
	}}
	page, err := browser.Get(address)
	i.kit.Must(err)
	body := new(strings.Builder)
	_, err = bufio.NewReader(page.Body).WriteTo(body)
	i.kit.Must(err)
	i.kit.Must(page.Body.Close())
	id := requestID.FindStringSubmatch(body.String())
	if id == nil {
		i.kit.T.Fatalf("no form: %d %s", page.StatusCode, body)
	}
	form := url.Values{"id": {id[1]}, "username": {"test-user@127.0.0.1"}, "password": {"verysecure"}}
	page, err = browser.PostForm(page.Request.URL.Scheme+"://"+page.Request.URL.Host+"/login/username", form)
	i.kit.Must(err)
	i.kit.Must(page.Body.Close())
	if back == nil {
		i.kit.T.Fatalf("it doesn't lead back: %d at %s", page.StatusCode, page.Request.URL)
	}
	return back.Query()
}
