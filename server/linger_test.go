package server_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestRefusedWhileSending: who sends more than is taken in sends all of it and then
// reads why it is refused, as proxies and browsers do.
func TestRefusedWhileSending(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	addr := k.listen()
	const size = 64 << 20
	for path, want := range map[string]int{"/calendar/events/v1/media": 413, "/platform/v1/imports": 401} {
		conn, err := net.Dial("tcp", addr)
		k.must(err)
		k.must(conn.SetDeadline(time.Now().Add(time.Minute)))
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/zip\r\nContent-Length: %d\r\n\r\n", path, size)
		k.must(err)
		if n, err := io.CopyN(conn, zeros{}, size); err != nil {
			t.Errorf("%s: cut off after %d bytes: %v", path, n, err)
		}
		in := bufio.NewReader(conn)
		res, err := http.ReadResponse(in, nil)
		if err != nil || res.StatusCode != want || !res.Close {
			t.Fatalf("%s: %v, %v", path, res, err)
		}
		_, err = io.Copy(io.Discard, res.Body)
		k.must(errors.Join(err, res.Body.Close()))
		if _, err := in.ReadByte(); err != io.EOF {
			t.Errorf("%s: the connection goes on: %v", path, err)
		}
		k.must(conn.Close())
	}
}
