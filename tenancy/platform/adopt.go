package platform

import (
	"context"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Adopt makes a site that comes in whole: f says what it becomes, by the rules of
// Create, and keep stores it. It returns ErrUnauthenticated or ErrForbidden when it
// isn't the provider who acts, *args.Problems, and what keep returns.
func (s *Sites) Adopt(ctx context.Context, site *tenancy.Site, f *SiteFields, keep func() error) error {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return err
	}
	if err := s.patch(f, site); err != nil {
		return err
	}
	found := &args.Problems{}
	if site.Domains = s.domains(site.Domains, found); found.Err() != nil {
		return found.Err() // those it brings may be the platform's own here
	}
	if err := keep(); err != nil {
		return err
	}
	s.forget(site.ID)
	return nil
}
