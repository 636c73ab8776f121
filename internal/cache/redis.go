package cache

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// Limits on what Redis may cost a request, and on what is stored there.
const (
	lookupTimeout = 20 * time.Millisecond // time limit of a lookup
	strikes       = 3                     // consecutive failures before Redis is bypassed
	probeEvery    = time.Second           // probe interval while bypassed; no request waits for it
	keepFor       = 10 * time.Minute
	largest       = 1 << 20 // bytes of one answer
	waiting       = 1024    // queued answers
	batch         = 64
)

// Redis is the second-level cache, shared by all nodes. It may be slow, empty, down or full of garbage: lookups have
// a time limit, answers are sealed, and after a few failures it is bypassed until it answers again. A nil *Redis is
// valid and caches nothing.
type Redis struct {
	client  *redis.Client
	seal    sealer
	logger  *slog.Logger
	failed  atomic.Int32 // consecutive failures
	refused atomic.Bool  // whether the last write was refused
	puts    chan put
}

type put struct {
	key    Key
	answer *Answer
}

// NewRedis returns the cache at a redis:// address. Answers are sealed with secret, which all nodes share, and
// written by Run.
func NewRedis(url string, secret []byte, logger *slog.Logger) (*Redis, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	options.DialTimeout = time.Second
	options.ReadTimeout = lookupTimeout
	options.WriteTimeout = lookupTimeout
	options.PoolTimeout = lookupTimeout
	options.ContextTimeoutEnabled = true
	options.MaxRetries = -1
	options.DialerRetries = 1
	options.PoolSize = 8
	redis.SetLogger(aside{logger})
	return &Redis{client: redis.NewClient(options), seal: newSealer(secret), logger: logger,
		puts: make(chan put, waiting)}, nil
}

// aside receives the client's own log lines, which duplicate what this package logs.
type aside struct{ logger *slog.Logger }

// Printf implements the logger of the Redis client at level debug.
func (a aside) Printf(ctx context.Context, format string, values ...any) {
	a.logger.DebugContext(ctx, "redis client", "line", fmt.Sprintf(format, values...))
}

// open reports whether requests may use Redis.
func (r *Redis) open() bool { return r != nil && r.failed.Load() < strikes }

// Open reports whether requests use Redis. They bypass it while it does not respond.
func (r *Redis) Open() bool { return r.open() }

// get returns the answer of a key, or nil.
func (r *Redis) get(ctx context.Context, key Key, now time.Time) *Answer {
	if !r.open() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	raw, err := r.client.Get(ctx, r.seal.name(key)).Bytes()
	if errors.Is(err, redis.Nil) {
		r.failed.Store(0)
		return nil
	}
	if err != nil {
		r.fail(err)
		return nil
	}
	r.failed.Store(0)
	answer, err := r.seal.open(key, raw)
	if err != nil {
		r.logger.Warn("redis returned a value that was never stored there", "error", err)
		return nil
	}
	if !answer.holds(now) {
		return nil
	}
	return answer
}

// fail counts a failure. It logs the failure after which Redis is bypassed.
func (r *Redis) fail(err error) {
	if r.failed.Add(1) == strikes {
		r.logger.Warn("redis does not answer, continuing without it", "error", err)
	}
}

// put schedules writing an answer. It drops the answer if the queue is full.
func (r *Redis) put(key Key, answer *Answer) {
	if !r.open() || len(answer.Body) > largest {
		return
	}
	select {
	case r.puts <- put{key, answer}:
	default:
	}
}

// Run writes queued answers, many per round trip, and probes Redis while it is bypassed. It ends with the context.
func (r *Redis) Run(ctx context.Context) {
	probe := time.NewTicker(probeEvery)
	defer probe.Stop()
	for {
		select {
		case <-ctx.Done():
			_ = r.client.Close()
			return
		case first := <-r.puts:
			r.write(ctx, first)
		case <-probe.C:
			r.probe(ctx)
		}
	}
}

func (r *Redis) write(ctx context.Context, first put) {
	if !r.open() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*lookupTimeout)
	defer cancel()
	pipe := r.client.Pipeline()
	for p, n := first, 0; ; n++ {
		life := keepFor
		if !p.answer.Until.IsZero() {
			life = min(life, time.Until(p.answer.Until))
		}
		if life > 0 {
			pipe.Set(ctx, r.seal.name(p.key), r.seal.close(p.key, p.answer), life)
		}
		if n == batch || len(r.puts) == 0 {
			break
		}
		p = <-r.puts
	}
	_, err := pipe.Exec(ctx)
	var refusal redis.Error
	switch {
	case err == nil:
		r.refused.Store(false)
	case !errors.As(err, &refusal):
		r.fail(err)
	case !r.refused.Swap(true): // Redis may be full but still readable
		r.logger.Warn("redis does not accept answers", "error", err)
	}
}

func (r *Redis) probe(ctx context.Context) {
	if r.open() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*lookupTimeout)
	defer cancel()
	if r.client.Ping(ctx).Err() == nil {
		r.failed.Store(0)
		r.logger.Info("redis answers again")
	}
}

// Observe calls took with the duration of every command and pipeline.
func (r *Redis) Observe(took func(time.Duration)) { r.client.AddHook(stopwatch{took}) }

// stopwatch implements redis.Hook.
type stopwatch struct{ took func(time.Duration) }

// DialHook implements redis.Hook.
func (stopwatch) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (s stopwatch) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		begun := time.Now()
		err := next(ctx, cmd)
		s.took(time.Since(begun))
		return err
	}
}

// ProcessPipelineHook implements redis.Hook.
func (s stopwatch) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		begun := time.Now()
		err := next(ctx, cmds)
		s.took(time.Since(begun))
		return err
	}
}
