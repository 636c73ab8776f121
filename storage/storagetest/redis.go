package storagetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// redisDatabases is how many logical databases the shared Redis has. Each call of Redis takes the next one.
const redisDatabases = 1024

// redis is the Redis that the tests of one program share.
type redis struct {
	url   string // redis://host:port
	halt  func() error
	count atomic.Int64
}

func (r *redis) stop() error { return r.halt() }

// Redis returns the URL of an empty logical database of a Redis that all tests of the program share. To clear it,
// use FLUSHDB, never FLUSHALL. Tests that kill or pause their Redis use RedisProcess.
func Redis(t testing.TB) string {
	t.Helper()
	needMain(t)
	r, err := shared.redis.get(startRedis)
	if err != nil {
		t.Fatalf("storagetest: redis: %v", err)
	}
	call := r.count.Add(1) - 1
	n := call % redisDatabases
	if call != n { // an earlier test had this database
		if err := flush(t.Context(), r.url, n); err != nil {
			t.Fatalf("storagetest: redis: %v", err)
		}
	}
	return fmt.Sprintf("%s/%d", r.url, n)
}

// startRedis returns the first Redis available, in the order of the package comment.
func startRedis(ctx context.Context) (*redis, error) {
	if dockerHealthy(ctx) {
		address, stop, err := dockerRedis(ctx)
		if err == nil {
			announce("redis, container %s", redisImage)
			return &redis{url: address, halt: stop}, nil
		}
		announce("no container for Redis: %v", err)
	}
	binary, err := exec.LookPath("redis-server")
	if errors.Is(err, exec.ErrNotFound) {
		return startMini()
	}
	if err != nil {
		return nil, err
	}
	server, err := startRedisServer(ctx, binary)
	if err != nil {
		return nil, err
	}
	announce("redis %s, %s", server.version, binary)
	return &redis{url: server.url(), halt: server.kill}, nil
}

// startMini starts a Redis written in Go. Its keys do not expire by themselves, so a ticker moves its time.
func startMini() (*redis, error) {
	mini, err := miniredis.Run() // listens on 127.0.0.1
	if err != nil {
		return nil, err
	}
	announce("redis, miniredis in the test program")
	const step = 50 * time.Millisecond
	ticker := time.NewTicker(step)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-ticker.C:
				mini.FastForward(step)
			case <-done:
				return
			}
		}
	}()
	return &redis{url: "redis://" + mini.Addr(), halt: func() error {
		ticker.Stop()
		close(done)
		mini.Close()
		return nil
	}}, nil
}

func flush(ctx context.Context, address string, n int64) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	conn, err := dial(ctx, u.Host)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, command("SELECT", fmt.Sprint(n))+command("FLUSHDB")); err != nil {
		return err
	}
	answers := bufio.NewReader(conn)
	for range 2 {
		line, err := answers.ReadString('\n')
		if err != nil {
			return err
		}
		if !strings.HasPrefix(line, "+OK") {
			return fmt.Errorf("flush database %d: %s", n, strings.TrimSpace(line))
		}
	}
	return nil
}

// dial connects, with the deadline of ctx for all reads and writes.
func dial(ctx context.Context, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		err = conn.SetDeadline(deadline)
	}
	return conn, err
}

// command encodes a command in the protocol of Redis.
func command(words ...string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(&text, "$%d\r\n%s\r\n", len(word), word)
	}
	return text.String()
}
