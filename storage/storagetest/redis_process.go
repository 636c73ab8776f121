package storagetest

import (
	"context"
	"os/exec"
	"syscall"
	"testing"
)

// RedisServer is a Redis of one test, for tests that kill or pause it. It stores nothing on disk, so it is empty
// after a restart. Its methods fail the test if they cannot do their work, and must be called from the test's
// goroutine.
type RedisServer struct {
	t      testing.TB
	server *redisServer
}

// RedisProcess starts a redis-server and ends it at the end of the test. The program must be installed, because
// neither a container nor miniredis can be paused in the middle of a command.
func RedisProcess(t testing.TB) *RedisServer {
	t.Helper()
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatalf("storagetest: this test needs redis-server (for example: apt install redis-server): %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), serverTimeout)
	defer cancel()
	server, err := startRedisServer(ctx, binary)
	if err != nil {
		t.Fatalf("storagetest: %v", err)
	}
	r := &RedisServer{t: t, server: server}
	t.Cleanup(func() { r.check(server.kill()) })
	return r
}

// URL returns the connection URL. It stays the same across restarts.
func (r *RedisServer) URL() string { return r.server.url() + "/0" }

// Kill ends the process, paused or not, and returns when it has ended. After that, connections are refused.
func (r *RedisServer) Kill() {
	r.t.Helper()
	r.check(r.server.kill())
}

// Pause stops the process in the middle of its work: it still accepts connections, but does not answer.
func (r *RedisServer) Pause() {
	r.t.Helper()
	r.check(r.server.process.Signal(syscall.SIGSTOP))
}

// Resume lets a paused process continue, with all its data.
func (r *RedisServer) Resume() {
	r.t.Helper()
	r.check(r.server.process.Signal(syscall.SIGCONT))
}

// Restart kills the process if it is running and starts an empty one on the same port.
func (r *RedisServer) Restart() {
	r.t.Helper()
	r.check(r.server.kill())
	ctx, cancel := context.WithTimeout(r.t.Context(), serverTimeout)
	defer cancel()
	r.check(r.server.start(ctx))
}

func (r *RedisServer) check(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatalf("storagetest: redis-server: %v", err)
	}
}
