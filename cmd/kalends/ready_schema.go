package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/kalends/kalends/migrations"
)

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
