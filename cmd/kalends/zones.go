package main

import (
	"context"
	"fmt"
	"time"

	"github.com/kalends/kalends/internal/args"
)

// zonesCommand derives stored instants again.
type zonesCommand struct {
	DryRun bool `help:"Count the events that would change, and store nothing."`
}

// Run implements the command. It can be repeated after an interruption. A concurrent run finds less to do.
func (c *zonesCommand) Run(p *program) error {
	in, err := p.join(p.ctx)
	if err != nil {
		return err
	}
	defer in.close()
	done, err := in.db.Retime(p.ctx, c.DryRun)
	if err != nil {
		return err
	}
	format := "time zone data %s, events changed: %d, on sites: %d\n"
	if c.DryRun {
		format = "time zone data %s, events that would change: %d, on sites: %d\n"
	}
	_, err = fmt.Fprintf(p.out, format, args.ZoneVersion(), done.Events, done.Sites)
	return err
}

// refold updates the search texts on a node whose folding rules are newer than those they were created with. Any
// number of nodes may run it concurrently.
func (in *installation) refold(ctx context.Context, _ time.Time) {
	items, ok, err := in.db.RefoldLater(ctx)
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("fold texts again", "error", err)
	}
	if ok && err == nil {
		in.logger.Info("texts folded again", "items", items)
	}
}

// retime does what the command does on a node with newer time zone data than stored times were derived from. Any
// number of nodes may do so concurrently.
func (in *installation) retime(ctx context.Context, _ time.Time) {
	done, ok, err := in.db.RetimeLater(ctx)
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("compute stored times again", "error", err)
	}
	if ok && err == nil {
		in.logger.Info("stored times computed again", "zones", args.ZoneVersion(), "events", done.Events, "sites", done.Sites)
	}
}
