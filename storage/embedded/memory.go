package embedded

import (
	"math"
	"os"
	"strconv"
	"strings"
)

// What Postgres may keep of its tables in memory of its own. The least is what
// it takes by itself; of more than the most a private Postgres has no use.
const (
	leastBuffers = 128 << 20
	mostBuffers  = 2 << 30
)

// buffers returns the bytes of shared_buffers: a quarter of the memory there is,
// as Postgres's manual has it.
func buffers(memory int64) int64 {
	return min(max(memory/4, leastBuffers), mostBuffers)
}

// memory returns the bytes this machine has, or what its container may use of
// them; 0 where the system doesn't say.
func memory() int64 {
	least := int64(math.MaxInt64)
	info, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(info)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			if kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64); err == nil {
				least = kib << 10
			}
		}
	}
	limit, _ := os.ReadFile("/sys/fs/cgroup/memory.max")
	if n, err := strconv.ParseInt(strings.TrimSpace(string(limit)), 10, 64); err == nil {
		least = min(least, n)
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}
