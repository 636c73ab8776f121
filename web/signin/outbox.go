package signin

import (
	"context"
	"sync"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// sendTime is the time limit of sending an email in the background, mostSending the maximum number sent concurrently, and mostWaiting and
// mostOfSite how many may wait for that, in all and of one site.
const (
	sendTime    = 45 * time.Second
	mostSending = 8
	mostWaiting = 1024
	mostOfSite  = 64
)

// outbox sends emails behind the answers. What it answers does not depend on whom an email is for, or whether there is anybody.
type outbox struct {
	sending chan struct{}

	mu      sync.Mutex
	waiting map[int64]int // by site
	all     int
}

func newOutbox() *outbox {
	return &outbox{sending: make(chan struct{}, mostSending), waiting: map[int64]int{}}
}

// post has do done soon. It reports false if too many of the Scope's site, or of all, wait already.
func (o *outbox) post(ctx context.Context, do func(context.Context)) bool {
	site := tenancy.Current(ctx).Site.ID
	if !o.enter(site) {
		return false
	}
	go func() {
		o.sending <- struct{}{}
		defer func() {
			<-o.sending
			o.leave(site)
		}()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTime)
		defer cancel()
		do(ctx)
	}()
	return true
}

func (o *outbox) enter(site int64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all >= mostWaiting || o.waiting[site] >= mostOfSite {
		return false
	}
	o.all++
	o.waiting[site]++
	return true
}

func (o *outbox) leave(site int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all--
	if o.waiting[site]--; o.waiting[site] == 0 {
		delete(o.waiting, site)
	}
}
