package embedded

import (
	"math"
	"os"
	"path"
	"strconv"
	"strings"
)

// Limits for shared_buffers, the memory in which Postgres caches tables. The minimum is its default; more than the
// maximum is of no use to a private Postgres.
const (
	leastBuffers = 128 << 20
	mostBuffers  = 2 << 30
)

// buffers returns the bytes of shared_buffers: a quarter of the memory there is,
// as Postgres's manual has it.
func buffers(memory int64) int64 {
	return min(max(memory/4, leastBuffers), mostBuffers)
}

// Memory returns the bytes this machine has, or what the groups that this process is in
// (of a container, of a service of systemd) may use of them; 0 where the system doesn't
// say.
func Memory() int64 { return memoryBelow("/") }

// memoryBelow is Memory as the files under a root tell it.
func memoryBelow(root string) int64 {
	least := int64(math.MaxInt64)
	info, _ := os.ReadFile(path.Join(root, "proc/meminfo"))
	for line := range strings.Lines(string(info)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			if kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64); err == nil {
				least = kib << 10
			}
		}
	}
	groups, _ := os.ReadFile(path.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // number:controllers:path
		if len(parts) < 3 {
			continue
		}
		switch {
		case parts[0] == "0":
			least = min(least, groupMemory(path.Join(root, "sys/fs/cgroup"), parts[2], "memory.max"))
		case parts[1] == "memory":
			least = min(least, groupMemory(path.Join(root, "sys/fs/cgroup/memory"), parts[2], "memory.limit_in_bytes"))
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// groupMemory returns the least that a group or one above it may use. In a container
// the path may be that of the machine, and only the top is there.
func groupMemory(top, group, file string) int64 {
	least := int64(math.MaxInt64)
	for group = path.Clean("/" + group); ; group = path.Dir(group) {
		limit, _ := os.ReadFile(path.Join(top, group, file))
		if n, err := strconv.ParseInt(strings.TrimSpace(string(limit)), 10, 64); err == nil {
			least = min(least, n)
		}
		if group == "/" {
			return least
		}
	}
}
