package storage

import (
	"context"
	"time"
)

// pace begins a step of long-running work. The caller calls rest after the step: it waits as long as the pace
// requires, and returns the error of ctx if the work must end.
type pace func(ctx context.Context) (rest func() error)

// hurried is the pace of work that someone is waiting for: it never rests.
func hurried(ctx context.Context) func() error { return ctx.Err }

// background is the pace of work that nobody waits for. It rests three times as long as a step took, so requests keep most of
// the processors and of the database even while every node does the same work.
func background(ctx context.Context) func() error {
	began := time.Now()
	return func() error {
		rest := time.NewTimer(3 * time.Since(began))
		defer rest.Stop()
		select {
		case <-rest.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
