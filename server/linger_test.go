package server_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/server"
)

// poor is a listener that runs out of file descriptors on demand.
type poor struct {
	net.Listener
	refuse atomic.Int64 // so many more times
}

func (p *poor) Accept() (net.Conn, error) {
	conn, err := p.Listener.Accept()
	if err == nil && p.refuse.Add(-1) >= 0 {
		_ = conn.Close()
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return conn, err
}

// When connections are refused for lack of file descriptors, idle ones are closed and the server continues.
func TestTooManyConnections(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	k.Must(err)
	var log bytes.Buffer
	scarce := &poor{Listener: listener}
	done := make(chan error, 1)
	go func() {
		done <- k.App.Listener(server.Lingering(scarce, slog.New(slog.NewTextHandler(&log, nil)), nil))
	}()

	idle, err := net.Dial("tcp", listener.Addr().String())
	k.Must(err)
	defer idle.Close()
	healthy := func() {
		t.Helper()
		r, err := http.Get("http://" + listener.Addr().String() + "/healthz")
		k.Must(err)
		k.Must(r.Body.Close())
		if r.StatusCode != http.StatusOK {
			t.Errorf("status %d", r.StatusCode)
		}
	}
	healthy()
	scarce.refuse.Store(1 << 30)
	for err = os.ErrDeadlineExceeded; errors.Is(err, os.ErrDeadlineExceeded); _, err = idle.Read(make([]byte, 1)) {
		refused, err := net.Dial("tcp", listener.Addr().String())
		k.Must(err)
		k.Must(refused.Close())
		k.Must(idle.SetReadDeadline(time.Now().Add(50 * time.Millisecond)))
	}
	scarce.refuse.Store(0)
	http.DefaultClient.CloseIdleConnections()
	healthy()
	k.Must(k.App.Shutdown())
	k.Must(<-done)
	if !strings.Contains(log.String(), "too many open files") {
		t.Errorf("the log says %q", log.String())
	}
}

// A connection that a client has opened in advance, and on which no request has come, does not keep a server from ending.
func TestShutdownWithUnusedConnections(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	k.Must(err)
	done := make(chan error, 1)
	go func() { done <- k.App.Listener(server.Lingering(listener, slog.New(slog.DiscardHandler), nil)) }()
	unused, err := net.Dial("tcp", listener.Addr().String())
	k.Must(err)
	defer unused.Close()
	r, err := http.Get("http://" + listener.Addr().String() + "/healthz") // by then the other one is accepted
	k.Must(err)
	k.Must(r.Body.Close())
	k.Must(k.App.Shutdown())
	k.Must(<-done)
	if _, err = unused.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the connection is still open: %v", err)
	}
}
