package pg

import (
	"context"
	"log/slog"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// crowd is round trips of which a test holds as many of a site as it gets, so
// that what comes then waits.
type crowd struct {
	*kit
	*roundTrips
	done sync.WaitGroup
	free func()
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	c := &crowd{kit: newKit(t)}
	c.roundTrips = newRoundTrips(c.db.nodes, true, slog.Default())
	c.most = 1
	c.hold(c.site)
	return c
}

// hold takes the one round trip of a site until free is called.
func (c *crowd) hold(site int64) {
	c.Helper()
	held, ended := make(chan struct{}), make(chan struct{})
	c.done.Go(func() {
		_ = c.Alone(c.Context(), site, func() error {
			close(held)
			<-ended
			return nil
		})
	})
	<-held
	before := c.free
	c.free = func() {
		if before != nil {
			before()
		}
		close(ended)
	}
}

// later runs do, which waits for a round trip of the site.
func (c *crowd) later(site int64, do func()) {
	c.Helper()
	length := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.sites[site].waiting)
	}
	before := length()
	c.done.Go(do)
	for length() == before {
		runtime.Gosched()
	}
}

// goOn lets all go that wait.
func (c *crowd) goOn() {
	c.Helper()
	c.free()
	c.done.Wait()
	if len(c.sites) != 0 {
		c.Errorf("%d sites are left", len(c.sites))
	}
}

// where reads the transaction's beginning and the site that it entered.
func where(begun, entered *string) Queue {
	return func(_ int64, b *pgx.Batch) {
		b.Queue(`SELECT now()::text, current_setting('kalends.site')`).
			QueryRow(func(row pgx.Row) error { return row.Scan(begun, entered) })
	}
}

func TestReadsThatWaitShareARoundTrip(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	var begun, entered [mostReads + 1]string
	for i := range begun {
		c.later(c.site, func() { c.must(c.share(c.Context(), c.site, where(&begun[i], &entered[i]))) })
	}
	c.goOn()
	for i, at := range begun[:mostReads] {
		c.equal("entered", entered[i], strconv.FormatInt(c.site, 10))
		if at == "" || at != begun[0] {
			t.Errorf("read %d in a transaction of %q, the first in one of %q", i, at, begun[0])
		}
	}
	if last := begun[mostReads]; last == "" || last == begun[0] {
		t.Errorf("one read more in a transaction of %q, the others in one of %q", last, begun[0])
	}
}

func TestSitesShareNoRoundTrip(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	other := c.newSite("two")
	c.hold(other)
	sites := []int64{c.site, other, c.site, other}
	begun, entered := make([]string, len(sites)), make([]string, len(sites))
	for i, site := range sites {
		c.later(site, func() { c.must(c.share(c.Context(), site, where(&begun[i], &entered[i]))) })
	}
	c.goOn()
	for i, site := range sites {
		c.equal("entered", entered[i], strconv.FormatInt(site, 10))
	}
	c.equal("one", begun[2], begun[0])
	c.equal("two", begun[3], begun[1])
	if begun[0] == begun[1] {
		t.Error("reads of two sites went together")
	}
}

func TestAReadThatFailsFailsAlone(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	var begun, entered [3]string
	late, leave := context.WithCancel(c.Context())
	c.later(c.site, func() { c.wants(c.share(late, c.site, where(&begun[0], &entered[0])), context.Canceled) })
	c.later(c.site, func() {
		err := c.share(c.Context(), c.site, func(_ int64, b *pgx.Batch) {
			b.Queue(`SELECT 1 / (random() * 0)::int`).QueryRow(func(row pgx.Row) error { return row.Scan(new(int)) })
		})
		if err == nil || !strings.Contains(err.Error(), "division by zero") {
			t.Errorf("the wrong read: %v", err)
		}
	})
	c.later(c.site, func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_ = c.share(c.Context(), c.site, func(int64, *pgx.Batch) { panic("while it queues") })
	})
	c.later(c.site, func() { c.must(c.share(c.Context(), c.site, where(&begun[1], &entered[1]))) })
	c.later(c.site, func() { c.must(c.Alone(c.Context(), c.site, func() error { return nil })) })
	c.later(c.site, func() { c.must(c.share(c.Context(), c.site, where(&begun[2], &entered[2]))) })
	leave()
	c.goOn()
	for i, at := range begun[1:] {
		if at == "" {
			t.Errorf("read %d of the others wasn't made", i)
		}
	}
	c.equal("of who left", begun[0], "")
}

// Whoever waits for the row of a site holds a connection, and that no more than
// half of them do is what keeps the others of the site's neighbours.
func TestASiteLeavesItsNeighboursConnections(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	theirs := k.newSite("two")
	held, err := k.db.pool.Begin(k.Context())
	k.must(err)
	_, err = held.Exec(k.Context(), `SELECT FROM sites WHERE id = $1 FOR UPDATE`, k.site)
	k.must(err)
	var all sync.WaitGroup
	for range 2 * k.db.pool.Config().MaxConns {
		all.Go(func() { k.must(k.db.Write(k.ctx, func(context.Context, *Tx) error { return nil })) })
	}
	for n := 0; n < int(k.db.pool.Config().MaxConns)*3/2; n, _ = k.db.trips.Waiting(k.site) {
		runtime.Gosched()
	}
	var begun, entered string
	k.must(k.db.Read(k.as(theirs), where(&begun, &entered)))
	k.equal("entered", entered, strconv.FormatInt(theirs, 10))
	k.must(held.Rollback(k.Context()))
	all.Wait()
}
