package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// ImportFields are the arguments of an import: what the site is to be other than
// it was. Another slug leaves it the domains that are given, else those it had.
type ImportFields struct {
	Slug    args.Opt[string]     `arg:"slug,nonempty,nonull,max=63"`
	Name    args.Opt[string]     `arg:"name,nonempty,nonull,max=1000"`
	Domains args.Opt[args.Texts] `arg:"domains,nonull,max=1000,entries=100"`
}

// Check refuses slugs that are no label of a host name.
func (f *ImportFields) Check(found *args.Problems) {
	if f.Slug.Given() {
		(&tenancy.SiteFields{Slug: f.Slug}).Check(found)
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

// Export has a site exported, in whatever state it is. It returns
// tenancy.ErrNoSite and ErrExporting.
func (s *Jobs) Export(ctx context.Context, slug string) (*Job, error) {
	site, err := s.sites.Get(ctx, slug)
	if err != nil {
		return nil, err
	}
	job := &Job{Kind: Export, State: Queued, Site: site.Slug, Object: site.ID, By: asker(ctx)}
	if err := s.store.Create(ctx, job, &Hold{}); err != nil {
		return nil, fmt.Errorf("export site %s: %w", slug, err)
	}
	s.awake()
	return job, nil
}

// Import has a site made of the archive that r sends. All of it is taken in, and
// looked over, before it returns: ErrTooLarge beyond Options.MaxBytes, and a
// *Refused for what is no archive of a site. Its content is checked by the job.
func (s *Jobs) Import(ctx context.Context, r io.Reader, f *ImportFields) (*Job, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	file, size, err := s.receive(r)
	if err != nil {
		return nil, fmt.Errorf("take in an archive: %w", err)
	}
	defer file.Close()
	origin, err := s.archives.Look(file, size)
	if err != nil {
		s.Logger.Warn("archive refused", "bytes", size, "error", err)
		return nil, refused(err)
	}
	job := &Job{Kind: Import, State: Queued, Site: f.Slug.Or(origin.Slug), Become: f.become(), Bytes: size, By: asker(ctx)}
	if err := s.enqueue(ctx, job, file); err != nil {
		return nil, fmt.Errorf("import site %s: %w", job.Site, err)
	}
	s.awake()
	return job, nil
}

// enqueue keeps the archive of a job. The job is held meanwhile: should this node
// die, others find that it has no archive, and nothing is left that no job names.
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

// receive stores what is sent in a file without a name, which goes when it is
// closed, however that comes.
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

// asker returns who acts, by the one name that histories keep.
func asker(ctx context.Context) tenancy.Source {
	from := tenancy.SourceOf(ctx)
	if from.Name != "" {
		from.Who = from.Name
	}
	return from
}

// lease is how long a job is held without a sign of life.
const lease = 30 * time.Second

func newHold() *Hold { return &Hold{Key: rand.Text(), For: lease} }

func (s *Jobs) awake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
