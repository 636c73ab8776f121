package server

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"testing"

	"github.com/gofiber/fiber/v2"
)

// Bodies are read while there is memory for all of them, small ones always, and the memory is released afterwards.
// Rejected clients get Retry-After, and rejections are not logged as errors.
func TestBodiesTogether(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := &server{Config: Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}}
	app := fiber.New(fiber.Config{StreamRequestBody: true, BodyLimit: maxRequest, ErrorHandler: s.fail})
	app.Use(s.readBody)
	app.Post("/platform/v1/plans", func(c *fiber.Ctx) error { return c.SendString(string(c.Body()[:1])) })
	send := func(size, want int) {
		t.Helper()
		before := s.bodies.all
		answer, err := app.Test(httptest.NewRequest(http.MethodPost, "/platform/v1/plans", bytes.NewReader(make([]byte, size))), -1)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode != want || want == 503 && answer.Header.Get("Retry-After") != "5" {
			t.Errorf("%d bytes beside %d: %d, want %d", size, before, answer.StatusCode, want)
		}
		if after := s.bodies.all; after != before {
			t.Errorf("%d bytes are held after %d, before %d", after, size, before)
		}
	}
	send(1<<20, 200)
	s.bodies.all = maxBodies - 1000
	send(freeBody, 200)
	send(freeBody+1000, 200)
	send(freeBody+1001, 503)
	send(1<<20, 503)
	if log.Len() > 0 {
		t.Errorf("logged: %s", &log)
	}
}

// The bodies of one site, one client, or clients without credentials leave room for others.
func TestBodiesAreShared(t *testing.T) {
	t.Parallel()
	client := func(n byte) netip.Prefix { return netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, n}), 32) }
	b := &bodies{}
	held := map[sender]int64{}
	take := func(from sender, n int64, want bool) {
		t.Helper()
		if fits := b.take(from, n); fits != want {
			t.Errorf("%d of %+v: %v", n, from, fits)
		}
		if held[from] += n; !want {
			b.give(from, n)
			held[from] -= n
		}
	}
	take(sender{site: 1, client: client(1), anonymous: true}, anonymousBodies, true)
	take(sender{site: 2, client: client(2), anonymous: true}, 1, false)
	take(sender{site: 2, client: client(2)}, ownBodies, true)
	take(sender{site: 1, client: client(2)}, 1, false)
	take(sender{site: 1, client: client(3)}, ownBodies, true)
	take(sender{site: 1, client: client(4)}, siteBodies-anonymousBodies-ownBodies, true)
	take(sender{site: 1, client: client(5)}, 1, false)
	take(sender{site: 3, client: client(5)}, maxBodies-siteBodies-ownBodies, true)
	take(sender{site: 4, client: client(6)}, 1, false)
	for from, n := range held {
		b.give(from, n)
	}
	if b.all != 0 || len(b.of) != 0 {
		t.Errorf("left over: %d, %v", b.all, b.of)
	}
}

// A client that sends too slowly is told so.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	slow := io.MultiReader(bytes.NewReader(make([]byte, 10)), broken{os.ErrDeadlineExceeded})
	_, err := readAnnounced(slow, 100)
	if f := explain(err); f.Status != 408 || f.Code != "rest_request_timeout" {
		t.Errorf("%d %s", f.Status, f.Code)
	}
}

// broken is a reader that fails.
type broken struct{ err error }

func (f broken) Read([]byte) (int, error) { return 0, f.err }
