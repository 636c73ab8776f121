package server

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/metrics"
)

// lingering is how long a client may keep sending data that nobody reads.
const lingering = 30 * time.Second

// If the system runs out of connections, accepting is retried after increasing pauses, each time closing a share of
// the open but idle ones.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = time.Second
	spared     = 8
)

// Lingering returns a listener that closes connections gracefully and keeps going when the system has no more. A
// client that is rejected while sending, for example an image that is too large, must be able to read the reason;
// closing a connection with unread data resets it, so that browsers and proxies lose the response.
func Lingering(listener net.Listener, logger *slog.Logger, counted *metrics.Metrics) net.Listener {
	return &lingeringListener{Listener: listener, logger: logger, metrics: counted, closed: make(chan struct{}),
		open: map[*politeConn]struct{}{}}
}

type lingeringListener struct {
	net.Listener
	logger  *slog.Logger
	metrics *metrics.Metrics
	closed  chan struct{}
	once    sync.Once
	said    time.Time // when exhaustion was last logged

	mu   sync.Mutex
	open map[*politeConn]struct{}
}

// Accept implements net.Listener.
func (l *lingeringListener) Accept() (net.Conn, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		conn, err := l.Listener.Accept()
		if err == nil {
			return l.polite(conn), nil
		}
		if !exhausted(err) {
			return nil, err
		}
		closed := l.closeIdle()
		l.metrics.Refused("connections")
		if now := time.Now(); now.Sub(l.said) > time.Minute {
			l.said = now
			l.logger.Error("no more connections can be opened; raise the limit of open files", "error", err, "idle_closed", closed)
		}
		select {
		case <-time.After(pause):
		case <-l.closed:
			return nil, net.ErrClosed
		}
	}
}

// Close implements net.Listener.
func (l *lingeringListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// exhausted reports whether an error is a temporary lack of resources for connections.
func exhausted(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM},
		func(passing error) bool { return errors.Is(err, passing) })
}

func (l *lingeringListener) polite(conn net.Conn) net.Conn {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return conn
	}
	c := &politeConn{TCPConn: tcp, of: l}
	c.unused.Store(true)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[c] = struct{}{}
	return c
}

// closeIdle closes connections that wait for a request, longest idle first, and returns their number.
func (l *lingeringListener) closeIdle() int {
	l.mu.Lock()
	var idle []*politeConn
	for c := range l.open {
		if c.idle.Load() != 0 {
			idle = append(idle, c)
		}
	}
	most := len(l.open)/spared + 1
	l.mu.Unlock()
	slices.SortFunc(idle, func(a, b *politeConn) int { return int(a.idle.Load() - b.idle.Load()) })
	idle = idle[:min(most, len(idle))]
	for _, c := range idle {
		_ = c.Close()
	}
	return len(idle)
}

// politeConn is a connection that may be closed with unread data.
type politeConn struct {
	*net.TCPConn
	of     *lingeringListener
	unread atomic.Bool
	unused atomic.Bool  // nothing was received since it was opened or since the last response
	idle   atomic.Int64 // since when it waits for a request; 0 if it does not
}

// Read implements net.Conn.
func (c *politeConn) Read(p []byte) (int, error) {
	if c.unused.Load() {
		c.idle.Store(time.Now().UnixNano())
		defer c.idle.Store(0)
	}
	n, err := c.TCPConn.Read(p)
	if n > 0 {
		c.unused.Store(false)
	}
	return n, err
}

// Write implements net.Conn.
func (c *politeConn) Write(p []byte) (int, error) {
	c.unused.Store(true)
	return c.TCPConn.Write(p)
}

// ReadFrom implements io.ReaderFrom.
func (c *politeConn) ReadFrom(r io.Reader) (int64, error) {
	c.unused.Store(true)
	return c.TCPConn.ReadFrom(r)
}

// Close ends the response. If data is unread, it discards what arrives until the client closes, too.
func (c *politeConn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	if !c.unread.Load() {
		return c.TCPConn.Close()
	}
	err := c.CloseWrite()
	go func() {
		_ = c.SetReadDeadline(time.Now().Add(lingering))
		_, _ = io.Copy(io.Discard, c.TCPConn)
		_ = c.TCPConn.Close()
	}()
	return err
}

// lastOf closes the connection after a request whose body may not be read to the end, because the rest would be
// interpreted as the next request.
func lastOf(c *fiber.Ctx) {
	c.Context().SetConnectionClose()
	if conn, ok := c.Context().Conn().(*politeConn); ok {
		conn.unread.Store(true)
	}
}
