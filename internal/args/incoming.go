package args

import (
	"io"
	"net"
	"time"
)

// TransferTimeout is the time limit for a client to transfer one piece of a file. The whole transfer has no limit.
const TransferTimeout = time.Minute

// Incoming returns the body of a request that arrives on conn and is read piece by piece. Every piece has TransferTimeout to arrive.
func Incoming(body io.Reader, conn net.Conn) io.Reader { return &incoming{body, conn} }

type incoming struct {
	io.Reader
	conn net.Conn
}

// Read implements io.Reader.
func (i *incoming) Read(p []byte) (int, error) {
	if err := i.conn.SetReadDeadline(time.Now().Add(TransferTimeout)); err != nil { //nolint:forbidigo // a connection needs the real clock
		return 0, err
	}
	return i.Reader.Read(p)
}
