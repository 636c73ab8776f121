package main

import (
	"context"

	"github.com/kalends/kalends/args"
)

// checkZones says which time zone data is in use.
func (p *program) checkZones(_ context.Context, f *findings) {
	from := "that of the program"
	if p.config.ZoneInfo != "" {
		from = "from " + p.config.ZoneInfo
	}
	f.ok("time zones", "data of %s, %s", args.ZoneVersion(), from)
}
