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

// spent returns the processor time used so far by the services and the database, or 0 if the system does not report
// it or the database is remote. Its increase per response hardly depends on what else the machine does, and therefore
// explains rates.
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

// processorTime returns the processor time of a process, optionally including terminated children. It is 0 unless the
// process is a child of parent, if that is given.
func processorTime(pid, parent int, withChildren bool) time.Duration {
	const tick = 10 * time.Millisecond // the unit of /proc on every system
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

// loadAverage returns the load average of the last minute, or "?" if the system does not report it.
func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return cmp.Or(first, "?")
}
