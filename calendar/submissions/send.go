package submissions

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Service is the service for events that anyone may submit. A confirmed submission is a pending event without
// author.
type Service struct {
	*services.Calendar

	store    Stores
	attempts *accounts.Attempts
	letters  Letters
}

// New returns the service. If letters is nil, addresses cannot be confirmed, and submissions become
// pending immediately.
func New(c *services.Calendar, store Stores, attempts *accounts.Attempts, letters Letters) *Service {
	return &Service{c, store, attempts, letters}
}

// Writes reports whether senders get emails.
func (s *Service) Writes() bool { return s.letters != nil }

// Tells reports whether the sender of a submission is notified of decisions.
func (s *Service) Tells(sub *Submission) bool { return s.Writes() && sub.Proved }

// Send stores a submission, with an optional image, and returns it with the token that identifies its sender.
// Anyone may call it. It returns ErrNoSubmissions if the site does not accept submissions, *args.Problems,
// ErrManySent, and ErrLetter if the email cannot be sent; then nothing is stored.
func (s *Service) Send(ctx context.Context, f *Fields, picture *Picture) (*Submission, string, error) {
	scope, err := s.open(ctx)
	if err != nil {
		return nil, "", err
	}
	sent, err := f.sent(scope, s.Now())
	if err != nil {
		return nil, "", err
	}
	if s.letters != nil {
		sent.Home = s.letters.Home(ctx)
	}
	if err := s.check(ctx, sent); err != nil {
		return nil, "", err
	}
	if err := s.attempts.Pass(ctx, ErrManySent, "submission by "+scope.Client(), "submission of "+tenancy.Fold(sent.Email)); err != nil {
		return nil, "", err
	}
	image, err := s.pictured(ctx, picture)
	if err != nil {
		return nil, "", err
	}
	token, now := rand.Text(), s.Now()
	client, network := sha256.Sum256([]byte("submission "+scope.Client())), sha256.Sum256([]byte("submission network "+scope.Network()))
	h := &Held{
		Hash:    hashOf(token),
		Client:  client[:],
		Network: network[:],
		Sent:    sent,
		Image:   image,
		Created: now,
		Expires: now.Add(UnconfirmedLife),
	}
	gone, err := s.store.Submissions().Hold(ctx, h, limits)
	if err != nil {
		return nil, "", s.DropImage(ctx, image, fmt.Errorf("store submission: %w", err))
	}
	for _, old := range gone {
		_ = s.DropImage(ctx, old, nil) // unreferenced files are also swept daily
	}
	made := h.submission()
	if s.letters == nil {
		made, err = s.make(ctx, h, false)
	} else if err = s.letters.Confirm(ctx, sent, token); err != nil {
		err = errors.Join(ErrLetter, err)
	}
	if err != nil {
		if dropped := s.drop(context.WithoutCancel(ctx), h.submission()); !errors.Is(dropped, calendar.ErrNotFound) {
			err = errors.Join(err, dropped)
		}
		return nil, "", err
	}
	return made, token, nil
}

// drop deletes an unconfirmed submission with its image. If it has been confirmed in the meantime, the event keeps
// the image, and drop returns ErrNotFound.
func (s *Service) drop(ctx context.Context, sub *Submission) error {
	if err := s.store.Submissions().Drop(ctx, sub.hash); err != nil {
		return fmt.Errorf("drop submission: %w", err)
	}
	return s.DropImage(ctx, sub.image, nil)
}

// open returns the scope if its site accepts submissions.
func (s *Service) open(ctx context.Context) (*tenancy.Scope, error) {
	scope, err := tenancy.From(ctx)
	switch {
	case err != nil:
		return nil, err
	case !scope.Site.Settings.Submissions.On:
		return nil, ErrNoSubmissions
	case scope.Site.State == tenancy.ReadOnly:
		return nil, tenancy.ErrReadOnly
	}
	return scope, nil
}

// check returns the problems that the rules of events find in a submission, in terms of its own arguments.
func (s *Service) check(ctx context.Context, sent *Sent) error {
	ctx = asSender(ctx)
	if _, err := s.Events().Draft(ctx, calendar.Key{}, sent.spoken(ctx).fields(nil)); err != nil {
		return err
	}
	if err := s.checkVenue(ctx, sent); err != nil {
		return err
	}
	return s.checkCategory(ctx, sent.Category)
}

// checkVenue returns a problem if a name in another language than the site's belongs to several venues, and the sent
// address and city fit more than one of them. If the name is in the site's language, the first venue with this name is
// linked.
func (s *Service) checkVenue(ctx context.Context, sent *Sent) error {
	scope := tenancy.Current(ctx)
	if sent.Venue == "" || !scope.Site.Multilingual() {
		return nil
	}
	found, err := s.Venues().Called(ctx, sent.Venue, calendar.NameLanguages(scope))
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(v *calendar.Venue) bool {
		return sent.Address != "" && !strings.EqualFold(v.Address, sent.Address) || sent.City != "" && !strings.EqualFold(v.City, sent.City)
	})
	if len(found) < 2 || wording.FoldName(found[0].Names().Own) == wording.FoldName(sent.Venue) {
		return nil
	}
	return args.Invalid("venue", "problem.venue.several", map[string]any{"Name": sent.Venue})
}

// checkCategory rejects an unknown category, of which editors would never learn.
func (s *Service) checkCategory(ctx context.Context, id int64) error {
	if id == 0 {
		return nil
	}
	_, err := s.store.Terms(calendar.Categories).Get(ctx, id)
	if errors.Is(err, calendar.ErrNotFound) {
		return args.Invalid("category", "problem.category.unknown", nil)
	}
	return err
}

// pictured stores the files of an attached image. Its row is created with the event.
func (s *Service) pictured(ctx context.Context, p *Picture) (*calendar.Image, error) {
	if p == nil {
		return nil, nil //nolint:nilnil // no picture is no error
	}
	return s.Images().Make(ctx, p.Name, p.Content)
}

// asSender returns a context with a principal that may only create pending events without author. The history does
// not record the client's address.
func asSender(ctx context.Context) context.Context {
	scope := *tenancy.Current(ctx)
	scope.Principal = tenancy.Principal{Role: tenancy.Contributor, Kind: tenancy.Kind(tenancy.ViaSubmission)}
	scope.Address = ""
	return tenancy.With(ctx, scope)
}

// make turns a held submission into a pending event. A second call returns ErrNotFound.
func (s *Service) make(ctx context.Context, h *Held, proved bool) (*Submission, error) {
	ctx = asSender(ctx)
	w, err := s.Events().Writing(ctx, h.Sent.spoken(ctx).fields(nil))
	if err != nil {
		return nil, err
	}
	e := &calendar.Event{}
	if err := w.Apply(ctx, e, true); err != nil {
		return nil, err
	}
	e.Image = h.Image
	links, err := w.Links(ctx)
	if err == nil {
		err = s.store.Events().Create(besides(ctx, &Write{Confirm: h.Hash, Proved: proved}), e, links)
	}
	if err != nil {
		return nil, fmt.Errorf("confirm submission: %w", err)
	}
	return &Submission{Sent: *h.Sent, Event: e, Status: Waiting, Proved: proved, Created: h.Created, event: e.ID, hash: h.Hash}, nil
}

func (h *Held) submission() *Submission {
	return &Submission{Sent: *h.Sent, Status: Unconfirmed, Created: h.Created, Expires: h.Expires, hash: h.Hash, image: h.Image}
}

// hashOf returns the stored form of a token. Tokens are random enough for a plain hash.
func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte("submission " + token))
	return sum[:]
}

// open reports whether the sender may change or withdraw the event.
func (s Status) open() bool { return s == Waiting || s == Returned }

// Find returns a submission by the token in an email, or ErrNotFound.
func (s *Service) Find(ctx context.Context, token string) (*Submission, error) {
	if _, err := tenancy.From(ctx); err != nil {
		return nil, err
	}
	hash := hashOf(token)
	h, err := s.store.Submissions().Held(ctx, hash, s.Now())
	switch {
	case err == nil && subtle.ConstantTimeCompare(h.Hash, hash) == 1:
		return h.submission(), nil
	case err != nil && !errors.Is(err, calendar.ErrNotFound):
		return nil, fmt.Errorf("find submission: %w", err)
	}
	row, err := s.store.Submissions().Find(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("find submission: %w", err)
	}
	if subtle.ConstantTimeCompare(row.Hash, hash)|subtle.ConstantTimeCompare(row.Link, hash) != 1 {
		return nil, calendar.ErrNotFound
	}
	return s.whole(ctx, row)
}

// whole adds the event to a stored submission.
func (s *Service) whole(ctx context.Context, row *Stored) (*Submission, error) {
	e, err := s.store.Events().Get(ctx, calendar.Key{ID: row.Event})
	if err != nil {
		return nil, fmt.Errorf("event of submission: %w", err)
	}
	return row.with(e), nil
}

func (row *Stored) with(e *calendar.Event) *Submission {
	sub := &Submission{Sent: *row.Sent, Event: e, Proved: row.Proved, Created: row.Created, Settled: row.Settled, By: row.By,
		Message: row.Message, event: row.Event, hash: row.Hash}
	switch sub.Status = statusOf(row.Settle, e); sub.Status {
	case Waiting:
		sub.Settled, sub.By, sub.Message = time.Time{}, 0, "" // the decision was reverted, or the sender has sent it again
	case Returned:
		sub.Message = e.ReviewNote
	case Unconfirmed, Accepted, Approved, Refused, Withdrawn:
	}
	return sub
}

// statusOf derives the status of a submission from its event and the recorded status.
func statusOf(noted Status, e *calendar.Event) Status {
	switch {
	case e.Status == calendar.Pending:
		return Waiting
	case e.Status == calendar.Draft && e.ReviewNote != "":
		return Returned
	case e.Status == calendar.Draft, e.Status == calendar.Private:
		return Accepted
	case e.Status == calendar.Trash && noted == Withdrawn:
		return Withdrawn
	case e.Status == calendar.Trash:
		return Refused
	}
	return Approved
}

// Confirm makes a submission pending, because the token proves the address. It is idempotent.
func (s *Service) Confirm(ctx context.Context, token string) (*Submission, error) {
	sub, err := s.Find(ctx, token)
	if err != nil || sub.Status != Unconfirmed {
		return sub, err
	}
	h := &Held{Hash: sub.hash, Sent: &sub.Sent, Image: sub.image, Created: sub.Created}
	made, err := s.make(ctx, h, true)
	if errors.Is(err, calendar.ErrNotFound) { // confirmed concurrently in another window
		return s.Find(ctx, token)
	}
	return made, err
}

// Correct changes a waiting or returned submission: the fields that differ from the previous version, except those that an editor
// has changed since. A returned one waits again. The address stays. cond is about the version of the event. It returns
// ErrUnconfirmed, ErrSettled, *args.Problems or ErrManySent.
func (s *Service) Correct(ctx context.Context, token string, f *Fields, picture *Picture, cond calendar.Condition) (*Submission, error) {
	sub, err := s.Find(ctx, token)
	switch {
	case err != nil:
		return nil, err
	case sub.Status == Unconfirmed:
		return nil, ErrUnconfirmed
	case !sub.Status.open():
		return nil, ErrSettled
	}
	fields := *f
	fields.Email, fields.Terms = args.Some(args.Email(sub.Email)), args.Some(args.Truthy(true))
	sent, err := fields.sent(tenancy.Current(ctx), s.Now())
	if err != nil {
		return nil, err
	}
	sent.Home, sent.Language, sent.Writing = sub.Home, sub.Language, sub.Writing
	if sent.Category != sub.Category {
		if err := s.checkCategory(ctx, sent.Category); err != nil {
			return nil, err
		}
	}
	if err := s.attempts.Pass(ctx, ErrManySent, "submission by "+tenancy.Current(ctx).Client()); err != nil {
		return nil, err
	}
	image, err := s.pictured(ctx, picture)
	if err != nil {
		return nil, err
	}
	ctx = besides(asSender(ctx), &Write{Correct: sent})
	changed := sent.spoken(ctx).fields(&sub.Sent)
	changed.Status = args.Some(string(calendar.Pending))
	w, err := s.Events().Writing(ctx, changed)
	if err != nil {
		return nil, s.DropImage(ctx, image, err)
	}
	links, err := w.Links(ctx)
	if err != nil {
		return nil, s.DropImage(ctx, image, err)
	}
	e, err := s.store.Events().Update(ctx, calendar.Key{ID: sub.event}, func(e *calendar.Event) (calendar.EventLinks, error) {
		if !statusOf("", e).open() {
			return links, ErrSettled
		}
		if err := cond.Check(e.Version); err != nil {
			return links, err
		}
		if image != nil {
			e.Image = image
		}
		e.ReviewNote = "" // the history has it
		return links, w.Apply(ctx, e, false)
	})
	if err != nil {
		return nil, s.DropImage(ctx, image, fmt.Errorf("correct submission: %w", err))
	}
	_ = s.settlePlaces(ctx, sub, sub.Event.Venues) // those that it had
	sub.Sent, sub.Event, sub.Status = *sent, e, Waiting
	sub.Settled, sub.By, sub.Message = time.Time{}, 0, ""
	return sub, nil
}

// Withdraw withdraws a waiting or returned submission, or returns ErrSettled. cond is about the version of the event, if there is one.
func (s *Service) Withdraw(ctx context.Context, token string, cond calendar.Condition) (*Submission, error) {
	sub, err := s.Find(ctx, token)
	switch {
	case err != nil || sub.Status == Withdrawn:
		return sub, err
	case sub.Status == Unconfirmed:
		err := s.drop(ctx, sub)
		if errors.Is(err, calendar.ErrNotFound) { // confirmed concurrently in another window, or expired
			return s.Withdraw(ctx, token, cond)
		}
		sub.Status = Withdrawn
		return sub, err
	case !sub.Status.open():
		return nil, ErrSettled
	}
	ctx = besides(asSender(ctx), &Write{Settle: Withdrawn})
	sub.Event, err = s.store.Events().Update(ctx, calendar.Key{ID: sub.event}, func(e *calendar.Event) (calendar.EventLinks, error) {
		if !statusOf("", e).open() {
			return calendar.EventLinks{}, ErrSettled
		}
		if err := cond.Check(e.Version); err != nil {
			return calendar.EventLinks{}, err
		}
		return calendar.EventLinks{}, e.MoveToTrash(s.Now())
	})
	if err != nil {
		return nil, fmt.Errorf("withdraw submission: %w", err)
	}
	sub.Status = Withdrawn
	_ = s.settlePlaces(ctx, sub, sub.Event.Venues)
	return sub, nil
}
