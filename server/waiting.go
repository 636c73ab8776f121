package server

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// visit is a request that has a slot of the gate. While it waits for a change it gives the slot back.
type visit struct {
	*server
	site   int64
	inside bool
}

// leave releases the slot, if there is one.
func (v *visit) leave() {
	if v.inside {
		v.inside = false
		v.gate.leave(v.site)
	}
}

// Wait implements changes.Waiter. It returns errBusy if there is no slot afterwards. A node that is about to stop waits for
// nothing: the client then asks another one.
func (v *visit) Wait(ctx context.Context, site, above int64) error {
	if v.Versions == nil {
		<-ctx.Done() // nothing tells of changes here
		return nil
	}
	v.leave()
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	if v.Stopping != nil {
		go func() {
			select {
			case <-v.Stopping:
				cancel()
			case <-waiting.Done():
			}
		}()
	}
	v.Versions.Await(waiting, site, above)
	if ctx.Err() != nil || waiting.Err() != nil {
		return nil //nolint:nilerr // the time is up, which is no failure
	}
	if err := v.gate.enter(ctx, site); err != nil {
		return err
	}
	v.inside = true
	return nil
}

// Outside implements tenancy.Slot. Meanwhile the slot is given back. Whoever gets none afterwards ends without: the work is done.
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

// following is the end of the address at which followers ask for changes.
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

// isPatient reports whether a request asks to wait for a change.
func isPatient(c *fiber.Ctx) bool {
	return bytes.HasSuffix(c.Request().URI().PathOriginal(), []byte(following)) && c.Request().URI().QueryArgs().Has("wait")
}
