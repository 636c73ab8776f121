package freshness

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// checker writes and reads through two nodes, knows every acknowledged write, and judges every read.
type checker struct {
	nodes    [2]*node
	titles   []*fact // of events, each with the venue and the category
	site     *fact   // its name
	venue    *fact
	category *fact
	slots    [3]atomic.Pointer[fact] // events that come and go
	named    sync.Map                // name → *fact
	made     atomic.Int64            // slots, for their names

	phase  atomic.Pointer[string]
	outage atomic.Bool // Postgres isn't expected to answer

	reads, writes, unknown, refused, stale, failed atomic.Int64

	mu       sync.Mutex
	times    map[string][]time.Duration // of reads, by phase
	problems []string
}

func (c *checker) fact(name string) *fact {
	f := &fact{name: name}
	c.named.Store(name, f)
	return f
}

func (c *checker) slot(i int) {
	c.slots[i].Store(c.fact(fmt.Sprintf("slot-%d", c.made.Add(1))))
}

// problem notes what must not happen.
func (c *checker) problem(count *atomic.Int64, format string, values ...any) {
	count.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.problems) < 20 {
		c.problems = append(c.problems, *c.phase.Load()+": "+fmt.Sprintf(format, values...))
	}
}

// change makes one acknowledged change of a fact, through either node.
func (c *checker) change(ctx context.Context, f *fact, method, path, argument string) error {
	serial, n := f.issue(), rand.IntN(2)
	body := map[string]any{argument: f.text(serial)}
	if method == http.MethodPost {
		start := time.Now().AddDate(0, 1, 0).Format("2006-01-02")
		body["start_date"], body["end_date"] = start+" 10:00:00", start+" 12:00:00"
	}
	down := c.outage.Load()
	id, err := c.nodes[n].write(ctx, method, path, body)
	if err != nil {
		if c.unknown.Add(1); ctx.Err() == nil && !down && !c.outage.Load() {
			c.problem(&c.failed, "write %s %s: %v", method, path, err)
		}
		return err
	}
	c.writes.Add(1)
	f.acknowledge(serial, n)
	if method == http.MethodPost {
		f.become(id)
	}
	return nil
}

// rename changes titles and names until the context ends.
func (c *checker) rename(ctx context.Context) {
	for pause(ctx, 80) {
		switch n := rand.IntN(len(c.titles) + 3); n {
		case 0:
			_ = c.change(ctx, c.venue, http.MethodPatch, item("venues", c.venue.id), "venue")
		case 1:
			_ = c.change(ctx, c.category, http.MethodPatch, item("categories", c.category.id), "name")
		case 2:
			_ = c.change(ctx, c.site, http.MethodPatch, "//platform/v1/sites/demo", "name")
		default:
			f := c.titles[n-3]
			_ = c.change(ctx, f, http.MethodPatch, item("events", f.id), "title")
		}
	}
}

// comeAndGo creates and removes events. A slot whose state is unknown after a failure is never used again.
func (c *checker) comeAndGo(ctx context.Context) {
	for pause(ctx, 120) {
		i := rand.IntN(len(c.slots))
		f := c.slots[i].Load()
		var err error
		switch id, serial := f.current(); {
		case serial%2 == 0:
			err = c.change(ctx, f, http.MethodPost, "/events", "title")
		case rand.IntN(2) == 0:
			err = c.change(ctx, f, http.MethodDelete, item("events", id), "title")
		default:
			err = c.change(ctx, f, http.MethodDelete, item("events", id)+"?force=true", "title")
		}
		if err != nil {
			c.slot(i)
		}
	}
}

// pause waits a moment and reports whether to go on.
func pause(ctx context.Context, most int) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Duration(1+rand.IntN(most)) * time.Millisecond):
		return true
	}
}

// read reads through one node and judges until the context ends.
func (c *checker) read(ctx context.Context, n int) {
	for pause(ctx, 4) {
		f := c.titles[rand.IntN(len(c.titles))]
		switch rand.IntN(12) {
		case 0:
			c.one(ctx, n, item("venues", c.venue.id))
		case 1:
			c.one(ctx, n, item("categories", c.category.id))
		case 2, 3, 4:
			c.one(ctx, n, item("events", f.id))
		case 5:
			f := c.slots[rand.IntN(len(c.slots))].Load()
			if id, serial := f.current(); serial%2 == 1 && id != 0 {
				c.single(ctx, n, f, id)
			}
		case 6, 7:
			c.page(ctx, n)
		case 8:
			c.list(ctx, n, "/venues?per_page=50", "venues")
		default:
			c.list(ctx, n, "/events?per_page=50", "events")
		}
	}
}

// get makes one read; ok is false when there is nothing to judge.
func (c *checker) get(ctx context.Context, n int, path string, noCache bool) (status int, raw []byte, ok bool) {
	down, begun, phase := c.outage.Load(), time.Now(), *c.phase.Load()
	status, raw, err := c.nodes[n].get(ctx, path, noCache)
	if ctx.Err() != nil {
		return 0, nil, false
	}
	if err != nil || status >= http.StatusInternalServerError {
		if c.refused.Add(1); !down && !c.outage.Load() {
			c.problem(&c.failed, "read %s: %d %v %s", path, status, err, raw)
		}
		return 0, nil, false
	}
	c.reads.Add(1)
	if n == 1 {
		phase = "second node, " + phase
	}
	c.mu.Lock()
	c.times[phase] = append(c.times[phase], time.Since(begun))
	c.mu.Unlock()
	return status, raw, true
}

// floors takes the floors of everything before a read.
func (c *checker) floors(n int, noCache bool) floors {
	m := floors{}
	for _, f := range append([]*fact{c.site, c.venue, c.category}, c.titles...) {
		m[f] = f.floor(n, noCache)
	}
	for i := range c.slots {
		f := c.slots[i].Load()
		m[f] = f.floor(n, noCache)
	}
	return m
}

// one reads something that always is there.
func (c *checker) one(ctx context.Context, n int, path string) {
	noCache := rand.IntN(8) == 0
	before := c.floors(n, noCache)
	status, raw, ok := c.get(ctx, n, path, noCache)
	if ok && status != http.StatusOK {
		c.problem(&c.failed, "read %s: %d %s", path, status, raw)
	} else if ok {
		c.judge(before, n, noCache, path, raw)
	}
}

// single reads the event of a slot, which may be gone.
func (c *checker) single(ctx context.Context, n int, f *fact, id int64) {
	noCache := rand.IntN(8) == 0
	before := c.floors(n, noCache)
	now, serial := f.current()
	path := item("events", id)
	status, raw, ok := c.get(ctx, n, path, noCache)
	switch {
	case !ok || now != id:
	case status == http.StatusOK:
		c.judge(before, n, noCache, path, raw)
	case serial == before[f]: // its creation is known, its removal not begun
		if text := before.missing(f); text != "" {
			c.problem(&c.stale, "node %d, no-cache %v, %s: %d, %s", n, noCache, path, status, text)
		}
	}
}

// page reads a page of the public, which has the name of the site.
func (c *checker) page(ctx context.Context, n int) {
	noCache := rand.IntN(8) == 0
	before := c.floors(n, noCache)
	status, raw, ok := c.get(ctx, n, "//en/", noCache)
	if !ok {
		return
	}
	named := siteName.FindSubmatch(raw)
	if status != http.StatusOK || named == nil {
		c.problem(&c.failed, "read a page: %d, without the name of the site", status)
		return
	}
	serial, _ := strconv.Atoi(string(named[1]))
	if text := before.wrong(c.site, serial); text != "" {
		c.problem(&c.stale, "node %d, no-cache %v, a page: %s", n, noCache, text)
	}
}

var siteName = regexp.MustCompile(`site serial (\d+)`)

func (c *checker) list(ctx context.Context, n int, path, collection string) {
	noCache := rand.IntN(8) == 0
	if rand.IntN(2) == 0 {
		path += "&page=1" // another key
	}
	before := c.floors(n, noCache)
	status, raw, ok := c.get(ctx, n, path, noCache)
	if !ok {
		return
	}
	if status != http.StatusOK {
		c.problem(&c.failed, "read %s: %d %s", path, status, raw)
		return
	}
	seen := c.judge(before, n, noCache, path, raw)
	if collection != "events" {
		return
	}
	for f := range before {
		if seen[f] {
			continue
		}
		if text := before.missing(f); strings.HasPrefix(f.name, "slot") && text != "" {
			c.problem(&c.stale, "node %d, no-cache %v, %s: %s", n, noCache, path, text)
		}
	}
}

// judge compares every text of an answer that a writer wrote with what was
// acknowledged, and returns which facts there are.
func (c *checker) judge(before floors, n int, noCache bool, path string, raw []byte) map[*fact]bool {
	var body any
	if err := json.Unmarshal(raw, &body); err != nil {
		c.problem(&c.failed, "read %s: %v in %q", path, err, raw)
		return nil
	}
	seen := map[*fact]bool{}
	walk(body, func(text string) {
		name, serial, ok := serialOf(text)
		if !ok {
			return
		}
		found, ok := c.named.Load(name)
		if !ok {
			return
		}
		f := found.(*fact)
		seen[f] = true
		if text := before.wrong(f, serial); text != "" {
			c.problem(&c.stale, "node %d, no-cache %v, %s: %s", n, noCache, path, text)
		}
	})
	return seen
}

// walk visits every text of a JSON value.
func walk(value any, visit func(string)) {
	switch v := value.(type) {
	case string:
		visit(v)
	case []any:
		for _, inner := range v {
			walk(inner, visit)
		}
	case map[string]any:
		for _, inner := range v {
			walk(inner, visit)
		}
	}
}
