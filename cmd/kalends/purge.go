package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// purge removes deleted sites whose grace period is over.
func (in *installation) purge(ctx context.Context, _ time.Time) {
	var slugs []string
	_, err := in.due(ctx)
	if err == nil {
		slugs, err = in.platform.Sites.Purge(tenancy.AsProvider(ctx, tenancy.Provider{Scheduled: true}))
	}
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("remove deleted sites", "error", err)
	}
	for _, slug := range slugs {
		in.logger.Info("deleted site removed", "site", slug)
	}
}
