package main

import (
	"context"
	"time"
)

// settling is for how long a node that starts does nothing but answer.
const settling = time.Second

// rounds does something again and again until the context ends, for the first time
// when the node has settled, and then with a pause between.
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
