package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// The targets for a service with four times the load that it can handle.
const (
	longestAccepted = time.Second
	mostOverloaded  = 256 << 20
)

// burst is the result of requests sent at a fixed rate, regardless of responses.
type burst struct {
	mu       sync.Mutex
	accepted []time.Duration // duration of each, from when it was due
	refused  []time.Duration
	silent   int // rejected without Retry-After
}

// overload requests new lists from a fresh process at four times the rate it can handle, on schedule and without
// waiting for responses.
func (b *bench) overload(ctx context.Context) error {
	p, err := b.kalends(ctx, "overloaded", b.mainURL)
	if err != nil {
		return err
	}
	s := b.main.bySlug["small"]
	next := func() request { return unasked(b.main, s, int(serial.Add(1))) }
	capacity, err := drive(ctx, p.addr, 32, b.round, func(int, int) request { return next() })
	if err != nil {
		return err
	}
	length := 3 * b.round
	var done burst
	most, stop := watchResident(p)
	err = done.send(ctx, p.addr, 4*capacity, length, next)
	stop()
	p.stop()
	if err != nil {
		return err
	}
	if len(done.accepted) == 0 || len(done.refused) == 0 {
		return fmt.Errorf("overload: %d accepted, %d refused", len(done.accepted), len(done.refused))
	}
	slow := centile(done.accepted, 99)
	b.limits = append(b.limits,
		limit{fmt.Sprintf("overload, 4 × capacity, open loop: accepted p99 (%d %% refused, refusals p99 %d ms, goodput %.0f %% of capacity)",
			100*len(done.refused)/(len(done.refused)+len(done.accepted)), centile(done.refused, 99).Milliseconds(),
			100*float64(len(done.accepted))/length.Seconds()/capacity),
			fmt.Sprint(slow.Milliseconds(), " ms"), fmt.Sprint("≤ ", longestAccepted.Milliseconds(), " ms"), slow <= longestAccepted},
		limit{"overload: refusals that don't say when to come again", fmt.Sprint(done.silent), "0", done.silent == 0},
		limit{"overload: most resident memory", fmt.Sprint(most.Load()>>20, " MiB"), fmt.Sprint("< ", mostOverloaded>>20, " MiB"),
			most.Load() < mostOverloaded})
	return nil
}

// send sends requests at a rate per second, each when it is due.
func (o *burst) send(ctx context.Context, addr string, rate float64, length time.Duration, next func() request) error {
	const connections = 1024
	var at atomic.Int64
	var all sync.WaitGroup
	errs := make(chan error, connections)
	began := time.Now()
	for range connections {
		all.Go(func() {
			client := &fasthttp.HostClient{Addr: addr, MaxConns: 1, ReadTimeout: 30 * time.Second}
			defer client.CloseIdleConnections()
			for ctx.Err() == nil {
				due := began.Add(time.Duration(float64(at.Add(1)) / rate * float64(time.Second)))
				if due.Sub(began) > length {
					return
				}
				time.Sleep(time.Until(due))
				if err := o.one(client, addr, next(), due); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(errs)
	return errors.Join(<-errs, ctx.Err())
}

func (o *burst) one(client *fasthttp.HostClient, addr string, r request, due time.Time) error {
	q, a := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(q)
	defer fasthttp.ReleaseResponse(a)
	q.SetRequestURI("http://" + addr + r.path)
	q.UseHostHeader = true
	q.Header.SetHost(r.host)
	if err := client.Do(q, a); err != nil {
		return fmt.Errorf("overload: %w", err)
	}
	took := time.Since(due)
	o.mu.Lock()
	defer o.mu.Unlock()
	switch a.StatusCode() {
	case http.StatusOK:
		o.accepted = append(o.accepted, took)
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		o.refused = append(o.refused, took)
		if len(a.Header.Peek("Retry-After")) == 0 {
			o.silent++
		}
	default:
		return fmt.Errorf("overload: status %d: %.300s", a.StatusCode(), a.Body())
	}
	return nil
}

// watchResident tracks the peak memory of a process until it is stopped.
func watchResident(p *process) (most *atomic.Int64, stop func()) {
	most = &atomic.Int64{}
	ended := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		for {
			most.Store(max(most.Load(), int64(p.resident())))
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	return most, func() { close(ended); all.Wait() }
}

// centile returns the nth percentile of durations.
func centile(list []time.Duration, n int) time.Duration {
	slices.Sort(list)
	return list[min(len(list)*n/100, len(list)-1)]
}
