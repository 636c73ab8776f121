package rest

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/valyala/fasthttp"

	"github.com/kalends/kalends/server"
)

// BenchmarkCold measures answers that are made anew each time, without a
// network: what a request costs the service and the database.
func BenchmarkCold(b *testing.B) {
	k := kit.New(b, func(c *server.Config) { c.Logger = slog.New(slog.DiscardHandler) })
	var ids []int64
	for range 60 {
		ids = append(ids, k.Event(map[string]any{
			"description": "<p>What happens here is worth telling.</p>\n<p>And so is what comes after it, every evening.</p>",
			"venue":       map[string]any{"venue": "Hall", "city": "Berlin", "address": "Main Street 1", "zip": "10115"},
			"organizer":   []any{map[string]any{"organizer": "Ann", "email": "ann@example.org"}},
			"categories":  []any{"Music", "Film"}, "tags": []any{"jazz"}, "cost": "10",
		}))
	}
	handler := k.App.Handler()
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

// BenchmarkLanguages compares lists in a second language with those in the site's own, by
// turns in one run: the metric is the median of what the former cost in the latter.
func BenchmarkLanguages(b *testing.B) {
	k := kit.New(b, func(c *server.Config) { c.Logger = slog.New(slog.DiscardHandler) })
	k.Write("demo", "en", "de")
	german := func(title string) kit.Object { return kit.Object{"de": kit.Object{title: "Name auf Deutsch"}} }
	for n := range 60 {
		k.Event(kit.Object{
			"description": "<p>What happens here is worth telling.</p>\n<p>And so is what comes after it, every evening.</p>",
			"venue":       kit.Object{"venue": "Hall", "city": "Berlin", "translations": german("venue")},
			"organizer":   []any{kit.Object{"organizer": "Ann", "translations": german("organizer")}}, "categories": []any{"Music", "Film"}, "cost": "10",
			"translations": kit.Object{"de": kit.Object{"title": fmt.Sprint("Termin ", n), "excerpt": "Kurz gesagt",
				"description": "<p>Was hier geschieht, ist der Rede wert.</p>\n<p class=\"x\">Und was danach kommt, jeden Abend.</p>"}}})
	}
	handler := k.App.Handler()
	ctx := &fasthttp.RequestCtx{}
	ask := func(language string, n int) time.Duration {
		began := time.Now()
		for range n {
			ctx.ResetUserValues()
			ctx.Request.Reset()
			ctx.Response.Reset()
			ctx.Request.SetRequestURI(language + "/calendar/events/v1/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50")
			ctx.Request.Header.SetHost("localhost")
			if handler(ctx); ctx.Response.StatusCode() != fasthttp.StatusOK {
				b.Fatalf("%d %s", ctx.Response.StatusCode(), ctx.Response.Body())
			}
		}
		return time.Since(began)
	}
	const each = 4
	ask("", each)
	ask("/de", each)
	var ratios []float64
	for b.Loop() {
		first, second := ask("", each), ask("/de", each)
		ratios = append(ratios, float64(second)/float64(first))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
}
