package server_test

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/valyala/fasthttp"

	"github.com/kalends/kalends/server"
)

// BenchmarkCold measures answers that are made anew each time, without a
// network: what a request costs the service and the database.
func BenchmarkCold(b *testing.B) {
	k := newKit(b, func(c *server.Config) { c.Logger = slog.New(slog.DiscardHandler) })
	var ids []int64
	for range 60 {
		ids = append(ids, k.event(map[string]any{
			"description": "<p>What happens here is worth telling.</p>\n<p>And so is what comes after it, every evening.</p>",
			"venue":       map[string]any{"venue": "Hall", "city": "Berlin", "address": "Main Street 1", "zip": "10115"},
			"organizer":   []any{map[string]any{"organizer": "Ann", "email": "ann@example.org"}},
			"categories":  []any{"Music", "Film"}, "tags": []any{"jazz"}, "cost": "10",
		}))
	}
	handler := k.app.Handler()
	for name, path := range map[string]string{
		"list":   "/calendar/events/v1/events?start_date=2030-01-01&end_date=2031-01-01",
		"single": fmt.Sprintf("/calendar/events/v1/events/%d", ids[0]),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				ctx := &fasthttp.RequestCtx{}
				for pb.Next() {
					ctx.ResetUserValues()
					ctx.Request.Reset()
					ctx.Response.Reset()
					ctx.Request.SetRequestURI(path)
					ctx.Request.Header.SetHost("localhost")
					handler(ctx)
					if ctx.Response.StatusCode() != fasthttp.StatusOK {
						b.Fatalf("%d %s", ctx.Response.StatusCode(), ctx.Response.Body())
					}
				}
			})
		})
	}
}
