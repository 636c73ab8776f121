package storagetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// serverTimeout limits the start and the stop of a server. It is generous, because a slow machine should not fail
// tests.
const serverTimeout = 3 * time.Minute

// program holds what the tests of one test program share.
type program struct {
	main     atomic.Bool
	postgres lazy[*databases]
	redis    lazy[*redis]
	kalends  lazy[kalends]
}

// shared belongs to the running test program. It is global, because package testing cannot pass it to tests.
var shared program

// lazy is a server that starts when it is first needed.
type lazy[T interface{ stop() error }] struct {
	once  sync.Once
	ready bool
	value T
	err   error
}

func (l *lazy[T]) get(start func(context.Context) (T, error)) (T, error) {
	l.once.Do(func() {
		limit := serverTimeout
		if OnCluster() {
			limit *= 5 // distributing a schema takes one statement for each table and shard
		}
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		l.value, l.err = start(ctx)
		l.ready = l.err == nil
	})
	return l.value, l.err
}

// stop stops the server if there is one. After that, no server can start.
func (l *lazy[T]) stop() error {
	l.once.Do(func() { l.err = errors.New("the tests are over") })
	if !l.ready {
		return nil
	}
	return l.value.stop()
}

// Main runs the tests, then stops the servers they have started. It returns the exit status for os.Exit.
func Main(m *testing.M) int {
	shared.main.Store(true)
	if err := inMemory(); err != nil {
		fmt.Fprintln(os.Stderr, "storagetest:", err)
		return 1
	}
	status := m.Run()
	if err := errors.Join(shared.postgres.stop(), shared.redis.stop(), shared.kalends.stop()); err != nil {
		fmt.Fprintln(os.Stderr, "storagetest:", err)
		status = max(status, 1)
	}
	return status
}

// needMain fails a test whose program would leave servers behind.
func needMain(t testing.TB) {
	t.Helper()
	if !shared.main.Load() {
		t.Fatal("storagetest: add func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }")
	}
}

// announce prints once which server the tests use, and why they do not use a better one.
func announce(format string, values ...any) {
	fmt.Fprintf(os.Stderr, "storagetest: "+format+"\n", values...)
}

// cleanup returns a context for cleaning up after a test, when the test's own context has ended.
func cleanup(t testing.TB) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(t.Context()), serverTimeout)
}
