package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The targets for many followers that wait for changes (GET /changes?wait=25) where nothing changes.
const (
	mostWaitingMemory = 50 << 20
	mostWaitingCPU    = 0.05 // of a core
)

// runWaiting measures what followers cost that wait: the memory and the processor time of a Kalends that runs at an origin as a process
// of this machine, on a site in which nothing happens.
func runWaiting(ctx context.Context, origin string, process string, followers int) error {
	to, err := url.Parse(origin)
	if err != nil {
		return err
	}
	path, err := lastToken(ctx, origin+"/calendar/events/v1/changes?types=event")
	if err != nil {
		return err
	}
	program := "/proc/" + process
	before, _ := residentOf(program)
	w := &waitingRoom{address: to.Host, request: "GET " + path + " HTTP/1.1\r\nHost: " + to.Host + "\r\n\r\n"}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	for range followers {
		all.Go(func() { w.follow(ctx) })
		if err := sleep(ctx, time.Millisecond); err != nil {
			return err
		}
	}
	if err := sleep(ctx, 30*time.Second); err != nil { // each has been answered once
		return err
	}
	const during = 50 * time.Second
	answers, ticks := w.answers.Load(), ticksOf(program)
	most := 0
	for range int(during / time.Second) {
		now, err := residentOf(program)
		if err = errors.Join(err, sleep(ctx, time.Second)); err != nil {
			return err
		}
		most = max(most, now)
	}
	cpu := float64(ticksOf(program)-ticks) / 100 / during.Seconds()
	fmt.Fprintf(os.Stdout, "%d followers: %.1f MiB more (at most %d), %.1f %% of a core (at most %.0f), %d answers and %d failures in %s\n", followers,
		float64(most-before)/(1<<20), mostWaitingMemory>>20, 100*cpu, 100*mostWaitingCPU, w.answers.Load()-answers, w.failed.Load(), during)
	stop()
	all.Wait()
	return nil
}

// lastToken returns the path of a follower who has been told everything.
func lastToken(ctx context.Context, address string) (string, error) {
	for next, more := "", true; ; {
		at := address + "&per_page=500&since=" + next
		if !more {
			u, err := url.Parse(at + "&wait=25")
			return u.RequestURI(), err
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
		if err != nil {
			return "", err
		}
		res, err := http.DefaultClient.Do(request)
		if err != nil {
			return "", err
		}
		var page struct {
			Next string `json:"next"`
			More bool   `json:"more"`
		}
		err = json.NewDecoder(res.Body).Decode(&page)
		_ = res.Body.Close()
		if err != nil || page.Next == "" {
			return "", fmt.Errorf("%s: %s %w", at, res.Status, err)
		}
		next, more = page.Next, page.More
	}
}

// waitingRoom is where followers wait.
type waitingRoom struct {
	address, request string
	answers, failed  atomic.Int64
}

// follow asks again and again on one connection.
func (w *waitingRoom) follow(ctx context.Context) {
	for ctx.Err() == nil {
		conn, err := net.Dial("tcp", w.address)
		if err != nil {
			w.failed.Add(1)
			_ = sleep(ctx, time.Second)
			continue
		}
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		for answers := bufio.NewReaderSize(conn, 512); ; w.answers.Add(1) {
			_, err := io.WriteString(conn, w.request)
			var res *http.Response
			if err == nil {
				res, err = http.ReadResponse(answers, nil)
			}
			if err == nil {
				_, err = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
			if err == nil && res.StatusCode == http.StatusOK && !res.Close {
				continue
			}
			if ctx.Err() == nil && (err != nil || res.StatusCode != http.StatusOK) {
				w.failed.Add(1)
				_ = sleep(ctx, time.Second)
			}
			break
		}
		stop()
		_ = conn.Close()
	}
}

// residentOf returns the resident memory of a process in bytes.
func residentOf(program string) (int, error) {
	status, err := os.ReadFile(program + "/status")
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib := 0
	if fields := strings.Fields(rest); err == nil && len(fields) > 0 {
		kib, err = strconv.Atoi(fields[0])
	}
	return kib << 10, err
}

// ticksOf returns the hundredths of a second of a core that a process has used.
func ticksOf(program string) (ticks int) {
	stat, _ := os.ReadFile(program + "/stat")
	_, rest, _ := strings.Cut(string(stat), ") ")
	for i, field := range strings.Fields(rest) {
		if i == 11 || i == 12 { // of its own, and of the system for it
			n, _ := strconv.Atoi(field)
			ticks += n
		}
	}
	return ticks
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
