package storage

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/test/eventtest"
)

// eight runs do b.N times on eight goroutines and reports how often a second.
func eight(b *testing.B, unit string, do func(n int64) error) {
	var left atomic.Int64
	left.Store(int64(b.N))
	start := time.Now()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for n := left.Add(-1); n >= 0; n = left.Add(-1) {
				if err := do(n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), unit)
}

// BenchmarkList lists a page of 15 with everything nested.
func BenchmarkList(b *testing.B) {
	k := newKit(b)
	k.Fill(k.Site, 10_000)
	small := k.NewSite("small")
	k.Fill(small, 500)
	k.Vacuum()
	lists := eventtest.Variants()
	run := func(name string, site int64, q calendar.EventQuery) {
		b.Run(name, func(b *testing.B) {
			ctx := k.As(site, 0)
			eight(b, "lists/s", func(int64) error {
				_, err := k.db.Events().List(ctx, q)
				return err
			})
		})
	}
	run("500", small, lists["plain"])
	run("10000", k.Site, lists["plain"])
	for _, name := range []string{"page 20", "editor", "category", "venue", "rare word", "by title", "coming"} {
		run("10000/"+name, k.Site, lists[name])
	}
	run("500/coming", small, lists["coming"])
	b.Run("10000/uncounted", func(b *testing.B) {
		ctx := k.As(k.Site, 0)
		eight(b, "lists/s", func(n int64) error {
			q := lists["plain"]
			q.Edges = []calendar.Edge{{Compare: calendar.From, At: eventtest.Monday.Add(-time.Duration(n))}}
			_, err := k.db.Events().List(ctx, q)
			return err
		})
	})
}

// BenchmarkGet reads single events with everything nested.
func BenchmarkGet(b *testing.B) {
	k := newKit(b)
	k.Fill(k.Site, 10_000)
	k.Vacuum()
	ctx := k.As(k.Site, 0)
	b.ResetTimer()
	eight(b, "events/s", func(n int64) error {
		_, err := k.db.Events().Get(ctx, calendar.Key{ID: 1 + n%10_000})
		return err
	})
}

// BenchmarkCreate makes events that link what is there: on one site, where they
// follow one another, and on eight.
func BenchmarkCreate(b *testing.B) {
	for _, sites := range []int{1, 8} {
		b.Run(fmt.Sprint(sites), func(b *testing.B) {
			k := newKit(b)
			contexts := []context.Context{}
			for i := range sites {
				site := k.NewSite(fmt.Sprint("site-", i))
				k.Fill(site, 100)
				_, err := k.db.Across(eventtest.Why).Exec(b.Context(), `UPDATE sites SET last_post_id = 3000000, last_term_id = 100 WHERE id = $1`, site)
				k.Must(err)
				contexts = append(contexts, k.As(site, 1))
			}
			b.ResetTimer()
			eight(b, "events/s", func(n int64) error {
				links := eventtest.VenueLinks(int64(1000001))
				links.Organizers = eventtest.OrganizerLinks(int64(2000001)).Organizers
				links.Categories, links.Tags = eventtest.TermLinks(int64(3)), eventtest.TermLinks(int64(23))
				e := k.Sample()
				e.Description = "<p>What happens here is worth telling. What happens here is worth telling. What happens here is worth telling.</p>"
				return k.db.Events().Create(contexts[n%int64(sites)], e, links)
			})
		})
	}
}
