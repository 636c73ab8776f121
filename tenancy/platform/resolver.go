package platform

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/memory"
	"github.com/kalends/kalends/internal/rate"
	"github.com/kalends/kalends/tenancy"
)

// Resolver finds the site of a request (rule 1.2). It remembers sites for a
// second, and for as long after as their versions are known not to have risen:
// what it returns is shared, so nobody changes it, and its Version may be behind
// by that second.
type Resolver struct {
	store    SiteStore
	platform string
	fallback func() string // slug of the default site, "" for none
	sites    memory.Of[*tenancy.Site]
	asked    memory.Of[*tenancy.Site] // by Serves
	asks     rate.Budget              // of look-ups by Serves
	same     stretches                // of versions
	clock    func() time.Time
	versions Versions
}

// Resolve returns the site a Host header names: the one with that domain; else
// under the platform's domain the one with that slug; else the default site. It
// returns ErrNoSite, and ErrClosed for a closed site unless the provider asks.
func (r *Resolver) Resolve(ctx context.Context, header string) (*tenancy.Site, error) {
	host, ok := tenancy.Host(header)
	if !ok {
		return nil, tenancy.ErrNoSite
	}
	site, err := r.sites.Get(ctx, host, r.look(host))
	return open(ctx, site, err)
}

// ResolveAt is Resolve for who knows that the site has reached a version: what it
// returns holds at that version or later. Nothing is asked while all that was
// written since is content of the site.
func (r *Resolver) ResolveAt(ctx context.Context, header string, version int64) (*tenancy.Site, error) {
	site, err := r.Resolve(ctx, header)
	if err != nil || site.Version >= version || r.same.covers(site.ID, site.Version, version) {
		return site, err
	}
	host, _ := tenancy.Host(header)
	site, err = r.sites.Since(ctx, host, version, r.look(host))
	return open(ctx, site, err)
}

// Unchanged notes that what raised a site to a version changed its content alone,
// so that what is remembered of the version before holds there too. Call it before
// anybody is told of the version.
func (r *Resolver) Unchanged(site, version int64) { r.same.add(site, version) }

// look finds the site of a host for the memory.
func (r *Resolver) look(host string) memory.Load[*tenancy.Site] {
	return func(ctx context.Context) (*tenancy.Site, int64, error) {
		begun := r.clock()
		site, err := r.find(ctx, host)
		if err != nil {
			return nil, 0, err
		}
		r.versions.Learn(site.ID, site.Version, begun)
		return site, site.ID, nil
	}
}

// unchanged reports whether what was remembered of a host a while ago is so still:
// the site has that name, and nothing was written to it since. The default site
// can lose a host that it has for want of another without being written to.
func (r *Resolver) unchanged(host string, site *tenancy.Site) bool {
	version, known := r.versions.Known(site.ID)
	return known && version == site.Version && r.belongs(host, site)
}

// belongs reports whether a host is one of the site's own names.
func (r *Resolver) belongs(host string, site *tenancy.Site) bool {
	slug, under := strings.CutSuffix(host, "."+r.platform)
	return under && slug == site.Slug || slices.Contains(site.Domains, host)
}

// open returns a site that was looked up, unless it is closed for who asks.
func open(ctx context.Context, site *tenancy.Site, err error) (*tenancy.Site, error) {
	switch {
	case err != nil:
		return nil, tenancy.Wrap("resolve host", err)
	case site.State == tenancy.Closed && !tenancy.ByProvider(ctx):
		return nil, tenancy.ErrClosed
	}
	return site, nil
}

// IsPlatform reports whether a Host header names the platform itself, where the
// provider's interface is (rule 7.1).
func (r *Resolver) IsPlatform(header string) bool {
	host, ok := tenancy.Host(header)
	return ok && host == r.platform
}

// Platform returns the platform's own host.
func (r *Resolver) Platform() string { return r.platform }

// Provides reports whether the provider's interface answers at a Host header:
// on the platform's own name, and on names that belong to no site.
func (r *Resolver) Provides(ctx context.Context, header string) bool {
	host, ok := tenancy.Host(header)
	if !ok || strings.HasSuffix(host, "."+r.platform) {
		return false
	}
	if host == "" || host == r.platform {
		return true
	}
	_, err := r.store.ByHost(ctx, host)
	return errors.Is(err, tenancy.ErrNoSite)
}

// Home returns the host at which people find a site: that of a Host header when
// it is one of the site's own names, else the first of its domains, else its
// name on the platform. Whoever sends a header can't choose another.
func (r *Resolver) Home(site *tenancy.Site, header string) string {
	host, _ := tenancy.Host(header)
	switch {
	case r.belongs(host, site), host == r.platform && r.fallback() == site.Slug:
		return host
	case len(site.Domains) > 0:
		return site.Domains[0]
	}
	return site.Slug + "." + r.platform
}

// Sent returns the address of the scope's site for links that are sent away. Its host is
// one of the site's own: what a request says of itself is believed only when it names one.
func (r *Resolver) Sent(s *tenancy.Scope) string {
	origin := s.Base.Scheme + "://" + r.Home(s.Site, s.Base.Host())
	if s.Base.Scheme == "http" { // as we listen ourselves
		origin += s.Base.Port
	}
	return origin
}

// Forget drops what is remembered of a site, and which hosts have none. Call it
// whenever a site was made, changed or removed, here or on another node.
func (r *Resolver) Forget(site int64) {
	r.sites.Forget(site)
	r.asked.Forget(site)
}

// forgetAll drops everything that is remembered.
func (r *Resolver) forgetAll() {
	r.sites.Clear()
	r.asked.Clear()
}

// find asks the store. A name under the platform's domain is a slug or nothing:
// the address of a site that is gone must not show another one.
func (r *Resolver) find(ctx context.Context, host string) (*tenancy.Site, error) {
	if slug, under := strings.CutSuffix(host, "."+r.platform); under {
		if !tenancy.SlugForm(slug) {
			return nil, tenancy.ErrNoSite
		}
		return r.store.BySlug(ctx, slug)
	}
	if host != "" && host != r.platform {
		if site, err := r.store.ByHost(ctx, host); !errors.Is(err, tenancy.ErrNoSite) {
			return site, err
		}
	}
	if slug := r.fallback(); slug != "" {
		return r.store.BySlug(ctx, slug)
	}
	return nil, tenancy.ErrNoSite
}
