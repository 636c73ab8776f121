package server_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
)

// With wrong credentials, no more of a large body is read than the free allowance.
func TestCredentialsBeforeBodies(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	head := "POST /calendar/events/v1/events HTTP/1.1\r\nHost: demo.localhost\r\nContent-Type: application/json\r\n" +
		"Authorization: Bearer kal_" + strings.Repeat("a", 40) + "\r\nContent-Length: 900000\r\n\r\n"
	if status := kit.Raw(t, k.Listen(), head, strings.Repeat(" ", 200_000)); status != 401 {
		t.Errorf("status %d before the body has come, want 401", status)
	}
}

// Clients that do not read their responses do not block others, however few slots there are.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	k := kit.NewOn(t, storagetest.Database(t), func(c *server.Config) { c.Places, c.Answers, c.Versions = 2, nil, nil })
	for n := range 12 {
		k.Event(map[string]any{"title": fmt.Sprint("Long ", n), "description": strings.Repeat("long ", 40_000)})
	}
	addr := k.Listen()
	for range 6 { // three for each place
		conn, err := net.Dial("tcp", addr)
		k.Must(err)
		t.Cleanup(func() { _ = conn.Close() })
		k.Must(conn.(*net.TCPConn).SetReadBuffer(4096))
		_, err = fmt.Fprintf(conn, "GET /calendar/events/v1/events?per_page=50&start_date=2000-01-01 HTTP/1.1\r\nHost: demo.localhost\r\n\r\n")
		k.Must(err)
	}
	for range 5 {
		k.Get("/events?start_date=2000-01-01&per_page=1", "").Want(t, 200, "")
	}
}

// TestClientsThatLeave: a connection that breaks within a request is no fault of the server, or
// anybody could fill its log with errors.
func TestClientsThatLeave(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	k := kit.NewOn(t, storagetest.Database(t), func(c *server.Config) {
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	k.Must(err)
	done := make(chan error)
	go func() { done <- k.App.Listener(listener) }()
	for _, begun := range []string{"", "GET /healthz HT", "POST /calendar/events/v1/events HTTP/1.1\r\nHost: demo.localhost\r\nContent-Length: 100\r\n\r\n{",
		"POST /calendar/events/v1/events HTTP/1.1\r\nHost: demo.localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na"} {
		conn, err := net.Dial("tcp", listener.Addr().String())
		k.Must(err)
		_, err = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: demo.localhost\r\n\r\n")
		k.Must(err)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		k.Must(err)
		k.Must(answer.Body.Close())
		_, err = io.WriteString(conn, begun)
		k.Must(err)
		k.Must(conn.(*net.TCPConn).SetLinger(0)) // it is reset, not closed
		k.Must(conn.Close())
	}
	k.Must(k.App.Shutdown()) // when all connections have ended
	k.Must(<-done)
	if log.Len() > 0 {
		t.Error(log.String())
	}
}
