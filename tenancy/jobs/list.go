package jobs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/kalends/kalends/tenancy"
)

// List returns one page of jobs, newest first.
func (s *Jobs) List(ctx context.Context, f *Filter) (tenancy.Page[Job], error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return tenancy.Page[Job]{}, err
	}
	return s.store.List(ctx, f)
}

// Get returns a job, or ErrNoJob.
func (s *Jobs) Get(ctx context.Context, id int64) (*Job, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	return s.store.Get(ctx, id)
}

// Cancel cancels a job that has not ended, whichever node runs it. It deletes a job that has ended, together with
// its archive. It returns the last state of the job, or ErrNoJob. A cancelled import creates no site.
func (s *Jobs) Cancel(ctx context.Context, id int64) (*Job, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	before, err := s.store.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	job, err := s.store.Cancel(ctx, id)
	if err != nil {
		return nil, err
	}
	s.works.Stop(id)
	if before.Ended() {
		return job, s.forget(ctx, job)
	}
	if job.State == Cancelled {
		err = s.clear(ctx, job, job.Attempt+1)
	}
	return job, err
}

// Copies returns the exports and restores of a site, the newest first.
func (s *Jobs) Copies(ctx context.Context, slug string) ([]*Job, error) {
	site, err := s.sites.Get(ctx, slug)
	if err != nil {
		return nil, err
	}
	return s.store.Copies(ctx, site.ID)
}

// Open opens the archive that a job has made. It returns ErrNoJob or ErrNoArchive.
func (s *Jobs) Open(ctx context.Context, id int64) (*Job, Content, error) {
	job, err := s.Get(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	if !job.HasArchive() {
		return nil, nil, ErrNoArchive
	}
	content, size, err := s.files.Open(ctx, job.file(job.Attempt))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, ErrNoArchive
	case err != nil:
		return nil, nil, fmt.Errorf("open archive of job %d: %w", id, err)
	case size != job.Bytes:
		return nil, nil, errors.Join(fmt.Errorf("the archive of job %d has %d bytes, not %d", id, size, job.Bytes), content.Close())
	}
	return job, content, nil
}

// Purge deletes expired jobs and their archives. Any number of nodes may call it concurrently.
func (s *Jobs) Purge(ctx context.Context) error {
	for {
		list, err := s.store.Expired(ctx)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, job := range list {
			if err := s.forget(ctx, job); err != nil {
				return err
			}
		}
	}
}

// forget deletes files first, because without the job nothing would refer to them.
func (s *Jobs) forget(ctx context.Context, job *Job) error {
	if err := s.clear(ctx, job, job.Attempt+1); err != nil {
		return err
	}
	if err := s.store.Remove(ctx, job.ID); !errors.Is(err, ErrNoJob) {
		return err
	}
	return nil
}

// file returns the file name of an attempt. Attempt 0 is the uploaded archive.
func (j *Job) file(attempt int) string { return fmt.Sprintf("job-%d-%d", j.ID, attempt) }

// clear deletes the uploaded archive and the files of the attempts that came before a given one.
func (s *Jobs) clear(ctx context.Context, job *Job, before int) error {
	failed := make([]error, 0, before)
	for n := range before {
		failed = append(failed, s.files.Clear(ctx, job.file(n)))
	}
	return errors.Join(failed...)
}
