package server_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestGeneratedClient makes a TypeScript client out of the document the server
// answers with, checks the client's types and lets it loose on the server.
func TestGeneratedClient(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	k := newKit(t)
	base := "http://" + k.listen() + "/calendar/events/v1"
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", "tsconfig.json", "client.ts"} {
		text, err := os.ReadFile(filepath.Join("clienttest", name))
		k.must(err)
		k.must(os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	res, err := http.Get(base + "/doc")
	k.must(err)
	defer func() { _ = res.Body.Close() }()
	document, err := io.ReadAll(res.Body)
	k.must(err)
	k.must(os.WriteFile(filepath.Join(dir, "doc.json"), document, 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	run := func(name string, arguments ...string) []byte {
		t.Helper()
		cmd := exec.CommandContext(ctx, name, arguments...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, arguments[0], err, out)
		}
		return out
	}
	run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	run("node_modules/.bin/openapi-typescript", "doc.json", "-o", "schema.ts", "--default-non-nullable=false")
	run("node_modules/.bin/tsc", "-p", ".")
	out := run("node", "out/client.js", base, "administrator", k.secrets["demo/administrator"])
	if !bytes.Contains(out, []byte("the client is content")) {
		t.Errorf("the client says %s", out)
	}
}
