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

// Limits on the memory held by request bodies: a free allowance per body, and a total for everything beyond. To
// protect others, a site may hold half of the total, a client a third, which fits the largest image, and all
// clients without credentials together a sixth, because anyone can send a body slowly.
const (
	freeBody        = 64 << 10
	maxBodies       = 66 << 20
	siteBodies      = maxBodies / 2
	anonymousBodies = maxBodies / 6
	ownBodies       = maxBodies / 3
)

// bodies counts the memory of bodies in progress beyond freeBody each.
type bodies struct {
	mu  sync.Mutex
	all int64
	of  map[any]int64
}

// sender identifies the sender of a body, as far as that is known before the body is read.
type sender struct {
	site      int64
	client    netip.Prefix // the network of an IPv6 client
	anonymous bool         // has no credentials
}

// shares returns the groups that a body counts towards, with their limits.
func (s sender) shares() map[any]int64 {
	list := map[any]int64{s.site: siteBodies, s.client: ownBodies}
	if s.anonymous {
		list[anonymous{}] = anonymousBodies
	}
	return list
}

type anonymous struct{}

// held returns the bytes that are counted now.
func (b *bodies) held() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all
}

// take adds bytes to those that a sender holds, and reports whether all are within the limits. The caller must give
// them back in either case.
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

// senderOf returns the sender of a body. Credentials in a header are verified before a large body is read; wrong ones
// are an error.
func (s *server) senderOf(c *fiber.Ctx) (sender, error) {
	client := noteOf(c).client
	from := sender{client: netip.PrefixFrom(client, client.BitLen()),
		anonymous: c.Get(fiber.HeaderAuthorization) == "" && c.Get(fiber.HeaderCookie) == ""}
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
	if a.page || a.admin || from.anonymous {
		return from, nil
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), s.Timeout)
	defer cancel()
	ctx = tenancy.With(ctx, tenancy.Scope{Site: site, Address: client.String()})
	who, err := s.principal(ctx, c)
	from.anonymous = who.Anonymous()
	return from, err
}

// heldReader counts the bytes of a body beyond freeBody and returns errBusy at a limit. It identifies the sender when
// counting starts.
type heldReader struct {
	io.Reader
	all   *bodies
	whose func() (sender, error)
	from  sender
	read  int64
}

// errSender is returned if the sender may not send a body. It wraps the reason.
var errSender = errors.New("the sender may not send a body")

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

// release stops counting the body.
func (h *heldReader) release() {
	if held := h.read - freeBody; held > 0 {
		h.all.give(h.from, held)
	}
}
