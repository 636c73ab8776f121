package embedded_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/embedded"
)

// helperDir makes the test program a small kalends that runs Postgres in the directory named by the variable.
const helperDir = "KALENDS_EMBEDDED_HELPER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperDir); dir != "" {
		os.Exit(helper(dir))
	}
	os.Exit(m.Run())
}

// helper starts Postgres, prints the URL or the error, and lives until its standard input ends.
func helper(dir string) int {
	server, err := embedded.Start(context.Background(), embedded.Config{Dir: dir})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(server.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := server.Stop(context.Background()); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// startHelper runs the helper, at wish as another user or with another program file, and returns its first line.
func startHelper(t *testing.T, dir, program string, attr *syscall.SysProcAttr) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), helperDir+"="+dir)
	cmd.SysProcAttr = attr
	cmd.Dir = "/"
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	must(t, err)
	return cmd, strings.TrimSpace(line)
}

// shortDir returns an empty directory with a path short enough for a socket, open to the user Postgres runs as.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kalends-test-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	must(t, os.Chmod(dir, 0o711))
	return dir
}

// start starts Postgres and stops it at the end of the test.
func start(t *testing.T, c embedded.Config) *embedded.Server {
	t.Helper()
	if c.Logger == nil {
		c.Logger = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	server, err := embedded.Start(t.Context(), c)
	must(t, err)
	t.Cleanup(func() { _ = server.Stop(context.Background()) })
	return server
}

func stop(t *testing.T, server *embedded.Server) {
	t.Helper()
	must(t, server.Stop(t.Context()))
}

// ask returns the one value a query gives.
func ask[T any](t *testing.T, url, query string) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	var answer T
	must(t, conn.QueryRow(t.Context(), query).Scan(&answer))
	return answer
}

func run(t *testing.T, url, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), statement)
	must(t, err)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantError(t *testing.T, err, want error, texts ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got error %v, want %v", err, want)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the message %q does not say %q", err, text)
		}
	}
}
