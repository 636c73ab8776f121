package tenancy

import (
	"context"
	"errors"
	"time"
)

// ErrRepeated says that another request with the same key has written in the meantime. This request wrote nothing,
// and gets the same response as the other.
var ErrRepeated = errors.New("the write was made already")

// Repeatable is a request that may be sent again with the same key (rules 20). Its response is stored with the
// first write that it makes.
type Repeatable struct {
	ID          []byte // digest of the credential and the key
	Fingerprint []byte // digest of the request
	Role        Role   // of the principal
	Kind        string // of the object that the request is about, as in the history
	Attempt     []byte // identifies this attempt at the request, because the same request may be sent several times
}

// KeptAnswer is the stored response to a request.
type KeptAnswer struct {
	Fingerprint []byte
	Role        Role
	Kind        string // kind of the object written, as in the history; "" for none
	Object      int64
	Status      int // 0: written, but the response is unknown
	Headers     map[string]string
	Body        []byte // nil: it contained a secret
}

// AnswerAge is how long responses are kept.
const AnswerAge = 24 * time.Hour

// AnswerStore keeps responses for the scope's site.
type AnswerStore interface {
	// Find returns the response kept for a request since a time, or nil.
	Find(ctx context.Context, id []byte, since time.Time) (*KeptAnswer, error)
	// Keep stores a response. It completes the record of the request's write, or records a request that changed
	// nothing. It returns ErrRepeated if another request with the same key was answered in the meantime.
	Keep(ctx context.Context, r *Repeatable, a *KeptAnswer, now time.Time) error
}

type repeatableKey struct{}

// WithRepeatable returns a context whose first write records the request.
func WithRepeatable(ctx context.Context, r *Repeatable) context.Context {
	return context.WithValue(ctx, repeatableKey{}, r)
}

// RepeatableOf returns the repeatable request in the context, or nil.
func RepeatableOf(ctx context.Context) *Repeatable {
	r, _ := ctx.Value(repeatableKey{}).(*Repeatable)
	return r
}
