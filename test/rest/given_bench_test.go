package rest_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
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
	provider := tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "bench"})
	var sites []*tenancy.Site
	var inside []context.Context
	const events = 10
	write := func(ctx context.Context, n int) int64 {
		start := time.Date(2030, 1, 1+n%300, 19, 0, 0, 0, time.UTC).Format(time.DateTime)
		date := args.Some(must(k, args.ParseDate, start))
		e, err := k.Calendar.Events().Create(ctx, &calendar.EventFields{Title: args.Some(fmt.Sprintf("Concert %d", n)), Start: date, End: date,
			Status: args.Some("publish")})
		k.Must(err)
		return e.ID
	}
	for n := range towns {
		site, err := k.Platform.Sites.Create(provider, &platform.SiteFields{Slug: args.Some(fmt.Sprintf("town%04d", n)),
			ProfileFields: platform.ProfileFields{Name: args.Some("Town"), Settings: args.Some(args.Object[platform.SettingsFields]{
				Fields: platform.SettingsFields{Share: args.Some(args.Texts{"demo"})}})}})
		k.Must(err)
		ctx := tenancy.With(provider, tenancy.Scope{Site: site, Language: "en", Principal: tenancy.Principal{Role: tenancy.Administrator}})
		for i := range events {
			write(ctx, n*events+i)
		}
		sites, inside = append(sites, site), append(inside, ctx)
	}
	alone := medianOf(200, func(i int) { write(inside[0], i) })

	for _, site := range sites {
		k.Post("/sources", "administrator", kit.Object{"name": site.Slug, "kind": "site", "url": site.Slug}).Want(b, 201, "")
	}
	began := time.Now()
	k.ReadSources()
	all := time.Since(began)
	count := k.Peek("demo", `SELECT count(*)::text FROM events WHERE given IS NOT NULL`)

	followed := medianOf(200, func(i int) { write(inside[0], i) })
	k.ReadSources()
	var arrives []time.Duration
	for i := range 10 {
		began := time.Now()
		write(inside[i%towns], i)
		k.ReadSources()
		arrives = append(arrives, time.Since(began))
	}
	slices.Sort(arrives)
	began = time.Now()
	for n := range towns {
		write(inside[n], n)
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
		"a change of each town (written in %v) in %v; a list of the region %v; looking for changes %v", towns, count, all, alone, followed,
		arrives[5], arrives[9], written, together, look, ring)
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
