package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/tenancy"
)

// settling is how long a starting node postpones background work.
const settling = time.Second

// rounds calls do repeatedly until the context ends, first after settling and then with a pause in between.
func rounds(ctx context.Context, pause time.Duration, do func(ctx context.Context, now time.Time)) {
	for wait := settling; ; wait = pause {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
			do(ctx, time.Now())
		}
	}
}

// repeat does in the background what is to be done again and again, until ctx ends. days is how long histories are kept;
// 0: forever.
func (in *installation) repeat(ctx context.Context, sent *submissions.Service, days int) {
	go rounds(ctx, time.Second, func(ctx context.Context, now time.Time) { in.once(ctx, now, longest) })
	go rounds(ctx, time.Minute, in.purge)
	go rounds(ctx, time.Minute, in.settle(sent))
	go rounds(ctx, time.Hour, in.sweep)
	go rounds(ctx, time.Hour, in.retime)
	go rounds(ctx, time.Hour, in.refold)
	go rounds(ctx, time.Hour, in.tone)
	go rounds(ctx, 24*time.Hour, in.forgetNumbers)
	if days > 0 {
		go rounds(ctx, 24*time.Hour, func(ctx context.Context, _ time.Time) { in.forget(ctx, days) })
	}
}

// purge removes deleted sites whose grace period is over.
func (in *installation) purge(ctx context.Context, _ time.Time) {
	var slugs []string
	_, err := in.due(ctx)
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

// shortestHistory is the minimum number of days to keep history. The database enforces the same limit.
const shortestHistory = 30

// forget deletes history older than a number of days.
func (in *installation) forget(ctx context.Context, days int) {
	n, err := in.purgeHistory(ctx, days)
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("purge the history", "error", err)
	}
	if n > 0 {
		in.logger.Info("history purged", "entries", n, "days", days)
	}
}

// purgeHistory deletes history older than a number of days.
func (in *installation) purgeHistory(ctx context.Context, days int) (int64, error) {
	now, err := in.due(ctx)
	if err != nil {
		return 0, err
	}
	return in.db.PurgeHistory(ctx, now.AddDate(0, 0, -days))
}

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

// lastNumbers writes what a node has counted when it stops.
func (in *installation) lastNumbers(counter *numbers.Counter) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := counter.Flush(ctx); err != nil {
		in.logger.Warn("write numbers", "error", err)
	}
}

// forgetNumbers deletes numbers that are too old, and numbers of sites that no longer count.
func (in *installation) forgetNumbers(ctx context.Context, _ time.Time) {
	now, err := in.due(ctx)
	if err == nil {
		err = in.db.PurgeNumbers(ctx, now.AddDate(-numbers.Kept, 0, 0))
	}
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("purge numbers", "error", err)
	}
}
