package storagetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// kalends is the file of the program, in a folder of its own.
type kalends string

func (k kalends) stop() error { return os.RemoveAll(filepath.Dir(string(k))) }

// Program returns the file of the program kalends, which is built when a test of this test program first needs it.
func Program(t testing.TB) string {
	t.Helper()
	needMain(t)
	k, err := shared.kalends.get(func(context.Context) (kalends, error) {
		dir, err := temporary()
		if err != nil {
			return "", err
		}
		k := kalends(filepath.Join(dir, "kalends"))
		// Without symbols for debuggers: linking them takes longer than the rest.
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-w", "-o", string(k), "github.com/kalends/kalends/cmd/kalends")
		if out, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", giveUp(err, k.stop), out)
		}
		return k, nil
	})
	if err != nil {
		t.Fatalf("storagetest: build kalends: %v", err)
	}
	return string(k)
}
