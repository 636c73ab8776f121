package main

import (
	"context"
	"time"
)

// The targets for the resources of a process.
const (
	mostResident = 150 << 20
	longestStart = 300 * time.Millisecond
)

// resources measures a fresh process: its start time with Postgres running, and its memory after random lists of all
// sites.
func (b *bench) resources(ctx context.Context) error {
	for range 5 {
		began := time.Now()
		p, err := b.kalends(ctx, "fresh", b.mainURL)
		if err != nil {
			return err
		}
		b.starts = append(b.starts, time.Since(began))
		if len(b.starts) < 5 {
			p.stop()
			continue
		}
		requests := anywhere(b.many(), 20*len(b.many()), 20)
		if _, err := b.wrk(ctx, p.addr, 32, 5*b.round, requests); err != nil {
			return err
		}
		b.residentBytes = p.resident()
	}
	return nil
}
