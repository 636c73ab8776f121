package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/tenancy"
)

// settle does what follows decisions on submissions: it sends emails and deletes expired data about senders.
func (in *installation) settle(s *submissions.Service) func(context.Context, time.Time) {
	return func(ctx context.Context, _ time.Time) {
		limited, cancel := context.WithTimeout(ctx, 2*longest)
		defer cancel()
		if err := s.Sweep(tenancy.AsProvider(limited, tenancy.Provider{Scheduled: true})); err != nil && ctx.Err() == nil {
			in.logger.Warn("process submissions", "error", err)
		}
	}
}
