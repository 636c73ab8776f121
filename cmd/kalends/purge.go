package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// purging removes deleted sites when their time is up, until the context ends. It
// looks once a minute: nobody waits for it.
func (in *installation) purging(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		in.purge(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// purge removes the deleted sites whose time is up, unless the clock of this machine
// is wrong: that can wait, and what is removed is gone.
func (in *installation) purge(ctx context.Context) {
	ahead, err := in.db.Ahead(ctx)
	if err == nil && ahead > skew {
		in.logger.Warn("nothing is removed while the clock is wrong", "ahead", ahead)
		return
	}
	var slugs []string
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
