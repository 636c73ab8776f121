package freshness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/storage/storagetest"
)

// providerToken is the provider's, by which the site is made.
const providerToken = "kalp_provider_of_the_tests"

// item is the path of an item.
func item(collection string, id int64) string { return fmt.Sprintf("/%s/%d", collection, id) }

// node is one `kalends serve` of a test.
type node struct {
	base   string
	client *http.Client
	secret string // of the admin, printed by the first run, as is the password
	said   *output

	password string

	t        *testing.T
	file     string // the program
	settings []string
	process  *exec.Cmd
}

// output collects what a process prints.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// refusals are the lines of requests that were told to come again.
var refusals = regexp.MustCompile(`(?m)^.* status=503 .*\n`)

// startNode starts a node with these settings and returns when it answers.
func startNode(t *testing.T, file string, settings ...string) *node {
	t.Helper()
	addr := storagetest.Address(t)
	n := &node{base: "http://" + addr + api.Namespace, t: t, file: file,
		client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
	n.settings = append(append(os.Environ(), "KALENDS_ADDR="+addr, "KALENDS_DATA_DIR="+t.TempDir(), "KALENDS_LOG_LEVEL=warn", "KALENDS_DRAIN=0s"), settings...)
	n.start()
	t.Cleanup(func() {
		_ = n.process.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(20*time.Second, func() { _ = n.process.Process.Kill() })
		defer kill.Stop()
		if err := n.process.Wait(); err != nil {
			t.Errorf("a node ended with %v\n%s", err, n.said)
		}
		if t.Failed() {
			t.Logf("a node said\n%s", refusals.ReplaceAllString(n.said.String(), ""))
		}
	})
	if found := regexp.MustCompile(`application password +(\S.*)`).FindStringSubmatch(n.said.String()); found != nil {
		n.secret = strings.TrimSpace(found[1])
	}
	if found := regexp.MustCompile(`(?m)^ +password +(\S+)$`).FindStringSubmatch(n.said.String()); found != nil {
		n.password = found[1]
	}
	return n
}

// start starts the process of a node and returns when it answers.
func (n *node) start() {
	n.t.Helper()
	n.said = &output{}
	n.process = exec.Command(n.file, "serve")
	n.process.Env = n.settings
	n.process.Stdout, n.process.Stderr = n.said, n.said
	if err := n.process.Start(); err != nil {
		n.t.Fatal(err)
	}
	storagetest.Until(n.t, "a node answers", func() bool { return strings.Contains(n.said.String(), "Kalends answers at") })
}

// kill9 ends the process of a node at whatever it does.
func (n *node) kill9() {
	_ = n.process.Process.Kill()
	_ = n.process.Wait()
}

// address is where a path of the API is, or of the origin behind another slash.
func (n *node) address(path string) string {
	if strings.HasPrefix(path, "//") {
		return strings.TrimSuffix(n.base, api.Namespace) + path[1:]
	}
	return n.base + path
}

// get reads as the public.
func (n *node) get(ctx context.Context, path string, noCache bool) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, n.address(path), nil)
	if err != nil {
		return 0, nil, err
	}
	if noCache {
		req.Header.Set("Cache-Control", "no-cache")
	}
	return n.do(req)
}

// write writes as the admin, or as the provider, and returns the id of what came
// back.
func (n *node) write(ctx context.Context, method, path string, body map[string]any) (int64, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, method, n.address(path), bytes.NewReader(b))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth("admin", n.secret)
	if strings.HasPrefix(path, "//platform/") {
		req.Header.Set("Authorization", "Bearer "+providerToken)
	}
	status, raw, err := n.do(req)
	if err == nil && status >= http.StatusBadRequest {
		err = errors.New(http.StatusText(status) + ": " + string(raw))
	}
	var answer struct {
		ID int64 `json:"id"`
	}
	_ = json.Unmarshal(raw, &answer) // an error has none
	return answer.ID, err
}

func (n *node) do(req *http.Request) (int, []byte, error) {
	res, err := n.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	return res.StatusCode, raw, err
}
