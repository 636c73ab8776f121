package platform

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// How long results of Serves are remembered, and how often it queries the store for other names: a hundred times in
// a row, then once every 20 ms.
const (
	askLife = 10 * time.Second
	askEach = 20 * time.Millisecond
	askMost = 100
)

// errAsked says that Serves has queried the store too often.
var errAsked = errors.New("too many look-ups")

// Serves reports whether a name belongs to a site that is not closed: it is a site's own domain, or its slug under
// the platform's domain. Anyone may ask for any name, so results are remembered and the store is queried at a
// limited rate. Beyond that rate, it returns false for names that are not remembered.
func (r *Resolver) Serves(ctx context.Context, name string) (bool, error) {
	host, ok := tenancy.Host(name)
	if !ok || !strings.Contains(host, ".") || strings.Contains(host, ":") {
		return false, nil
	}
	site, err := r.asked.Get(ctx, host, func(ctx context.Context) (*tenancy.Site, int64, error) {
		site, err := r.named(ctx, host)
		if err != nil {
			return nil, 0, err
		}
		return site, site.ID, nil
	})
	switch {
	case errors.Is(err, tenancy.ErrNoSite), errors.Is(err, errAsked):
		return false, nil
	case err != nil:
		return false, tenancy.Wrap("ask for a name", err)
	}
	return site.State != tenancy.Closed && !site.Deleted(), nil
}

// named queries the store for the site of a name. It never returns the default site.
func (r *Resolver) named(ctx context.Context, host string) (*tenancy.Site, error) {
	slug, under := strings.CutSuffix(host, "."+r.platform)
	switch {
	case host == r.platform, under && !tenancy.SlugForm(slug):
		return nil, tenancy.ErrNoSite
	case !r.asks.Take():
		return nil, errAsked
	case under:
		return r.store.BySlug(ctx, slug)
	}
	return r.store.ByHost(ctx, host)
}
