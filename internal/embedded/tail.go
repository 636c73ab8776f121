package embedded

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"sync"
)

// tailLines is how many lines of a program's output an error message shows.
const tailLines = 20

// tail passes on the output of a Postgres program line by line, and remembers its end.
type tail struct {
	log *slog.Logger

	mu      sync.Mutex
	partial []byte
	lines   []string
}

// Write implements io.Writer for the output of the program.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.partial = append(t.partial, p...)
	for {
		line, rest, whole := bytes.Cut(t.partial, []byte("\n"))
		if !whole {
			return len(p), nil
		}
		t.add(string(line))
		t.partial = rest
	}
}

func (t *tail) add(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	if len(t.lines) == tailLines {
		t.lines = t.lines[1:]
	}
	t.lines = append(t.lines, line)
	switch {
	case expected(line):
		t.log.Debug("postgres", "line", line)
	case strings.Contains(line, "PANIC:"), strings.Contains(line, "FATAL:"):
		t.log.Error("postgres", "line", line)
	case strings.Contains(line, "ERROR:"), strings.Contains(line, "WARNING:"):
		t.log.Warn("postgres", "line", line)
	default:
		t.log.Debug("postgres", "line", line)
	}
}

// expected reports whether a FATAL line is harmless: Postgres logs it for each connection that arrives while it
// starts or stops, and for each connection that a stop ends.
func expected(line string) bool {
	return strings.Contains(line, "FATAL:  the database system is ") || strings.Contains(line, "FATAL:  terminating ") &&
		strings.HasSuffix(line, " due to administrator command")
}

// last returns the last lines, with an unfinished one at the end.
func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := slices.Clone(t.lines)
	if len(t.partial) > 0 {
		lines = append(lines, string(t.partial))
	}
	return lines
}
