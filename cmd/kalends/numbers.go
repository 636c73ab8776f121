package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar/numbers"
)

// lastNumbers writes what a node has counted when it stops.
func (in *installation) lastNumbers(counter *numbers.Counter) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := counter.Flush(ctx); err != nil {
		in.logger.Warn("write numbers", "error", err)
	}
}

// forgetNumbers deletes numbers that are too old, and numbers of sites that no longer count.
func (in *installation) forgetNumbers(ctx context.Context, _ time.Time) {
	now, err := in.due(ctx)
	if err == nil {
		err = in.db.PurgeNumbers(ctx, now.AddDate(-numbers.Kept, 0, 0))
	}
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("purge numbers", "error", err)
	}
}
