package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// request is one request of a load.
type request struct {
	method, host, path, body string // method "" means GET
	header                   http.Header
	status                   int // expected; 0 means 200
}

func (r *request) verb() string {
	if r.method == "" {
		return http.MethodGet
	}
	return r.method
}

// wrk sends requests to an address, one after the other on each connection, and returns the number of responses per
// second. If wrk is not installed, a built-in driver is used.
func (b *bench) wrk(ctx context.Context, addr string, connections int, d time.Duration, requests []request) (float64, error) {
	program, err := exec.LookPath("wrk")
	if err != nil {
		return drive(ctx, addr, connections, d, func(worker, n int) request {
			return requests[(worker*len(requests)/connections+n)%len(requests)]
		})
	}
	script := filepath.Join(b.dir, "load.lua")
	if err := os.WriteFile(script, []byte(lua(requests)), 0o600); err != nil {
		return 0, err
	}
	seconds := max(int(d.Seconds()+0.5), 1)
	out, err := exec.CommandContext(ctx, program, "-t1", fmt.Sprint("-c", connections), fmt.Sprint("-d", seconds, "s"),
		"--timeout", "10s", "-s", script, "http://"+addr).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	found := rate.FindSubmatch(out)
	if found == nil || strings.Contains(string(out), "Non-2xx") || strings.Contains(string(out), "Socket errors") {
		return 0, fmt.Errorf("wrk met errors:\n%s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

var rate = regexp.MustCompile(`Requests/sec:\s+([\d.]+)`)

// lua returns the script for wrk. A single request is built once by wrk itself; many are built in advance and sent in
// turn.
func lua(requests []request) string {
	var s strings.Builder
	table := func(r *request) {
		fmt.Fprintf(&s, "{[\"Host\"]=%q", r.host)
		for name := range r.header {
			fmt.Fprintf(&s, ",[%q]=%q", name, r.header.Get(name))
		}
		s.WriteString("}")
	}
	if r := &requests[0]; len(requests) == 1 {
		fmt.Fprintf(&s, "wrk.method=%q\nwrk.path=%q\nwrk.headers=", r.verb(), r.path)
		table(r)
		return s.String()
	}
	s.WriteString("local made = {}\nfunction init()\n")
	for i := range requests {
		r := &requests[i]
		fmt.Fprintf(&s, "made[%d]=wrk.format(%q,%q,", i+1, r.verb(), r.path)
		table(r)
		if r.body != "" {
			fmt.Fprintf(&s, ",%q", r.body)
		}
		s.WriteString(")\n")
		if i%1000 == 999 { // a Lua function has a limited number of constants
			fmt.Fprintf(&s, "more%d()\nend\nfunction more%[1]d()\n", i)
		}
	}
	s.WriteString("end\nlocal at = 0\nfunction request()\nat = at % #made + 1\nreturn made[at]\nend\n")
	return s.String()
}

// drive sends requests from this process, for requests that differ each time. Each worker has a connection of its
// own.
func drive(ctx context.Context, addr string, workers int, d time.Duration, next func(worker, n int) request) (float64, error) {
	var answered atomic.Int64
	errs := make([]error, workers)
	began := time.Now()
	end := began.Add(d)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			client := &fasthttp.HostClient{Addr: addr, MaxConns: 1, ReadTimeout: 20 * time.Second}
			defer client.CloseIdleConnections()
			for n := 0; time.Now().Before(end) && ctx.Err() == nil; n++ {
				r := next(w, n)
				if errs[w] = do(client, addr, &r); errs[w] != nil {
					return
				}
				answered.Add(1)
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	if failed := slices.IndexFunc(errs, func(err error) bool { return err != nil }); failed >= 0 {
		return 0, errs[failed]
	}
	return float64(answered.Load()) / took.Seconds(), ctx.Err()
}

// do sends one request and checks the status.
func do(client *fasthttp.HostClient, addr string, r *request) error {
	_, err := doRead(client, addr, r)
	return err
}

// doRead is do with the response body.
func doRead(client *fasthttp.HostClient, addr string, r *request) ([]byte, error) {
	q, a := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(q)
	defer fasthttp.ReleaseResponse(a)
	q.SetRequestURI("http://" + addr + r.path)
	q.Header.SetMethod(r.verb())
	for name := range r.header {
		q.Header.Set(name, r.header.Get(name))
	}
	q.UseHostHeader = true
	q.Header.SetHost(r.host)
	if r.body != "" {
		q.SetBodyString(r.body)
	}
	if err := client.Do(q, a); err != nil {
		return nil, err
	}
	want := r.status
	if want == 0 {
		want = http.StatusOK
	}
	if a.StatusCode() != want {
		return nil, fmt.Errorf("%s %s%s: status %d: %.300s", r.verb(), r.host, r.path, a.StatusCode(), a.Body())
	}
	return bytes.Clone(a.Body()), nil
}
