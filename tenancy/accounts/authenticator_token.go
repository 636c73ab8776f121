package accounts

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// readPause is the least time between two readings that unknown tokens ask for.
const readPause = 20 * time.Millisecond

// readings of the provider's tokens are numbered as they begin.
type readings struct {
	begun atomic.Int64
	pause chan struct{} // full while the next one for an unknown token has to wait
}

// tokenBook are the provider's tokens by their hashes: all of them, for they are
// few.
type tokenBook struct {
	tokens map[string]*Token
	number int64 // of the reading
}

// token returns the provider's token of that hash, nil for none. What is unknown is
// looked for in a reading that began after it was asked for, so one that was just
// made is found; all that wait share it, so no number of wrong ones loads the
// database or keeps a right one out.
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
