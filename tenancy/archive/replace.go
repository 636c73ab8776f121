package archive

import (
	"context"
	"fmt"
	"io"

	"github.com/kalends/kalends/tenancy"
)

// Replace makes a site that exists what an archive of it holds. Everything that people have written there since is replaced, in one
// transaction; the history, who signs in how, and what no archive holds, stay. Its version and its ids go on, so nothing that is remembered of them is
// mistaken. The whole archive is verified before anything is written. Replace returns the errors of Open and Verify, tenancy.ErrNoSite, and
// ErrChanged if the site has another version than the one given; then, as after any failure, the site is as it was. Image files that it
// has stored already are removed later, as any that no image has.
func (s *Archives) Replace(ctx context.Context, r io.ReaderAt, size int64, site *tenancy.Site, progress Progress) (*tenancy.Site, error) {
	a, err := openSite(r, size)
	if err != nil {
		return nil, err
	}
	in := &intake{Archives: s, Reader: a, there: true, done: a.manifest.Bytes(), progress: progress}
	now := *site
	err = s.sites.Replace(ctx, &now, func() error {
		if err := a.Verify(ctx, func(done, total int64) { progress.tell(done, 2*total) }); err != nil {
			return err
		}
		columns, row, err := a.siteRow(ctx)
		if err != nil {
			return err
		}
		return s.store.ReplaceSite(ctx, &now, columns, row, in.fill)
	})
	if err != nil {
		return nil, fmt.Errorf("restore site %s: %w", site.Slug, err)
	}
	return &now, nil
}
