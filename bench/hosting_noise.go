package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/kalends/kalends/internal/embedded/child"
)

// connections is the number of connections to a noisy site.
const connections = 32

// The scenarios. Each noisy one is compared with the quiet one on the same node.
const (
	quiet       = "lists without the cache, alone"
	noisy       = "beside a site under full load, without a limit"
	limited     = "beside it, with a plan that limits requests per minute"
	quietCached = "lists with the cache on, alone"
	noisyCached = "beside a site whose cached list is requested at full speed"
	quietMany   = "lists without the cache, one site with very many events, alone"
	noisyBig    = "beside it, its lists under full load"
	noisyMany   = "beside it, its lists, deep pages and searches under full load"
)

// trial is one kind of noise.
type trial struct {
	name  string
	of    *site
	asked []request
	plan  bool // limit the site's request rate
}

// noise is what the clients of a noisy site experienced.
type noise struct {
	Answered int64 `json:"answered"`
	Refused  int64 `json:"refused"`
	Failed   int64 `json:"failed"`
	lasted   time.Duration
}

// compareCalm requests the lists of nine sites at a human pace, alternately without and with each kind of noise.
func (h *hosting) compareCalm(ctx context.Context, node *process, alone string, trials []trial) error {
	if _, err := h.calm(ctx, node.addr, h.round/2); err != nil { // the first list of each
		return err
	}
	for range h.rounds {
		got, err := h.calm(ctx, node.addr, 2*h.round)
		if err != nil {
			return err
		}
		h.neighbour[alone] = append(h.neighbour[alone], got...)
		for _, t := range trials {
			if err := h.during(ctx, node, t); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	h.say("neighbours, %s: done", alone)
	return nil
}

// during requests the lists while there is noise.
func (h *hosting) during(ctx context.Context, node *process, t trial) error {
	if err := h.plan(ctx, node, t.of, t.plan); err != nil {
		return err
	}
	stop, err := h.makeNoise(node, t)
	if err != nil {
		return err
	}
	pause(ctx, h.round/2) // until the load is established and saved-up quota is spent
	got, err := h.calm(ctx, node.addr, 2*h.round)
	made, failed := stop()
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	h.neighbour[t.name] = append(h.neighbour[t.name], got...)
	sum := h.noise[t.name]
	if sum == nil {
		sum = &noise{}
		h.noise[t.name] = sum
	}
	sum.Answered, sum.Refused, sum.Failed, sum.lasted = sum.Answered+made.Answered, sum.Refused+made.Refused, sum.Failed+made.Failed, sum.lasted+made.lasted
	return nil
}

// disturb measures the neighbors of a noisy site.
func (h *hosting) disturb(ctx context.Context) error {
	loud := h.data.sites[len(h.data.sites)-1]
	asked := []request{listOf(loud, 1)}
	made, err := h.node(ctx, "neighbours", "KALENDS_CACHE_BYTES=0")
	if err != nil {
		return err
	}
	defer made.stop()
	if err := h.compareCalm(ctx, made, quiet, []trial{{name: noisy, of: loud, asked: asked}, {name: limited, of: loud, asked: asked, plan: true}}); err != nil {
		return err
	}
	kept, err := h.node(ctx, "neighbours-cached")
	if err != nil {
		return err
	}
	defer kept.stop()
	return h.compareCalm(ctx, kept, quietCached, []trial{{name: noisyCached, of: loud, asked: asked}})
}

// calm requests lists of nine sites for a while, with a pause after each, and returns the durations.
func (h *hosting) calm(ctx context.Context, addr string, d time.Duration) ([]time.Duration, error) {
	client := &fasthttp.HostClient{Addr: addr, MaxConns: 1, ReadTimeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	var took []time.Duration
	for end := time.Now().Add(d); time.Now().Before(end) && ctx.Err() == nil; {
		r := listOf(h.data.sites[1+len(took)%9], 1)
		began := time.Now()
		if err := do(client, addr, &r); err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
		pause(ctx, 2*time.Millisecond)
	}
	return took, ctx.Err()
}

// plan limits a site's request rate, or removes the limit.
func (h *hosting) plan(ctx context.Context, node *process, s *site, limit bool) error {
	value := "null"
	if limit {
		value = fmt.Sprint(requestsMinute)
	}
	_, err := fetch(ctx, node, provider(http.MethodPatch, "/sites/"+s.slug, `{"limits":{"requests_per_minute":`+value+`}}`, http.StatusOK))
	return err
}

// makeNoise starts the clients of a noisy site in a separate process, so that measurements in this process wait only
// for the service. It has the lowest priority, because real clients would not use these processors. stop ends it and
// returns the result.
func (h *hosting) makeNoise(node *process, t trial) (stop func() (noise, error), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	arguments := []string{"noise", node.addr, t.of.host()}
	for _, r := range t.asked {
		arguments = append(arguments, r.path)
	}
	out, err := os.Create(filepath.Join(h.dir, "noise.json"))
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("nice", append([]string{"-n", "19", self}, arguments...)...)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	began := time.Now()
	started, err := child.Start(cmd, syscall.SIGTERM)
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	p := &process{name: "noise", child: started}
	return func() (made noise, err error) {
		p.stop()
		made.lasted = time.Since(began)
		text, err := os.ReadFile(out.Name())
		if err == nil {
			err = json.Unmarshal(text, &made)
		}
		return made, errors.Join(err, out.Close())
	}, nil
}

// runNoise requests paths of a host in turn on many connections without pauses, whatever the response, until it is
// interrupted. It then prints the result.
func runNoise(ctx context.Context, addr, host string, paths []string) error {
	var answered, refused, failed atomic.Int64
	for worker := range connections {
		go func() {
			client := &fasthttp.HostClient{Addr: addr, MaxConns: 1, ReadTimeout: 20 * time.Second}
			for n := worker; ctx.Err() == nil; n++ {
				switch status, err := ask(client, addr, host, paths[n%len(paths)]); {
				case err != nil:
					failed.Add(1)
				case status == http.StatusOK:
					answered.Add(1)
				case slices.Contains([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable}, status):
					refused.Add(1)
				default:
					failed.Add(1)
				}
			}
		}()
	}
	<-ctx.Done()
	return json.NewEncoder(os.Stdout).Encode(noise{Answered: answered.Load(), Refused: refused.Load(), Failed: failed.Load()})
}

// ask sends one request and returns the status.
func ask(client *fasthttp.HostClient, addr, host, path string) (int, error) {
	q, a := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(q)
	defer fasthttp.ReleaseResponse(a)
	q.SetRequestURI("http://" + addr + path)
	q.UseHostHeader = true
	q.Header.SetHost(host)
	err := client.Do(q, a)
	return a.StatusCode(), err
}

// pause waits for a duration or until the run ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
