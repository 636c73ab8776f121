package main

import (
	"runtime/debug"

	"github.com/kalends/kalends/internal/embedded"
	"github.com/kalends/kalends/storage"
)

// limitMemory configures the garbage collector for a service, unless GOGC or GOMEMLIMIT are set.
func (c *Config) limitMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(max(c.CacheBytes, leastKept) + c.linkBytes() + workspace))
	}
}

// memory returns the memory available to this process in bytes: that of the machine or container, less a quarter for
// a private Postgres, or GOMEMLIMIT if that is less. It returns 0 if unknown.
func memory(getenv func(string) string, private bool) int64 {
	most := embedded.Memory()
	if private {
		most -= most / 4
	}
	if limit := debug.SetMemoryLimit(-1); getenv("GOMEMLIMIT") != "" && (most == 0 || limit < most) {
		return limit
	}
	return most
}

// linkBytes returns the memory for cached links of events. It is a third of that for responses, so that a single
// setting scales both.
func (c *Config) linkBytes() int { return max(c.CacheBytes/3, storage.LinkBytes) }
