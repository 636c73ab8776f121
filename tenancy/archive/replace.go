package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/kalends/kalends/tenancy"
)

// Replace replaces the contents of an existing site with an archive, in one transaction. It keeps the history, the
// ways in which users sign in, and everything that archives leave out. The version and the id counters continue, so
// caches stay correct. Replace verifies the whole archive before it writes anything. It returns the errors of Open
// and Verify, tenancy.ErrNoSite, and the errors of locked, which it calls before it changes anything, with the version
// of the site, while nobody else can write to it. After any error the site is unchanged. Image files that were stored
// before the error are removed later, like all files without an image.
//
// own says that the archive is known to be of this site. Otherwise it counts as an archive of this site only if its
// slug and UID match. With an archive of another site, no ways to sign in are kept, because its users are other
// people with the same ids.
func (s *Archives) Replace(ctx context.Context, r io.ReaderAt, size int64, site *tenancy.Site, own bool, locked Locked, progress Progress,
) (*tenancy.Site, error) {
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
		var known struct {
			UID string `json:"uid"`
		}
		if err := json.Unmarshal(row, &known); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		moved := !own && (a.manifest.Site.Slug != now.Slug || known.UID != now.UID)
		return s.store.ReplaceSite(ctx, &now, moved, columns, row, locked, in.fill)
	})
	if err != nil {
		return nil, fmt.Errorf("restore site %s: %w", site.Slug, err)
	}
	return &now, nil
}
