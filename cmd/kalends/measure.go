package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/internal/metrics"
	"github.com/kalends/kalends/storage/archives"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/webhooks"
)

// measure collects metrics and serves scrapes at an address until the context ends. Without an address nothing is
// collected; without a host only this machine can scrape.
func (in *installation) measure(ctx context.Context, addr string) error {
	if addr == "" {
		return nil
	}
	if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("KALENDS_METRICS_ADDR: %w", err)
	}
	in.metrics = metrics.New(in.sources())
	in.metrics.Pictures(in.pictures.Unpacking())
	in.observed.Store(in.metrics)
	if in.redis != nil {
		in.redis.Observe(in.metrics.Redis)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", in.metrics.Handler())
	s := &http.Server{Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second,
		ErrorLog: slog.NewLogLogger(in.logger.Handler(), slog.LevelWarn)}
	context.AfterFunc(ctx, func() { _ = s.Close() })
	go func() {
		if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			in.logger.Error("metrics", "error", err)
		}
	}()
	in.logger.Info("metrics", "addr", listener.Addr().String())
	return nil
}

// sources returns the metrics sources of the installation.
func (in *installation) sources() metrics.Sources {
	s := metrics.Sources{Version: api.Version, Listening: in.versions.Listening,
		Pool:     func() metrics.Pool { return metrics.Pool(in.db.Connections()) },
		Database: in.totals}
	if in.answers != nil {
		s.Cache = func() metrics.Cache { return metrics.Cache(in.answers.Stats()) }
	}
	if in.redis != nil {
		s.Redis = in.redis.Open
	}
	return s
}

// totals reads the metrics that only the database knows.
func (in *installation) totals(ctx context.Context) (d metrics.Database, err error) {
	if d.Sites, d.Overdue, err = platform.Totals(ctx, in.db.Engine()); err != nil {
		return d, err
	}
	if d.Backup, d.Letters, err = platform.LastBackup(ctx, in.db.Engine()); err != nil {
		return d, err
	}
	if d.Hooks, err = webhooks.New(in.db.Engine()).Waiting(ctx, in.db.Now()); err != nil {
		return d, err
	}
	d.Schema, _ = in.schema.versions(ctx)
	list, err := archives.JobTotals(ctx, in.db.Engine())
	d.Jobs = make(map[metrics.Job]int, len(list))
	for _, c := range list {
		d.Jobs[metrics.Job{Kind: string(c.Kind), State: string(c.State)}] = c.N
	}
	return d, err
}
