package main

import (
	"context"
	"fmt"
	"time"

	"github.com/kalends/kalends/args"
)

// zonesCommand derives stored instants anew.
type zonesCommand struct{}

// Run implements the command. Broken off, it is run again; a second one at the
// same time finds less to do.
func (*zonesCommand) Run(p *program) error {
	in, err := p.join(p.ctx)
	if err != nil {
		return err
	}
	defer in.close()
	done, err := in.db.Retime(p.ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "time zone data %s, events changed: %d, on sites: %d\n", args.ZoneVersion(), done.Events, done.Sites)
	return err
}

// refold folds what searches look through anew, on a node whose rules are newer than those by
// which it was folded. However many nodes do, it comes to the same.
func (in *installation) refold(ctx context.Context, _ time.Time) {
	items, ok, err := in.db.RefoldLater(ctx)
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("fold texts anew", "error", err)
	}
	if ok && err == nil {
		in.logger.Info("texts folded anew", "items", items)
	}
}

// retime does what the command does, on a node, when that brings newer time zone data
// than that by which times were derived. However many nodes do, it comes to the same.
func (in *installation) retime(ctx context.Context, _ time.Time) {
	done, ok, err := in.db.RetimeLater(ctx)
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("derive stored times anew", "error", err)
	}
	if ok && err == nil {
		in.logger.Info("stored times derived anew", "zones", args.ZoneVersion(), "events", done.Events, "sites", done.Sites)
	}
}
