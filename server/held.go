package server

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
)

// What bodies may hold of memory: each so much, and those under way so much
// together beyond that. A site has half of that, so that another's are taken in whatever it
// does; a client a quarter, which is a picture; and those of clients that show nothing to
// say who they are an eighth together: anybody can send one, slowly.
const (
	freeBody    = 64 << 10
	maxBodies   = 128 << 20
	siteBodies  = maxBodies / 2
	strayBodies = maxBodies / 8
	ownBodies   = maxBodies / 4
)

// bodies counts what is under way, beyond freeBody of each.
type bodies struct {
	mu  sync.Mutex
	all int64
	of  map[any]int64
}

// sender is whose body is under way, as far as that is known before it is read.
type sender struct {
	site   int64
	client netip.Prefix // a network of IPv6 is one
	stray  bool         // shows nothing
}

// shares are what a body counts among beside all, and how much they may be together.
func (s sender) shares() map[any]int64 {
	list := map[any]int64{s.site: siteBodies, s.client: ownBodies}
	if s.stray {
		list[stray{}] = strayBodies
	}
	return list
}

type stray struct{}

// take counts more of a sender, and reports whether there is room for it; the sender gives
// it back either way.
func (b *bodies) take(from sender, more int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of == nil {
		b.of = map[any]int64{}
	}
	b.all += more
	fits := b.all <= maxBodies
	for share, most := range from.shares() {
		b.of[share] += more
		fits = fits && b.of[share] <= most
	}
	return fits
}

func (b *bodies) give(from sender, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all -= n
	for share := range from.shares() {
		if b.of[share] -= n; b.of[share] == 0 {
			delete(b.of, share)
		}
	}
}

// senderOf returns whose body a request brings. Credentials that are shown in a header are
// looked at before a large body is read; wrong ones are an error.
func (s *server) senderOf(c *fiber.Ctx) (sender, error) {
	client := noteOf(c).client
	from := sender{client: netip.PrefixFrom(client, client.BitLen()),
		stray: c.Get(fiber.HeaderAuthorization) == "" && c.Get(fiber.HeaderCookie) == ""}
	if client.Is6() {
		from.client = netip.PrefixFrom(client, 64).Masked()
	}
	a := readAddress(c)
	if !a.site || s.providers(c) {
		return from, nil
	}
	site, err := s.siteOf(c)
	if err != nil {
		return from, err
	}
	from.site = site.ID
	if a.page || a.admin || from.stray {
		return from, nil
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), s.Timeout)
	defer cancel()
	ctx = tenancy.With(ctx, tenancy.Scope{Site: site, Address: client.String()})
	who, err := s.principal(ctx, c)
	from.stray = who.Anonymous()
	return from, err
}

// heldReader counts what is read of a body beyond freeBody, and returns errBusy when it is too
// much. It finds out whose it is when that begins.
type heldReader struct {
	io.Reader
	all   *bodies
	whose func() (sender, error)
	from  sender
	read  int64
}

// errSender says that a body is read no further, for its sender may send none; it
// wraps why.
var errSender = errors.New("the sender may send no body")

// Read implements io.Reader.
func (h *heldReader) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	before := max(0, h.read-freeBody)
	h.read += int64(n)
	more := max(0, h.read-freeBody) - before
	if more == 0 {
		return n, err
	}
	if before == 0 {
		from, refused := h.whose()
		if refused != nil {
			h.read -= int64(n)
			return n, errors.Join(errSender, refused)
		}
		h.from = from
	}
	if !h.all.take(h.from, more) {
		return n, &later{errBusy, 5 * time.Second}
	}
	return n, err
}

// release counts the body no more.
func (h *heldReader) release() {
	if held := h.read - freeBody; held > 0 {
		h.all.give(h.from, held)
	}
}
