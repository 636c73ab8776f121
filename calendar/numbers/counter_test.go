package numbers

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// ledger is a store that adds up what is written, and refuses it while closed.
type ledger struct {
	Store

	closed bool
	of     map[time.Time]map[int64]Counts
	site   Counts
}

func (l *ledger) Add(_ context.Context, day time.Time, site Counts, events map[int64]Counts) error {
	if l.closed {
		return errors.New("closed")
	}
	if l.of[day] == nil {
		l.of[day] = map[int64]Counts{}
	}
	for id, n := range events {
		l.of[day][id] = l.of[day][id].plus(n)
	}
	l.site = l.site.plus(site)
	return nil
}

func counterAt(now *time.Time) (*Counter, *ledger, *tenancy.Site) {
	l := &ledger{of: map[time.Time]map[int64]Counts{}}
	site := &tenancy.Site{ID: 1, Location: time.FixedZone("", 3600)}
	site.Settings.Numbers = true
	return NewCounter(l, func() time.Time { return *now }, slog.New(slog.DiscardHandler)), l, site
}

// Days are those of the site; what can't be written is kept for a day, and nothing is lost between adding and writing at once.
func TestCounterKeepsDays(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 22, 59, 0, 0, time.UTC)
	c, l, site := counterAt(&now)
	c.Add(site, Of{7, Views})
	l.closed = true
	if c.Flush(t.Context()) == nil {
		t.Error("nothing is said of what wasn't written")
	}
	c.Add(site, Of{7, Tickets})
	now = now.Add(2 * time.Minute)
	c.Add(site, Of{7, Views})
	c.Add(site, Of{0, Calendars})
	l.closed = false
	if err := c.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	first := time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)
	if got := l.of[first][7]; got != (Counts{Views: 1, Tickets: 1}) {
		t.Errorf("on the first day %+v", got)
	}
	if got := l.of[first.AddDate(0, 0, 1)][7]; got != (Counts{Views: 1}) || l.site != (Counts{Calendars: 1}) {
		t.Errorf("on the second day %+v, of the site %+v", got, l.site)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 500 {
				c.Add(site, Of{8, Views})
			}
			_ = c.Flush(t.Context())
		})
	}
	all.Wait()
	if got := l.of[first.AddDate(0, 0, 1)][8].Views; got != 4000 {
		t.Errorf("%d of 4000 views", got)
	}
}

// However many events there are, a node counts so many at once, and goes on with those that it has.
func TestCounterIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	c, l, site := counterAt(&now)
	for id := range int64(mostCounted + 10) {
		c.Add(site, Of{id + 1, Views})
	}
	c.Add(site, Of{1, Views})
	if err := c.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	for _, events := range l.of {
		if len(events) != mostCounted || events[1].Views != 2 {
			t.Errorf("%d events, %d views of the first", len(events), events[1].Views)
		}
	}
	site.Settings.Numbers = false
	c.Add(site, Of{2, Views})
	if len(c.sites) != 0 {
		t.Error("a site that wants no numbers is counted")
	}
}

func TestByPerson(t *testing.T) {
	t.Parallel()
	const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	for agent, want := range map[string]bool{firefox: true, "": false, "curl/8.5": false, "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)": false,
		"Mozilla/5.0 (compatible; AhrefsBot/7.0)": false, "Mozilla/5.0 HeadlessChrome/120": false, "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile Safari/604.1": true} {
		if ByPerson(agent, "") != want {
			t.Errorf("%q: %v", agent, !want)
		}
	}
	if ByPerson(firefox, "prefetch;prerender") {
		t.Error("a page that is loaded ahead counts")
	}
}

// Clicks of a network are limited for a minute, and networks in all.
func TestClicksAreLimited(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	c := &clicks{}
	for n := range mostClicks {
		if !c.pass("192.0.2.0/24", now) {
			t.Fatalf("click %d doesn't count", n)
		}
	}
	if c.pass("192.0.2.0/24", now) || !c.pass("198.51.100.0/24", now) {
		t.Error("the limit is not one of networks")
	}
	if !c.pass("192.0.2.0/24", now.Add(time.Minute)) {
		t.Error("the limit lasts for more than a minute")
	}
}
