package main

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kalends/kalends/media"
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
		{Name: "servers", Vital: true, Probe: in.anyServer},
		{Name: "all servers", Probe: in.everyServer},
		{Name: "writes", Probe: in.writable},
		{Name: "schema", Vital: true, Probe: s.older},
		{Name: "release", Probe: s.newer},
		{Name: "notifications", Probe: in.notified},
		{Name: "clock", Probe: in.clocks},
		{Name: "disk", Probe: func(context.Context) string { return spaceIn(dir) }},
	}
	if in.elsewhere {
		list = append(list, server.Check{Name: "place of pictures", Probe: func(context.Context) string {
			return "other nodes keep them elsewhere: see kalends doctor"
		}})
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
	return list, nil
}

func (in *installation) answering(ctx context.Context) string {
	if _, err := in.db.State(ctx); err != nil {
		in.logger.WarnContext(ctx, "not ready", "check", "database", "error", err)
		return "it doesn't answer"
	}
	return ""
}

// anyServer complains if no server of the cluster that has sites responds.
func (in *installation) anyServer(ctx context.Context) string {
	if all, down, err := in.db.Engine().Servers(ctx); err == nil && all > 0 && len(down) == all {
		return "none of those that have sites answers"
	}
	return ""
}

// everyServer complains if one of them does not respond: its sites are unreachable from every node.
func (in *installation) everyServer(ctx context.Context) string {
	if all, down, err := in.db.Engine().Servers(ctx); err == nil && len(down) > 0 {
		return fmt.Sprintf("%d of %d do not answer, and their sites are away", len(down), all)
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
