package server

import (
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// lingering is for how long a client may go on sending what nobody reads any more.
const lingering = 30 * time.Second

// Lingering returns a listener whose connections end politely. Who is refused while it
// still sends, as with a picture that is too large, is to read why; a connection that
// is closed on unread bytes is reset, and then neither a browser nor a proxy has the
// answer.
func Lingering(listener net.Listener) net.Listener { return lingerer{listener} }

type lingerer struct{ net.Listener }

// Accept implements net.Listener.
func (l lingerer) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok && err == nil {
		return &politeConn{TCPConn: tcp}, nil
	}
	return conn, err
}

// politeConn is a connection that may be closed with bytes unread.
type politeConn struct {
	*net.TCPConn
	unread atomic.Bool
}

// Close ends the answer; where bytes are unread, what still comes is thrown away until
// the client has ended, too.
func (c *politeConn) Close() error {
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
