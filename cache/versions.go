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

// Source is where versions come from: the database.
type Source interface {
	// Versions returns the versions of sites as they are committed now; sites
	// that don't exist are missing. With an error it returns those it could read.
	Versions(ctx context.Context, sites []int64) (map[int64]int64, error)
	// Moment names what is committed now: as long as it stays the same, nothing was
	// committed. It is "" where the database can't say.
	Moment(ctx context.Context) (string, error)
	// Listen tells of raised versions until the context or the connection
	// ends, and returns why. It says when it begins.
	Listen(ctx context.Context, begun func(), heard func(site, version int64)) error
	// Announce tells the other nodes of raised versions.
	Announce(ctx context.Context, raised map[int64]int64) error
}

// ErrNoSite says that a site doesn't exist any more.
var ErrNoSite = errors.New("no such site")

// The clockwork of Versions. A version counts as known for trust after the
// database was last asked; asking every poll keeps what is in use known, so
// that no node is ever older than trust, whatever becomes of notifications.
const (
	trust    = 900 * time.Millisecond
	poll     = 300 * time.Millisecond
	idle     = 30 * time.Second       // unused sites are no longer asked for
	apart    = 25 * time.Millisecond  // from one announcement to the next; what is raised in between goes out as one
	question = 500 * time.Millisecond // longest look-up of a poll
	longest  = 5 * time.Second        // longest look-up of a request, and of an announcement
)

// Versions knows the version of every site in use. A node's own writes raise
// them before the write is answered; other nodes' arrive as notifications, and
// by a poll that doesn't depend on them.
type Versions struct {
	source Source
	logger *slog.Logger
	clock  func() time.Time
	begun  time.Time // all times are told from it, so that a clock that is set changes none
	sites  sync.Map  // int64 → *known

	listening atomic.Bool

	mu     sync.Mutex
	raised map[int64]int64 // to be announced
	wake   chan struct{}
}

// never is a moment long before any other.
const never = math.MinInt64 / 2

// known is the version of one site.
type known struct {
	version atomic.Int64
	asked   atomic.Int64 // when the database was asked, in nanoseconds after the beginning
	used    atomic.Int64 // when somebody wanted it
}

// NewVersions returns the versions of a source; Run keeps them known.
func NewVersions(source Source, logger *slog.Logger) *Versions {
	return &Versions{source: source, logger: logger, clock: time.Now, begun: time.Now(),
		raised: map[int64]int64{}, wake: make(chan struct{}, 1)}
}

// after returns how long after the beginning a moment is.
func (v *Versions) after(at time.Time) int64 { return int64(at.Sub(v.begun)) }

// Raise notes that a site has reached a version, and has it announced. It never
// lowers one and never blocks.
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

// raise notes a version that was reached; there may be a higher one.
func (k *known) raise(version int64) { rise(&k.version, version) }

// rise makes a number larger or leaves it.
func rise(n *atomic.Int64, to int64) {
	for {
		have := n.Load()
		if to <= have || n.CompareAndSwap(have, to) {
			return
		}
	}
}

// Learn notes the version the database had of a site at a moment or later, from
// who has just read it there: Of doesn't ask again then. What was asked later than
// now was so before a clock was set back.
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
	fresh.asked.Store(never)
	fresh.used.Store(v.after(v.clock()))
	k, _ := v.sites.LoadOrStore(site, fresh)
	return k.(*known)
}

// Of returns the version of a site, asking the database when what is known is
// too old to trust. It returns ErrNoSite and the database's error.
func (v *Versions) Of(ctx context.Context, site int64) (int64, error) {
	if version, known := v.Known(site); known {
		return version, nil
	}
	return v.Ask(ctx, site)
}

// Known returns the version of a site, and whether it is known well enough for Of
// not to ask.
func (v *Versions) Known(site int64) (version int64, known bool) {
	k := v.known(site)
	now := v.after(v.clock())
	k.used.Store(now)
	age := now - k.asked.Load()
	return k.version.Load(), 0 <= age && age < int64(trust)
}

// Ask returns the version of a site as the database has it now. It returns
// ErrNoSite and the database's error.
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

// Run keeps versions known until the context ends.
func (v *Versions) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { v.announce(ctx) })
	all.Go(func() { v.listen(ctx) })
	all.Go(func() { v.poll(ctx) })
	all.Wait()
}

// poll asks for every site in use, and forgets the others. While nothing is committed
// anywhere it asks for that alone, however many sites there are.
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

// tidy forgets the sites that nobody used for long, and reports whether any is left.
func (v *Versions) tidy() (left bool) {
	now := v.after(v.clock())
	v.sites.Range(func(id, value any) bool {
		if now-value.(*known).used.Load() > int64(idle) {
			v.sites.Delete(id)
		} else {
			left = true
		}
		return true
	})
	return left
}

// moment is a moment of the database.
type moment struct {
	name string
	at   int64 // when the node knew of it, in nanoseconds after the beginning
}

// look asks whether anything was committed since the last moment, and for the versions
// of the sites that this concerns: all, or those asked for before it. It returns the
// moment that it found.
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
			rise(&k.asked, asked) // what was read since the moment is as it was
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
	found, _ := v.source.Versions(ctx, sites) // what isn't found grows old, and requests ask for themselves
	for site, version := range found {
		v.Learn(site, version, now)
	}
}

// Listening reports whether notifications of other nodes' writes arrive. While
// they don't, nothing is wrong: the versions in use are polled for.
func (v *Versions) Listening() bool { return v.listening.Load() }

// listen hears of other nodes' writes, and starts anew when the connection ends.
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

// announce tells other nodes what was raised: the first raise at once, those
// that follow close upon it together. Each announcement wakes every node, so
// a node that writes all the time would otherwise keep all of them busy.
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
		if len(raised) > 0 { // else a raise woke for what is told already
			v.tell(ctx, raised)
			sleep(ctx, apart)
		}
	}
}

// tell announces once: who isn't told finds out by asking.
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
