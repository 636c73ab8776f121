package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// The tables that an import handles itself.
const (
	sitesTable   = "sites"
	domainsTable = "domains"
	changesTable = "changes"
)

// Import creates a site from an archive, with the same ids, versions and counters. become may change the slug, name
// and domains. Without domains in become, the site gets the domains in the archive. It gets the plan with the name
// of its original plan, or the default plan if there is none. The whole archive is verified before anything is
// written. Import returns the errors of Open and Verify, and *args.Problems if the slug or a domain belongs to
// another site. If it fails or is cancelled, it leaves nothing behind.
func (s *Archives) Import(ctx context.Context, r io.ReaderAt, size int64, become *platform.SiteFields,
	progress Progress,
) (*tenancy.Site, error) {
	a, err := openSite(r, size)
	if err != nil {
		return nil, err
	}
	site, err := s.keep(ctx, a, become, progress)
	if err != nil {
		return nil, fmt.Errorf("import site %s: %w", a.manifest.Site.Slug, err)
	}
	return site, nil
}

// Look returns the site of an archive. It returns the errors of Open but does not examine the members.
func (*Archives) Look(r io.ReaderAt, size int64) (*Origin, error) {
	a, err := openSite(r, size)
	if err != nil {
		return nil, err
	}
	return a.manifest.Site, nil
}

func openSite(r io.ReaderAt, size int64) (*Reader, error) {
	a, err := Open(r, size)
	if err == nil && a.manifest.Kind != kindSite {
		err = fmt.Errorf("%w: it contains an %s, not a site", ErrNoArchive, a.manifest.Kind)
	}
	return a, err
}

// intake is an import in progress.
type intake struct {
	*Archives
	*Reader
	domains  []string // replace the domains in the archive unless nil
	there    bool     // the site exists, and keeps its domains, its history and its blobs
	done     int64
	progress Progress
	blobs    []*Member // stored so far
	within   context.Context
}

func (s *Archives) keep(ctx context.Context, a *Reader, become *platform.SiteFields, progress Progress) (*tenancy.Site, error) {
	in := &intake{Archives: s, Reader: a, done: a.manifest.Bytes(), progress: progress}
	was := a.manifest.Site
	site := &tenancy.Site{Slug: was.Slug, Name: was.Name, Domains: was.Domains, Plan: tenancy.Plan{Name: was.Plan}}
	if slug, given := become.Slug.Get(); become.Domains.Given() || given && slug != was.Slug {
		site.Domains, in.domains = nil, []string{}
	}
	err := s.sites.Adopt(ctx, site, become, func() error {
		if in.domains != nil {
			in.domains = append(in.domains, site.Domains...)
		}
		if err := a.Verify(ctx, func(done, total int64) { progress.tell(done, 2*total) }); err != nil {
			return err
		}
		columns, row, err := a.siteRow(ctx)
		if err != nil {
			return err
		}
		return s.store.WriteSite(ctx, site, columns, row, in.fill)
	})
	if err != nil && !errors.Is(err, errTried) {
		return nil, errors.Join(err, in.undo())
	}
	return site, nil
}

// siteRow returns the site's own row and its columns.
func (a *Reader) siteRow(ctx context.Context) (columns []string, row []byte, err error) {
	m := a.manifest.member(sitesTable)
	if m == nil || m.Rows != 1 {
		return nil, nil, fmt.Errorf("%w: it has no site", ErrDamaged)
	}
	err = a.lines(ctx, m)(func(line []byte) error {
		row = slices.Clone(line)
		return nil
	})
	return m.Columns, row, err
}

// fill stores tables, then blobs.
func (in *intake) fill(ctx context.Context, to Sink) error {
	in.within = ctx
	for i := range in.manifest.Members {
		m := &in.manifest.Members[i]
		switch m.Table() {
		case sitesTable: // already stored
			in.advance(m)
			continue
		case "":
			continue
		case domainsTable, changesTable:
			if in.there {
				in.advance(m)
				continue
			}
		}
		table := Table{m.Table(), m.Columns}
		lines := in.lines(ctx, m)
		if in.domains != nil && table.Name == domainsTable {
			table, lines = in.ownDomains()
		}
		if err := to.Rows(ctx, table, lines); err != nil {
			return fmt.Errorf("%s: %w", table.Name, err)
		}
		in.advance(m)
	}
	if in.trial {
		return errTried
	}
	for i := range in.manifest.Members {
		if m := &in.manifest.Members[i]; m.Table() == "" {
			if err := in.blob(ctx, m); err != nil {
				return err
			}
			in.advance(m)
		}
	}
	return nil
}

func (in *intake) advance(m *Member) {
	in.done += m.Bytes
	in.progress.tell(in.done, 2*in.manifest.Bytes())
}

// ownDomains returns rows for the given domains. The archive's other data about domains is dropped, because it
// concerns the replaced ones.
func (in *intake) ownDomains() (Table, Lines) {
	return Table{domainsTable, []string{"domain"}}, func(yield func([]byte) error) error {
		for _, domain := range in.domains {
			if err := yield(fmt.Appendf(nil, `{"domain": %q}`, domain)); err != nil {
				return err
			}
		}
		return nil
	}
}

func (in *intake) blob(ctx context.Context, m *Member) error {
	r, err := in.open(ctx, m)
	if err != nil {
		return err
	}
	defer r.Close()
	key, file := m.Blob()
	if in.there {
		has, err := in.Archives.blobs.Read(ctx, key, file)
		if err == nil {
			return has.Close()
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	} else {
		in.blobs = append(in.blobs, m)
	}
	if err := in.Archives.blobs.Write(ctx, key, file, r, m.Bytes); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	return nil
}

// undo removes the stored blobs, even if the context has ended. If the site exists, it keeps them, because then the
// commit succeeded and only its confirmation was lost.
func (in *intake) undo() error {
	if in.within == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(in.within), time.Minute)
	defer cancel()
	made := tenancy.Current(ctx).Site
	if there, err := in.sites.Get(ctx, made.Slug); err == nil && there.ID == made.ID {
		return nil
	}
	var failed []error
	for _, m := range in.blobs {
		key, file := m.Blob()
		failed = append(failed, in.Archives.blobs.Discard(ctx, key, file))
	}
	return errors.Join(failed...)
}
