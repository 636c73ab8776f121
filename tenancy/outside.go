package tenancy

import "context"

type outsideKey struct{}

// WithOutside returns a context in which Outside calls out; with nil it doesn't.
func WithOutside(ctx context.Context, out func(ctx context.Context, do func() error) error) context.Context {
	return context.WithValue(ctx, outsideKey{}, out)
}

// Outside does something that has bounds of its own and may take long, and returns its error. Meanwhile the request does not count as one
// that is being answered, so it keeps no other waiting.
func Outside(ctx context.Context, do func() error) error {
	if out, _ := ctx.Value(outsideKey{}).(func(context.Context, func() error) error); out != nil {
		return out(ctx, do)
	}
	return do()
}
