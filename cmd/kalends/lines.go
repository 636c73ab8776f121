package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// gathered buffers the log lines of requests, because one write per line would cost about as much as formatting it.
// Warnings and errors are written immediately, along with everything before them.
type gathered struct {
	to    io.Writer
	delay time.Duration // maximum time that a line is buffered

	mu      sync.Mutex
	waiting []byte
	due     bool // a flush is scheduled
}

const (
	lineDelay   = 100 * time.Millisecond
	mostWaiting = 32 << 10 // bytes
)

// Write implements io.Writer.
func (l *gathered) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, line...)
	if len(l.waiting) >= mostWaiting {
		return len(line), l.write()
	}
	if !l.due {
		l.due = true
		time.AfterFunc(l.delay, l.flush)
	}
	return len(line), nil
}

// flush writes the buffered lines.
func (l *gathered) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due = false
	_ = l.write()
}

func (l *gathered) write() error {
	if len(l.waiting) == 0 {
		return nil
	}
	_, err := l.to.Write(l.waiting)
	l.waiting = l.waiting[:0]
	return err
}

// prompt is a handler on gathered lines that writes warnings and errors immediately.
type prompt struct {
	slog.Handler
	lines *gathered
}

// Handle implements slog.Handler.
func (p prompt) Handle(ctx context.Context, r slog.Record) error {
	err := p.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		p.lines.flush()
	}
	return err
}

// WithAttrs implements slog.Handler.
func (p prompt) WithAttrs(attrs []slog.Attr) slog.Handler {
	return prompt{p.Handler.WithAttrs(attrs), p.lines}
}

// WithGroup implements slog.Handler.
func (p prompt) WithGroup(name string) slog.Handler {
	return prompt{p.Handler.WithGroup(name), p.lines}
}
