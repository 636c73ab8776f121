package tenancy

import "context"

// Receipt is what a request learns of its own writes.
type Receipt struct {
	// Version is the version of the site that the request's last write made; 0 while it has changed nothing.
	Version int64
}

type receiptKey struct{}

// WithReceipt returns a context whose writes are noted in r. Its writes follow one another.
func WithReceipt(ctx context.Context, r *Receipt) context.Context {
	return context.WithValue(ctx, receiptKey{}, r)
}

// Wrote returns the version of its site that the last write of the context made, 0 if it has changed nothing.
func Wrote(ctx context.Context) int64 {
	if r, ok := ctx.Value(receiptKey{}).(*Receipt); ok {
		return r.Version
	}
	return 0
}

// NoteWrite notes that a write of the context made a version of its site.
func NoteWrite(ctx context.Context, version int64) {
	if r, ok := ctx.Value(receiptKey{}).(*Receipt); ok {
		r.Version = version
	}
}
