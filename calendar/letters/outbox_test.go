package letters

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// at returns the context of a site.
func at(ctx context.Context, site int64) context.Context {
	return tenancy.With(ctx, tenancy.Scope{Site: &tenancy.Site{ID: site}})
}

// stuck sends an email that takes until the outbox gives up, counting it.
func stuck(begun *int) func(context.Context) {
	return func(ctx context.Context) {
		*begun++
		<-ctx.Done()
	}
}

// However many emails of other sites are stuck, a site's own get their turn, after at most one of those that are being sent.
func TestOutboxTakesTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o, begun, lost := NewOutbox(), make([]int, 4), 0
		count := func(context.Context) { lost++ }
		for site := range 3 {
			for i := range mostOfSite + mostSendingOfSite + 1 {
				if taken := o.Post(at(t.Context(), int64(site)), stuck(&begun[site]), count); !taken && i < mostOfSite {
					t.Fatalf("site %d: the %dth is refused", site, i)
				}
				synctest.Wait()
			}
		}
		if begun[0] != mostSendingOfSite || begun[1] != mostSendingOfSite || begun[2] != 0 {
			t.Errorf("sent at a time: %v", begun)
		}
		began, mine := time.Now(), time.Duration(0)
		if !o.Post(at(t.Context(), 3), func(context.Context) { mine = time.Since(began) }, count) {
			t.Error("a site is refused because of others")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if mine == 0 || mine > sendTime || lost > 0 {
			t.Errorf("its turn came after %v, %d were lost", mine, lost)
		}
		if o.free != mostSending || o.all != 0 || len(o.sites) != 0 || len(o.turns) != 0 {
			t.Errorf("left behind: %d places, %d waiting, %d sites, %d turns", o.free, o.all, len(o.sites), len(o.turns))
		}
	})
}

// When the outbox is full the sites with most lose the latest of theirs, never one with few.
func TestOutboxIsFull(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o, begun, lost, kept := NewOutbox(), 0, 0, 0
		for site := range int64(2 * mostWaiting / mostOfSite) {
			for range mostOfSite {
				o.Post(at(t.Context(), site), stuck(&begun), func(context.Context) { lost++ })
			}
		}
		if o.all != mostWaiting {
			t.Errorf("%d wait", o.all)
		}
		for site := range int64(100) {
			if !o.Post(at(t.Context(), 1000+site), func(context.Context) { kept++ }, func(context.Context) { t.Error("lost") }) {
				t.Error("a site without any is refused")
			}
		}
		synctest.Wait()
		if o.all != mostWaiting || lost < 100 {
			t.Errorf("%d wait, %d were lost", o.all, lost)
		}
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if kept != 100 || o.all != 0 || len(o.sites) != 0 {
			t.Errorf("%d of 100 were sent; %d wait", kept, o.all)
		}
	})
}

// A request that waits for an email is outside meanwhile, gives up when it ends, and keeps time to say so.
func TestOutboxWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o, out := NewOutbox(), &slot{}
		ctx, cancel := context.WithTimeout(at(t.Context(), 1), 8*time.Second)
		defer cancel()
		ctx = tenancy.WithSlot(ctx, out)
		begun, began := 0, time.Now()
		for range mostSendingOfSite {
			o.Post(ctx, func(ctx context.Context) {
				before := out.inside
				if err := tenancy.Outside(ctx, func() error { return nil }); err != nil || out.inside != before {
					t.Error("behind the answer there is no request to be outside of")
				}
				stuck(&begun)(ctx)
			}, nil)
		}
		synctest.Wait()
		err := o.Do(ctx, func(context.Context) error { return errors.New("sent") })
		if waited := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || waited != 6*time.Second || begun != mostSendingOfSite || out.inside != 0 {
			t.Errorf("%v after %v, %d begun, %d", err, waited, begun, out.inside)
		}
		time.Sleep(sendTime)
		synctest.Wait()
		refused, saw := errors.New("refused"), 0
		again := tenancy.WithSlot(at(t.Context(), 1), out)
		if err := o.Do(again, func(context.Context) error { saw = out.inside; return refused }); !errors.Is(err, refused) || saw != -1 || out.inside != 0 {
			t.Errorf("%v, %d", err, saw)
		}
		if o.free != mostSending || o.all != 0 || len(o.sites) != 0 {
			t.Errorf("left behind: %d places, %d waiting", o.free, o.all)
		}
	})
}

// slot is what a request occupies.
type slot struct{ inside int }

// Outside implements tenancy.Slot.
func (s *slot) Outside(_ context.Context, do func() error) error {
	s.inside--
	defer func() { s.inside++ }()
	return do()
}

// Work implements tenancy.Slot.
func (s *slot) Work() func() { return func() {} }
