package freshness

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

// faults is two nodes over servers that can be harmed.
type faults struct {
	t        *testing.T
	database string                      // URL of what both nodes are on
	postgres *storagetest.ClusterProcess // nil where the tests run on a cluster: its servers are not theirs to stop
	redis    *storagetest.RedisServer
	client   *redis.Client // past the nodes
	c        *checker
	injected []string
	hits     int64 // of Redis, before it was harmed
}

// TestFreshness injects faults into everything the cache depends on while writers and readers continue. It expects no
// stale and no failed read: on the writing node immediately, on the other after a second, and with no-cache
// immediately.
func TestFreshness(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	t.Parallel()
	begun := time.Now()
	f := newFaults(t)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { f.c.rename(ctx) })
	all.Go(func() { f.c.comeAndGo(ctx) })
	for range 2 {
		all.Go(func() { f.c.read(ctx, 0) })
		all.Go(func() { f.c.read(ctx, 1) })
	}
	f.run()
	stop()
	all.Wait()
	f.report(time.Since(begun))
}

func newFaults(t *testing.T) *faults {
	t.Helper()
	f := &faults{t: t, redis: storagetest.RedisProcess(t), c: &checker{times: map[string][]time.Duration{}}}
	if storagetest.OnCluster() {
		f.database = storagetest.Database(t)
	} else {
		f.postgres = storagetest.Cluster(t)
		f.database = f.postgres.URL()
	}
	options, err := redis.ParseURL(f.redis.URL())
	if err != nil {
		t.Fatal(err)
	}
	f.client = redis.NewClient(options)
	t.Cleanup(func() { _ = f.client.Close() })
	file := storagetest.Program(t)
	settings := []string{"DATABASE_URL=" + f.database, "REDIS_URL=" + f.redis.URL(), "KALENDS_PROVIDER_TOKEN=" + providerToken}
	c := f.c
	c.nodes[0] = startNode(t, file, settings...)
	// The other node keeps nothing itself: all it has of answers is in Redis.
	c.nodes[1] = startNode(t, file, append(settings, "KALENDS_CACHE_BYTES=1")...)
	c.nodes[1].secret = c.nodes[0].secret
	f.phase("calm")
	f.fill()
	return f
}

// fill makes what the writers change.
func (f *faults) fill() {
	f.t.Helper()
	c := f.c
	begin := func(fact *fact, path, argument string) {
		if err := c.change(f.t.Context(), fact, http.MethodPost, path, argument); err != nil {
			f.t.Fatal(err)
		}
	}
	c.site, c.venue, c.category = c.fact("site"), c.fact("venue"), c.fact("category")
	if err := c.change(f.t.Context(), c.site, http.MethodPatch, "//platform/v1/sites/demo", "name"); err != nil {
		f.t.Fatal(err)
	}
	begin(c.venue, "/venues", "venue")
	begin(c.category, "/categories", "name")
	for i := range 4 {
		title := c.fact(fmt.Sprintf("event-%d", i))
		c.titles = append(c.titles, title)
		begin(title, "/events", "title")
		_, err := c.nodes[0].write(f.t.Context(), http.MethodPatch, item("events", title.id),
			map[string]any{"venue": c.venue.id, "categories": []int64{c.category.id}})
		if err != nil {
			f.t.Fatal(err)
		}
	}
	for i := range c.slots {
		c.slot(i)
	}
}

func (f *faults) phase(name string) { f.c.phase.Store(&name) }

// inject harms something for a while.
func (f *faults) inject(name string, during time.Duration, harm, heal func()) {
	f.t.Helper()
	f.phase(name)
	f.injected = append(f.injected, name)
	if harm != nil {
		harm()
	}
	time.Sleep(during)
	if heal != nil {
		heal()
	}
}

// again does something every tenth of a second for a while, as a fault.
func (f *faults) again(name string, during time.Duration, harm func()) {
	f.t.Helper()
	f.inject(name, 0, nil, func() {
		for end := time.Now().Add(during); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			harm()
		}
	})
}

// run injects every fault.
func (f *faults) run() {
	const spell = 1500 * time.Millisecond
	f.inject("calm", spell, nil, nil)
	f.injected = nil
	for range 3 { // in turns, so that a slow machine is slow for both
		f.inject("redis frozen", spell, f.redis.Pause, f.redis.Resume)
		f.phase("calm")
		time.Sleep(spell)
	}
	f.hits = f.stat("keyspace_hits")
	f.again("redis flushed", spell, func() { f.must(f.client.FlushAll(f.t.Context()).Err()) })
	f.again("redis answers garbage", spell, f.garbage)
	f.again("redis swaps answers", spell, f.swap)
	f.inject("redis filled", spell, func() { f.must(f.client.ConfigSet(f.t.Context(), "maxmemory", "1").Err()) },
		func() { f.must(f.client.ConfigSet(f.t.Context(), "maxmemory", "0").Err()) })
	f.inject("redis killed", spell, f.redis.Kill, nil)
	f.inject("redis restarted empty", spell, f.redis.Restart, nil)
	f.again("notifications cut", spell, f.cut)
	if f.postgres != nil {
		f.inject("postgres killed and restarted", spell, f.restart, nil)
	} else {
		f.inject("shard moved", spell, f.move, nil)
	}
	f.phase("calm again")
	time.Sleep(spell)
	storagetest.Until(f.t, "enough happens to say something", func() bool { return f.c.reads.Load() >= 500 && f.c.writes.Load() >= 50 })
}

func (f *faults) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// stat returns a number Redis counts.
func (f *faults) stat(name string) int64 {
	info, err := f.client.InfoMap(f.t.Context(), "stats").Result()
	f.must(err)
	var n int64
	_, err = fmt.Sscan(info["Stats"][name], &n)
	f.must(err)
	return n
}

func (f *faults) keys() []string {
	keys, err := f.client.Keys(f.t.Context(), "kalends:answer:*").Result()
	f.must(err)
	return keys
}

// garbage overwrites every answer in Redis with something else.
func (f *faults) garbage() {
	for i, key := range f.keys() {
		junk := slices.Repeat([]byte{byte(i), '{', '"', 0xff}, i%64)
		f.must(f.client.Set(f.t.Context(), key, junk, time.Minute).Err())
	}
}

// swap gives every key in Redis the answer of another one.
func (f *faults) swap() {
	keys := f.keys()
	for i := 1; i < len(keys); i += 2 {
		one, _ := f.client.Get(f.t.Context(), keys[i-1]).Bytes()
		two, _ := f.client.Get(f.t.Context(), keys[i]).Bytes()
		f.must(f.client.Set(f.t.Context(), keys[i-1], two, time.Minute).Err())
		f.must(f.client.Set(f.t.Context(), keys[i], one, time.Minute).Err())
	}
}

// cut ends the connections on which nodes hear of each other's writes.
func (f *faults) cut() {
	conn, err := pgx.Connect(f.t.Context(), f.database)
	f.must(err)
	defer func() { _ = conn.Close(f.t.Context()) }()
	_, err = conn.Exec(f.t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kalends listener' AND datname = current_database()`)
	f.must(err)
}

// restart kills Postgres, starts it again and waits until both nodes serve by
// themselves.
func (f *faults) restart() {
	f.c.outage.Store(true)
	f.postgres.Kill9()
	time.Sleep(time.Second)
	f.postgres.Restart()
	f.serveAgain()
}

// serveAgain ends an outage when both nodes serve.
func (f *faults) serveAgain() {
	for _, n := range f.c.nodes {
		storagetest.Until(f.t, "a node serves again", func() bool {
			status, _, err := n.get(f.t.Context(), "/events", true)
			return err == nil && status == http.StatusOK
		})
	}
	f.c.outage.Store(false)
}

// move moves the site to another worker of the cluster. What is asked meanwhile may be refused, but not be stale.
func (f *faults) move() {
	f.c.outage.Store(true)
	storagetest.Move(f.t, f.database, "demo")
	f.serveAgain()
}

// report prints what happened and fails the test for what must not.
func (f *faults) report(took time.Duration) {
	f.t.Helper()
	c := f.c
	calm, frozen := c.times["calm"], c.times["redis frozen"]
	slices.Sort(calm)
	slices.Sort(frozen)
	fmt.Printf("freshness: %d reads, %d writes through two nodes in %s; %d answers found in Redis while it was well\n",
		c.reads.Load(), c.writes.Load(), took.Round(time.Second), f.hits)
	fmt.Printf("freshness: faults injected: %s\n", strings.Join(f.injected, ", "))
	fmt.Printf("freshness: stale = %d, failed = %d; while Postgres was down or the site moved: reads refused = %d, writes refused = %d\n",
		c.stale.Load(), c.failed.Load(), c.refused.Load(), c.unknown.Load())
	fmt.Printf("freshness: reads in calm: median %s, p95 %s, p99 %s; redis frozen: median %s, p95 %s, p99 %s\n",
		part(calm, 50), part(calm, 95), part(calm, 99), part(frozen, 50), part(frozen, 95), part(frozen, 99))
	for _, problem := range c.problems {
		f.t.Error(problem)
	}
	if c.stale.Load() != 0 || c.failed.Load() != 0 {
		f.t.Errorf("stale = %d, failed = %d", c.stale.Load(), c.failed.Load())
	}
	if c.reads.Load() < 500 || c.writes.Load() < 50 {
		f.t.Errorf("too little happened to say anything")
	}
	// A machine that is busy otherwise may add as much by chance. Three times the first is still less than the 20 ms that a lookup waits for
	// a frozen Redis.
	if slower(calm, frozen, 50, 6*time.Millisecond) || slower(calm, frozen, 95, 15*time.Millisecond) {
		f.t.Errorf("a frozen Redis makes reads three times slower")
	}
}

// slower reports whether a share of the reads of a spell, both sorted, took three times as long as in calm, or as a least time.
func slower(calm, frozen []time.Duration, percent int, least time.Duration) bool {
	return part(frozen, percent) > 3*max(part(calm, percent), least)
}

// part returns the time a share of sorted reads stays below.
func part(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)*percent/100].Round(10 * time.Microsecond)
}
