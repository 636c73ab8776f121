package rest_test

import (
	"context"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// BenchmarkGivers has one region gather from many towns, KALENDS_TOWNS of them: how long until it has all, what a write of a town costs with
// none and with one that gathers, when a change arrives, and how fast the lists of the region are.
func BenchmarkGivers(b *testing.B) {
	towns, err := strconv.Atoi(os.Getenv("KALENDS_TOWNS"))
	if err != nil {
		towns = 20
	}
	k := kit.New(b)
	const events = 10
	sites := make([]*town, towns)
	for n := range sites {
		sites[n] = newTown(k, n, events)
	}
	alone := medianOf(200, func(i int) { sites[0].publish(i) })

	for _, site := range sites {
		site.follow()
	}
	began := time.Now()
	k.ReadSources()
	all := time.Since(began)
	count := k.Peek("demo", `SELECT count(*)::text FROM events WHERE given IS NOT NULL`)

	followed := medianOf(200, func(i int) { sites[0].publish(i) })
	k.ReadSources()
	var arrives []time.Duration
	for i := range 10 {
		began := time.Now()
		sites[i%towns].publish(i)
		k.ReadSources()
		arrives = append(arrives, time.Since(began))
	}
	slices.Sort(arrives)
	began = time.Now()
	for n := range min(towns, 200) {
		sites[n].publish(n)
	}
	written := time.Since(began)
	began = time.Now()
	k.ReadSources()
	together := time.Since(began)
	look := medianOf(200, func(int) {
		k.Get("/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50", "").Want(b, 200, "")
	})
	ring := medianOf(20, func(int) { k.Must(k.Sources.Store.Ring(context.Background())) })
	b.Logf("%d towns, %s events gathered in %v; a write of a town %v, followed %v; one change arrives in %v (of 10: %v at most); "+
		"a change of %d towns (written in %v) in %v; a list of the region %v; looking for changes %v", towns, count, all, alone, followed,
		arrives[5], arrives[9], min(towns, 200), written, together, look, ring)
}

// medianOf returns the median time of a work that is done n times.
func medianOf(n int, work func(i int)) time.Duration {
	times := make([]time.Duration, n)
	for i := range times {
		began := time.Now()
		work(i)
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	return times[n/2]
}

func must[T any](k *kit.Kit, parse func(string) (T, error), text string) T {
	v, err := parse(text)
	k.Must(err)
	return v
}
