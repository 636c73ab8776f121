package accounts

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// readPause is the minimum time between two reads caused by unknown tokens.
const readPause = 20 * time.Millisecond

// readings numbers the reads of the provider's tokens in the order in which they begin.
type readings struct {
	begun atomic.Int64
	pause chan struct{} // full if a read for an unknown token has begun within readPause
}

// tokenBook holds all of the provider's tokens by hash. There are few of them.
type tokenBook struct {
	tokens map[string]*Token
	number int64 // of the reading
}

// token returns the provider's token with a hash, or nil. For an unknown hash it waits for a read that begins after
// the call, so it finds a token that was just created. All waiting callers share this read, so wrong tokens,
// however many, neither burden the database nor block valid ones.
func (a *Authenticator) token(ctx context.Context, hash string) (*Token, error) {
	before := a.readings.begun.Load()
	book, err := a.tokens.Get(ctx, "", a.readTokens)
	for err == nil && book.tokens[hash] == nil && book.number <= before {
		book, err = a.tokens.Since(ctx, "", 0, a.readTokensAgain)
	}
	if err != nil {
		return nil, tenancy.Wrap("read tokens", err)
	}
	return book.tokens[hash], nil
}

func (a *Authenticator) readTokens(ctx context.Context) (*tokenBook, int64, error) {
	book := &tokenBook{tokens: map[string]*Token{}, number: a.readings.begun.Add(1)}
	list, err := a.store.Tokens().List(ctx)
	for _, t := range list {
		book.tokens[string(t.Hash)] = t
	}
	return book, 0, err
}

func (a *Authenticator) readTokensAgain(ctx context.Context) (*tokenBook, int64, error) {
	select {
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	case a.readings.pause <- struct{}{}:
	}
	time.AfterFunc(readPause, func() { <-a.readings.pause })
	return a.readTokens(ctx)
}
