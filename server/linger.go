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

// lingering is for how long a client may go on sending what nobody reads any more.
const lingering = 30 * time.Second

// Where the system gives no more connections, it is asked again after a while that
// grows, and each time one of so many that are open is closed if nobody uses it.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = time.Second
	spared     = 8
)

// Lingering returns a listener whose connections end politely, and that goes on when
// the system gives no more of them. Who is refused while it still sends, as with a picture
// that is too large, is to read why; a connection that is closed on unread bytes is
// reset, and then neither a browser nor a proxy has the answer.
func Lingering(listener net.Listener, logger *slog.Logger, counted *metrics.Metrics) net.Listener {
	return &lingerer{Listener: listener, logger: logger, metrics: counted, closed: make(chan struct{}), open: map[*politeConn]struct{}{}}
}

type lingerer struct {
	net.Listener
	logger  *slog.Logger
	metrics *metrics.Metrics
	closed  chan struct{}
	once    sync.Once
	said    time.Time // when the log was told last that there are no more

	mu   sync.Mutex
	open map[*politeConn]struct{}
}

// Accept implements net.Listener.
func (l *lingerer) Accept() (net.Conn, error) {
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
func (l *lingerer) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// exhausted reports whether there is too little of something to accept a connection,
// which passes.
func exhausted(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM},
		func(passing error) bool { return errors.Is(err, passing) })
}

func (l *lingerer) polite(conn net.Conn) net.Conn {
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

// closeIdle closes connections that wait for a request, the longest unused first, and
// returns how many.
func (l *lingerer) closeIdle() int {
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

// politeConn is a connection that may be closed with bytes unread.
type politeConn struct {
	*net.TCPConn
	of     *lingerer
	unread atomic.Bool
	unused atomic.Bool  // nothing came since it was opened, or since the last answer
	idle   atomic.Int64 // since when it waits for a request; 0: it doesn't
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

// Close ends the answer; where bytes are unread, what still comes is thrown away until
// the client has ended, too.
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

// lastOf has the connection end with a request whose body may not be read to its end:
// the rest would be taken for the next request.
func lastOf(c *fiber.Ctx) {
	c.Context().SetConnectionClose()
	if conn, ok := c.Context().Conn().(*politeConn); ok {
		conn.unread.Store(true)
	}
}
