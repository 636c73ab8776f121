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

// The bounds of what Redis may cost a request, and of what is kept there.
const (
	patience   = 20 * time.Millisecond // longest look-up
	strikes    = 3                     // failures in a row until nobody waits for it
	probeEvery = time.Second           // how often it is tried then, by nobody's request
	keepFor    = 10 * time.Minute
	largest    = 1 << 20 // bytes of one answer
	waiting    = 1024    // answers on their way there
	batch      = 64
)

// Redis is the second cache, shared by all nodes. It may be slow, empty, gone
// or full of nonsense: a look-up ends in time, answers are sealed, and after a
// few failures it isn't asked until it answers again. Nil is no Redis.
type Redis struct {
	client  *redis.Client
	seal    sealer
	logger  *slog.Logger
	failed  atomic.Int32 // in a row
	refused atomic.Bool  // the last answers put there
	puts    chan put
}

type put struct {
	key    Key
	answer *Answer
}

// NewRedis returns the cache behind a redis:// address. Answers are sealed with
// secret, which all nodes share; Run writes them.
func NewRedis(url string, secret []byte, logger *slog.Logger) (*Redis, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	options.DialTimeout = time.Second
	options.ReadTimeout = patience
	options.WriteTimeout = patience
	options.PoolTimeout = patience
	options.ContextTimeoutEnabled = true
	options.MaxRetries = -1
	options.DialerRetries = 1
	options.PoolSize = 8
	redis.SetLogger(aside{logger})
	return &Redis{client: redis.NewClient(options), seal: newSealer(secret), logger: logger,
		puts: make(chan put, waiting)}, nil
}

// aside is where the client's own lines go: what matters is said here.
type aside struct{ logger *slog.Logger }

// Printf implements the client's logger.
func (a aside) Printf(ctx context.Context, format string, values ...any) {
	a.logger.DebugContext(ctx, "redis client", "line", fmt.Sprintf(format, values...))
}

// open reports whether requests may ask Redis.
func (r *Redis) open() bool { return r != nil && r.failed.Load() < strikes }

// Open reports whether requests ask Redis: not while it doesn't answer.
func (r *Redis) Open() bool { return r.open() }

// get returns the answer under a key, or nil.
func (r *Redis) get(ctx context.Context, key Key, now time.Time) *Answer {
	if !r.open() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
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
		r.logger.Warn("redis holds what was never put there", "error", err)
		return nil
	}
	if !answer.holds(now) {
		return nil
	}
	return answer
}

// fail counts a failure; the one that closes the way is logged.
func (r *Redis) fail(err error) {
	if r.failed.Add(1) == strikes {
		r.logger.Warn("redis doesn't answer, going on without", "error", err)
	}
}

// put has an answer written soon, or not at all when too many wait already.
func (r *Redis) put(key Key, answer *Answer) {
	if !r.open() || len(answer.Body) > largest {
		return
	}
	select {
	case r.puts <- put{key, answer}:
	default:
	}
}

// Run writes what is put, many answers in one round trip, and while Redis
// doesn't answer tries whether it does again. It ends with the context.
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
	ctx, cancel := context.WithTimeout(ctx, 10*patience)
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
	case !r.refused.Swap(true): // it is full, say, and still can be read
		r.logger.Warn("redis takes no answers", "error", err)
	}
}

func (r *Redis) probe(ctx context.Context) {
	if r.open() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*patience)
	defer cancel()
	if r.client.Ping(ctx).Err() == nil {
		r.failed.Store(0)
		r.logger.Info("redis answers again")
	}
}
