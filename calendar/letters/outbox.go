package letters

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Limits of an outbox. sendTime is the time limit for an e-mail that is sent after the response. At most
// mostSending emails are sent at a time, and mostSendingOfSite of one site. At most mostWaiting may wait for that,
// and mostOfSite of one site.
const (
	sendTime          = 45 * time.Second
	mostSending       = 8
	mostSendingOfSite = mostSending / 2
	mostWaiting       = 1024
	mostOfSite        = 64
)

// ErrManyWait says that too many emails of a site wait for the mail server.
var ErrManyWait = errors.New("too many emails of this site wait for the mail server")

// Outbox limits how many emails are sent at a time. Even if the mail server is slow, sites do not block each other:
// they take turns, and no site may use more than half of the slots. If too many e-mails are waiting, the latest one
// of the site with the most is dropped.
type Outbox struct {
	mu    sync.Mutex
	free  int
	all   int // waiting
	sites map[int64]*queue
	turns []int64 // sites with waiting emails
}

// queue holds the emails of one site in an outbox.
type queue struct {
	sending int
	waiting []*turn
}

// turn is an email's position in the queue.
type turn struct {
	ready   chan struct{} // closed when it is its turn, or it is dropped
	dropped bool
}

// NewOutbox returns an empty outbox.
func NewOutbox() *Outbox { return &Outbox{free: mostSending, sites: map[int64]*queue{}} }

// Post calls do after the response has been sent. It returns false if it drops the e-mail immediately because too
// many of the Scope's site are waiting. It calls lost instead of do if the email is dropped later in favor of other
// sites.
func (o *Outbox) Post(ctx context.Context, do func(context.Context), lost func(context.Context)) bool {
	site := tenancy.Current(ctx).Site.ID
	t := o.enter(site)
	if t == nil {
		return false
	}
	ctx = tenancy.WithSlot(context.WithoutCancel(ctx), nil) // the request is over by then
	go func() {
		if <-t.ready; t.dropped {
			lost(ctx)
			return
		}
		defer o.leave(site)
		ctx, cancel := context.WithTimeout(ctx, sendTime)
		defer cancel()
		do(ctx)
	}()
	return true
}

// Do calls do when it is its turn, and returns its error. In the meantime, the request does not occupy a slot. do
// gets three quarters of the time that the request has left; the rest is kept for reporting the result.
func (o *Outbox) Do(ctx context.Context, do func(context.Context) error) error {
	site := tenancy.Current(ctx).Site.ID
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)*3/4)
		defer cancel()
	}
	return tenancy.Outside(ctx, func() error {
		t := o.enter(site)
		if t == nil {
			return ErrManyWait
		}
		select {
		case <-t.ready:
		case <-ctx.Done():
			if !o.quit(site, t) && !t.dropped {
				o.leave(site) // it became its turn at the same moment
			}
			return ctx.Err()
		}
		if t.dropped {
			return ErrManyWait
		}
		defer o.leave(site)
		return do(ctx)
	})
}

// enter puts an email of the site into the queue, and returns its turn, or nil if too many are waiting.
func (o *Outbox) enter(site int64) *turn {
	o.mu.Lock()
	defer o.mu.Unlock()
	q := o.sites[site]
	if q == nil {
		q = &queue{}
		o.sites[site] = q
	}
	if len(q.waiting) >= mostOfSite || o.all >= mostWaiting && !o.drop(len(q.waiting)+1) {
		o.forget(site)
		return nil
	}
	t := &turn{ready: make(chan struct{})}
	if len(q.waiting) == 0 {
		o.turns = append(o.turns, site)
	}
	q.waiting = append(q.waiting, t)
	o.all++
	o.next()
	return t
}

// drop drops the latest email of the site with the most waiting emails. It returns false if no site has more than
// few.
func (o *Outbox) drop(few int) bool {
	var most int64
	var from *queue
	for site, q := range o.sites {
		if len(q.waiting) > few && (from == nil || len(q.waiting) > len(from.waiting)) {
			most, from = site, q
		}
	}
	if from == nil {
		return false
	}
	last := len(from.waiting) - 1
	t := from.waiting[last]
	t.dropped = true
	close(t.ready)
	o.remove(most, last)
	return true
}

// next starts waiting emails while slots are free, one of each site in turn.
func (o *Outbox) next() {
	for i := 0; i < len(o.turns) && o.free > 0; {
		site := o.turns[i]
		q := o.sites[site]
		if q.sending >= mostSendingOfSite {
			i++
			continue
		}
		o.free--
		q.sending++
		close(q.waiting[0].ready)
		o.turns = append(append(o.turns[:i], o.turns[i+1:]...), site)
		o.remove(site, 0)
	}
}

// remove takes an email out of its site's queue.
func (o *Outbox) remove(site int64, i int) {
	q := o.sites[site]
	q.waiting = append(q.waiting[:i:i], q.waiting[i+1:]...)
	o.all--
	if len(q.waiting) > 0 {
		return
	}
	for i, s := range o.turns {
		if s == site {
			o.turns = append(o.turns[:i], o.turns[i+1:]...)
			break
		}
	}
}

// quit removes an e-mail from the queue because nobody waits for it any more. It reports whether the e-mail was
// still there.
func (o *Outbox) quit(site int64, t *turn) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	q := o.sites[site]
	if q == nil {
		return false
	}
	for i, other := range q.waiting {
		if other == t {
			o.remove(site, i)
			o.forget(site)
			return true
		}
	}
	return false
}

// leave frees the slot of an email that was sent, and starts the next e-mail.
func (o *Outbox) leave(site int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.free++
	o.sites[site].sending--
	o.next()
	o.forget(site)
}

// forget removes a site that has no emails in the outbox.
func (o *Outbox) forget(site int64) {
	if q := o.sites[site]; q.sending == 0 && len(q.waiting) == 0 {
		delete(o.sites, site)
	}
}
