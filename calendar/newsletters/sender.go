package newsletters

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/leased"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/tenancy"
)

// Limits of the sender.
const (
	pause        = 5 * time.Second  // between two checks for sites with due subscriptions
	lease        = 30 * time.Second // how long a site is held without a heartbeat
	beat         = 5 * time.Second
	storeTimeout = 20 * time.Second // for an answer of the store, whose connection may be dead without notice
	turn         = 10 * time.Second // after which it is another site's turn
	batch        = 20               // subscriptions read at a time
	burst        = 50               // messages at once
	mostTries    = 6                // attempts to send one letter
	mostRefused  = 3                // consecutive permanent refusals after which the subscription ends
	rest         = time.Minute      // pause of a site while the mail server accepts nothing
	hold         = 10 * time.Minute // time between two checks of a site that may not send
)

// errNoServer says that the mail server accepts nothing at the moment.
var errNoServer = errors.New("mail server takes nothing")

// errOver says that all events to remind someone of are over or no longer exist.
var errOver = errors.New("nothing is left to remind of")

// Run sends letters until the context ends.
func (s *Service) Run(ctx context.Context) {
	if !s.Writes() {
		return
	}
	s.works.Look(ctx, leased.Looking{Pause: pause, Clock: s.Clock, Work: s.Work,
		Failed: func(err error) { s.Logger.Warn("send letters", "error", err) }})
}

// Work processes sites with due work, each for at most one turn, and reports whether there were any.
func (s *Service) Work(ctx context.Context) (bool, error) {
	h := &Hold{Key: rand.Text(), For: lease}
	asking, answered := context.WithTimeout(ctx, storeTimeout)
	defer answered()
	sites, err := s.Store.Take(asking, h)
	for _, id := range sites {
		failed := s.attend(ctx, id, h)
		if errors.Is(failed, errNoServer) && ctx.Err() == nil {
			s.Logger.Warn("letters wait", "site", id, "error", failed)
			failed = nil
		}
		err = errors.Join(err, failed)
	}
	return len(sites) > 0, err
}

// attend sends the messages of a site that are due.
func (s *Service) attend(ctx context.Context, id int64, h *Hold) error {
	site, err := s.Store.Site(ctx, id)
	if err != nil {
		return fmt.Errorf("site with letters: %w", err)
	}
	inside := tenancy.With(ctx, tenancy.Scope{Site: site, Language: site.Language})
	before := s.Clock()
	err = s.works.Hold(inside, id, func(ctx context.Context) error { return s.Store.Extend(ctx, h) }, func(ctx context.Context) error {
		more, err := s.send(ctx, h)
		switch {
		case errors.Is(err, errNoServer):
			before = before.Add(rest)
		case !more:
			before = before.Add(hold)
		}
		return err
	})
	if errors.Is(err, ErrLost) || ctx.Err() != nil {
		return err
	}
	return errors.Join(err, tenancy.Wrap("release letters", s.Store.Release(inside, h, before)))
}

// send sends the messages that are due until there are no more or the turn is over. more is false if the site may
// send no letters at the moment.
func (s *Service) send(ctx context.Context, h *Hold) (more bool, err error) {
	site := tenancy.Current(ctx).Site
	if !s.Open(ctx) {
		return false, nil
	}
	w := &writing{Service: s, hold: h, made: map[string]*Issue{}, month: s.month(site)}
	for began := time.Now(); time.Since(began) < turn; {
		room, err := s.room(ctx, w.month)
		if err != nil {
			return true, err
		}
		letters := site.Settings.Mailing == tenancy.MailingOn && room > 0
		list, err := s.Store.Due(ctx, letters, min(batch, max(room, 1)))
		if err != nil {
			return true, fmt.Errorf("subscriptions that are due: %w", err)
		}
		if len(list) == 0 {
			return letters, nil
		}
		for _, one := range list {
			if err := w.one(ctx, one); err != nil {
				return true, err
			}
		}
	}
	return true, nil
}

// room is how many letters the scope's site may still send this month.
func (s *Service) room(ctx context.Context, month time.Time) (int, error) {
	may := tenancy.Current(ctx).Site.Plan.Letters
	if may == nil {
		return batch, nil
	}
	n, err := s.Store.Numbers(ctx, month)
	if err != nil {
		return 0, fmt.Errorf("letters of the month: %w", err)
	}
	return int(max(*may-int64(n.Month), 0)), nil
}

// writing is the state of a site's turn.
type writing struct {
	*Service

	hold  *Hold
	month time.Time
	made  map[string]*Issue // by period, time, language and filter; nil: nothing is on
}

// one sends the message of a subscription that is due, and stores the result.
func (w *writing) one(ctx context.Context, sub *Subscription) error {
	r := &Result{Subscription: sub, Issue: sub.Issue, Refused: sub.Refused}
	message, events, err := w.message(ctx, sub)
	if errors.Is(err, errOver) {
		r.Over = true
		return w.done(ctx, r)
	}
	if err != nil {
		return err
	}
	if message == nil {
		w.following(ctx, r)
		return w.done(ctx, r)
	}
	for !w.budget.Take() {
		select {
		case <-time.After(w.Pace):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err = w.Post.Deliver(ctx, message)
	var refused *mail.Refusal
	switch {
	case err == nil:
		r.Sent, r.Refused = !sub.Confirmed.IsZero(), 0
		w.counts(ctx, r, events)
		w.following(ctx, r)
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.As(err, &refused), !refused.Recipient && refused.Code/100 == 4:
		r.Tries, r.Next = sub.Tries, w.Clock().UTC().Add(rest) // the other messages may meet the same error, but go first after the pause
		return errors.Join(errNoServer, err, w.done(ctx, r))
	case refused.Final():
		r.Refused++
		r.Drop = r.Refused >= mostRefused && !sub.Confirmed.IsZero()
		w.following(ctx, r)
	case sub.Tries+1 >= mostTries:
		w.following(ctx, r)
	default:
		r.Tries = sub.Tries + 1
		r.Next = w.Clock().UTC().Add(time.Minute << (2 * r.Tries)) // 4 minutes to 17 hours
	}
	return w.done(ctx, r)
}

// following sets the time of the next letter. Unconfirmed subscriptions have none.
func (w *writing) following(ctx context.Context, r *Result) {
	if r.Confirmed.IsZero() {
		return
	}
	place := tenancy.Current(ctx).Site.Location
	next := r.Period.First(w.Clock(), place)
	if !next.After(r.Subscription.Issue) {
		next = r.Period.Next(w.Clock(), place)
	}
	r.Issue, r.Next = next, next
}

func (w *writing) done(ctx context.Context, r *Result) error {
	if err := w.Store.Done(ctx, w.hold, r, w.month); err != nil {
		return fmt.Errorf("note a letter: %w", err)
	}
	return nil
}

// counts adds a letter and the events in it to the numbers.
func (w *writing) counts(ctx context.Context, r *Result, events []*calendar.Event) {
	if !r.Sent {
		return
	}
	site := tenancy.Current(ctx).Site
	w.Counter.Add(site, numbers.Of{Kind: numbers.Letters})
	for _, e := range events {
		w.Counter.Add(site, numbers.Of{Event: numbers.About(e), Kind: numbers.Letters})
	}
}

// message returns the message of a subscription and the events in it, nil if there is nothing to send, or errOver.
func (w *writing) message(ctx context.Context, sub *Subscription) (*mail.Message, []*calendar.Event, error) {
	site := tenancy.Current(ctx).Site
	base := tenancy.Scope{Site: site}
	w.Scope(&base, sub.Home)
	scope := reader(site, sub.Language, base.Base)
	ctx = tenancy.With(ctx, scope)
	link := func(page string) string {
		return scope.Base.Pages() + Path + page + "?code=" + url.QueryEscape(w.Signer.Code(site.ID, sub.ID))
	}
	name := strconv.FormatInt(site.ID, 36) + "." + strconv.FormatInt(sub.ID, 36) + "."
	if sub.Confirmed.IsZero() {
		about, err := w.About(ctx, sub.Filter)
		if err != nil && !errors.Is(err, calendar.ErrNotFound) {
			return nil, nil, err
		}
		m := w.Writer.Question(ctx, sub.Period, about, link("confirm/"))
		m.To, m.ID = sub.Email, name+"question"
		return m, nil, nil
	}
	if w.Clock().Sub(sub.Issue) > sub.Period.late() {
		return nil, nil, nil // its events are already over
	}
	issue, err := w.issue(ctx, sub)
	if err != nil || issue == nil {
		return nil, nil, err
	}
	own := *issue
	own.Leave = link("leave/")
	m := w.Writer.Letter(ctx, &own)
	if m != nil {
		m.To, m.Leave, m.ID = sub.Email, own.Leave, name+args.WallTime(sub.Issue, site.Location).Format("20060102")
	}
	return m, own.Events, nil
}

// issue returns the issue of a subscription. Subscriptions with the same filter, language and time share it.
func (w *writing) issue(ctx context.Context, sub *Subscription) (*Issue, error) {
	filter, err := json.Marshal(sub.Filter)
	if err != nil {
		return nil, fmt.Errorf("filter of a subscription: %w", err)
	}
	key := string(sub.Period) + " " + sub.Issue.String() + " " + sub.Language + " " + string(filter)
	if made, there := w.made[key]; there {
		return made, nil
	}
	made, err := w.Issue(ctx, sub.Period, sub.Filter, sub.Issue)
	if err == nil {
		w.made[key] = made
	}
	return made, err
}

// Path is the path, without the language, of the page with the form. The pages of links in letters are below it.
const Path = "/events/by-mail/"
