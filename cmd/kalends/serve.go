package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/server"
	numberstore "github.com/kalends/kalends/storage/numbers"
)

// serve runs the service until it is stopped.
type serve struct {
	NoMigrate bool `help:"Do not migrate the schema."`
}

// Run implements the command.
func (s *serve) Run(p *program) error {
	begun := time.Now()
	if err := errors.Join(p.config.wrong()...); err != nil {
		return invalid(err)
	}
	mailer, err := p.config.post()
	if err != nil {
		return err // which wrong has returned
	}
	flush, err := p.traces()
	if err != nil {
		return err
	}
	defer flush()
	p.patience = patience
	in, err := p.open(p.ctx, !s.NoMigrate)
	if err != nil {
		return err
	}
	defer in.close()
	p.config.limitMemory(p.getenv)
	in.logger.Info("configuration", "config", p.config.Safe())
	listener, err := net.Listen("tcp", p.config.Addr)
	if err != nil {
		return cannotListen(err)
	}
	base := "http://" + reachable(listener.Addr())
	if err := p.firstRun(in, base); err != nil {
		return err
	}
	if err := in.guard(p.ctx, p); err != nil {
		return err
	}
	if err := in.caches(p); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(p.ctx)) // lives until the last request is answered
	defer cancel()
	if err := in.measure(ctx, p.config.MetricsAddr); err != nil {
		return err
	}
	checks, err := in.checks(p)
	if err != nil {
		return err
	}
	requests, written := p.requests()
	defer written()
	own, err := in.serving(p, mailer)
	if err != nil {
		return err
	}
	hot := &server.Hot{}
	app := server.New(in.app(p, own, requests, checks, hot))
	in.repeat(ctx, own.sent, p.config.HistoryDays)
	defer in.lastNumbers(own.counter)
	defer in.lastTraffic(hot)
	defer working(p.ctx, own.counter.Run, in.jobs.Run, in.imports.Run, own.sources.Run, own.sender.Run, own.letters.Run,
		own.attention.Run)()
	go in.noteHot(ctx, hot)
	go in.noteTraffic(ctx, hot)
	go in.versions.Run(ctx)
	go in.buckets.Run(ctx)
	if in.redis != nil {
		go in.redis.Run(ctx)
	}
	in.logger.Info("started", "version", version(), "addr", listener.Addr().String(), "took", time.Since(begun))
	fmt.Fprintf(p.out, "Kalends answers at %s%s\n", base, "/calendar/events/v1/events")
	return in.listen(p.ctx, app, server.Lingering(listener, in.logger, in.metrics), p.config.Drain)
}

// app is the configuration of the app.
func (in *installation) app(p *program, own *serving, requests *slog.Logger, checks []server.Check, hot *server.Hot) server.Config {
	return server.Config{
		Calendar:      in.calendar,
		Editing:       in.editing,
		Imports:       in.imports,
		Submissions:   own.sent,
		Changes:       changes.New(in.db.Changes(), in.db.Now),
		Sources:       own.sources,
		Letters:       own.letters,
		Numbers:       numbers.New(numberstore.New(in.db.Engine()), in.calendar, own.counter),
		Attention:     own.attention,
		Webhooks:      own.hooks,
		Repeats:       in.db.Answers(),
		Answers:       in.answers,
		Versions:      in.versions,
		Buckets:       in.buckets,
		PerCredential: p.config.KeyRequests,
		Places:        server.PlacesPerConnection * int(p.config.Connections),
		Platform:      in.platform,
		Domain:        p.config.PlatformDomain,
		Pictures:      in.pictures,
		Jobs:          in.jobs,
		Metrics:       in.metrics,
		Tracer:        p.tracer,
		Stopping:      p.ctx.Done(),
		Post:          own.post,
		Proxies:       p.config.Proxies,
		Logger:        requests,
		Checks:        checks,
		Hot:           hot,
	}
}

// cannotListen explains what to do if the address cannot be used.
func cannotListen(err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w; stop what listens there, or choose another address with KALENDS_ADDR", err)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("%w; choose a port above 1023 with KALENDS_ADDR", err)
	}
	return fmt.Errorf("%w; choose another address with KALENDS_ADDR", err)
}

// app is what listen runs and shuts down.
type app interface {
	Listener(listener net.Listener) error
	ShutdownWithTimeout(timeout time.Duration) error
}

// stopping is the time limit for requests in progress when shutting down.
const stopping = 15 * time.Second

// listen serves until the context ends or the database is lost, and then lets requests in progress finish. Before
// it closes the listener, it keeps accepting connections for the duration drain, so that load balancers notice the
// change of /readyz.
func (in *installation) listen(ctx context.Context, app app, listener net.Listener, drain time.Duration) error {
	failed := make(chan error, 1)
	go func() { failed <- app.Listener(listener) }()
	var gone <-chan struct{}
	if in.postgres != nil {
		gone = in.postgres.Done()
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	case <-gone:
		return in.ended(app)
	}
	if errors.Is(context.Cause(ctx), errTyped) {
		drain = 0 // at a terminal there is no load balancer
	}
	in.logger.Info("stopping: /readyz says so, and requests are answered for this time", "drain", drain)
	select {
	case err := <-failed:
		return err
	case <-time.After(drain):
		in.logger.Info("no new connections; requests in progress are finished", "within", stopping)
		err := app.ShutdownWithTimeout(stopping)
		in.logger.Info("stopped", "error", err)
		return err
	case <-gone:
		return in.ended(app)
	}
}

// ended returns the error for an embedded database that has stopped.
func (in *installation) ended(app app) error {
	return errors.Join(fmt.Errorf("the embedded database stopped: %w", in.postgres.Err()), app.ShutdownWithTimeout(5*time.Second))
}

// working runs works until the context ends or stop is called, which waits until what is under way is released.
func working(ctx context.Context, works ...func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, work := range works {
		running.Go(func() { work(ctx) })
	}
	return func() {
		cancel()
		running.Wait()
	}
}

// longest is the time limit of one round of periodic work. A connection may be dead without notice, and the rest is
// done in the next round.
const longest = time.Minute

// once does the work of one round: it publishes scheduled items and records the use of keys.
func (in *installation) once(ctx context.Context, now time.Time, timeout time.Duration) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	n, err := in.publish(limited)
	in.metrics.Published(n, time.Since(now), err)
	if err != nil && ctx.Err() == nil {
		in.logger.Warn("publish scheduled items", "error", err)
	}
	if err := in.platform.Flush(limited); err != nil && ctx.Err() == nil {
		in.logger.Warn("record used keys", "error", err)
	}
}

// publish publishes what is due and returns the number of items.
func (in *installation) publish(ctx context.Context) (int, error) {
	now, err := in.due(ctx)
	if err != nil {
		return 0, err
	}
	return in.db.PublishDue(ctx, now.UTC())
}

// reachable returns the address to open in a browser. A wildcard becomes localhost.
func reachable(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && (ip.IsUnspecified() || ip.IsLoopback()) {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}
