package tenancy

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Resolver finds the site of a request (wire.md §1). It remembers sites for a
// second: what it returns is shared, so nobody changes it, and its Version may
// be behind by that second.
type Resolver struct {
	store    SiteStore
	platform string
	fallback func() string // slug of the default site, "" for none
	sites    memory[*Site]
	asked    memory[*Site] // by Serves
	asks     budget        // of look-ups by Serves
}

// Resolve returns the site a Host header names: the one with that domain; else
// under the platform's domain the one with that slug; else the default site. It
// returns ErrNoSite, and ErrClosed for a closed site unless the provider asks.
func (r *Resolver) Resolve(ctx context.Context, header string) (*Site, error) {
	host, ok := Host(header)
	if !ok {
		return nil, ErrNoSite
	}
	site, err := r.sites.get(ctx, host, func(ctx context.Context) (*Site, int64, error) {
		site, err := r.find(ctx, host)
		if err != nil {
			return nil, 0, err
		}
		return site, site.ID, nil
	})
	switch {
	case err != nil:
		return nil, wrap("resolve host", err)
	case site.State == Closed && !ByProvider(ctx):
		return nil, ErrClosed
	}
	return site, nil
}

// IsPlatform reports whether a Host header names the platform itself, where the
// provider's interface is (wire.md §7).
func (r *Resolver) IsPlatform(header string) bool {
	host, ok := Host(header)
	return ok && host == r.platform
}

// Platform returns the platform's own host.
func (r *Resolver) Platform() string { return r.platform }

// Provides reports whether the provider's interface answers at a Host header:
// on the platform's own name, and on names that belong to no site.
func (r *Resolver) Provides(ctx context.Context, header string) bool {
	host, ok := Host(header)
	if !ok || strings.HasSuffix(host, "."+r.platform) {
		return false
	}
	if host == "" || host == r.platform {
		return true
	}
	_, err := r.store.ByHost(ctx, host)
	return errors.Is(err, ErrNoSite)
}

// Home returns the host at which people find a site: that of a Host header when
// it is one of the site's own names, else the first of its domains, else its
// name on the platform. Whoever sends a header can't choose another.
func (r *Resolver) Home(site *Site, header string) string {
	host, _ := Host(header)
	named := site.Slug + "." + r.platform
	switch {
	case host != "" && (host == named || slices.Contains(site.Domains, host)), host == r.platform && r.fallback() == site.Slug:
		return host
	case len(site.Domains) > 0:
		return site.Domains[0]
	}
	return named
}

// Forget drops what is remembered of a site, and which hosts have none. Call it
// whenever a site was made, changed or removed, here or on another node.
func (r *Resolver) Forget(site int64) {
	r.sites.forget(site)
	r.asked.forget(site)
}

// forgetAll drops everything that is remembered.
func (r *Resolver) forgetAll() {
	r.sites.clear()
	r.asked.clear()
}

// find asks the store. A name under the platform's domain is a slug or nothing:
// the address of a site that is gone must not show another one.
func (r *Resolver) find(ctx context.Context, host string) (*Site, error) {
	if slug, under := strings.CutSuffix(host, "."+r.platform); under {
		if !slugForm.MatchString(slug) {
			return nil, ErrNoSite
		}
		return r.store.BySlug(ctx, slug)
	}
	if host != "" && host != r.platform {
		if site, err := r.store.ByHost(ctx, host); !errors.Is(err, ErrNoSite) {
			return site, err
		}
	}
	if slug := r.fallback(); slug != "" {
		return r.store.BySlug(ctx, slug)
	}
	return nil, ErrNoSite
}
