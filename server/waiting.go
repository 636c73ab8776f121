package server

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
)

// visit is a request that may have a slot of the gate. While it waits for a change, it gives up the slot.
type visit struct {
	*server
	site   int64
	inside bool
	parks  bool // may be taken off the server while it waits
	note   *note
}

// leave releases the slot, if there is one.
func (v *visit) leave() {
	if v.inside {
		v.inside = false
		v.gate.leave(v.site)
	}
}

// Enter implements changes.Waiter. It returns errBusy if there is no slot.
func (v *visit) Enter(ctx context.Context) error {
	if v.inside {
		return nil
	}
	err := v.gate.enter(ctx, v.site)
	v.inside = err == nil
	return err
}

// Known implements changes.Waiter.
func (v *visit) Known(site int64) (version int64, certain bool) {
	if v.Versions == nil {
		return tenancy.NoVersion, false
	}
	return v.Versions.Known(site)
}

// Wait implements changes.Waiter. A request that can be parked does not wait here, but later, once its response in
// case nothing happens is complete. A node that is about to stop does not wait, and the client then asks another
// node.
func (v *visit) Wait(ctx context.Context, site, above int64, most time.Duration) (again bool, err error) {
	v.leave()
	until := time.Now().Add(most)
	if r := v.note.resumed; r != nil {
		until = v.lot.begun.Add(r.until)
	}
	if !time.Now().Before(until) || v.lot.ends() {
		return false, nil
	}
	if v.parks {
		v.note.pause = &pause{site: site, above: above, until: until}
		return false, nil
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	if v.Versions == nil {
		<-ctx.Done() // no changes are announced here
		return false, nil
	}
	v.Versions.Await(ctx, site, above)
	return ctx.Err() == nil, nil
}

// Outside implements tenancy.Slot. In the meantime it gives up the slot. If it gets none afterwards, the request
// ends without a slot, because the work is done.
func (v *visit) Outside(ctx context.Context, do func() error) error {
	v.leave()
	err := do()
	v.inside = v.gate.enter(ctx, v.site) == nil
	return err
}

// Work implements tenancy.Slot.
func (v *visit) Work() (done func()) {
	v.gate.work(v.site, 1)
	return func() { v.gate.work(v.site, -1) }
}

// following is the end of the path at which followers ask for changes.
const following = "/changes"

// longestPatience is the longest time that a follower may wait for a change.
const longestPatience = 25 * time.Second

// patience returns how much longer a request may take because it waits for a change.
func patience(c *fiber.Ctx, a address) time.Duration {
	if a.page || !strings.HasSuffix(a.path, following) || !isPatient(c) {
		return 0
	}
	return longestPatience
}

// isQuiet reports whether a request may be answered from memory: it is anonymous and asks to wait for a change. It
// takes a slot of the gate only when it needs the database.
func isQuiet(c *fiber.Ctx) bool {
	return isPatient(c) && len(c.Request().Header.Peek(fiber.HeaderAuthorization)) == 0
}

// isPatient reports whether a request asks to wait for a change.
func isPatient(c *fiber.Ctx) bool {
	return bytes.HasSuffix(c.Request().URI().PathOriginal(), []byte(following)) && c.Request().URI().QueryArgs().Has("wait")
}
