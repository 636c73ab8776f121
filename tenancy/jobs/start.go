package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
)

// ImportFields are the arguments of an import: changes to make to the site. Even if the slug changes, the site gets
// its archived domains, unless others are given.
type ImportFields struct {
	Slug    args.Opt[string]     `arg:"slug,nonempty,nonull,max=63"`
	Name    args.Opt[string]     `arg:"name,nonempty,nonull,max=1000"`
	Domains args.Opt[args.Texts] `arg:"domains,nonull,max=1000,entries=100"`
}

// Check rejects slugs that are not valid host name labels.
func (f *ImportFields) Check(found *args.Problems) {
	if f.Slug.Given() {
		(&platform.SiteFields{Slug: f.Slug}).Check(found)
	}
}

func (f *ImportFields) become() (b Become) {
	if slug, ok := f.Slug.Get(); ok {
		b.Slug = &slug
	}
	if name, ok := f.Name.Get(); ok {
		b.Name = &name
	}
	if domains, ok := f.Domains.Get(); ok {
		list := []string(domains)
		b.Domains = &list
	}
	return b
}

// How long copies of a site are kept, in days.
const (
	KeepExport  = 1   // requested by a program
	KeepCopy    = 30  // requested by the provider to restore the site later, or made by a restore of the contents that it replaces
	KeepArchive = 365 // of a site that is closed permanently
)

// Export requests the export of a site, which may be in any state. The archive is kept for some days. It returns
// tenancy.ErrNoSite or ErrExporting.
func (s *Jobs) Export(ctx context.Context, slug string, days int) (*Job, error) {
	site, err := s.sites.Get(ctx, slug)
	if err != nil {
		return nil, err
	}
	job := &Job{Kind: Export, State: Queued, Site: site.Slug, Object: site.ID, Keep: days, By: asker(ctx)}
	if err := s.store.Create(ctx, job, &Hold{}); err != nil {
		return nil, fmt.Errorf("export site %s: %w", slug, err)
	}
	s.works.Wake()
	return job, nil
}

// Restore requests that a site be restored from a copy of it that a job has made. The present contents of the site
// are kept as another copy. It returns tenancy.ErrNoSite, ErrNoArchive for a job that has no copy of this site, and
// ErrRestoring.
func (s *Jobs) Restore(ctx context.Context, slug string, id int64) (*Job, error) {
	site, err := s.sites.Get(ctx, slug)
	if err != nil {
		return nil, err
	}
	from, err := s.store.Get(ctx, id)
	switch {
	case errors.Is(err, ErrNoJob) || err == nil && (!from.HasArchive() || from.Object != site.ID):
		return nil, ErrNoArchive
	case err != nil:
		return nil, err
	}
	job := &Job{Kind: Restore, State: Queued, Site: site.Slug, Object: site.ID, Keep: KeepCopy, Become: Become{Copy: id}, By: asker(ctx)}
	if err := s.store.Create(ctx, job, &Hold{}); err != nil {
		return nil, fmt.Errorf("restore site %s: %w", slug, err)
	}
	s.works.Wake()
	return job, nil
}

// Import requests the creation of a site from the archive read from r. It reads and inspects the whole archive before
// returning: it returns ErrTooLarge beyond Options.MaxBytes, and *Refused if it is not the archive of a site. The job
// checks the contents.
func (s *Jobs) Import(ctx context.Context, r io.Reader, f *ImportFields) (*Job, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	file, size, origin, err := s.archive(r)
	if err != nil {
		return nil, fmt.Errorf("import an archive: %w", err)
	}
	defer file.Close()
	job := &Job{Kind: Import, State: Queued, Site: f.Slug.Or(origin.Slug), Become: f.become(), Bytes: size, By: asker(ctx)}
	if err := s.enqueue(ctx, job, file); err != nil {
		return nil, fmt.Errorf("import site %s: %w", job.Site, err)
	}
	s.works.Wake()
	return job, nil
}

// RestoreFile requests that a site be replaced with the contents of the archive in r, which may be of any site. It
// returns tenancy.ErrNoSite, ErrRestoring, ErrTooLarge, or *Refused for an archive that can be rejected
// immediately.
func (s *Jobs) RestoreFile(ctx context.Context, slug string, r io.Reader) (*Job, error) {
	site, err := s.sites.Get(ctx, slug)
	if err != nil {
		return nil, err
	}
	file, size, _, err := s.archive(r)
	if err != nil {
		return nil, fmt.Errorf("restore site %s: %w", slug, err)
	}
	defer file.Close()
	job := &Job{Kind: Restore, State: Queued, Site: site.Slug, Object: site.ID, Keep: KeepCopy, Bytes: size, By: asker(ctx)}
	if err := s.enqueue(ctx, job, file); err != nil {
		return nil, fmt.Errorf("restore site %s: %w", slug, err)
	}
	s.works.Wake()
	return job, nil
}

// archive stores an upload in a temporary file and inspects it, without examining its members.
func (s *Jobs) archive(r io.Reader) (*os.File, int64, *archive.Origin, error) {
	file, size, err := s.receive(r)
	if err != nil {
		return nil, 0, nil, err
	}
	origin, err := s.archives.Look(file, size)
	if err != nil {
		s.Logger.Warn("archive refused", "bytes", size, "error", err)
		return nil, 0, nil, errors.Join(refused(err), file.Close())
	}
	return file, size, origin, nil
}

// enqueue stores the archive of a job. The job is stored first and held in the meantime. If this node dies, others
// find a job without an archive, and not an archive without a job.
func (s *Jobs) enqueue(ctx context.Context, job *Job, file io.ReadSeeker) error {
	hold := newHold()
	if err := s.store.Create(ctx, job, hold); err != nil {
		return err
	}
	_, err := file.Seek(0, io.SeekStart)
	if err == nil {
		err = s.holding(ctx, hold, &meter{}, func(ctx context.Context) error {
			return s.files.Keep(ctx, job.file(0), file, job.Bytes)
		})
	}
	if err == nil {
		return s.store.Release(ctx, hold)
	}
	ctx = context.WithoutCancel(ctx)
	return errors.Join(err, s.fail(ctx, hold, job, err), s.files.Clear(ctx, job.file(0)))
}

// receive stores an upload in an unlinked file, which disappears when it is closed.
func (s *Jobs) receive(r io.Reader) (*os.File, int64, error) {
	file, err := s.nameless()
	if err != nil {
		return nil, 0, err
	}
	size, err := io.Copy(file, io.LimitReader(r, s.MaxBytes+1))
	if err == nil && size > s.MaxBytes {
		err = ErrTooLarge
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, size, nil
}

func (s *Jobs) nameless() (*os.File, error) {
	if s.Dir != "" {
		if err := os.MkdirAll(s.Dir, 0o700); err != nil {
			return nil, err
		}
	}
	file, err := os.CreateTemp(s.Dir, "kalends-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// asker returns the person or program acting, with the name that the histories use.
func asker(ctx context.Context) tenancy.Source {
	from := tenancy.SourceOf(ctx)
	if from.Name != "" {
		from.Who = from.Name
	}
	return from
}

// lease is how long a job is held without a heartbeat.
const lease = 30 * time.Second

func newHold() *Hold { return &Hold{Key: rand.Text(), For: lease} }
