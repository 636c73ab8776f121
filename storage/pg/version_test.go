package pg

import (
	"context"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

// line is the way to a database that can be cut without either end noticing.
type line struct {
	cut    atomic.Bool
	passed chan struct{} // filled by each answer of the database, as far as somebody takes it
}

func (l *line) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	there, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	here, end := net.Pipe()
	go func() {
		_, _ = io.Copy(there, end)
		_ = there.Close()
	}()
	go func() {
		for b := make([]byte, 8192); ; {
			n, err := there.Read(b)
			if err != nil {
				return
			}
			if !l.cut.Load() {
				_, _ = end.Write(b[:n])
			}
			select {
			case l.passed <- struct{}{}:
			default:
			}
		}
	}()
	return here, nil
}

// A connection that listens goes on through silence, and is given up when its other
// end is gone without a word.
func TestListenNoticesALineThatIsCut(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	l := &line{passed: make(chan struct{})}
	config := k.db.pool.Config().ConnConfig
	config.DialFunc = l.dial
	begun, heard, ended := make(chan struct{}), make(chan int64), make(chan error, 1)
	go func() {
		ended <- listen(ctx, config, time.Second, func() { close(begun) }, func(_, version int64) { heard <- version })
	}()
	<-begun
	select {
	case <-l.passed: // it was asked whether it is there
	case err := <-ended:
		t.Fatalf("it ended with %v", err)
	}
	k.must(k.db.Announce(ctx, map[int64]int64{k.site: 42}))
	select {
	case version := <-heard:
		k.equal("heard of", version, int64(42))
	case err := <-ended:
		t.Fatalf("it ended with %v", err)
	}
	l.cut.Store(true)
	if err := <-ended; err == nil || ctx.Err() != nil {
		t.Errorf("it ended with %v", err)
	}
}

// The moment is another after each commit, also of what began before it and of what other
// sites write.
func TestMoment(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "workers commit without the coordinator, so moments have no names")
	k := newKit(t)
	moment := func() string {
		m, err := k.db.Moment(k.ctx)
		k.must(err)
		return m
	}
	const raise = `UPDATE sites SET version = version + 1 WHERE id = $1`
	begin := func(site int64) pgx.Tx {
		tx, err := k.db.pool.Begin(k.ctx)
		k.must(err)
		_, err = tx.Exec(k.ctx, raise, site)
		k.must(err)
		return tx
	}
	other := k.newSite("two")
	seen := map[string]bool{}
	fresh := func(what string) {
		t.Helper()
		m := moment()
		if m == "" || seen[m] {
			t.Errorf("%s: the moment is still %q", what, m)
		}
		seen[m] = true
	}
	fresh("the first")
	first, second := begin(k.site), begin(other)
	k.must(second.Commit(k.ctx))
	fresh("a later one is committed first")
	k.must(first.Commit(k.ctx))
	fresh("the one that began before")
	k.write()
	fresh("a change")
}
