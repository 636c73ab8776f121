package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
)

// TestBusyWithImages: clients are told that it is images that are waited for, and how long.
func TestBusyWithImages(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("store image: %w", &calendar.BusyError{Wait: 14500 * time.Millisecond})
	f := explain(err)
	if f.Status != 429 || f.Code != "images-busy" || !strings.Contains(string(f.JSON("en")), "too many images") {
		t.Errorf("answered with %s", f.JSON("en"))
	}
	app := fiber.New()
	app.Get("/", func(c *fiber.Ctx) error {
		retryAfter(c, f.Status, err)
		return nil
	})
	r, bad := app.Test(httptest.NewRequest(http.MethodGet, "/", nil))
	if bad != nil {
		t.Fatal(bad)
	}
	defer func() { _ = r.Body.Close() }()
	if got := r.Header.Get("Retry-After"); got != "15" {
		t.Errorf("again in %q seconds", got)
	}
}
