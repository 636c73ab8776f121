package tenancy

import (
	"context"
	"errors"
	"time"
)

// ErrRepeated says that a write with the same key was made meanwhile: nothing was written, and its answer is given again.
var ErrRepeated = errors.New("the write was made already")

// Repeatable is a request that may come again with the same key (rules 20). Its answer is kept with the first write it makes.
type Repeatable struct {
	ID          []byte // digest of the credential and the key
	Fingerprint []byte // digest of the request
	Role        Role   // of who asks
	Attempt     []byte // this one of possibly several
}

// KeptAnswer is what is kept of a request.
type KeptAnswer struct {
	Fingerprint []byte
	Role        Role
	Kind        string // what was written first, as in the history; "" for nothing
	Object      int64
	Status      int // 0: written, but the answer is not known
	Headers     map[string]string
	Body        []byte // nil: it had a secret
}

// AnswerAge is how long answers are kept.
const AnswerAge = 24 * time.Hour

// AnswerStore keeps answers of the scope's site.
type AnswerStore interface {
	// Find returns the answer that is kept for a request since a moment, or nil.
	Find(ctx context.Context, id []byte, since time.Time) (*KeptAnswer, error)
	// Keep keeps an answer: of a write, beside what was noted with it, or of a request that changed nothing. It returns ErrRepeated
	// if another request with the key was answered meanwhile.
	Keep(ctx context.Context, r *Repeatable, a *KeptAnswer, now time.Time) error
}

type repeatableKey struct{}

// WithRepeatable returns a context whose first write notes the request.
func WithRepeatable(ctx context.Context, r *Repeatable) context.Context {
	return context.WithValue(ctx, repeatableKey{}, r)
}

// RepeatableOf returns the request that a context's writes are noted for, or nil.
func RepeatableOf(ctx context.Context) *Repeatable {
	r, _ := ctx.Value(repeatableKey{}).(*Repeatable)
	return r
}
