package embedded

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReady: before anything is built, .ci/ready says what serving needs and the machine lacks.
func TestReady(t *testing.T) {
	t.Parallel()
	old := filepath.Join(t.TempDir(), "go")
	script := "#!/bin/sh\ncase \"$2\" in GOVERSION) echo go1.19.8;; *) echo auto;; esac\n"
	if err := os.WriteFile(old, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		environment []string
		want        string // "": everything is there
	}{
		"a database elsewhere": {[]string{"DATABASE_URL=postgres://db.example.org/kalends", "KALENDS_PG_BIN=/nowhere"}, ""},
		"no Postgres":          {[]string{"DATABASE_URL=", "KALENDS_DATABASE_URL=", "TEST_DATABASE_URL=", "KALENDS_PG_BIN=/nowhere"}, "there is no Postgres 15 or newer"},
		"an old Go":            {[]string{"GO=" + old, "DATABASE_URL=postgres://db.example.org/kalends"}, "this is Go 1.19, and Kalends needs 1."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), "../../.ci/ready")
			cmd.Env = append(os.Environ(), c.environment...)
			out, err := cmd.CombinedOutput()
			if (err == nil) != (c.want == "") || !strings.Contains(string(out), c.want) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// TestProgramsOutOfReach: where the programs are in a folder that only root may enter, the remedy is about them, and not about the data.
func TestProgramsOutOfReach(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	bin := filepath.Join(home, "kalends", "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	stranger := []identity{{uid: 1_234_567, gid: 1_234_567, foreign: true}}
	if err := noIdentity(binaries{dir: bin}, stranger, nil); !strings.Contains(err.Error(), "its programs in "+bin) || errors.Is(err, ErrPermission) {
		t.Errorf("programs: %v", err)
	}
	if err := noIdentity(binaries{dir: "/usr"}, stranger, nil); !errors.Is(err, ErrPermission) || !strings.Contains(err.Error(), "KALENDS_DATA_DIR") {
		t.Errorf("data: %v", err)
	}
}
