package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

// balancer spreads connections over the nodes that say they are ready, as the ones
// in front of real nodes do.
type balancer struct {
	t        testing.TB
	listener net.Listener
	stop     chan struct{}

	mu    sync.Mutex
	nodes map[string]bool // address → ready
	next  int
}

func newBalancer(t testing.TB, nodes ...string) *balancer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &balancer{t: t, listener: listener, stop: make(chan struct{}), nodes: map[string]bool{}}
	for _, node := range nodes {
		b.nodes[node] = true
	}
	t.Cleanup(func() {
		close(b.stop)
		_ = listener.Close()
	})
	go b.watch()
	go b.accept()
	return b
}

// replace puts one node in the place of another.
func (b *balancer) replace(old, fresh string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.nodes, old)
	b.nodes[fresh] = false
}

// ready reports whether a node gets connections.
func (b *balancer) ready(node string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.nodes[node]
}

// watch asks every node whether it is ready, over and over.
func (b *balancer) watch() {
	client := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-b.stop:
			return
		case <-tick.C:
		}
		b.mu.Lock()
		var nodes []string
		for node := range b.nodes {
			nodes = append(nodes, node)
		}
		b.mu.Unlock()
		for _, node := range nodes {
			res, err := client.Get("http://" + node + "/readyz")
			if err == nil {
				_ = res.Body.Close()
			}
			b.mu.Lock()
			if _, there := b.nodes[node]; there {
				b.nodes[node] = err == nil && res.StatusCode == http.StatusOK
			}
			b.mu.Unlock()
		}
	}
}

func (b *balancer) accept() {
	for {
		conn, err := b.listener.Accept()
		if err != nil {
			return
		}
		go b.pass(conn)
	}
}

// pass joins a client with the node whose turn it is.
func (b *balancer) pass(client net.Conn) {
	defer func() { _ = client.Close() }()
	b.mu.Lock()
	var ready []string
	for node, yes := range b.nodes {
		if yes {
			ready = append(ready, node)
		}
	}
	slices.Sort(ready)
	b.next++
	turn := b.next
	b.mu.Unlock()
	if len(ready) == 0 {
		return
	}
	node, err := net.Dial("tcp", ready[turn%len(ready)])
	if err != nil {
		return
	}
	defer func() { _ = node.Close() }()
	go func() {
		_, _ = io.Copy(node, client)
		_ = node.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(client, node)
}

// caller sends requests on one connection for as long as the node lets it. It
// never tries again, so nothing that is dropped stays hidden.
type caller struct {
	addr, authorization string
	conn                net.Conn
	reader              *bufio.Reader
}

func (c *caller) call(method, path string, body []byte) (status int, err error) {
	if c.conn == nil {
		if c.conn, err = net.Dial("tcp", c.addr); err != nil {
			return 0, err
		}
		c.reader = bufio.NewReader(c.conn)
	}
	req, err := http.NewRequest(method, "http://localhost/calendar/events/v1"+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	if body != nil {
		req.Header.Set("Authorization", c.authorization)
	}
	_ = c.conn.SetDeadline(time.Now().Add(5 * time.Minute))
	if err = req.Write(c.conn); err != nil {
		return 0, err
	}
	res, err := http.ReadResponse(c.reader, req)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	if res.Close {
		_ = c.conn.Close()
		c.conn = nil
	}
	return res.StatusCode, err
}

// TestRollingRestart restarts two nodes behind a balancer one after the other
// while clients read and write: no request fails.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	env := []string{"DATABASE_URL=" + storagetest.Database(t), "KALENDS_DRAIN=1s"}
	dir := dataDir(t)
	start := func() *service { t.Helper(); return launchWith(t, dir, env).started() }
	first := start()
	second := start()
	b := newBalancer(t, first.addr, second.addr)
	basic, err := http.NewRequest(http.MethodGet, "http://localhost", nil)
	if err != nil {
		t.Fatal(err)
	}
	basic.SetBasicAuth("admin", first.password())
	stop := make(chan struct{})
	var done, reconnected atomic.Int64
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			c := &caller{addr: b.listener.Addr().String(), authorization: basic.Header.Get("Authorization")}
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				method, path, want, body := "GET", "/events?per_page=5", 200, []byte(nil)
				if n%5 == w {
					method, path, want = "POST", "/events", 201
					body, _ = json.Marshal(event(fmt.Sprintf("Event %d of %d", n, w)))
				}
				if c.conn == nil {
					reconnected.Add(1)
				}
				status, err := c.call(method, path, body)
				if err != nil || status != want {
					t.Errorf("%s %s: %d, %v", method, path, status, err)
					return
				}
				done.Add(1)
			}
		})
	}
	more := func(n int64) {
		t.Helper()
		until(t, "requests", func() bool { return done.Load() >= n || t.Failed() })
	}
	more(200)
	for _, node := range []*service{first, second} {
		node.signal(syscall.SIGTERM)
		if err := node.wait(); err != nil {
			t.Errorf("ended with %v\n%s", err, node.errs)
		}
		fresh := start()
		b.replace(node.addr, fresh.addr)
		until(t, "the new node", func() bool { return b.ready(fresh.addr) })
		more(done.Load() + 200)
	}
	close(stop)
	all.Wait()
	if n := reconnected.Load(); n < 6 {
		t.Errorf("connections were made %d times: nobody was sent to another node", n)
	}
	t.Logf("%d requests, %d connections", done.Load(), reconnected.Load())
}

// until waits for something to become so.
func until(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited for %s in vain", what)
		}
	}
}
