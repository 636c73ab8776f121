package numbers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// mostCounted is the maximum number of daily event counts that a node holds between two writes. Until the next write, further
// events are not counted.
const mostCounted = 50_000

// every is how often a node writes what it has counted.
const every = time.Minute

// Counter counts in the memory of one node. A nil Counter does not count.
type Counter struct {
	store  Store
	clock  func() time.Time
	logger *slog.Logger

	mu    sync.Mutex
	sites map[int64]*tally
	size  int // events in all
}

// tally holds the counts of a site that the node has not written yet.
type tally struct {
	site *tenancy.Site
	days []*counted // the last is today's
}

// counted holds the counts of one day.
type counted struct {
	day    time.Time
	ends   time.Time
	site   Counts
	events map[int64]*Counts
}

// NewCounter returns a counter.
func NewCounter(store Store, clock func() time.Time, logger *slog.Logger) *Counter {
	return &Counter{store: store, clock: clock, logger: logger, sites: map[int64]*tally{}}
}

// Add adds one to a count, unless the site has turned counting off.
func (c *Counter) Add(site *tenancy.Site, of Of) {
	if c == nil || of.Kind == None || of.Kind >= kinds || !site.Settings.Numbers {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	today := c.today(site)
	if of.Event == 0 {
		*today.site.at(of.Kind)++
		return
	}
	event := today.events[of.Event]
	if event == nil {
		if c.size >= mostCounted {
			return
		}
		event = &Counts{}
		today.events[of.Event], c.size = event, c.size+1
	}
	*event.at(of.Kind)++
}

// today returns the counts of a site's current day.
func (c *Counter) today(site *tenancy.Site) *counted {
	t, now := c.sites[site.ID], c.clock()
	if t == nil {
		t = &tally{}
		c.sites[site.ID] = t
	}
	t.site = site
	if n := len(t.days); n > 0 && now.Before(t.days[n-1].ends) {
		return t.days[n-1]
	}
	day := args.DayOf(args.WallTime(now, site.Location))
	d := &counted{day: day, ends: args.Resolve(day.AddDate(0, 0, 1), site.Location), events: map[int64]*Counts{}}
	t.days = append(t.days, d)
	return d
}

// Run writes the counts each minute until the context ends. Flush writes counts that are added later.
func (c *Counter) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
		if err := c.Flush(ctx); err != nil && ctx.Err() == nil {
			c.logger.Warn("write numbers", "error", err)
		}
	}
}

// Flush writes the counts since the last write. If writing fails, the counts are kept for the next time, for a day.
func (c *Counter) Flush(ctx context.Context) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	sites := c.sites
	c.sites, c.size = map[int64]*tally{}, 0
	c.mu.Unlock()
	var failed error
	for id, t := range sites {
		inside := tenancy.With(ctx, tenancy.Scope{Site: t.site})
		for _, d := range t.days {
			events := make(map[int64]Counts, len(d.events))
			for event, n := range d.events {
				events[event] = *n
			}
			if err := c.store.Add(inside, d.day, d.site, events); err != nil {
				failed = errors.Join(failed, fmt.Errorf("numbers of site %d: %w", id, err))
				c.back(t.site, d)
			}
		}
	}
	return failed
}

// back restores counts that could not be written.
func (c *Counter) back(site *tenancy.Site, d *counted) {
	now := c.clock()
	if now.Sub(d.ends) > 24*time.Hour {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.sites[site.ID]
	if t == nil {
		t = &tally{site: site}
		c.sites[site.ID] = t
	}
	for _, there := range t.days {
		if there.day.Equal(d.day) {
			c.merge(there, d)
			return
		}
	}
	t.days = append([]*counted{d}, t.days...)
	c.size += len(d.events)
}

// merge adds further counts of the same day.
func (c *Counter) merge(into, d *counted) {
	into.site = into.site.plus(d.site)
	for id, n := range d.events {
		if there := into.events[id]; there != nil {
			*there = there.plus(*n)
		} else if c.size < mostCounted {
			into.events[id], c.size = n, c.size+1
		}
	}
}

// programs are parts of the User-Agent of programs that are not people's browsers.
var programs = []string{"bot", "crawl", "spider", "slurp", "+http", "headless", "lighthouse", "preview", "fetch", "scan",
	"monitor", "python", "facebookexternalhit"}

// ByPerson reports whether a request comes from a browser whose user sees the page. It is false for programs that
// identify themselves, and for a browser that preloads a page. agent is the User-Agent, and purpose is the
// browser's reason for loading the page.
func ByPerson(agent, purpose string) bool {
	if !strings.HasPrefix(agent, "Mozilla/") || strings.Contains(purpose, "prefetch") || strings.Contains(purpose, "preview") {
		return false
	}
	for i := range len(agent) {
		for _, word := range programsBy[agent[i]|0x20] {
			if i+len(word) <= len(agent) && strings.EqualFold(agent[i:i+len(word)], word) {
				return false
			}
		}
	}
	return true
}

// programsBy holds programs by their first letters, so that a User-Agent is scanned only once.
var programsBy = func() (by [256][]string) {
	for _, word := range programs {
		by[word[0]|0x20] = append(by[word[0]|0x20], word)
	}
	return by
}()
