package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// timed sends what next makes until it says that there is no more, on as many
// connections as there are workers, and returns how long each took.
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

// during is timed for a while.
func during(ctx context.Context, addr string, workers int, d time.Duration, next func() request) ([]time.Duration, error) {
	end := time.Now().Add(d)
	return timed(ctx, addr, workers, func(int) (request, bool) {
		if !time.Now().Before(end) {
			return request{}, false
		}
		return next(), true
	})
}

// figures are what many durations come to.
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

// serveEvenly asks for the default lists of all sites, evenly, and of ten, by
// turns.
func (h *hosting) serveEvenly(ctx context.Context) error {
	for _, form := range []struct {
		name string
		more []string
	}{{"lists made anew", []string{"KALENDS_CACHE_BYTES=0"}}, {"lists with the cache on", nil}} {
		node, err := h.node(ctx, "lists", form.more...)
		if err != nil {
			return err
		}
		sites := h.data.sites[1:] // the first has more events
		turn := func(of []*site, into *[]time.Duration) error {
			order := rand.New(rand.NewPCG(3, uint64(len(*into)))).Perm(len(of))
			var n atomic.Int64
			got, err := during(ctx, node.addr, 4, h.round, func() request { return listOf(of[order[int(n.Add(1))%len(of)]], 1) })
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
		h.lists = append(h.lists, listing{form.name, summed(few), summed(all)})
		if form.more == nil {
			// every site once more, so that all have been served
			var n atomic.Int64
			if _, err := timed(ctx, node.addr, 8, func(int) (request, bool) {
				i := int(n.Add(1)) - 1
				if i >= len(sites) {
					return request{}, false
				}
				return listOf(sites[i], 1), true
			}); err != nil {
				return err
			}
			h.resident = node.resident()
		}
		node.stop()
		h.say("%s: done", form.name)
	}
	return nil
}

// The states of the neighbourhood.
const (
	quiet   = "alone"
	noisy   = "beside a site under full load"
	limited = "beside it, with its plan's requests a minute"
)

// disturb asks for the lists of nine sites at the pace of people, alone and
// while a site beside is asked as fast as 32 connections can.
func (h *hosting) disturb(ctx context.Context) error {
	node, err := h.node(ctx, "neighbours", "KALENDS_CACHE_BYTES=0")
	if err != nil {
		return err
	}
	defer node.stop()
	loud := h.data.sites[len(h.data.sites)-1]
	for range h.rounds {
		for _, state := range []string{quiet, noisy, limited} {
			if err := h.plan(ctx, node, loud, state == limited); err != nil {
				return err
			}
			load, stop := context.WithCancel(ctx)
			var all sync.WaitGroup
			if state != quiet {
				for range 32 {
					all.Go(func() { h.hammer(load, node.addr, loud) })
				}
				pause(ctx, h.round/2) // until the load is there and what was saved of the plan is spent
			}
			var n atomic.Int64
			got, err := h.calm(ctx, node.addr, &n)
			stop()
			all.Wait()
			if err != nil {
				return err
			}
			h.neighbour[state] = append(h.neighbour[state], got...)
		}
	}
	h.say("neighbours: done")
	return nil
}

// calm asks for lists of nine sites, with a pause after each, and returns how
// long each took.
func (h *hosting) calm(ctx context.Context, addr string, n *atomic.Int64) ([]time.Duration, error) {
	client := &fasthttp.HostClient{Addr: addr, MaxConns: 1, ReadTimeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	var took []time.Duration
	for end := time.Now().Add(2 * h.round); time.Now().Before(end) && ctx.Err() == nil; {
		r := listOf(h.data.sites[1+int(n.Add(1))%9], 1)
		began := time.Now()
		if err := do(client, addr, &r); err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
		pause(ctx, 2*time.Millisecond)
	}
	return took, ctx.Err()
}

// plan gives the loud site its requests a minute, or none.
func (h *hosting) plan(ctx context.Context, node *process, s *site, limit bool) error {
	value := "null"
	if limit {
		value = fmt.Sprint(requestsMinute)
	}
	_, err := fetch(ctx, node, provider(http.MethodPatch, "/sites/"+s.slug, `{"limits":{"requests_per_minute":`+value+`}}`, http.StatusOK))
	return err
}

// hammer asks a site for lists without a pause, whatever the answer.
func (h *hosting) hammer(ctx context.Context, addr string, s *site) {
	client := &fasthttp.HostClient{Addr: addr, MaxConns: 1, ReadTimeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	for n := 1; ctx.Err() == nil; n++ {
		r := listOf(s, 1)
		r.status = http.StatusTooManyRequests
		if do(client, addr, &r) == nil {
			h.refused.Add(1)
		}
	}
}

// pause waits, or until the run is over.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
