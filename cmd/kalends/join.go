package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/kalends/kalends/internal/embedded"
	"github.com/kalends/kalends/migrations"
)

// join is open for commands that may run beside the service. If the service uses the embedded database, they connect
// to it. They do not migrate the schema of a running service.
func (p *program) join(ctx context.Context) (*installation, error) {
	in, err := p.open(ctx, true)
	if !errors.Is(err, embedded.ErrInUse) {
		return in, err
	}
	dir, failed := p.config.dataDir()
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	url, failed := embedded.Attach(dir)
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	have, want, failed := migrations.Version(ctx, url)
	switch {
	case failed != nil:
		return nil, fmt.Errorf("%w; its database cannot be reached: %w", err, failed)
	case have != want:
		return nil, fmt.Errorf("the running service has schema version %d, this program needs %d: use the same release for both",
			have, want)
	}
	config := *p.config
	config.DatabaseURL = url
	beside := *p
	beside.config = &config
	return beside.open(ctx, false)
}
