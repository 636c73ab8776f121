package main

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// What is done in rounds is done when the node has settled, and then with a pause
// between the end of one round and the next.
func TestRounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		began := time.Now()
		var at []time.Duration
		rounds(ctx, time.Minute, func(_ context.Context, now time.Time) {
			at = append(at, now.Sub(began)-settling)
			if len(at) == 3 {
				time.Sleep(6 * time.Minute)
			}
		})
		want := []time.Duration{0, time.Minute, 2 * time.Minute, 9 * time.Minute}
		if !slices.Equal(at, want) {
			t.Errorf("%s, not %s", at, want)
		}
	})
}
