package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// timed sends the requests from next until there are no more, with one connection per worker, and returns their
// durations.
func timed(ctx context.Context, addr string, workers int, next func(worker int) (request, bool)) ([]time.Duration, error) {
	took := make([][]time.Duration, workers)
	errs := make([]error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			client := &fasthttp.HostClient{Addr: addr, MaxConns: 1, ReadTimeout: 20 * time.Second}
			defer client.CloseIdleConnections()
			for ctx.Err() == nil {
				r, more := next(w)
				if !more {
					return
				}
				began := time.Now()
				if errs[w] = do(client, addr, &r); errs[w] != nil {
					return
				}
				took[w] = append(took[w], time.Since(began))
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(took...), ctx.Err()
}

// during is timed for a limited time.
func during(ctx context.Context, addr string, workers int, d time.Duration, next func() request) ([]time.Duration, error) {
	end := time.Now().Add(d)
	return timed(ctx, addr, workers, func(int) (request, bool) {
		if !time.Now().Before(end) {
			return request{}, false
		}
		return next(), true
	})
}

// figures summarize durations.
type figures struct {
	n             int
	p50, p99, max time.Duration
	mean          time.Duration
}

func summed(list []time.Duration) figures {
	if len(list) == 0 {
		return figures{}
	}
	list = slices.Sorted(slices.Values(list))
	at := func(share float64) time.Duration { return list[min(len(list)-1, int(share*float64(len(list))))] }
	var sum time.Duration
	for _, d := range list {
		sum += d
	}
	return figures{len(list), at(0.5), at(0.99), list[len(list)-1], sum / time.Duration(len(list))}
}

// serveEvenly alternately requests the default lists of all sites evenly, and of ten sites. It first requests each
// site once, because the first list of a site reads what later ones find in memory.
func (h *hosting) serveEvenly(ctx context.Context) error {
	sites := h.data.sites[1:] // the first has more events
	for _, form := range listForms {
		node, err := h.node(ctx, "lists", form.settings...)
		if err != nil {
			return err
		}
		first, err := h.visit(ctx, node, form, sites)
		if err != nil {
			return err
		}
		turn := func(of []*site, into *[]time.Duration) error {
			order := rand.New(rand.NewPCG(3, uint64(len(*into)))).Perm(len(of))
			var n atomic.Int64
			got, err := during(ctx, node.addr, 4, h.round, func() request { return form.list(of[order[int(n.Add(1))%len(of)]]) })
			*into = append(*into, got...)
			return err
		}
		var few, all []time.Duration
		for range h.rounds {
			if err := turn(sites[:10], &few); err != nil {
				return err
			}
			if err := turn(sites, &all); err != nil {
				return err
			}
		}
		if _, err := h.visit(ctx, node, form, sites); err != nil {
			return err
		}
		h.lists = append(h.lists, listing{form, summed(first), summed(few), summed(all), node.resident()})
		node.stop()
		h.say("%s: done", form.name)
	}
	return nil
}

// visit requests the list of each site once.
func (h *hosting) visit(ctx context.Context, node *process, form listForm, sites []*site) ([]time.Duration, error) {
	var n atomic.Int64
	return timed(ctx, node.addr, 4, func(int) (request, bool) {
		i := int(n.Add(1)) - 1
		if i >= len(sites) {
			return request{}, false
		}
		return form.list(sites[i]), true
	})
}
