package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// ErrOccupied says that the installation has a different site with the same slug.
var ErrOccupied = errors.New("another site has that slug")

// Restore recreates an installation from a backup. It skips sites that already exist exactly as saved, so an
// interrupted restore can be resumed. If a slug belongs to a different site, it returns ErrOccupied before writing
// anything. If it rejects the archive of a site, it restores the other sites and returns the error at the end. It
// calls tell for each restored or existing site.
func (s *Archives) Restore(ctx context.Context, dir string, tell func(*Saved)) (*Backup, error) {
	b, f, err := s.openBackup(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	now, err := s.store.Overview(ctx)
	if err != nil {
		return nil, err
	}
	there := make(map[string]*Origin, len(now.Sites))
	for i := range now.Sites {
		there[now.Sites[i].Slug] = &now.Sites[i]
	}
	for i := range b.Sites {
		saved := &b.Sites[i]
		if found := there[saved.Site.Slug]; found != nil {
			if saved.Kept = saved.Site.same(found); !saved.Kept {
				return nil, fmt.Errorf("restore site %s: %w", saved.Site.Slug, ErrOccupied)
			}
		}
	}
	if err := s.restoreInstallation(ctx, f, b.Installation); err != nil {
		return nil, fmt.Errorf("restore installation: %w", err)
	}
	var without []error
	for i := range b.Sites {
		saved := &b.Sites[i]
		if !saved.Kept {
			_, err := s.restoreSite(ctx, f, saved, &platform.SiteFields{})
			if refused(err) {
				without = append(without, err)
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		tell(saved)
	}
	return b, errors.Join(without...)
}

// refused reports whether an error concerns the contents of an archive.
func refused(err error) bool {
	return errors.Is(err, ErrDamaged) || errors.Is(err, ErrNoArchive) || errors.Is(err, ErrTooNew) || errors.Is(err, ErrTooLarge)
}

// RestoreSite restores one site of a backup, under its own slug or another; see Import. It returns
// tenancy.ErrNoSite if the backup does not contain the site.
func (s *Archives) RestoreSite(ctx context.Context, dir, slug string, become *platform.SiteFields) (*tenancy.Site, error) {
	b, f, err := s.openBackup(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for i := range b.Sites {
		if b.Sites[i].Site.Slug == slug {
			return s.restoreSite(ctx, f, &b.Sites[i], become)
		}
	}
	return nil, fmt.Errorf("restore site %s: %w", slug, tenancy.ErrNoSite)
}

func (s *Archives) openBackup(ctx context.Context, dir string) (*Backup, *folder, error) {
	if !tenancy.ByProvider(ctx) {
		return nil, nil, tenancy.ErrUnauthenticated
	}
	f, err := openFolder(dir, false)
	if err != nil {
		return nil, nil, fmt.Errorf("restore: %w", err)
	}
	b, err := f.readBackup(backupName)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: no backup has finished in %s, because it has no %s", ErrNoArchive, dir, backupName)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("restore: %w", errors.Join(err, f.Close()))
	}
	return b, f, nil
}

func (s *Archives) restoreSite(ctx context.Context, f *folder, saved *Saved, become *platform.SiteFields) (*tenancy.Site, error) {
	file, err := f.open(ctx, saved.File)
	if err != nil {
		return nil, fmt.Errorf("restore site %s: %w", saved.Site.Slug, err)
	}
	defer file.Close()
	return s.Import(ctx, file, saved.Bytes, become, nil)
}

func (s *Archives) restoreInstallation(ctx context.Context, f *folder, saved File) error {
	file, err := f.open(ctx, saved)
	if err != nil {
		return err
	}
	defer file.Close()
	a, err := Open(file, saved.Bytes)
	if err != nil {
		return err
	}
	if a.manifest.Kind != kindInstallation {
		return fmt.Errorf("%w: it does not contain an installation", ErrNoArchive)
	}
	if err := a.Verify(ctx, nil); err != nil || s.trial {
		return err
	}
	return s.store.WriteInstallation(ctx, func(ctx context.Context, to Sink) error {
		for i := range a.manifest.Members {
			m := &a.manifest.Members[i]
			if err := to.Rows(ctx, Table{m.Table(), m.Columns}, a.lines(ctx, m)); err != nil {
				return fmt.Errorf("%s: %w", m.Name, err)
			}
		}
		return nil
	})
}
