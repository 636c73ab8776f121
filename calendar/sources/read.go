package sources

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/leased"
	"github.com/kalends/kalends/tenancy"
)

// Limits of the reader.
const (
	pause        = time.Second      // between two checks for due sources
	lease        = 30 * time.Second // how long a source is held without a heartbeat
	beat         = 5 * time.Second
	storeTimeout = 20 * time.Second // for an answer of the store, whose connection may be dead without notice
	together     = 8                // sources that a node reads at a time
	followed     = 256              // other installations that it also waits for
	trashed      = 200              // events moved to the trash between two checks of the lease
)

// Web fetches URLs. It refuses private addresses.
type Web interface {
	Read(ctx context.Context, q *Request) (*Response, error)
}

// Request asks for the content of a URL, if it has changed since the last request.
type Request struct {
	URL, User, Password string
	ETag, Modified      string // of the known content; "": none is known
}

// Response is the response of a URL.
type Response struct {
	Status         int // 200, 304, or another status, which comes without data
	Data           []byte
	ETag, Modified string
	After          time.Duration // minimum wait that the server asked for
}

// Run reads sources that are due until the context ends.
func (s *Service) Run(ctx context.Context) {
	s.works.Look(ctx, leased.Looking{Pause: pause, Clock: s.Clock, Work: s.begin,
		Failed: func(err error) { s.Logger.Warn("read sources", "error", err) }})
	s.under.Wait()
}

// begin starts to read a source, if one is due and this node has a free slot. It reports whether there was one.
func (s *Service) begin(ctx context.Context) (bool, error) {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return false, nil
	}
	done := func() { <-s.slots }
	if now := s.Clock(); now.Sub(s.rung) >= pause {
		if err := s.ring(ctx); err != nil {
			done()
			return false, err
		}
		s.rung = now
	}
	task, hold, err := s.take(ctx, 0)
	if err != nil || task == nil {
		done()
		return false, err
	}
	if task.Source.Kind == Kalends {
		select {
		case s.ears <- struct{}{}:
			done()
			done = func() { <-s.ears }
		default: // it has a place among the others
		}
	}
	s.under.Go(func() {
		defer done()
		if err := s.read(ctx, task, hold); err != nil && ctx.Err() == nil {
			s.Logger.Warn("read source", "site", task.Site.Slug, "source", task.Source.ID, "error", err)
		}
		s.works.Wake() // another one of the site may have waited
	})
	return true, nil
}

// Work reads one source of any site that is due and reports whether there was one.
func (s *Service) Work(ctx context.Context) (bool, error) {
	if err := s.ring(ctx); err != nil {
		return false, err
	}
	task, hold, err := s.take(ctx, 0)
	if err != nil || task == nil {
		return false, err
	}
	return true, s.read(ctx, task, hold)
}

// ring makes sources due if the site that they read has been written to.
func (s *Service) ring(ctx context.Context) error {
	asking, answered := context.WithTimeout(ctx, storeTimeout)
	defer answered()
	if err := s.Store.Ring(asking); err != nil {
		return fmt.Errorf("look for sites that changed: %w", err)
	}
	return nil
}

func (s *Service) take(ctx context.Context, site int64) (*Task, *Hold, error) {
	hold := &Hold{Key: rand.Text(), For: lease}
	asking, answered := context.WithTimeout(ctx, storeTimeout)
	defer answered()
	task, err := s.Store.Take(asking, hold, site)
	return task, hold, err
}

// read reads a held source. It stores problems of the source with it, and returns only errors of the store.
func (s *Service) read(ctx context.Context, task *Task, hold *Hold) error {
	w := task.Source
	inside := tenancy.With(ctx, tenancy.Scope{Site: task.Site, Language: task.Site.Language})
	extend := func(ctx context.Context) error { return s.Store.Extend(ctx, hold) }
	if w.Kind == Site {
		g := &gathering{Service: s, hold: hold, stopped: ctx, acts: map[actor]acted{}}
		err := s.works.Hold(inside, Ref{task.Site.ID, w.ID}, extend, func(ctx context.Context) error {
			return g.all(ctx, append([]*Source{w}, task.More...))
		})
		return ignoring(ErrLost, err)
	}
	outcome := &Outcome{}
	err := s.works.Hold(inside, Ref{task.Site.ID, w.ID}, extend, func(ctx context.Context) error {
		ctx, err := s.acting(ctx, w)
		switch {
		case w.Leaving && err != nil && !errors.Is(err, tenancy.ErrForbidden):
			return err
		case w.Leaving:
			return s.leave(ctx, w, hold, err == nil)
		case err != nil:
			outcome.Problem = imports.ProblemOf(err)
			return nil
		}
		if w.Kind == Kalends {
			return s.follow(ctx, w, hold, outcome)
		}
		return s.look(ctx, w, hold, outcome)
	})
	return s.ended(inside, w, hold, outcome, err, ctx.Err() != nil)
}

// ended stores the result of reading a source. If this node is stopping, it releases the source for another node.
func (s *Service) ended(ctx context.Context, w *Source, hold *Hold, o *Outcome, err error, stopped bool) error {
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	switch {
	case errors.Is(err, ErrLost):
		return nil
	case errors.Is(err, errHanded), errors.Is(err, errLeft):
		return nil
	case err != nil && stopped:
		return ignoring(ErrLost, s.Store.Release(ending, w.ID, hold))
	case err != nil:
		o.Problem = imports.ProblemOf(err)
		s.Logger.Warn("source failed", "site", tenancy.Current(ctx).Site.Slug, "source", w.ID, "code", o.Problem.Code, "error", err)
	}
	return ignoring(ErrLost, s.Store.End(ending, w.ID, hold, o))
}

// errHanded and errLeft say that the store already has the result of a reading.
var (
	errHanded = errors.New("handed over")
	errLeft   = errors.New("left")
)

// ignoring returns err unless it is what.
func ignoring(what, err error) error {
	if errors.Is(err, what) {
		return nil
	}
	return err
}

// acting returns a context that acts as the user who created a source, with their present rights.
func (s *Service) acting(ctx context.Context, w *Source) (context.Context, error) {
	switch tenancy.Current(ctx).Site.Standing() {
	case tenancy.ReadOnly:
		return ctx, tenancy.ErrReadOnly
	case tenancy.Closed, tenancy.Deleted:
		return ctx, tenancy.ErrClosed
	}
	if w.User == 0 {
		return ctx, tenancy.ErrForbidden
	}
	ctx, err := s.Imports.Acting(ctx, tenancy.Source{UserID: w.User}, w.Credential)
	if err == nil {
		err = tenancy.Current(ctx).Principal.RequireFor(tenancy.WriteSources, tenancy.ManageSite)
	}
	if _, limited := errors.AsType[*tenancy.AccessError](err); limited {
		err = tenancy.ErrForbidden
	}
	return ctx, err
}

// look reads the URL and imports its content if that is new.
func (s *Service) look(ctx context.Context, w *Source, hold *Hold, o *Outcome) error {
	secret, err := s.open(tenancy.Current(ctx).Site.ID, w)
	if err != nil {
		return err
	}
	if w.Kind == TEC {
		return s.copy(ctx, w, hold, secret)
	}
	answer, err := s.Web.Read(ctx, &Request{secret.URL, secret.User, secret.Password, w.ETag, w.Modified})
	if err != nil {
		return s.unread(ctx, err)
	}
	o.After = answer.After
	if answer.Status == http.StatusNotModified && w.Digest != nil {
		o.ETag, o.Modified = w.ETag, w.Modified
		return nil
	}
	if answer.Status != http.StatusOK {
		return fmt.Errorf("%w: status %d", imports.ErrNotFetched, answer.Status)
	}
	data, err := imports.Unpacked(answer.Data)
	if err != nil {
		return err
	}
	o.ETag, o.Modified = answer.ETag, answer.Modified
	return s.hand(ctx, w, hold, o, &imports.Reading{Data: data})
}

// copy copies a site with The Events Calendar and imports the copy if it is new.
func (s *Service) copy(ctx context.Context, w *Source, hold *Hold, secret *Secret) error {
	only, err := url.ParseQuery(w.Filter.Query())
	if err != nil {
		return fmt.Errorf("read a filter: %w", err)
	}
	data, err := s.Imports.CopyOf(ctx, secret.URL, secret.User, secret.Password, only)
	if err != nil {
		return err
	}
	return s.hand(ctx, w, hold, &Outcome{}, &imports.Reading{Data: data})
}

// hand imports what was read from a source, unless it equals the last read.
func (s *Service) hand(ctx context.Context, w *Source, hold *Hold, o *Outcome, r *imports.Reading) error {
	digest := imports.Digest(r.Data)
	if slices.Equal(digest, w.Digest) {
		return nil
	}
	r.Source, r.Name, r.URL, r.Known, r.Asked = w.ID, w.Name, w.Shown, w.Known, maps.Clone(w.Given)
	if r.Asked == nil {
		r.Asked = args.Values{}
	}
	r.Asked["policy"], r.Asked["gone"] = w.Policy, cmp.Or(r.Gone, w.Gone)
	if r.Format == "" {
		r.Asked["format"] = formatOf(w.Kind, r.Data)
	}
	r.Handed = imports.Handed{Lease: hold.Key, ETag: o.ETag, Modified: o.Modified, Digest: digest}
	if _, err := s.Imports.Import(ctx, r); err != nil {
		return err
	}
	return errHanded
}

// unread returns the error of a failed read. It is always imports.ErrNotFetched, unless this node is stopping.
func (s *Service) unread(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("%w: %w", imports.ErrNotFetched, err)
}

// formatOf returns the format of an import for a kind of source.
func formatOf(kind string, data []byte) string {
	switch {
	case kind != Table:
		return kind
	case bytes.HasPrefix(data, []byte("PK")):
		return "xlsx"
	}
	return "csv"
}

// leave moves the events of a source to the trash, except those that the user who deleted the source may not delete. Then it
// removes the source.
func (s *Service) leave(ctx context.Context, w *Source, hold *Hold, may bool) error {
	refused := map[int64]bool{}
	for may {
		ids, err := s.Store.Events(ctx, w.ID, hold, trashed+len(refused))
		if err != nil {
			return err
		}
		ids = slices.DeleteFunc(ids, func(id int64) bool { return refused[id] })
		if len(ids) == 0 {
			break
		}
		for _, id := range ids {
			if _, err := s.Calendar.Events().Delete(ctx, calendar.Key{ID: id}, false, "", nil); err != nil {
				if ctx.Err() != nil || errors.Is(err, calendar.ErrUnavailable) {
					return err
				}
				refused[id] = true
			}
		}
	}
	if err := s.Store.Remove(ctx, w.ID, hold); err != nil {
		return err
	}
	return errLeft
}
