package server_test

import (
	"fmt"
	"net"
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
		k.Event(map[string]any{"title": fmt.Sprint("Long ", n), "description": strings.Repeat("<p>"+strings.Repeat("long ", 200)+"</p>", 200)})
	}
	addr := k.Listen()
	for range 20 {
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
