package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"
	"time"

	"github.com/kalends/kalends/internal/leased"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
)

const (
	pause        = time.Second      // between two searches for jobs
	beat         = 3 * time.Second  // between two heartbeats
	tidy         = time.Minute      // between two cleanups
	attempts     = 3                // per job
	storeTimeout = 30 * time.Second // time limit for a call of the store, whose connection may be dead without notice
)

// Run executes jobs one after the other until the context ends. It looks for jobs when it is woken up, and after
// each pause. When the context ends, a job in progress returns to the queue for another node.
func (s *Jobs) Run(ctx context.Context) {
	s.works.Look(ctx, leased.Looking{Pause: pause, Tidy: tidy, Clock: s.Clock, Work: s.Work, Purge: s.Purge,
		Failed: func(err error) { s.Logger.Warn("run jobs", "error", err) }})
}

// Work executes one job and reports whether there was one. If the job fails, the reason is stored with the job;
// Work returns only errors of the store.
func (s *Jobs) Work(ctx context.Context) (bool, error) {
	hold := newHold()
	asking, answered := context.WithTimeout(ctx, storeTimeout)
	job, err := s.store.Take(asking, hold)
	answered()
	if err != nil || job == nil {
		return false, err
	}
	m := &meter{}
	err = s.holding(ctx, hold, m, func(ctx context.Context) error {
		ctx = context.WithValue(acting(ctx, job), holdKey{}, hold)
		switch {
		case job.Attempt > attempts:
			return errAbandoned
		case job.Kind == Export:
			return s.export(ctx, job, hold, m)
		case job.Kind == Restore:
			return s.restore(ctx, job, hold, m)
		}
		return s.take(ctx, job, m)
	})
	return true, s.after(ctx, hold, job, err)
}

// after stores the result of a job and removes its leftovers.
func (s *Jobs) after(ctx context.Context, hold *Hold, job *Job, err error) error {
	stopped := ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	switch {
	case err == nil:
		s.Logger.Info("job done", "job", job.ID, "kind", string(job.Kind), "site", job.Site)
		return s.clear(ctx, job, job.Attempt)
	case stopped && !errors.Is(err, ErrLost):
		return errors.Join(s.files.Clear(ctx, s.made(job)), s.store.Release(ctx, hold))
	}
	failed := s.fail(ctx, hold, job, err)
	if errors.Is(failed, ErrLost) { // the next holder, or the call that cancelled the job, removes the rest
		s.Logger.Info("job given up", "job", job.ID, "kind", string(job.Kind), "site", job.Site)
		return s.files.Clear(ctx, s.made(job))
	}
	return errors.Join(failed, s.clear(ctx, job, job.Attempt+1))
}

// made returns the name of the file that only this attempt writes.
func (*Jobs) made(job *Job) string { return job.file(job.Attempt) }

// fail stores that a job failed, and why.
func (s *Jobs) fail(ctx context.Context, hold *Hold, job *Job, err error) error {
	job.State, job.Problem = Failed, problemOf(err)
	failed := s.store.End(ctx, hold, job)
	if failed == nil {
		s.Logger.Warn("job failed", "job", job.ID, "kind", string(job.Kind), "site", job.Site, "error", err)
	}
	return failed
}

// export makes the archive of a site.
func (s *Jobs) export(ctx context.Context, job *Job, hold *Hold, m *meter) error {
	if _, err := s.copy(ctx, job, m); err != nil {
		return err
	}
	job.State = Done
	return s.store.End(ctx, hold, job)
}

// copy writes the archive of the job's site to an unlinked file and stores it when complete. It returns the version that the archive has.
func (s *Jobs) copy(ctx context.Context, job *Job, m *meter) (version int64, err error) {
	if _, err := s.siteOf(ctx, job); err != nil {
		return 0, err
	}
	file, err := s.nameless()
	if err != nil {
		return 0, err
	}
	defer file.Close()
	digest := sha256.New()
	made, err := s.archives.Export(ctx, job.Site, io.MultiWriter(file, digest), m.tell)
	if err != nil {
		return 0, err
	}
	if job.Bytes, err = file.Seek(0, io.SeekCurrent); err != nil {
		return 0, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	job.SHA256 = hex.EncodeToString(digest.Sum(nil))
	return made.Site.Version, s.files.Keep(ctx, s.made(job), file, job.Bytes)
}

// siteOf returns the site of a job, or tenancy.ErrNoSite if another site has its slug by now.
func (s *Jobs) siteOf(ctx context.Context, job *Job) (*tenancy.Site, error) {
	site, err := s.sites.Get(ctx, job.Site)
	if err == nil && site.ID != job.Object {
		err = tenancy.ErrNoSite
	}
	return site, err
}

// patience is how often a restore starts again because someone has changed the site in the meantime. After that, the site waits for it.
const patience = 2

// restore replaces the contents of a site with a copy. The job keeps another copy: that of exactly the version that
// is replaced. It is made while people go on writing; if they don't stop, it is made again while they wait. The store
// ends the job in the same transaction, using the hold in the context.
func (s *Jobs) restore(ctx context.Context, job *Job, hold *Hold, m *meter) error {
	content, size, err := s.source(ctx, job)
	if err != nil {
		return err
	}
	defer content.Close()
	keep := func(ctx context.Context) (version int64, err error) {
		version, err = s.copy(ctx, job, m)
		hold.Bytes, hold.SHA256 = job.Bytes, job.SHA256
		return version, err
	}
	for left := patience; ; left-- {
		kept, err := keep(ctx)
		if err != nil {
			return err
		}
		site, err := s.siteOf(ctx, job)
		if err != nil {
			return err
		}
		locked := func(ctx context.Context, version int64) (err error) {
			switch {
			case version == kept:
			case left > 0:
				err = archive.ErrChanged
			default:
				_, err = keep(ctx)
			}
			return err
		}
		_, err = s.archives.Replace(ctx, content, size, site, job.Become.Copy != 0, locked, m.tell)
		if !errors.Is(err, archive.ErrChanged) {
			return err
		}
	}
}

// source opens the archive that a restore reads: a copy of the site, or an uploaded archive.
func (s *Jobs) source(ctx context.Context, job *Job) (Content, int64, error) {
	if job.Become.Copy == 0 {
		return s.uploaded(ctx, job)
	}
	from, content, err := s.Open(ctx, job.Become.Copy)
	if errors.Is(err, ErrNoJob) || err == nil && from.Object != job.Object {
		err = errors.Join(ErrNoArchive, closed(content))
	}
	if err != nil {
		return nil, 0, err
	}
	return content, from.Bytes, nil
}

// uploaded opens the archive that was uploaded with a job.
func (s *Jobs) uploaded(ctx context.Context, job *Job) (Content, int64, error) {
	content, size, err := s.files.Open(ctx, job.file(0))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %w", errAbandoned, err) // the node died before the upload was stored
	}
	return content, size, err
}

func closed(content Content) error {
	if content == nil {
		return nil
	}
	return content.Close()
}

// take creates the site of an import. The store ends the job in the same transaction, using the hold in the
// context.
func (s *Jobs) take(ctx context.Context, job *Job, m *meter) error {
	content, size, err := s.uploaded(ctx, job)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = s.archives.Import(ctx, content, size, job.Become.fields(), m.tell)
	return err
}

// acting returns a context that acts on behalf of the person who requested the job.
func acting(ctx context.Context, job *Job) context.Context {
	ctx = tenancy.With(ctx, tenancy.Scope{Address: job.By.Address})
	return tenancy.AsProvider(ctx, tenancy.Provider{Name: job.By.Who, Command: job.By.Via == tenancy.ViaCommand})
}

type holdKey struct{}

// HoldOf returns the hold of the job in the context, or nil. Results of a job are stored only while its hold is
// valid.
func HoldOf(ctx context.Context) *Hold {
	hold, _ := ctx.Value(holdKey{}).(*Hold)
	return hold
}

// meter tracks the progress of a job.
type meter struct{ done, total atomic.Int64 }

var _ archive.Progress = (*meter)(nil).tell

func (m *meter) tell(done, total int64) {
	m.done.Store(done)
	m.total.Store(total)
}

// holding extends a hold while do runs. The context of do ends if the hold is lost.
func (s *Jobs) holding(ctx context.Context, hold *Hold, m *meter, do func(context.Context) error) error {
	extend := func(ctx context.Context) error { return s.store.Extend(ctx, hold, m.done.Load(), m.total.Load()) }
	return s.works.Hold(ctx, hold.Job, extend, do)
}
