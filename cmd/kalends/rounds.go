package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar/submissions"
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
