package main

import (
	"context"
	"time"
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
