package attention

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/kalends/kalends/internal/leased"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/tenancy"
)

// Limits of the sender.
const (
	pause        = 10 * time.Second // between two looks for sites
	lease        = 30 * time.Second // how long a site is held without a heartbeat
	beat         = 5 * time.Second
	storeTimeout = 20 * time.Second // for an answer of the store
	sendTime     = 45 * time.Second // for one mail
	rest         = 5 * time.Minute  // of a site whose mail is not taken
	sites        = 20               // sites fetched at a time
	most         = 200              // items of a kind
)

// Options are what the service needs.
type Options struct {
	Store  Store
	Post   Post // nil: nothing is sent
	Writer Writer
	Clock  func() time.Time // nil means time.Now
	Logger *slog.Logger     // nil disables logging
}

// Service counts what waits, and sends messages about it.
type Service struct {
	Options

	works *leased.Works[int64]
}

// New returns the service. Mail is sent by Run.
func New(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{Options: o, works: leased.New[int64](ErrLost, beat, storeTimeout)}
}

// Writes reports whether people are notified by e-mail.
func (s *Service) Writes() bool { return s != nil && s.Post != nil }

// Concerns reports whether a principal can deal with any kind of item.
func Concerns(p tenancy.Principal) bool {
	for _, kind := range Kinds {
		if p.May(kind.Right()) {
			return true
		}
	}
	return false
}

// Counts returns the number of items that wait for the principal.
func (s *Service) Counts(ctx context.Context) (map[Kind]int, error) {
	scope, err := tenancy.From(ctx)
	if err != nil || s == nil || !Concerns(scope.Principal) {
		return nil, err
	}
	counts, err := s.Store.Counts(ctx, s.Clock().UTC())
	if err != nil {
		return nil, fmt.Errorf("count what waits: %w", err)
	}
	for kind := range counts {
		if !scope.Principal.May(kind.Right()) {
			delete(counts, kind)
		}
	}
	return counts, nil
}

// Run sends messages until the context ends.
func (s *Service) Run(ctx context.Context) {
	if !s.Writes() {
		return
	}
	s.works.Look(ctx, leased.Looking{Pause: pause, Clock: s.Clock, Work: s.Work,
		Failed: func(err error) { s.Logger.Warn("tell people what waits", "error", err) }})
}

// Work checks the sites that are due, and reports whether there were any and no error occurred.
func (s *Service) Work(ctx context.Context) (bool, error) {
	asking, answered := context.WithTimeout(ctx, storeTimeout)
	defer answered()
	ids, err := s.Store.Due(asking, s.Clock().UTC(), sites)
	worked := false
	for _, id := range ids {
		if ctx.Err() != nil {
			break
		}
		failed := s.attend(ctx, id)
		if errors.Is(failed, ErrLost) {
			continue
		}
		worked = true
		err = errors.Join(err, failed)
	}
	return worked && err == nil, err
}

// attend sends the messages of a site.
func (s *Service) attend(ctx context.Context, id int64) error {
	site, err := s.Store.Site(ctx, id)
	if err != nil {
		return fmt.Errorf("site where something waits: %w", err)
	}
	inside := tenancy.With(ctx, tenancy.Scope{Site: site, Language: site.Language})
	h := &Hold{Key: rand.Text(), For: lease}
	if err := s.Store.Take(inside, h, s.Clock().UTC()); err != nil {
		return err
	}
	var version int64
	next := s.Clock().UTC().Add(rest)
	extend := func(ctx context.Context) error { return s.Store.Extend(ctx, h, s.Clock().UTC()) }
	err = s.works.Hold(inside, id, extend, func(ctx context.Context) error {
		state, err := s.Store.Look(ctx, s.Clock().UTC(), most)
		if err != nil {
			return fmt.Errorf("look at what waits: %w", err)
		}
		at, err := s.tell(ctx, state, h)
		if err == nil {
			next, version = at, state.Version
		}
		return err
	})
	if errors.Is(err, ErrLost) || ctx.Err() != nil {
		return err
	}
	return errors.Join(err, tenancy.Wrap("release what waits", s.Store.Release(inside, h, version, next)))
}

// tell sends messages to all people who should be notified now, and returns the time of the next check: at most a day
// later, or the zero time if there is nobody to notify. If sending to one person fails temporarily, the others still
// get their messages.
func (s *Service) tell(ctx context.Context, state *State, h *Hold) (next time.Time, err error) {
	site := tenancy.Current(ctx).Site
	for _, p := range state.People {
		news, at := p.News(state.Items, s.Clock().UTC(), site.Location)
		if len(news) > 0 {
			failed := s.send(ctx, p, news)
			var refused *mail.Refusal
			if failed != nil && (!errors.As(failed, &refused) || !refused.Final()) {
				err = errors.Join(err, failed)
				continue
			}
			to := news[len(news)-1].Since
			if failed := s.Store.Told(ctx, h, p.User.ID, to); failed != nil {
				return next, fmt.Errorf("note that somebody was told: %w", failed)
			}
			p.Told = to
			_, at = p.News(state.Items, s.Clock().UTC(), site.Location)
		}
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if later := s.Clock().UTC().Add(daily); len(state.People) > 0 && (next.IsZero() || next.After(later)) {
		next = later
	}
	return next, err
}

// send sends a message to a person. The message has the same ID at every try.
func (s *Service) send(ctx context.Context, p *Person, news []Item) error {
	m := s.Writer.Waits(ctx, p.User, news)
	m.To = p.User.Email
	m.ID = strconv.FormatInt(tenancy.Current(ctx).Site.ID, 36) + "." + strconv.FormatInt(p.User.ID, 36) + ".waits." +
		strconv.FormatInt(news[len(news)-1].Since.UnixMicro(), 36)
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	if err := s.Post.Deliver(ctx, m); err != nil {
		return fmt.Errorf("tell somebody what waits: %w", err)
	}
	return nil
}
