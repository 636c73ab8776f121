package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// spent returns the processor time that the services and the database have
// taken until now, 0 where the system doesn't say or the database is elsewhere.
// What it grows by for an answer hardly depends on what else the machine does,
// so it explains rates.
func (b *bench) spent() time.Duration {
	if b.postgres == nil {
		return 0
	}
	var all time.Duration
	for _, p := range b.processes {
		all += processorTime(p.child.Pid(), 0, false)
	}
	postmaster := b.postgres.Pid()
	all += processorTime(postmaster, 0, true)
	found, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range found {
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil {
			all += processorTime(pid, postmaster, false)
		}
	}
	return all
}

// processorTime returns what a process has taken, with children that ended if
// asked; 0 when it isn't a child of parent, where one is named.
func processorTime(pid, parent int, withChildren bool) time.Duration {
	const tick = 10 * time.Millisecond // what /proc counts in, on every system
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(f) < 15 || parent != 0 && f[1] != fmt.Sprint(parent) {
		return 0
	}
	ticks := 0
	for _, n := range f[11:15][:2+2*map[bool]int{true: 1}[withChildren]] {
		value, _ := strconv.Atoi(n)
		ticks += value
	}
	return time.Duration(ticks) * tick
}

// loadAverage returns what the machine had to do over the last minute, "?" where
// the system doesn't say.
func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return cmp.Or(first, "?")
}
