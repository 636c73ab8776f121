package tenancy

import "context"

type slotKey struct{}

// Slot is what a request occupies while it is being answered.
type Slot interface {
	// Outside does something and returns its error. Meanwhile the slot is free for others.
	Outside(ctx context.Context, do func() error) error
	// Work says that the processors work for the request although it has no slot, until done is called.
	Work() (done func())
}

// WithSlot returns a context whose request has a slot; with nil it has none.
func WithSlot(ctx context.Context, p Slot) context.Context {
	return context.WithValue(ctx, slotKey{}, p)
}

// Outside does something that has bounds of its own and may take long, and returns its error. Meanwhile the request does not count as one
// that is being answered, so it keeps no other waiting.
func Outside(ctx context.Context, do func() error) error {
	if p, _ := ctx.Value(slotKey{}).(Slot); p != nil {
		return p.Outside(ctx, do)
	}
	return do()
}

// Work says that the processors work for a request within Outside, until done is called: its site then gives way to others.
func Work(ctx context.Context) (done func()) {
	if p, _ := ctx.Value(slotKey{}).(Slot); p != nil {
		return p.Work()
	}
	return func() {}
}
