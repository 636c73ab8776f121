package cache

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Source provides versions; it is the database.
type Source interface {
	// Versions returns the committed versions of sites, omitting sites that do not exist. Together with an error,
	// it returns the versions that it could read.
	Versions(ctx context.Context, sites []int64) (map[int64]int64, error)
	// Moment identifies the current committed state: nothing was committed while it remains equal. It is "" if the
	// database cannot tell.
	Moment(ctx context.Context) (string, error)
	// Listen reports raised versions until the context or the connection ends, and returns the reason. It calls begun
	// once it is listening.
	Listen(ctx context.Context, begun func(), heard func(site, version int64)) error
	// Announce notifies the other nodes of raised versions.
	Announce(ctx context.Context, raised map[int64]int64) error
}

// ErrNoSite is returned for a site that no longer exists.
var ErrNoSite = errors.New("no such site")

// The timing of Versions. A version is trusted for the duration trust after it was last read from the database.
// Polling keeps the versions of sites in use up to date, so that no node is ever more than trust behind, even if
// notifications are lost.
const (
	trust    = 900 * time.Millisecond
	poll     = 300 * time.Millisecond
	idle     = 30 * time.Second       // after which unused sites are no longer polled
	apart    = 25 * time.Millisecond  // between two announcements; raises in between are combined
	question = 500 * time.Millisecond // time limit of a poll
	longest  = 5 * time.Second        // time limit of a request's lookup and of an announcement
)

// Versions knows the version of every site in use. A node's own writes raise them before the write is answered.
// Writes of other nodes arrive as notifications, and by polling, which does not depend on notifications.
type Versions struct {
	source Source
	logger *slog.Logger
	clock  func() time.Time
	begun  time.Time // the origin of all times, unaffected by clock changes
	sites  sync.Map  // int64 → *known

	listening atomic.Bool

	mu     sync.Mutex
	raised map[int64]int64 // not announced yet
	wake   chan struct{}
}

// never is a moment before all others.
const never = math.MinInt64 / 2

// NoVersion is the version of a site of which none is known yet. Zero is that of a new site.
const NoVersion = -1

// known is the known version of one site.
type known struct {
	version atomic.Int64
	asked   atomic.Int64 // when the database was last queried, in nanoseconds since begun
	used    atomic.Int64 // when the version was last used
	waiting atomic.Int64 // how many wait for a later version
	mu      sync.Mutex
	later   chan struct{} // closed when a later version is known; nil: nobody has waited since
}

// NewVersions returns the versions of a source. Run keeps them up to date.
func NewVersions(source Source, logger *slog.Logger) *Versions {
	return &Versions{source: source, logger: logger, clock: time.Now, begun: time.Now(),
		raised: map[int64]int64{}, wake: make(chan struct{}, 1)}
}

// after returns a moment as nanoseconds since begun.
func (v *Versions) after(at time.Time) int64 { return int64(at.Sub(v.begun)) }

// Raise records that a site has reached a version and schedules its announcement. It never lowers a version and never
// blocks.
func (v *Versions) Raise(site, version int64) {
	v.known(site).raise(version)
	v.mu.Lock()
	v.raised[site] = max(v.raised[site], version)
	v.mu.Unlock()
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// raise records a version that the site has reached or passed.
func (k *known) raise(version int64) {
	if !rise(&k.version, version) || k.waiting.Load() == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.later != nil {
		close(k.later)
		k.later = nil
	}
}

// next returns a channel that is closed when a later version is known.
func (k *known) next() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.later == nil {
		k.later = make(chan struct{})
	}
	return k.later
}

// rise increases n to at least to, and reports whether it was less.
func rise(n *atomic.Int64, to int64) bool {
	for {
		have := n.Load()
		if to <= have {
			return false
		}
		if n.CompareAndSwap(have, to) {
			return true
		}
	}
}

// Await waits until a site has a version above the given one, or the context ends. Run has to be running.
func (v *Versions) Await(ctx context.Context, site, above int64) {
	k := v.known(site)
	k.waiting.Add(1)
	defer func() {
		k.used.Store(v.after(v.clock()))
		k.waiting.Add(-1)
	}()
	for later := k.next(); k.version.Load() <= above; later = k.next() {
		select {
		case <-ctx.Done():
			return
		case <-later:
		}
	}
}

// Learn records the version that the database had at a time or later, for callers that have just read it, so that
// Of does not query again. A time in the future was measured before a clock was set back.
func (v *Versions) Learn(site, version int64, at time.Time) {
	k := v.known(site)
	k.raise(version)
	if k.asked.Load() > v.after(v.clock()) {
		k.asked.Store(never)
	}
	rise(&k.asked, v.after(at))
}

func (v *Versions) known(site int64) *known {
	if k, ok := v.sites.Load(site); ok {
		return k.(*known)
	}
	fresh := &known{}
	fresh.version.Store(NoVersion)
	fresh.asked.Store(never)
	fresh.used.Store(v.after(v.clock()))
	k, _ := v.sites.LoadOrStore(site, fresh)
	return k.(*known)
}

// Of returns the version of a site. It queries the database if the known version is too old to trust. It returns
// ErrNoSite or the database's error.
func (v *Versions) Of(ctx context.Context, site int64) (int64, error) {
	if version, known := v.Known(site); known {
		return version, nil
	}
	return v.Ask(ctx, site)
}

// Known returns the version of a site, or NoVersion if none is known, and whether it is recent enough for Of not to
// query the database.
func (v *Versions) Known(site int64) (version int64, known bool) {
	k := v.known(site)
	now := v.after(v.clock())
	k.used.Store(now)
	age := now - k.asked.Load()
	return k.version.Load(), 0 <= age && age < int64(trust)
}

// Ask returns the version of a site from the database. It returns ErrNoSite or the database's error.
func (v *Versions) Ask(ctx context.Context, site int64) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	at := v.clock()
	found, err := v.source.Versions(ctx, []int64{site})
	if err != nil {
		return 0, err
	}
	version, exists := found[site]
	if !exists {
		return 0, ErrNoSite
	}
	v.Learn(site, version, at)
	return v.known(site).version.Load(), nil
}

// Run keeps versions up to date until the context ends.
func (v *Versions) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { v.announce(ctx) })
	all.Go(func() { v.listen(ctx) })
	all.Go(func() { v.poll(ctx) })
	all.Wait()
}

// poll reads the versions of all sites in use and forgets the others. While nothing is committed anywhere, it needs a
// single query for all sites.
func (v *Versions) poll(ctx context.Context) {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	var last moment
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if v.tidy() {
			last = v.look(ctx, last)
		}
	}
}

// tidy forgets sites that have not been used for a while and reports whether any are left.
func (v *Versions) tidy() (left bool) {
	now := v.after(v.clock())
	v.sites.Range(func(id, value any) bool {
		if k := value.(*known); now-k.used.Load() > int64(idle) && k.waiting.Load() == 0 {
			v.sites.Delete(id)
		} else {
			left = true
		}
		return true
	})
	return left
}

// moment is a committed state of the database.
type moment struct {
	name string
	at   int64 // when the node learned about it, in nanoseconds since begun
}

// look checks whether anything was committed since last, the result of the previous call, and refreshes versions:
// of all sites, or of those that were read before last. It returns the present moment.
func (v *Versions) look(ctx context.Context, last moment) moment {
	ctx, cancel := context.WithTimeout(ctx, question)
	defer cancel()
	asked := v.after(v.clock())
	name, err := v.source.Moment(ctx)
	if err != nil {
		name = ""
	}
	next := moment{name, v.after(v.clock())}
	still := name != "" && name == last.name && last.at <= asked && asked <= next.at
	if still {
		next.at = last.at
	}
	var sites []int64
	v.sites.Range(func(id, value any) bool {
		k := value.(*known)
		if at := k.asked.Load(); still && last.at <= at && at <= asked {
			rise(&k.asked, asked) // nothing changed since it was read
		} else {
			sites = append(sites, id.(int64))
		}
		return true
	})
	if len(sites) > 0 {
		v.refresh(ctx, sites, v.clock())
	}
	return next
}

func (v *Versions) refresh(ctx context.Context, sites []int64, now time.Time) {
	found, _ := v.source.Versions(ctx, sites) // sites that were not found become stale, and requests query them
	for site, version := range found {
		v.Learn(site, version, now)
	}
}

// Listening reports whether notifications of other nodes' writes arrive. Without them versions are still polled.
func (v *Versions) Listening() bool { return v.listening.Load() }

// listen receives notifications of other nodes' writes and reconnects if the connection ends.
func (v *Versions) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := v.source.Listen(ctx, func() { v.listening.Store(true) }, func(site, version int64) {
			if k, ok := v.sites.Load(site); ok {
				k.(*known).raise(version)
			}
		})
		v.listening.Store(false)
		if ctx.Err() == nil {
			v.logger.Warn("no notifications, polling instead", "error", err)
		}
		sleep(ctx, time.Second)
	}
}

// announce notifies other nodes of raised versions: the first raise immediately, later ones together after a short
// time. Every announcement wakes every node, so that a node that writes continuously would otherwise keep all of
// them busy.
func (v *Versions) announce(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.wake:
		}
		v.mu.Lock()
		raised := v.raised
		v.raised = map[int64]int64{}
		v.mu.Unlock()
		if len(raised) > 0 { // otherwise the raise was announced already
			v.tell(ctx, raised)
			sleep(ctx, apart)
		}
	}
}

// tell announces versions once. Nodes that miss the announcement learn the versions by polling.
func (v *Versions) tell(ctx context.Context, raised map[int64]int64) {
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	if err := v.source.Announce(limited, raised); err != nil && ctx.Err() == nil {
		v.logger.Warn("announce versions", "error", err)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
