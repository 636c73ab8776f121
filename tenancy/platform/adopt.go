package platform

import (
	"context"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Adopt makes a site from an archive. It applies f by the rules of Create, and then calls keep to store the site.
// It returns ErrUnauthenticated or ErrForbidden if the provider isn't acting, *args.Problems if f breaks a rule,
// and any error of keep.
func (s *Sites) Adopt(ctx context.Context, site *tenancy.Site, f *SiteFields, keep func() error) error {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return err
	}
	if err := s.patch(f, site); err != nil {
		return err
	}
	found := &args.Problems{}
	if site.Domains = s.domains(site.Domains, found); found.Err() != nil {
		return found.Err() // the archived domains may belong to this platform
	}
	if err := keep(); err != nil {
		return err
	}
	s.forget(site.ID)
	return nil
}

// Replace runs keep, which replaces the contents of a site, and then forgets everything remembered about the site.
// It returns ErrUnauthenticated or ErrForbidden if the provider isn't acting, and the error of keep.
func (s *Sites) Replace(ctx context.Context, site *tenancy.Site, keep func() error) error {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return err
	}
	err := keep()
	s.forget(site.ID)
	return err
}
