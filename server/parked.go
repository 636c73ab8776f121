package server

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/cache"
)

// pause ends a request that has nothing to do until its site has a version above one, or until a moment. All that is kept of it
// meanwhile are its connection and its bytes: it is parked. Afterwards it is served again as if it had just come.
type pause struct {
	site, above int64
	until       time.Time
}

// Error implements error.
func (p *pause) Error() string { return "the request waits for a change" }

// parked is a request that waits.
type parked struct {
	pause
	conn  *politeConn
	bytes []byte // what was received: the request, and the beginning of those after it
	timer *time.Timer
	of    *bay
	done  func() // called when it has been served again
}

// lastAnswers is how long a node that ends waits until parked requests are answered.
const lastAnswers = 5 * time.Second

// lot is where the requests that wait are parked.
type lot struct {
	versions *cache.Versions
	atOnce   int // requests of a site that are served again at once, so that a change does not fill the line at the gate and the memory
	serve    func(net.Conn) error
	stopping <-chan struct{}
	ending   atomic.Bool

	mu    sync.Mutex
	bays  map[int64]*bay
	ended chan struct{} // closed when nothing is parked any more after the end began
}

// bay has the parked requests of a site.
type bay struct {
	site    int64
	waiting map[*parked]struct{}
	due     []*parked // to be served again
	served  int       // being served again
	stop    context.CancelFunc
}

// newLot returns the lot of an app. The requests in it are answered when the node is about to stop.
func newLot(app *fiber.App, versions *cache.Versions, atOnce int, stopping <-chan struct{}) *lot {
	l := &lot{versions: versions, atOnce: atOnce, serve: app.Server().ServeConn, stopping: stopping, bays: map[int64]*bay{}, ended: make(chan struct{})}
	if stopping != nil {
		go func() {
			<-stopping
			l.end()
		}()
	}
	app.Hooks().OnShutdown(func() error {
		l.end()
		select {
		case <-l.ended:
		case <-time.After(lastAnswers):
		}
		return nil
	})
	return l
}

// takes reports whether a request can be parked: one without a body, on a connection that can be kept.
func (l *lot) takes(c *fiber.Ctx) bool {
	_, polite := c.Context().Conn().(*politeConn)
	h := &c.Request().Header
	const chunks = -1
	return polite && l.versions != nil && (h.IsGet() || h.IsHead()) && h.ContentLength() <= 0 && h.ContentLength() != chunks &&
		len(h.Peek(fiber.HeaderExpect)) == 0
}

// park takes a request off the server when its handler has returned.
func (l *lot) park(c *fiber.Ctx, p *pause) {
	conn, h := c.Context().Conn().(*politeConn), &c.Request().Header
	request := slices.Concat(h.Method(), []byte{' '}, h.RequestURI(), []byte{' '}, h.Protocol(), []byte("\r\n"), h.RawHeaders())
	c.Context().HijackSetNoResponse(true)
	c.Context().Hijack(func(rest net.Conn) { // whose reader has what came after the request
		one := &parked{pause: *p, conn: conn, bytes: append(request, received(rest)...)}
		conn.leaves(func() { l.add(one) })
	})
}

// received returns what was received on a connection and not read yet, without waiting.
func received(conn net.Conn) (all []byte) {
	_ = conn.SetReadDeadline(time.Unix(1, 0))
	defer conn.SetReadDeadline(time.Time{}) //nolint:errcheck // a closed connection is noticed by whoever reads it
	for b := make([]byte, 512); ; {
		n, err := conn.Read(b)
		if all = append(all, b[:n]...); err != nil {
			return all
		}
	}
}

// add parks a request.
func (l *lot) add(p *parked) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bays[p.site]
	if b == nil {
		ctx, stop := context.WithCancel(context.Background())
		b = &bay{site: p.site, waiting: map[*parked]struct{}{}, stop: stop}
		l.bays[p.site] = b
		go l.watch(ctx, b)
	}
	p.of = b
	b.waiting[p] = struct{}{}
	p.timer = time.AfterFunc(time.Until(p.until), func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.call(p)
	})
	if version, _ := l.versions.Known(p.site); version > p.above || l.ending.Load() {
		l.call(p)
	}
}

// watch calls the parked requests of a site for which there is something new.
func (l *lot) watch(ctx context.Context, b *bay) {
	for ctx.Err() == nil {
		version, _ := l.versions.Known(b.site)
		l.mu.Lock()
		for p := range b.waiting {
			if version > p.above {
				l.call(p)
			}
		}
		l.mu.Unlock()
		l.versions.Await(ctx, b.site, version)
	}
}

// call has a parked request served again as soon as it is its turn.
func (l *lot) call(p *parked) {
	b := p.of
	if _, waits := b.waiting[p]; !waits {
		return
	}
	delete(b.waiting, p)
	p.timer.Stop()
	b.due = append(b.due, p)
	l.fill(b)
}

// fill serves the next requests.
func (l *lot) fill(b *bay) {
	for len(b.due) > 0 && b.served < l.atOnce {
		p := b.due[0]
		if b.due = b.due[1:]; len(b.due) == 0 {
			b.due = nil
		}
		b.served++
		go l.resume(p)
	}
	if b.served > 0 || len(b.waiting) > 0 {
		return
	}
	b.stop()
	delete(l.bays, b.site)
	if l.ending.Load() && len(l.bays) == 0 {
		l.close()
	}
}

// resume serves a parked request again, and those that follow on its connection.
func (l *lot) resume(p *parked) {
	p.done = sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		p.of.served--
		l.fill(p.of)
	})
	defer p.done()
	_ = l.serve(p.conn.again(p))
}

// end has all parked requests answered, and those that come later not parked.
func (l *lot) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ending.Store(true)
	for _, b := range l.bays {
		for p := range b.waiting {
			l.call(p)
		}
	}
	if len(l.bays) == 0 {
		l.close()
	}
}

// close tells that nothing is parked any more.
func (l *lot) close() {
	select {
	case <-l.ended:
	default:
		close(l.ended)
	}
}

// ends reports whether the node is about to stop.
func (l *lot) ends() bool {
	select {
	case <-l.stopping:
		return true
	default:
		return l.ending.Load()
	}
}

// pauseOf returns why a request ended that is to be parked, or nil.
func pauseOf(err error) *pause {
	var p *pause
	if errors.As(err, &p) {
		return p
	}
	return nil
}

// resumed returns what was parked of a request that is served again, the first on its connection, and nil for any other.
func resumed(c *fiber.Ctx) *parked {
	if conn, ok := c.Context().Conn().(*politeConn); ok {
		return conn.resumed.Swap(nil)
	}
	return nil
}
