package server

import (
	"errors"
	"log/slog"
	"net"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/kalends/kalends/internal/metrics"
)

// lingering is how long a client may keep sending data that is not read.
const lingering = 30 * time.Second

// unheard is how long a connection on which no request has come is kept once the listener is closed. Clients open some in advance, and
// the server would wait for each as if a request were under way. It is what net/http grants them.
const unheard = 5 * time.Second

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
	l.once.Do(func() {
		close(l.closed)
		time.AfterFunc(unheard, func() { closeAll(l.idle()) })
	})
	return l.Listener.Close()
}

// exhausted reports whether an error is a temporary lack of resources for connections.
func exhausted(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM},
		func(passing error) bool { return errors.Is(err, passing) })
}

// opens adds a connection to the open ones, and forgets removes it.
func (l *lingeringListener) opens(c *politeConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[c] = struct{}{}
}

func (l *lingeringListener) forgets(c *politeConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, c)
}

// closeIdle closes a share of the connections that wait for a request, longest idle first, and returns their number.
func (l *lingeringListener) closeIdle() int {
	idle := l.idle()
	l.mu.Lock()
	most := len(l.open)/spared + 1
	l.mu.Unlock()
	idle = idle[:min(most, len(idle))]
	closeAll(idle)
	return len(idle)
}

// idle returns the connections that wait for a request, longest idle first.
func (l *lingeringListener) idle() (list []*politeConn) {
	l.mu.Lock()
	for c := range l.open {
		if c.idle.Load() != 0 {
			list = append(list, c)
		}
	}
	l.mu.Unlock()
	slices.SortFunc(list, func(a, b *politeConn) int { return int(a.idle.Load() - b.idle.Load()) })
	return list
}

func closeAll(list []*politeConn) {
	for _, c := range list {
		_ = c.Close()
	}
}
