package main

import (
	"fmt"

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
