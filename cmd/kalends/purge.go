package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// purging removes deleted sites when their time is up, until the context ends. It
// looks once a minute: nobody waits for it.
func (in *installation) purging(ctx context.Context) {
	ctx = tenancy.AsProvider(ctx, tenancy.Provider{Scheduled: true})
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		slugs, err := in.platform.Sites.Purge(ctx)
		if err != nil && ctx.Err() == nil {
			in.logger.Warn("remove deleted sites", "error", err)
		}
		for _, slug := range slugs {
			in.logger.Info("deleted site removed", "site", slug)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
