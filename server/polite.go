package server

import (
	"cmp"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"
)

func (l *lingeringListener) polite(conn net.Conn) net.Conn {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return conn
	}
	c := &politeConn{TCPConn: tcp, of: l}
	c.unused.Store(true)
	l.opens(c)
	return c
}

// politeConn is a connection that may be closed with unread data.
type politeConn struct {
	*net.TCPConn
	of     *lingeringListener
	unread atomic.Bool
	unused atomic.Bool  // nothing was received since it was opened or since the last response
	idle   atomic.Int64 // since when it waits for a request; 0 if it does not

	pending []byte                 // data that was received before this connection continued another one; it is read first
	resumed atomic.Pointer[parked] // the parked request that the connection continues, until it is served
	parks   atomic.Pointer[func()] // called instead of closing it
}

// leaves sets a function that is called instead of closing the connection when the server closes it.
func (c *politeConn) leaves(do func()) { c.parks.Store(&do) }

// again returns a new connection to the same client. Reading from it begins with bytes that were already received,
// perhaps those of a parked request.
func (c *politeConn) again(pending []byte, p *parked) *politeConn {
	conn := &politeConn{TCPConn: c.TCPConn, of: c.of, pending: pending}
	conn.resumed.Store(p)
	c.of.opens(conn)
	return conn
}

// next waits for the beginning of the next request on a connection that the server has left.
func (c *politeConn) next(b []byte) (int, error) {
	c.of.opens(c)
	defer c.of.forgets(c)
	_ = c.SetReadDeadline(time.Now().Add(idleTimeout))
	defer c.SetReadDeadline(time.Time{}) //nolint:errcheck // a closed connection is noticed by whoever uses it
	return c.Read(b)
}

// writeNow writes as much as the system accepts without blocking, and returns the rest.
func (c *politeConn) writeNow(b []byte) (rest []byte, err error) {
	c.unused.Store(true)
	raw, err := c.SyscallConn()
	if err != nil {
		return b, err
	}
	failed := raw.Write(func(fd uintptr) bool {
		var n int
		if n, err = syscall.Write(int(fd), b); n > 0 {
			b = b[n:]
		}
		return true
	})
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR) {
		err = nil
	}
	return b, cmp.Or(err, failed)
}

// Read implements net.Conn.
func (c *politeConn) Read(p []byte) (int, error) {
	if len(c.pending) > 0 {
		n := copy(p, c.pending)
		if c.pending = c.pending[n:]; len(c.pending) == 0 {
			c.pending = nil
		}
		return n, nil
	}
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
	c.of.forgets(c)
	if do := c.parks.Swap(nil); do != nil {
		(*do)()
		return nil
	}
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
