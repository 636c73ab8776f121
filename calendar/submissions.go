package calendar

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Submissions is the service over events submitted by anybody. A confirmed submission is a pending event without
// author.
type Submissions struct {
	*Calendar

	attempts *accounts.Attempts
	letters  Letters
}

// NewSubmissions returns the service. If letters is nil, addresses cannot be confirmed, and submissions become
// pending immediately.
func NewSubmissions(c *Calendar, attempts *accounts.Attempts, letters Letters) *Submissions {
	return &Submissions{c, attempts, letters}
}

// Writes reports whether senders get emails.
func (s *Submissions) Writes() bool { return s.letters != nil }

// Send stores a submission, with an optional image, and returns it with the token that identifies its sender. Anybody
// may call it. It returns ErrNoSubmissions if the site does not accept any, *args.Problems, ErrManySent, and
// ErrLetter if the email cannot be sent; then nothing is stored.
func (s *Submissions) Send(ctx context.Context, f *SubmissionFields, picture *Picture) (*Submission, string, error) {
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
	if err := s.take(ctx, "submission by "+scope.Client(), "submission of "+tenancy.Fold(sent.Email)); err != nil {
		return nil, "", err
	}
	image, err := s.pictured(ctx, picture)
	if err != nil {
		return nil, "", err
	}
	token, now := rand.Text(), s.Now()
	client := sha256.Sum256([]byte("submission " + scope.Client()))
	h := &Held{Hash: hashOf(token), Client: client[:], Sent: sent, Image: image, Created: now, Expires: now.Add(UnconfirmedLife)}
	gone, err := s.store.Submissions().Hold(ctx, h, submissionLimits)
	if err != nil {
		return nil, "", s.undo(ctx, image, fmt.Errorf("store submission: %w", err))
	}
	for _, old := range gone {
		_ = s.undo(ctx, old, nil) // unreferenced files are also swept daily
	}
	made := h.submission()
	if s.letters == nil {
		made, err = s.make(ctx, h, false)
	} else if err = s.letters.Confirm(ctx, sent, token); err != nil {
		err = errors.Join(ErrLetter, err)
	}
	if err != nil {
		err = errors.Join(err, s.store.Submissions().Drop(context.WithoutCancel(ctx), h.Hash))
		return nil, "", s.undo(ctx, image, err)
	}
	return made, token, nil
}

// open returns the scope if its site accepts submissions.
func (s *Submissions) open(ctx context.Context) (*tenancy.Scope, error) {
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
func (s *Submissions) check(ctx context.Context, sent *Sent) error {
	ctx = asSender(ctx)
	w := &eventWrite{EventFields: sent.fields(nil), scope: tenancy.Current(ctx), now: s.Now()}
	if err := w.apply(ctx, &Event{}, true); err != nil {
		return err
	}
	return s.checkCategory(ctx, sent.Category)
}

// checkCategory rejects an unknown category, of which editors would never learn.
func (s *Submissions) checkCategory(ctx context.Context, id int64) error {
	if id == 0 {
		return nil
	}
	_, err := s.store.Terms(Categories).Get(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return args.Invalid("category", "problem.category.unknown", nil)
	}
	return err
}

// take counts an attempt for each name.
func (s *Submissions) take(ctx context.Context, who ...string) error {
	tries := make([]accounts.Try, 0, len(who))
	for _, one := range who {
		tries = append(tries, accounts.Try{Who: one})
	}
	wait, err := s.attempts.TakeAll(ctx, tries)
	if err == nil && wait > 0 {
		err = &WaitError{wait}
	}
	return err
}

// pictured stores the files of an attached image. Its row is created with the event.
func (s *Submissions) pictured(ctx context.Context, p *Picture) (*Image, error) {
	if p == nil {
		return nil, nil //nolint:nilnil // no picture is no error
	}
	image, err := s.pictures.Make(ctx, p.Name, p.Content)
	if err != nil {
		return nil, err
	}
	image.Created = s.Now()
	return image, nil
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
func (s *Submissions) make(ctx context.Context, h *Held, proved bool) (*Submission, error) {
	ctx = asSender(ctx)
	w := &eventWrite{EventFields: h.Sent.fields(nil), scope: tenancy.Current(ctx), now: s.Now()}
	e := &Event{}
	if err := w.apply(ctx, e, true); err != nil {
		return nil, err
	}
	e.Image = h.Image
	links, err := w.links(ctx, s.Calendar)
	if err == nil {
		err = s.store.Events().Create(besides(ctx, &SubmissionWrite{Confirm: h.Hash, Proved: proved}), e, links)
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

// Find returns a submission by the token in the email, or ErrNotFound.
func (s *Submissions) Find(ctx context.Context, token string) (*Submission, error) {
	if _, err := tenancy.From(ctx); err != nil {
		return nil, err
	}
	hash := hashOf(token)
	h, err := s.store.Submissions().Held(ctx, hash, s.Now())
	switch {
	case err == nil && subtle.ConstantTimeCompare(h.Hash, hash) == 1:
		return h.submission(), nil
	case err != nil && !errors.Is(err, ErrNotFound):
		return nil, fmt.Errorf("find submission: %w", err)
	}
	row, err := s.store.Submissions().Find(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("find submission: %w", err)
	}
	if subtle.ConstantTimeCompare(row.Hash, hash) != 1 {
		return nil, ErrNotFound
	}
	return s.whole(ctx, row)
}

// whole adds the event to a stored submission.
func (s *Submissions) whole(ctx context.Context, row *StoredSubmission) (*Submission, error) {
	e, err := s.store.Events().Get(ctx, Key{ID: row.Event})
	if err != nil {
		return nil, fmt.Errorf("event of submission: %w", err)
	}
	return row.with(e), nil
}

func (row *StoredSubmission) with(e *Event) *Submission {
	sub := &Submission{Sent: *row.Sent, Event: e, Proved: row.Proved, Created: row.Created, Settled: row.Settled, By: row.By,
		Message: row.Message, event: row.Event, hash: row.Hash}
	sub.Status = statusOf(row.Settle, e.Status)
	if sub.Status == Waiting {
		sub.Settled, sub.By, sub.Message = time.Time{}, 0, "" // the decision was reverted
	}
	return sub
}

// statusOf derives the status of a submission from its event and the recorded status.
func statusOf(noted SubmissionStatus, event Status) SubmissionStatus {
	switch {
	case event == Pending:
		return Waiting
	case event == Draft:
		return Accepted
	case event == Trash && noted == Withdrawn:
		return Withdrawn
	case event == Trash:
		return Refused
	}
	return Approved
}

// Confirm makes a submission pending, because the token proves the address. It is idempotent.
func (s *Submissions) Confirm(ctx context.Context, token string) (*Submission, error) {
	sub, err := s.Find(ctx, token)
	if err != nil || sub.Status != Unconfirmed {
		return sub, err
	}
	h := &Held{Hash: sub.hash, Sent: &sub.Sent, Image: sub.image, Created: sub.Created}
	made, err := s.make(ctx, h, true)
	if errors.Is(err, ErrNotFound) { // confirmed concurrently in another window
		return s.Find(ctx, token)
	}
	return made, err
}

// Correct changes a waiting submission: the fields that differ from the previous version, except those that an editor
// has changed since. The address stays. It returns ErrUnconfirmed, ErrSettled, *args.Problems or ErrManySent.
func (s *Submissions) Correct(ctx context.Context, token string, f *SubmissionFields, picture *Picture) (*Submission, error) {
	sub, err := s.Find(ctx, token)
	switch {
	case err != nil:
		return nil, err
	case sub.Status == Unconfirmed:
		return nil, ErrUnconfirmed
	case sub.Status != Waiting:
		return nil, ErrSettled
	}
	fields := *f
	fields.Email, fields.Terms = args.Some(args.Email(sub.Email)), args.Some(args.Truthy(true))
	sent, err := fields.sent(tenancy.Current(ctx), s.Now())
	if err != nil {
		return nil, err
	}
	sent.Home, sent.Language = sub.Home, sub.Language
	if sent.Category != sub.Category {
		if err := s.checkCategory(ctx, sent.Category); err != nil {
			return nil, err
		}
	}
	if err := s.take(ctx, "submission by "+tenancy.Current(ctx).Client()); err != nil {
		return nil, err
	}
	image, err := s.pictured(ctx, picture)
	if err != nil {
		return nil, err
	}
	ctx = besides(asSender(ctx), &SubmissionWrite{Correct: sent})
	w := &eventWrite{EventFields: sent.fields(&sub.Sent), scope: tenancy.Current(ctx), now: s.Now()}
	links, err := w.links(ctx, s.Calendar)
	if err != nil {
		return nil, s.undo(ctx, image, err)
	}
	e, err := s.store.Events().Update(ctx, Key{ID: sub.event}, func(e *Event) (EventLinks, error) {
		if e.Status != Pending {
			return links, ErrSettled
		}
		if image != nil {
			e.Image = image
		}
		return links, w.apply(ctx, e, false)
	})
	if err != nil {
		return nil, s.undo(ctx, image, fmt.Errorf("correct submission: %w", err))
	}
	sub.Sent, sub.Event = *sent, e
	return sub, nil
}

// Withdraw withdraws a waiting submission, or returns ErrSettled.
func (s *Submissions) Withdraw(ctx context.Context, token string) (*Submission, error) {
	sub, err := s.Find(ctx, token)
	switch {
	case err != nil || sub.Status == Withdrawn:
		return sub, err
	case sub.Status == Unconfirmed:
		if err := s.store.Submissions().Drop(ctx, sub.hash); err != nil {
			return nil, fmt.Errorf("withdraw submission: %w", err)
		}
		sub.Status = Withdrawn
		return sub, s.undo(ctx, sub.image, nil)
	case sub.Status != Waiting:
		return nil, ErrSettled
	}
	ctx = besides(asSender(ctx), &SubmissionWrite{Settle: Withdrawn})
	sub.Event, err = s.store.Events().Update(ctx, Key{ID: sub.event}, func(e *Event) (EventLinks, error) {
		if e.Status != Pending {
			return EventLinks{}, ErrSettled
		}
		return EventLinks{}, e.trash(s.Now())
	})
	if err != nil {
		return nil, fmt.Errorf("withdraw submission: %w", err)
	}
	sub.Status = Withdrawn
	return sub, nil
}
