package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCaddyfile: Caddy takes the file, with the settings and without, and would write it as it is.
func TestCaddyfile(t *testing.T) {
	t.Parallel()
	caddy := program(t, "caddy", "deploy/Caddyfile")
	file := filepath.Join(root, "deploy", "Caddyfile")
	for _, env := range [][]string{nil, {"KALENDS_PLATFORM_DOMAIN=calendars.example", "KALENDS_UPSTREAM=kalends:8080"},
		{"KALENDS_UPSTREAM=kalends:8080 kalends-2:8080"}} {
		c := exec.Command(caddy, "validate", "--config", file, "--adapter", "caddyfile")
		dir := t.TempDir()
		c.Env = append(append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir), env...)
		if said, err := c.CombinedOutput(); err != nil {
			t.Errorf("with %v: %v\n%s", env, err, said)
		}
	}
	written, err := exec.Command(caddy, "fmt", file).Output()
	if string(written) != string(read(t, "deploy/Caddyfile")) {
		t.Errorf("caddy fmt writes it otherwise: %v\n%s", err, written)
	}
}
