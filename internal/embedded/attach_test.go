package embedded_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/kalends/kalends/internal/embedded"
)

func TestAttach(t *testing.T) {
	t.Parallel()
	c := embedded.Config{Dir: shortDir(t)}
	if _, err := embedded.Attach(c.Dir); !errors.Is(err, embedded.ErrDamaged) {
		t.Errorf("without data: %v, want %v", err, embedded.ErrDamaged)
	}
	server := start(t, c)

	url, err := embedded.Attach(c.Dir)

	must(t, err)
	if url != server.URL() {
		t.Errorf("attached to %s, the server is %s", url, server.URL())
	}
	if n := ask[int](t, url, `select 42`); n != 42 {
		t.Errorf("found %d, want 42", n)
	}
	stop(t, server)
	if _, err := embedded.Attach(c.Dir); !errors.Is(err, embedded.ErrInUse) {
		t.Errorf("after the end: %v, want %v", err, embedded.ErrInUse)
	}
	must(t, os.Remove(filepath.Join(c.Dir, "passwords.json")))
	if _, err := embedded.Attach(c.Dir); !errors.Is(err, embedded.ErrDamaged) {
		t.Errorf("without passwords: %v, want %v", err, embedded.ErrDamaged)
	}
}
