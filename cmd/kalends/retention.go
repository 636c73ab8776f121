package main

import (
	"context"
)

// shortestHistory is how many days of history are kept at least; the database
// holds the same line.
const shortestHistory = 30

// forget deletes from the histories what is older than so many days.
func (in *installation) forget(ctx context.Context, days int) {
	n, err := in.purgeHistory(ctx, days)
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("purge the history", "error", err)
	}
	if n > 0 {
		in.logger.Info("history purged", "entries", n, "days", days)
	}
}

// purgeHistory deletes what is older than so many days.
func (in *installation) purgeHistory(ctx context.Context, days int) (int64, error) {
	now, err := in.due(ctx)
	if err != nil {
		return 0, err
	}
	return in.db.PurgeHistory(ctx, now.AddDate(0, 0, -days))
}
