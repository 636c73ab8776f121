package rest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// TestGeneratedClients makes clients out of the document that the server answers
// with, in two languages and by five generators, compiles them strictly and has each
// make an event on the server. It loads the generators, so only make test-clients
// runs it.
func TestGeneratedClients(t *testing.T) {
	if os.Getenv("CLIENTS") == "" {
		t.Skip("make test-clients runs it")
	}
	t.Parallel()
	g := &generators{k: kit.New(t), dir: t.TempDir()}
	g.base = "http://" + g.k.Listen() + "/calendar/events/v1"
	g.copy("clienttest", "package.json", "package-lock.json", "tsconfig.json", "client.ts", "hey.ts", "orval.ts", "orval.config.mjs", "spectral.yaml")
	g.save(g.base+"/doc", "doc.json")
	origin, _, _ := strings.Cut(g.base, "/calendar")
	g.save(strings.Replace(origin, "127.0.0.1", "localhost", 1)+"/platform/v1/doc", "platform.json")
	g.run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	const bin = "node_modules/.bin/"
	for _, document := range []string{"doc.json", "platform.json"} {
		g.run(bin+"spectral", "lint", "--fail-severity", "warn", "--ruleset", "spectral.yaml", document)
		g.run(bin+"redocly", "lint", "--skip-rule", "operation-4xx-response", document) // default stands for them
	}
	g.run(bin+"openapi-typescript", "doc.json", "-o", "schema.ts")
	g.run(bin+"openapi-ts", "-i", "doc.json", "-o", "hey")
	g.run(bin+"orval", "--config", "orval.config.mjs")
	g.copyFace("ts")
	g.run(bin+"tsc", "-p", ".")
	for _, name := range []string{"client", "hey", "orval"} {
		g.run(bin+"esbuild", name+".ts", "--bundle", "--platform=node", "--format=esm", "--log-level=error", "--outfile="+name+".mjs")
		g.content("node", name+".mjs")
	}
	direct := g.base
	g.base = unreliable(t, origin) + "/calendar/events/v1"
	g.run(bin+"esbuild", "face.ts", "--bundle", "--platform=node", "--format=esm", "--log-level=error", "--outfile=face.mjs")
	g.content("node", "face.mjs")
	g.base = direct
	g.copy(filepath.Join("..", "..", "tools", "clients"), "go.mod", "go.sum", "main.go", "ogen/main.go", "ogen/ogen.yml")
	g.k.Must(os.Mkdir(filepath.Join(g.dir, "client"), 0o700))
	g.run("go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "client", "-o", "client/client.go", "doc.json")
	g.run("go", "tool", "ogen", "-config", "ogen/ogen.yml", "-target", "ogen/client", "-package", "client", "-loglevel", "error", "doc.json")
	if n := g.lines("ogen/client"); n > 160_000 {
		t.Errorf("ogen writes %d lines: which schemas does the document repeat?", n)
	}
	g.run("go", "vet", "-unreachable=false", "./...") // ogen ends no operation early that has one way alone
	g.content("go", "run", ".")
	g.content("go", "run", "./ogen")
}

// generators make clients in a directory.
type generators struct {
	k    *kit.Kit
	dir  string
	base string // of the interface
}

// copy brings files into the directory, with the folders of their names.
func (g *generators) copy(from string, names ...string) {
	g.k.T.Helper()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(from, name))
		g.k.Must(err)
		g.k.Must(os.MkdirAll(filepath.Dir(filepath.Join(g.dir, name)), 0o700))
		g.k.Must(os.WriteFile(filepath.Join(g.dir, name), text, 0o600))
	}
}

// save keeps what the server answers.
func (g *generators) save(address, name string) {
	g.k.T.Helper()
	res, err := http.Get(address)
	g.k.Must(err)
	defer func() { _ = res.Body.Close() }()
	document, err := io.ReadAll(res.Body)
	g.k.Must(err)
	g.k.Must(os.WriteFile(filepath.Join(g.dir, name), document, 0o600))
}

// run runs a program in the directory and returns what it says.
func (g *generators) run(name string, arguments ...string) []byte {
	g.k.T.Helper()
	ctx, cancel := context.WithTimeout(g.k.T.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, arguments...)
	cmd.Dir = g.dir
	cmd.Env = append(os.Environ(), "BASE="+g.base, "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.k.T.Fatalf("%s %v: %v\n%s", name, arguments, err, out)
	}
	return out
}

// lines returns how many lines the files of a folder have.
func (g *generators) lines(folder string) (n int) {
	g.k.T.Helper()
	files, err := filepath.Glob(filepath.Join(g.dir, folder, "*"))
	g.k.Must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		g.k.Must(err)
		n += bytes.Count(text, []byte("\n"))
	}
	return n
}

// content runs a client that says at its end whether all was as promised.
func (g *generators) content(name string, arguments ...string) {
	g.k.T.Helper()
	out := g.run(name, append(arguments, g.base, "administrator", g.k.Secrets["demo/administrator"])...)
	if !bytes.Contains(out, []byte("the client is content")) {
		g.k.T.Errorf("%s %v says %s", name, arguments, out)
	}
}
