package tenancy

import "context"

type slotKey struct{}

// Slot is one of the limited places that requests occupy while they are processed.
type Slot interface {
	// Outside calls do and returns its error. Meanwhile another request can have the slot.
	Outside(ctx context.Context, do func() error) error
	// Work counts the request as using a processor although it has no slot, until done is called.
	Work() (done func())
}

// WithSlot returns a context whose request has a slot, or none if p is nil.
func WithSlot(ctx context.Context, p Slot) context.Context {
	return context.WithValue(ctx, slotKey{}, p)
}

// Outside calls do, which has its own limits and may take a long time, and returns its error. Meanwhile the request
// gives up its slot, so that no other request waits for it.
func Outside(ctx context.Context, do func() error) error {
	if p, _ := ctx.Value(slotKey{}).(Slot); p != nil {
		return p.Outside(ctx, do)
	}
	return do()
}

// Work says that a request within Outside now uses a processor, until done is called. In the meantime, requests of
// other sites have priority over those of its site.
func Work(ctx context.Context) (done func()) {
	if p, _ := ctx.Value(slotKey{}).(Slot); p != nil {
		return p.Work()
	}
	return func() {}
}
