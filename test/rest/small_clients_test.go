package rest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestSmallClientInPython walks the client in Python: what it writes is there once, although the answers to all writes are lost at
// first.
func TestSmallClientInPython(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	g := &generators{k: kit.New(t), dir: t.TempDir()}
	g.base = unreliable(t, "http://"+g.k.Listen()) + "/calendar/events/v1"
	g.copyFace("python")
	g.content("python3", "face.py")
	g.onceEach("Of Python")
}

// TestSmallClientInTypeScript walks the client in TypeScript in the same way.
func TestSmallClientInTypeScript(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node")
	}
	g := &generators{k: kit.New(t), dir: t.TempDir()}
	g.base = unreliable(t, "http://"+g.k.Listen()) + "/calendar/events/v1"
	g.copyFace("ts")
	g.bundle("face.ts", "face.mjs")
	g.content("node", "face.mjs")
	g.onceEach("Of TypeScript")
}

// bundle makes a program for Node of one in TypeScript, with all that it imports.
func (g *generators) bundle(from, to string) {
	g.k.T.Helper()
	bundle := exec.CommandContext(g.k.T.Context(), "go", "tool", "-modfile=tools/go.mod", "esbuild", filepath.Join(g.dir, from), "--bundle",
		"--platform=node", "--format=esm", "--log-level=error", "--outfile="+filepath.Join(g.dir, to))
	bundle.Dir = filepath.Join("..", "..")
	if said, err := bundle.CombinedOutput(); err != nil {
		g.k.T.Fatalf("%v\n%s", err, said)
	}
}

// copyFace brings a small client, and what walks it, into the directory.
func (g *generators) copyFace(language string) {
	g.k.T.Helper()
	switch language {
	case "python":
		g.copy("clienttest", "face.py")
		g.copy(filepath.Join("..", "..", "clients", "python"), "kalends/__init__.py", "kalends/types.py")
	default:
		g.copy("clienttest", "face.ts")
		g.copy(filepath.Join("..", ".."), "clients/ts/kalends.ts", "clients/ts/types.ts")
	}
}

// onceEach fails the test unless the nine events of a client were made once, as was its venue.
func (g *generators) onceEach(category string) {
	g.k.T.Helper()
	made := g.k.Peek("demo", "SELECT count(*) FROM changes WHERE kind IN ('event', 'venue', 'category') AND action = 'create' AND who = 'administrator'")
	if made != "11" {
		g.k.T.Errorf("%s: %s creations, want 11", category, made)
	}
}

// unreliable is a proxy that loses the first answer to each write, and cannot be reached by each third reading.
func unreliable(t testing.TB, to string) string {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	seen, readings := map[string]bool{}, 0
	proxy := httputil.NewSingleHostReverseProxy(target)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		lost, away := false, false
		if r.Method == http.MethodGet {
			readings++
			away = readings%3 == 0
		} else {
			write := fmt.Sprint(r.Method, r.URL, r.Header.Get("Idempotency-Key"))
			lost = !seen[write]
			seen[write] = true
		}
		mu.Unlock()
		switch {
		case away:
			w.WriteHeader(http.StatusBadGateway)
		case lost:
			proxy.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}
