package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestLinesWait: lines of requests are written together, what warns at once, and none is
// lost, torn or out of order.
func TestLinesWait(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := &gathered{to: &out, delay: time.Hour}
	log := slog.New(prompt{slog.NewTextHandler(l, nil), l}).With("of", "test")
	log.Info("first")
	log.Info("second")
	if out.Len() > 0 {
		t.Errorf("written at once: %s", &out)
	}
	log.WithGroup("g").Warn("third")
	log.Info("fourth")
	if n := strings.Count(out.String(), "\n"); n != 3 || !strings.Contains(out.String(), "third") {
		t.Errorf("%d lines with a warning: %s", n, &out)
	}
	var all sync.WaitGroup
	for writer := range 8 {
		all.Go(func() {
			for n := range 500 {
				log.Info("many", "writer", writer, "n", n)
			}
		})
	}
	all.Wait()
	l.flush()
	written := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(written) != 4+8*500 {
		t.Errorf("%d lines", len(written))
	}
	next := map[int]int{}
	for _, line := range written[4:] {
		var writer, n int
		_, said, _ := strings.Cut(line, "writer=")
		if _, err := fmt.Sscanf(said, "%d n=%d", &writer, &n); err != nil || next[writer] != n {
			t.Fatalf("%v, want %d: %s", err, next[writer], line)
		}
		next[writer]++
	}
}

// TestLinesAreWritten: what waits is written without another line.
func TestLinesAreWritten(t *testing.T) {
	t.Parallel()
	written := make(chan string, 1)
	l := &gathered{to: writes(func(p []byte) { written <- string(p) })}
	if _, err := l.Write([]byte("one\n")); err != nil {
		t.Fatal(err)
	}
	if text := <-written; text != "one\n" {
		t.Errorf("%q", text)
	}
}

// writes is a writer that is told what is written.
type writes func([]byte)

func (w writes) Write(p []byte) (int, error) { w(p); return len(p), nil }
