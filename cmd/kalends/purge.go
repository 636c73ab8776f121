package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// purge removes the deleted sites whose time is up, unless the clock of this machine
// is wrong: that can wait, and what is removed is gone.
func (in *installation) purge(ctx context.Context, _ time.Time) {
	state, err := in.db.State(ctx)
	if state.Ahead > skew {
		in.logger.Warn("nothing is removed while the clock is wrong", "ahead", state.Ahead)
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
