package main

import (
	"time"

	"github.com/kalends/kalends/calendar/courier"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/internal/secrets"
	sourcestore "github.com/kalends/kalends/storage/sources"
)

// gathering returns the service over sources, which reads them, too.
func (in *installation) gathering(p *program) (*sources.Service, error) {
	box, err := secrets.NewBox(in.secret, "sources")
	if err != nil {
		return nil, err
	}
	web := courier.NewReader(outbound.NewGuard(p.config.ImportHosts, true), imports.Accept, fetching, imports.MaxBytes)
	return sources.New(sources.Options{Store: sourcestore.New(in.db.Engine()), Calendar: in.calendar, Imports: in.imports, Web: web, Box: box,
		Home: in.platform.Resolver.Sent, Wait: following, Clock: in.db.Now,
		Logger: in.logger}), nil
}

// following is how long a request to another installation waits for changes.
const following = 20 * time.Second
