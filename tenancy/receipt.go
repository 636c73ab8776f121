package tenancy

import "context"

// Receipt records the version that the writes of a request have reached.
type Receipt struct {
	// Version is the version of the site after the request's last write; 0 if it has changed nothing.
	Version int64
}

type receiptKey struct{}

// WithReceipt returns a context whose writes are recorded in r. Its writes must not run concurrently.
func WithReceipt(ctx context.Context, r *Receipt) context.Context {
	return context.WithValue(ctx, receiptKey{}, r)
}

// Wrote returns the version of the site after the context's last write, or 0 if it has changed nothing.
func Wrote(ctx context.Context) int64 {
	if r, ok := ctx.Value(receiptKey{}).(*Receipt); ok {
		return r.Version
	}
	return 0
}

// NoteWrite records the version of the site after a write of the context.
func NoteWrite(ctx context.Context, version int64) {
	if r, ok := ctx.Value(receiptKey{}).(*Receipt); ok {
		r.Version = version
	}
}
