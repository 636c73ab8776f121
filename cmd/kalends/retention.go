package main

import (
	"context"
)

// shortestHistory is the minimum number of days to keep history. The database enforces the same limit.
const shortestHistory = 30

// forget deletes history older than a number of days.
func (in *installation) forget(ctx context.Context, days int) {
	n, err := in.purgeHistory(ctx, days)
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("purge the history", "error", err)
	}
	if n > 0 {
		in.logger.Info("history purged", "entries", n, "days", days)
	}
}

// purgeHistory deletes history older than a number of days.
func (in *installation) purgeHistory(ctx context.Context, days int) (int64, error) {
	now, err := in.due(ctx)
	if err != nil {
		return 0, err
	}
	return in.db.PurgeHistory(ctx, now.AddDate(0, 0, -days))
}
