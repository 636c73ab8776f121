package main

import (
	"context"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage"
)

// checkZones reports the time zone data in use and whether stored instants were derived from it.
func (p *program) checkZones(ctx context.Context, f *findings) {
	from := "that of the program"
	if p.config.ZoneInfo != "" {
		from = "from " + p.config.ZoneInfo
	}
	f.ok("time zones", "data of %s, %s", args.ZoneVersion(), from)
	url, err := p.database()
	if err != nil {
		return // already reported
	}
	switch stored, err := storage.StoredZones(ctx, url); {
	case err != nil || stored == args.ZoneVersion(): // already reported, or nothing to report
	case stored == "":
		f.warn("stored times",
			"it is not known which time zone data they were computed with: run `kalends zones` once all nodes run this release")
	default:
		f.warn("stored times",
			"they were computed with data of %s: run `kalends zones` once all nodes have the data of %s", stored, args.ZoneVersion())
	}
}
