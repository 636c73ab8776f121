package server

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/gofiber/fiber/v2"
)

// TestBodiesTogether: bodies are taken in while all of them together leave room, small
// ones always, and what was held is there again afterwards. Who is sent away is told
// when to come again, and is no fault in the log.
func TestBodiesTogether(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := &server{Config: Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}}
	app := fiber.New(fiber.Config{StreamRequestBody: true, BodyLimit: maxRequest, ErrorHandler: s.fail})
	app.Use(s.whole)
	app.Post("/platform/v1/plans", func(c *fiber.Ctx) error { return c.SendString(string(c.Body()[:1])) })
	send := func(size, want int) {
		t.Helper()
		before := s.bodies.Load()
		answer, err := app.Test(httptest.NewRequest(http.MethodPost, "/platform/v1/plans", bytes.NewReader(make([]byte, size))), -1)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode != want || want == 503 && answer.Header.Get("Retry-After") != "5" {
			t.Errorf("%d bytes beside %d: %d, want %d", size, before, answer.StatusCode, want)
		}
		if after := s.bodies.Load(); after != before {
			t.Errorf("%d bytes are held after %d, before %d", after, size, before)
		}
	}
	send(1<<20, 200)
	s.bodies.Store(maxBodies - 1000)
	send(freeBody, 200)
	send(freeBody+1000, 200)
	send(freeBody+1001, 503)
	send(1<<20, 503)
	if log.Len() > 0 {
		t.Errorf("logged: %s", &log)
	}
}

// TestSlowBody: who sends too slowly is told that.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	slow := io.MultiReader(bytes.NewReader(make([]byte, 10)), broken{os.ErrDeadlineExceeded})
	_, err := taken(slow, 100)
	if f := explain(err); f.Status != 408 || f.Code != "rest_request_timeout" {
		t.Errorf("%d %s", f.Status, f.Code)
	}
}

// broken is a reader that fails.
type broken struct{ err error }

func (f broken) Read([]byte) (int, error) { return 0, f.err }
