package accounts

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// How often the use of a credential is stored, and how many uses can wait in memory.
const (
	noteEvery = time.Minute
	noteLimit = 10_000
)

// used keeps in memory when credentials were last used, so that authenticating a request does not write.
type used struct {
	mu    sync.Mutex
	sites map[int64]map[int64]time.Time // by site (0: the provider's tokens), then by id
	count int
}

// note records a use, unless a use within the last minute is known.
func (u *used) note(site, id int64, last, now time.Time) {
	if now.Sub(last) < noteEvery {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	ids := u.sites[site]
	before, waiting := ids[id]
	if waiting && now.Sub(before) < noteEvery || !waiting && u.count >= noteLimit {
		return
	}
	if ids == nil {
		if u.sites == nil {
			u.sites = map[int64]map[int64]time.Time{}
		}
		ids = map[int64]time.Time{}
		u.sites[site] = ids
	}
	if !waiting {
		u.count++
	}
	ids[id] = now
}

// take returns the waiting uses and removes them.
func (u *used) take() map[int64]map[int64]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	sites := u.sites
	u.sites, u.count = nil, 0
	return sites
}

// Flush stores when credentials and tokens were last used. Call it every few seconds and before the program ends. What can't
// be stored waits for the next call.
func (a *Authenticator) Flush(ctx context.Context) error {
	var failed []error
	for site, ids := range a.used.take() {
		var err error
		if site == 0 {
			err = a.store.Tokens().Touch(ctx, ids)
		} else {
			err = a.store.Credentials().Touch(tenancy.With(ctx, tenancy.Scope{Site: &tenancy.Site{ID: site}}), ids)
		}
		if err == nil {
			continue
		}
		failed = append(failed, err)
		for id, at := range ids {
			a.used.note(site, id, time.Time{}, at)
		}
	}
	return tenancy.Wrap("note use of credentials", errors.Join(failed...))
}
