package imports

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/leased"
	"github.com/kalends/kalends/tenancy"
)

// Limits of the runner.
const (
	pause        = time.Second      // between two checks for imports queued by other nodes
	tidy         = time.Hour        // between two checks for expired reports
	lease        = 30 * time.Second // how long an import is held without a heartbeat
	beat         = 5 * time.Second
	storeTimeout = 20 * time.Second // for an answer of the store, whose connection may be dead without notice
	attempts     = 5                // attempts after which an import is given up if its nodes died
	atOnce       = 4                // imports of different sites: an address may answer slowly, and one site must not hold up the others
)

// Run executes imports until the context ends, those of a site one after the other. Another node continues an import that is
// in progress at that time.
func (s *Service) Run(ctx context.Context) {
	s.works.Look(ctx, leased.Looking{Pause: pause, Tidy: tidy, Clock: s.Clock, Work: s.Work, AtOnce: atOnce,
		Purge:  func(ctx context.Context) error { return s.store.Purge(ctx, s.Clock()) },
		Failed: func(err error) { s.Logger.Warn("run imports", "error", err) }})
}

// Work executes one import of any site and reports whether there was one. Problems of the import are stored with
// it. It returns only errors of the store.
func (s *Service) Work(ctx context.Context) (bool, error) { return s.WorkOn(ctx, 0) }

// WorkOn is Work for the imports of one site, or of any site if site is 0.
func (s *Service) WorkOn(ctx context.Context, site int64) (bool, error) {
	hold := &Hold{Key: rand.Text(), For: lease}
	asking, answered := context.WithTimeout(ctx, storeTimeout)
	task, err := s.store.Take(asking, hold, site)
	answered()
	if err != nil || task == nil {
		return false, err
	}
	inside := tenancy.With(ctx, tenancy.Scope{Site: task.Site, Language: task.Site.Language})
	extend := func(ctx context.Context) error { return s.store.Extend(ctx, hold) }
	var ended []*Import
	err = s.works.Hold(inside, Ref{task.Site.ID, task.Import.ID}, extend, func(ctx context.Context) error {
		t := &turn{Service: s, hold: hold, acts: map[actor]context.Context{}, named: map[actor]*names{}}
		for _, i := range append([]*Import{task.Import}, task.More...) {
			err := t.take(ctx, i)
			if err != nil && errors.Is(context.Cause(ctx), ErrLost) {
				err = ErrLost
			}
			end, err := s.after(inside, i, hold, err)
			if end {
				ended = append(ended, i)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return true, errors.Join(err, s.end(inside, ended, hold))
}

// actor is the user who asked for an import, and the credential they used.
type actor struct{ user, credential int64 }

// turn is the work on imports of one site that a node takes together.
type turn struct {
	*Service
	hold  *Hold
	acts  map[actor]context.Context
	named map[actor]*names // the site's names, for imports from other sites
}

// take executes an import.
func (t *turn) take(ctx context.Context, i *Import) error {
	if i.attempt > attempts {
		return errAbandoned
	}
	who := actor{i.By.UserID, i.Credential}
	acting := t.acts[who]
	if acting == nil {
		var err error
		if acting, err = t.acting(ctx, i); err != nil {
			return err
		}
		if who.user != 0 {
			t.acts[who] = acting //nolint:fatcontext // one for each actor
		}
	}
	r := &run{Service: t.Service, hold: t.hold, in: i, names: t.named[who]}
	if i.Format != string(reading.Gift) {
		return r.do(acting)
	}
	err := r.do(acting)
	t.named[who] = r.names
	return err
}

// errAbandoned is returned if every attempt ended with the death of its node.
var errAbandoned = errors.New("every attempt was interrupted")

// acting returns a context with the current rights of the user who asked for an import. It returns tenancy.ErrForbidden if
// they may no longer import.
func (s *Service) acting(ctx context.Context, i *Import) (context.Context, error) {
	scope := *tenancy.Current(ctx)
	scope.Address = i.By.Address
	switch {
	case i.By.Via == tenancy.ViaSupport:
		scope.Principal = tenancy.Principal{Role: tenancy.Editor, Login: i.By.Who, Support: i.By.Name}
		return tenancy.Importing(tenancy.With(ctx, scope), i.ID), nil
	case i.By.UserID == 0:
		scope.Principal = tenancy.Principal{Role: tenancy.Administrator}
		ctx = tenancy.AsProvider(ctx, tenancy.Provider{Name: i.By.Who, Command: i.By.Via == tenancy.ViaCommand})
		return tenancy.Importing(tenancy.With(ctx, scope), i.ID), nil
	}
	var err error
	if scope.Principal, err = s.People.Acting(ctx, i.By.UserID, i.Credential); errors.Is(err, tenancy.ErrCredentials) {
		err = tenancy.ErrForbidden
	}
	if err == nil {
		err = scope.Principal.Require(tenancy.EditOwn)
	}
	return tenancy.Importing(tenancy.With(ctx, scope), i.ID), err
}

// still returns a context with the rights that the user who asked for the import has by now, for the next batch: their area may have
// changed since the import began. It returns an error if they may no longer import, or are no longer editors.
func (r *run) still(ctx context.Context) (context.Context, error) {
	began := tenancy.Current(ctx).Principal
	if r.in.By.UserID == 0 {
		return ctx, nil
	}
	now, err := r.acting(ctx, r.in)
	if err == nil && editor(began) && !editor(tenancy.Current(now).Principal) {
		err = tenancy.ErrForbidden
	}
	return now, err
}

// after records how an import ended, and reports whether it did. If another node holds the import, it does nothing.
// If this node is shutting down, it returns the import to the queue for another node.
func (s *Service) after(ctx context.Context, i *Import, hold *Hold, err error) (ended bool, failed error) {
	stopped := ctx.Err() != nil
	site := tenancy.Current(ctx).Site.Slug
	switch {
	case errors.Is(err, ErrLost):
		s.Logger.Info("import given up", "site", site, "import", i.ID)
		return false, nil
	case err != nil && stopped:
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
		defer cancel()
		return false, s.store.Release(ctx, i.ID, hold)
	case errors.Is(err, calendar.ErrUnavailable) && i.attempt < attempts:
		s.Logger.Warn("import interrupted", "site", site, "import", i.ID, "error", err)
		return false, nil // its lease expires, and then another node continues
	case err != nil:
		i.State, i.Problem = Failed, problemOf(err)
		s.Logger.Warn("import failed", "site", site, "import", i.ID, "code", i.Problem.Code, "error", err)
	default:
		i.State = Done
		if i.Problem != nil {
			i.State = Failed
		}
		s.Logger.Info("import done", "site", site, "import", i.ID, "entries", i.Total)
	}
	return true, nil
}

// end stores how imports ended, except for those that another node holds.
func (s *Service) end(ctx context.Context, list []*Import, hold *Hold) error {
	if len(list) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	err := s.store.End(ctx, list, hold)
	switch {
	case !errors.Is(err, ErrLost):
		return err
	case len(list) == 1:
		return nil
	}
	half := len(list) / 2
	return errors.Join(s.end(ctx, list[:half], hold), s.end(ctx, list[half:], hold))
}
