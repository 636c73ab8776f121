package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/server"
)

// leastSpace is the minimum free space for data in bytes.
const leastSpace = 64 << 20

// checks returns the checks of /readyz. Only failures that other nodes may not have are vital: without notifications
// versions are polled, and with a full disk events can still be read.
func (in *installation) checks(p *program) ([]server.Check, error) {
	dir, err := p.config.dataDir()
	if err != nil {
		return nil, err
	}
	s := in.schema
	list := []server.Check{
		{Name: "database", Vital: true, Probe: in.answering},
		{Name: "writes", Probe: in.writable},
		{Name: "schema", Vital: true, Probe: s.older},
		{Name: "release", Probe: s.newer},
		{Name: "notifications", Probe: in.notified},
		{Name: "clock", Probe: in.clocks},
		{Name: "disk", Probe: func(context.Context) string { return spaceIn(dir) }},
	}
	if bucket, ok := in.blobs.(*media.S3); ok {
		watch := &bucketWatch{bucket: bucket, clock: time.Now,
			told: func(err error) { in.logger.Warn("check the bucket for images", "error", err) }}
		list = append(list, server.Check{Name: "pictures", Probe: watch.probe})
	}
	if in.redis != nil {
		list = append(list, server.Check{Name: "redis", Probe: func(context.Context) string {
			if !in.redis.Open() {
				return "it doesn't answer; going on without"
			}
			return ""
		}})
	}
	if _, _, ok := in.db.Replica(); ok {
		list = append(list, server.Check{Name: "replica", Probe: func(context.Context) string {
			_, why, _ := in.db.Replica()
			if why != "" {
				why += "; reading from the primary"
			}
			return why
		}})
	}
	return list, nil
}

func (in *installation) answering(ctx context.Context) string {
	if _, err := in.db.State(ctx); err != nil {
		in.logger.WarnContext(ctx, "not ready", "check", "database", "error", err)
		return "it doesn't answer"
	}
	return ""
}

func (in *installation) writable(ctx context.Context) string {
	if state, err := in.db.State(ctx); err == nil && !state.TakesWrites { // an unavailable database is reported elsewhere
		return "the database takes none: it is a standby, or was set so"
	}
	return ""
}

func (in *installation) notified(context.Context) string {
	if !in.versions.Listening() {
		return "they don't arrive; versions are polled for"
	}
	return ""
}

// schema caches the schema version, which seldom changes, because reading it needs a connection.
type schema struct {
	url string

	mu         sync.Mutex
	seen       time.Time
	have, want int64
}

// fresh is how long the schema version is cached.
const fresh = 30 * time.Second

// look returns the schema version and the newest one that this program knows.
func (s *schema) look(ctx context.Context) (have, want int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.seen) > fresh {
		if have, want, err = migrations.Version(ctx, s.url); err == nil {
			s.have, s.want, s.seen = have, want, time.Now()
		}
	}
	return s.have, s.want, err
}

// versions returns the cached versions, or 0 and 0 before the database first answered.
func (s *schema) versions(ctx context.Context) (have, want int64) {
	have, want, _ = s.look(ctx)
	return have, want
}

func (s *schema) older(ctx context.Context) string {
	if have, want := s.versions(ctx); have < want {
		return fmt.Sprintf("its version is %d, this program needs %d: run kalends migrate", have, want)
	}
	return ""
}

func (s *schema) newer(ctx context.Context) string {
	if have, want := s.versions(ctx); have > want {
		return fmt.Sprintf("the schema has version %d, this program knows %d: an update is under way", have, want)
	}
	return ""
}

// spaceIn returns a complaint if a folder has too little free space.
func spaceIn(dir string) string {
	free, err := freeIn(dir)
	switch {
	case err != nil:
		return "the folder of the data can't be looked at"
	case free < leastSpace:
		return fmt.Sprintf("%d MiB are left", free>>20)
	}
	return ""
}

// freeIn returns the free space of a folder in bytes.
func freeIn(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return s.Bavail * uint64(s.Bsize), nil
}
