package storagetest

import (
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/kalends/kalends/internal/embedded"
)

// ClusterProcess is a Postgres of one test, for tests that kill it. Its settings are as durable as in production.
// Its methods fail the test if they cannot do their work, and must be called from the test's goroutine.
type ClusterProcess struct {
	t      testing.TB
	dir    string
	server *embedded.Server
}

// Cluster starts a Postgres with durable settings and an empty database, and removes it at the end of the test.
// It always takes the programs installed on the machine, never a container.
func Cluster(t testing.TB) *ClusterProcess {
	t.Helper()
	dir, err := temporary()
	if err != nil {
		t.Fatalf("storagetest: %v", err)
	}
	c := &ClusterProcess{t: t, dir: dir}
	t.Cleanup(func() {
		if c.server != nil {
			ctx, cancel := cleanup(t)
			defer cancel()
			_ = c.server.Stop(ctx) // the test may have killed it
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("storagetest: %v", err)
		}
	})
	c.start()
	return c
}

// URL returns the connection URL of the empty database. It stays the same across restarts.
func (c *ClusterProcess) URL() string { return c.server.URL() }

// Pid returns the process id of the postmaster.
func (c *ClusterProcess) Pid() int { return c.server.Pid() }

// Kill9 kills the postmaster with SIGKILL, and returns when it has ended.
func (c *ClusterProcess) Kill9() {
	c.t.Helper()
	if err := syscall.Kill(c.server.Pid(), syscall.SIGKILL); err != nil {
		c.t.Fatalf("storagetest: kill postgres: %v", err)
	}
	<-c.server.Done()
}

// Restart stops Postgres if it is running, starts it on the same data, and returns when it accepts connections.
func (c *ClusterProcess) Restart() {
	c.t.Helper()
	ctx, cancel := cleanup(c.t)
	defer cancel()
	_ = c.server.Stop(ctx) // an error only means that the test had killed it
	c.start()
}

func (c *ClusterProcess) start() {
	c.t.Helper()
	server, err := embedded.Start(c.t.Context(), embedded.Config{
		Dir:    filepath.Join(c.dir, "data"),
		Logger: slog.New(slog.NewTextHandler(c.t.Output(), nil)),
	})
	if err != nil {
		c.t.Fatalf("storagetest: %v", err)
	}
	c.server = server
}
