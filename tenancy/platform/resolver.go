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

// Resolver finds the site of a request (rule 1.2). It remembers a site for a second, and longer if its version is
// known to be unchanged. Callers share the site and must not change it; its Version may be up to one second old.
type Resolver struct {
	store    SiteStore
	platform string
	fallback func() string // returns the slug of the default site, or ""
	sites    memory.Of[*tenancy.Site]
	asked    memory.Of[*tenancy.Site] // by Serves
	asks     rate.Budget              // limits look-ups by Serves
	same     stretches                // of versions
	clock    func() time.Time
	versions Versions
}

// Resolve returns the site for a Host header: the site with this domain; under the platform's domain, the site with
// this slug; otherwise the default site. It returns ErrNoSite, and ErrClosed for a closed site unless the provider
// is acting.
func (r *Resolver) Resolve(ctx context.Context, header string) (*tenancy.Site, error) {
	host, ok := tenancy.Host(header)
	if !ok {
		return nil, tenancy.ErrNoSite
	}
	site, err := r.sites.Get(ctx, host, r.look(host))
	return open(ctx, site, err)
}

// ResolveAt is Resolve for a caller who knows that the site has reached a version. The site it returns is valid at
// that version or later. If only content has changed since the site was remembered, it does not query the store.
func (r *Resolver) ResolveAt(ctx context.Context, header string, version int64) (*tenancy.Site, error) {
	site, err := r.Resolve(ctx, header)
	if err != nil || site.Version >= version || r.same.covers(site.ID, site.Version, version) {
		return site, err
	}
	host, _ := tenancy.Host(header)
	site, err = r.sites.Since(ctx, host, version, r.look(host))
	return open(ctx, site, err)
}

// Unchanged records that the step to a version changed only the site's content, so that the remembered site is
// valid at that version as well. Call it before announcing the version.
func (r *Resolver) Unchanged(site, version int64) { r.same.add(site, version) }

// look returns a function that loads the site of a host into the memory.
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

// unchanged reports whether a site that was remembered for a host is still valid: the host is one of its names, and
// the site has not been written to since. The default site is never valid in this sense: it has the hosts that no
// other site has, and can lose one without a write.
func (r *Resolver) unchanged(host string, site *tenancy.Site) bool {
	version, known := r.versions.Known(site.ID)
	return known && version == site.Version && r.belongs(host, site)
}

// belongs reports whether a host is one of the site's own names.
func (r *Resolver) belongs(host string, site *tenancy.Site) bool {
	slug, under := strings.CutSuffix(host, "."+r.platform)
	return under && slug == site.Slug || slices.Contains(site.Domains, host)
}

// open returns the site that was found, or ErrClosed if it is closed and the provider isn't acting.
func open(ctx context.Context, site *tenancy.Site, err error) (*tenancy.Site, error) {
	switch {
	case err != nil:
		return nil, tenancy.Wrap("resolve host", err)
	case site.State == tenancy.Closed && !tenancy.ByProvider(ctx):
		return nil, tenancy.ErrClosed
	}
	return site, nil
}

// IsPlatform reports whether a Host header is the platform's own host, where the provider's API is (rule 7.1).
func (r *Resolver) IsPlatform(header string) bool {
	host, ok := tenancy.Host(header)
	return ok && host == r.platform
}

// Platform returns the platform's own host.
func (r *Resolver) Platform() string { return r.platform }

// Provides reports whether the provider's API is available at a Host header: at the platform's own host, and at
// hosts that belong to no site.
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

// Home returns the host for links to a site: that in the Host header if it is one of the site's own names,
// otherwise the first of its domains, otherwise its name on the platform. A forged header therefore cannot lead to
// a foreign host.
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

// Sent returns the URL of the scope's site for links in messages to people. Its host is always one of the site's
// own names: a request's header counts only if it has one of them.
func (r *Resolver) Sent(s *tenancy.Scope) string {
	origin := s.Base.Scheme + "://" + r.Home(s.Site, s.Base.Host())
	if s.Base.Scheme == "http" { // the port on which this program listens
		origin += s.Base.Port
	}
	return origin
}

// Forget drops everything remembered about a site, and about hosts without a site. Call it whenever a site is made,
// changed or removed, here or on another node.
func (r *Resolver) Forget(site int64) {
	r.sites.Forget(site)
	r.asked.Forget(site)
}

// forgetAll drops everything remembered.
func (r *Resolver) forgetAll() {
	r.sites.Clear()
	r.asked.Clear()
}

// find queries the store. A name under the platform's domain is a slug or has no site: the host of a deleted site
// must not show the default site.
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
