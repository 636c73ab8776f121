package server

import (
	"context"
	"net"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unique"

	"github.com/gofiber/fiber/v2"
)

// pause describes the waiting of a request: until its site has a version above a given one, or until a time. While
// it waits, it is parked: only its connection and its bytes are kept. If there is a new version, it is served as if
// it had just arrived. If its time is up, it gets the response that it would have got without waiting
// (standing.go).
type pause struct {
	site, above int64
	until       time.Time
}

// parked is a request that waits.
type parked struct {
	standing unique.Handle[standing]
	conn     *politeConn
	rest     []byte        // bytes received after the request: the beginning of the requests that follow
	until    time.Duration // since the lot began
	of       *bay
	at       int    // its place in the bay
	done     func() // called when it has been served again
	spoke           // its place in the wheel
}

// lastAnswers is how long a node that ends waits until parked requests are answered.
const lastAnswers = 5 * time.Second

// lot is where the requests that wait are parked.
type lot struct {
	*server
	// atOnce is how many requests of a site are served again at the same time, so that a change does not fill the queue
	// at the gate and the memory.
	atOnce int
	serve  func(net.Conn) error
	begun  time.Time
	ending atomic.Bool

	answer []byte // buffer of the goroutine that turns the wheel
	crowd  crowd  // likewise

	mu      sync.Mutex
	bays    map[int64]*bay
	wheel   wheel
	turning bool
	ended   chan struct{} // closed when nothing is parked any more after the end began
}

// bay has the parked requests of a site.
type bay struct {
	site    int64
	waiting []*parked
	due     []*parked // to be served again
	served  int       // being served again
	told    int       // requests that are being told that their time is up
	stop    context.CancelFunc
}

// newLot returns the lot of an app. The requests in it are answered when the node is about to stop.
func newLot(s *server, app *fiber.App) *lot {
	l := &lot{
		server: s,
		atOnce: s.gate.share,
		serve:  app.Server().ServeConn,
		begun:  time.Now(),
		bays:   map[int64]*bay{},
		ended:  make(chan struct{}),
	}
	if s.Stopping != nil {
		go func() {
			<-s.Stopping
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

// takes reports whether a request can be parked: it must have no body, and its connection must be reusable.
func (l *lot) takes(c *fiber.Ctx) bool {
	_, polite := c.Context().Conn().(*politeConn)
	h := &c.Request().Header
	const chunks = -1
	return polite && l.Versions != nil && (h.IsGet() || h.IsHead()) && h.ContentLength() <= 0 && h.ContentLength() != chunks &&
		len(h.Peek(fiber.HeaderExpect)) == 0
}

// park removes a request from the server and keeps its connection. Its response is complete but not sent.
func (l *lot) park(c *fiber.Ctx, n *note) {
	conn := c.Context().Conn().(*politeConn)
	one := &parked{standing: unique.Make(l.standing(c, n)), conn: conn, until: n.pause.until.Sub(l.begun)}
	c.Context().HijackSetNoResponse(true)
	c.Context().Hijack(func(rest net.Conn) { // whose reader has what came after the request
		one.rest = received(rest)
		conn.leaves(func() { l.add(one) })
	})
}

// received returns the bytes that a connection has received but nobody has read, without waiting for more.
func received(conn net.Conn) (all []byte) {
	_ = conn.SetReadDeadline(time.Unix(1, 0))
	defer conn.SetDeadline(time.Time{}) //nolint:errcheck // a closed connection is noticed by whoever uses it
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
	s := p.standing.Value()
	b := l.bays[s.site]
	if b == nil {
		ctx, stop := context.WithCancel(context.Background())
		b = &bay{site: s.site, stop: stop}
		l.bays[s.site] = b
		go l.watch(ctx, b)
	}
	p.of, p.at = b, len(b.waiting)
	b.waiting = append(b.waiting, p)
	l.wheel.add(p, time.Since(l.begun))
	if !l.turning {
		l.turning = true
		go l.turn()
	}
	if version, _ := l.Versions.Known(s.site); version > s.above || l.ending.Load() {
		l.serveInTurn(p)
	}
}

// take ends the wait of a request.
func (l *lot) take(p *parked) {
	b, last := p.of, len(p.of.waiting)-1
	b.waiting[p.at] = b.waiting[last]
	b.waiting[p.at].at = p.at
	b.waiting[last] = nil
	b.waiting = b.waiting[:last]
	l.wheel.remove(p)
}

// watch calls the parked requests of a site once its version is newer than their answers.
func (l *lot) watch(ctx context.Context, b *bay) {
	for ctx.Err() == nil {
		version, _ := l.Versions.Known(b.site)
		l.mu.Lock()
		for _, p := range slices.Backward(b.waiting) { // the last one takes the place of the removed one
			if version > p.standing.Value().above {
				l.serveInTurn(p)
			}
		}
		l.mu.Unlock()
		l.Versions.Await(ctx, b.site, version)
	}
}

// serveInTurn serves a parked request again as soon as it is its turn.
func (l *lot) serveInTurn(p *parked) {
	l.take(p)
	p.of.due = append(p.of.due, p)
	l.serveNext(p.of)
}

// serveNext serves the next requests.
func (l *lot) serveNext(b *bay) {
	for len(b.due) > 0 && b.served < l.atOnce {
		p := b.due[0]
		if b.due = b.due[1:]; len(b.due) == 0 {
			b.due = nil
		}
		b.served++
		go l.resume(p)
	}
	if b.served > 0 || b.told > 0 || len(b.waiting) > 0 {
		return
	}
	b.stop()
	delete(l.bays, b.site)
	if l.ending.Load() && len(l.bays) == 0 {
		l.close()
	}
}

// turn turns the wheel until no request is parked. It responds to requests whose wait has ended.
func (l *lot) turn() {
	tick := time.NewTicker(notch)
	defer tick.Stop()
	var due []*parked
	for range tick.C {
		l.mu.Lock()
		if l.wheel.count == 0 {
			l.turning = false
			l.mu.Unlock()
			return
		}
		due = l.wheel.pass(time.Since(l.begun), due[:0])
		for _, p := range due {
			l.take(p)
			p.of.told++
		}
		waiting := l.wheel.count
		l.mu.Unlock()
		l.respondAll(due)
		if l.crowd.hasGrown(waiting+len(due), time.Since(l.begun)) {
			go debug.FreeOSMemory()
		}
	}
}

// crowd notices when many more requests are parked than before. The memory that was used to receive them is then
// returned to the system immediately, because parked requests need very little; the garbage collector would keep it
// for similar requests.
type crowd struct {
	settled, last int
	looked        time.Duration
}

// throng is how many requests must have been added before hasGrown reports true.
const throng = 1000

// hasGrown reports whether at least throng more requests wait than when it last reported true, and hardly any were added
// in the last second.
func (c *crowd) hasGrown(waiting int, now time.Duration) bool {
	if now-c.looked < time.Second {
		return false
	}
	come := waiting - c.last
	c.last, c.looked = waiting, now
	if waiting < c.settled/2 {
		c.settled = waiting
	}
	if waiting < c.settled+throng || come > waiting/100 {
		return false
	}
	c.settled = waiting
	return true
}

// respondAll responds to requests whose time is up. Those that cannot be answered from memory are served again.
func (l *lot) respondAll(due []*parked) {
	for _, p := range due {
		b := p.of
		told := l.respond(p) // then it may already wait again
		l.mu.Lock()
		b.told--
		if !told {
			b.due = append(b.due, p)
		}
		l.serveNext(b)
		l.mu.Unlock()
	}
}

// resume serves a parked request again, and further requests on its connection.
func (l *lot) resume(p *parked) {
	p.done = sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		p.of.served--
		l.serveNext(p.of)
	})
	defer p.done()
	_ = l.serve(p.conn.again(append([]byte(p.standing.Value().request), p.rest...), p))
}

// end serves all parked requests again, and stops parking new ones.
func (l *lot) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ending.Store(true)
	for _, b := range l.bays {
		for _, p := range slices.Backward(b.waiting) {
			l.serveInTurn(p)
		}
	}
	if len(l.bays) == 0 {
		l.close()
	}
}

// close signals that nothing is parked any more.
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
	case <-l.Stopping:
		return true
	default:
		return l.ending.Load()
	}
}

// resumed returns the parked data of a request that is being served again, which is the first on its connection. It
// returns nil for other requests.
func resumed(c *fiber.Ctx) *parked {
	if conn, ok := c.Context().Conn().(*politeConn); ok {
		return conn.resumed.Swap(nil)
	}
	return nil
}
