package main

import (
	"fmt"

	"github.com/kalends/kalends/migrations"
)

// migrate upgrades the database to the newest schema.
type migrate struct {
	Citus bool `help:"Then distribute the tables over a Citus cluster, each site on one worker."`
}

// Run implements the command.
func (m *migrate) Run(p *program) error {
	if err := p.config.wrongDatabase(); err != nil {
		return invalid(err)
	}
	url := p.config.DatabaseURL
	if url == "" {
		in, err := p.open(p.ctx, true)
		if err != nil {
			return err
		}
		defer in.close()
		url = in.postgres.URL()
	} else if err := migrations.Up(p.ctx, url); err != nil {
		return err
	}
	if m.Citus {
		if err := migrations.Spread(p.ctx, url); err != nil {
			return err
		}
	}
	have, _, err := migrations.Version(p.ctx, url)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "schema version %d\n", have)
	return err
}
