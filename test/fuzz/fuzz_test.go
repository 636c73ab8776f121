package fuzz

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/server"
)

// fuzzed is the number of requests of TestFuzz unless FUZZ is set. After fuzzedAnew requests it starts with a new
// database, because the state of the old one would make later requests fail early.
const (
	fuzzed     = 3000
	fuzzedAnew = 6000
)

// TestFuzz sends random requests derived from the known arguments, forms and callers of all routes, in all encodings,
// correct except for one or two things. No response may be an internal error, and each must have the regular form.
// FUZZ sets the number of requests; FUZZ_SEED repeats a run.
func TestFuzz(t *testing.T) {
	if testing.Short() {
		t.Skip("sends a few thousand requests")
	}
	most, seed := fuzzed, uint64(1)
	if text := os.Getenv("FUZZ"); text != "" {
		var err error
		if most, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		seed = uint64(time.Now().UnixNano())
	}
	if text := os.Getenv("FUZZ_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	found, statuses, began := map[string]bool{}, map[int]int{}, time.Now()
	for sent := 0; sent < most; seed++ {
		n := min(fuzzedAnew, most-sent)
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { newFuzzer(t, seed, found, statuses).run(n) })
		if sent += n; most > fuzzed {
			t.Logf("%d requests in %s: %v, %d faults", sent, time.Since(began).Round(time.Second), statuses, len(found))
		}
	}
	if answered := statuses[200] + statuses[201] + statuses[303]; answered*10 < most {
		t.Errorf("%d of %d requests were answered with what they asked for: the others are too wrong to come far", answered, most)
	}
}

// fuzzer makes requests for one server.
type fuzzer struct {
	k        *kit.Kit
	t        *testing.T
	r        *rand.Rand
	log      *faultLog
	address  string
	conn     net.Conn
	answers  *bufio.Reader
	targets  []target
	callers  []kit.Caller
	ids      []string // of what there is
	slugs    []string
	items    map[string][]thing // by resource
	before   *shot              // on the same connection
	found    map[string]bool    // what went wrong already
	statuses map[int]int
}

// faultLog keeps what a server says of its faults.
type faultLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *faultLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// take returns what was said since the last time.
func (l *faultLog) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.text.String()
	l.text.Reset()
	return text
}

func newFuzzer(t *testing.T, seed uint64, found map[string]bool, statuses map[int]int) *fuzzer {
	t.Helper()
	f := &fuzzer{t: t, before: &shot{}, r: rand.New(rand.NewPCG(seed, 0)), log: &faultLog{}, found: found, statuses: statuses}
	f.k = kit.New(t, func(c *server.Config) {
		c.Logger = slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelError}))
	})
	f.world()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	f.k.Must(err)
	f.address = listener.Addr().String()
	go func() { _ = f.k.App.Listener(listener) }()
	t.Cleanup(func() { _ = f.k.App.ShutdownWithTimeout(time.Second) })
	f.log.take()
	return f
}

// run sends n requests.
func (f *fuzzer) run(n int) {
	for range n {
		s := f.shot()
		res, body, err := f.send(s) //nolint:bodyclose // send reads and closes it
		for tries := 0; err == nil && busy(res) && tries < 30; tries++ {
			time.Sleep(time.Second)
			res, body, err = f.send(s) //nolint:bodyclose // as above
		}
		if err != nil {
			f.fault(s, fmt.Sprintf("no answer: %v; before it\n%.1000q\n", err, f.before.bytes()), err.Error())
			continue
		}
		f.before = s
		f.statuses[res.StatusCode]++
		f.judge(s, res, body)
	}
}

// busy reports whether the server asks to come again in a second. Where requests take more than a second, as on a machine that
// does much else, the gate makes one site wait for the other.
func busy(res *http.Response) bool {
	return res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") == "1"
}

// send writes a request and reads its answer, on a connection that is kept while
// both sides want to.
func (f *fuzzer) send(s *shot) (*http.Response, []byte, error) {
	const timeout = 2 * time.Minute
	if f.conn == nil {
		var err error
		if f.conn, err = net.Dial("tcp", f.address); err != nil {
			return nil, nil, err
		}
		f.answers = bufio.NewReader(f.conn)
	}
	over := true
	defer func() {
		if over {
			_ = f.conn.Close()
			f.conn = nil
		}
	}()
	if err := f.conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		return nil, nil, err
	}
	_, sent := f.conn.Write(s.bytes()) // who refuses a body needn't read it
	res, err := http.ReadResponse(f.answers, &http.Request{Method: s.method})
	if err != nil {
		return nil, nil, fmt.Errorf("%w, %w", err, sent)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	over = res.Close || err != nil || sent != nil
	return res, body, err
}

// leaks are words that no answer says.
var leaks = []string{"SQLSTATE", "pgconn", "runtime error", "goroutine ", "panic:", "sql:"}

// judge holds an answer to what all answers are held to.
func (f *fuzzer) judge(s *shot, res *http.Response, body []byte) {
	if res.StatusCode >= 500 && res.StatusCode != http.StatusNotImplemented {
		said := f.log.take()
		f.fault(s, fmt.Sprintf("%d %.300s\n%s", res.StatusCode, body, said), s.target.pattern+said[max(0, strings.Index(said, "error=")):])
		return
	}
	if !strings.Contains(s.target.pattern, "media") {
		for _, word := range leaks {
			if bytes.Contains(body, []byte(word)) && !bytes.Contains(s.bytes(), []byte(word)) {
				f.fault(s, "says "+word, s.target.pattern+word)
			}
		}
	}
	if res.StatusCode == http.StatusCreated {
		f.know(s, body)
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), kit.JSONType) && s.method != http.MethodHead && len(body) > 0 {
		f.judgeJSON(s, res, body)
	}
}

// judgeJSON holds an answer of the interface to its form.
func (f *fuzzer) judgeJSON(s *shot, res *http.Response, body []byte) {
	var answer struct {
		Code string
		Data struct{ Status int }
	}
	err := json.Unmarshal(body, &answer)
	switch {
	case !json.Valid(body):
		f.fault(s, fmt.Sprintf("%d is no JSON: %.300s", res.StatusCode, body), s.target.pattern+"JSON")
	case res.StatusCode >= 400 && (err != nil || answer.Code == "" || answer.Data.Status != res.StatusCode):
		f.fault(s, fmt.Sprintf("%d is no error: %.300s", res.StatusCode, body), s.target.pattern+"error")
	case res.StatusCode == http.StatusMethodNotAllowed && res.Header.Get("Allow") == "":
		f.fault(s, "405 without Allow", s.target.pattern+"allow")
	}
}

// digitsAndQuotes are what differs between two faults of one kind.
var digitsAndQuotes = regexp.MustCompile(`trace=.*|[0-9]+|0x[0-9a-f]+`)

// fault reports what went wrong, each kind once.
func (f *fuzzer) fault(s *shot, what, kind string) {
	kind = digitsAndQuotes.ReplaceAllString(kind, "")
	if f.found[kind] {
		return
	}
	f.found[kind] = true
	f.t.Errorf("%s\n%.3000q", what, s.bytes())
}
