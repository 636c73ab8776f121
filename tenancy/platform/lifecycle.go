package platform

import (
	"context"
	"errors"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// DeletionFields are the arguments for deleting a site.
type DeletionFields struct {
	Grace args.Opt[int] `arg:"grace,default=30,min=0,max=365,nonull"` // days
}

const day = 24 * time.Hour

// Delete closes a site for everyone, if the conditions hold. Purge removes the site permanently after the days of
// grace; until then it keeps its slug and domains. With 0 days, Delete removes the site immediately; if that fails,
// it returns the error, and Purge tries again. A second call restarts the days of grace. Delete returns the site's
// new state, or ErrNoSite.
func (s *Sites) Delete(ctx context.Context, slug string, f *DeletionFields, when ...tenancy.Condition) (*tenancy.Site, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	now := s.clock().UTC().Truncate(time.Second)
	site, err := s.store.Update(ctx, slug, func(site *tenancy.Site) error {
		if err := tenancy.AllOf(when)(site.Version); err != nil {
			return err
		}
		d := &site.Deletion
		if d.Over(now) {
			return nil
		}
		if !site.Deleted() {
			d.At, d.Before, site.State = now, site.State, tenancy.Closed
		}
		d.Purge = now.Add(time.Duration(f.Grace.Or(30)) * day)
		return nil
	})
	if err != nil {
		return nil, tenancy.Wrap("delete site", err)
	}
	s.forget(site.ID)
	if site.Deletion.Over(now) {
		if _, err := s.purge(ctx, site.ID, now); err != nil {
			return nil, err
		}
	}
	return site, nil
}

// Undelete restores a deleted site to its former state, if the conditions hold. A site that is not deleted stays
// unchanged. It returns ErrNoSite if there is no such site or its days of grace are over.
func (s *Sites) Undelete(ctx context.Context, slug string, when ...tenancy.Condition) (*tenancy.Site, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	site, err := s.store.Update(ctx, slug, func(site *tenancy.Site) error {
		if err := tenancy.AllOf(when)(site.Version); err != nil {
			return err
		}
		switch {
		case site.Deletion.Over(s.clock()):
			return tenancy.ErrNoSite
		case site.Deleted():
			site.State, site.Deletion = site.Deletion.Before, tenancy.Deletion{}
		}
		return nil
	})
	if err != nil {
		return nil, tenancy.Wrap("undelete site", err)
	}
	s.forget(site.ID)
	return site, nil
}

// Purge removes the deleted sites whose days of grace are over, with everything in them, and returns their slugs.
// Any number of nodes may call it simultaneously. If it cannot remove a site, it continues with the others and
// returns the joined errors. The next call tries again.
func (s *Sites) Purge(ctx context.Context) ([]string, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	var slugs []string
	var tried []int64
	var failed error
	for {
		now := s.clock()
		id, err := s.store.Due(ctx, now, tried)
		if err != nil || id == 0 {
			return slugs, errors.Join(failed, tenancy.Wrap("find deleted sites", err))
		}
		tried = append(tried, id)
		slug, err := s.purge(ctx, id, now)
		if err != nil {
			failed = errors.Join(failed, err)
		} else if slug != "" {
			slugs = append(slugs, slug)
		}
	}
}

// purge removes one site and returns its slug, or "" if it is already gone.
func (s *Sites) purge(ctx context.Context, id int64, now time.Time) (string, error) {
	slug, err := s.store.Purge(ctx, id, now, func(ctx context.Context) error { return s.files(ctx, id) })
	if err != nil {
		return "", tenancy.Wrap("purge site", err)
	}
	s.forget(id)
	return slug, nil
}
