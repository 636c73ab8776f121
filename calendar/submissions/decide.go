package submissions

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Right is the permission to decide on submissions.
const Right = tenancy.EditOthers | tenancy.Publish

// letterWait is how long a decision can be reverted before the sender is notified.
const letterWait = time.Minute

// List returns one page of waiting submissions, oldest first, or of decided ones, latest first. It is restricted to
// principals who may decide. Those with an area get what is in it.
func (s *Service) List(ctx context.Context, f *Filter) (calendar.Page[Submission], Query, error) {
	scope, err := tenancy.PermittedToRead(ctx, tenancy.ReadSubmissions, Right)
	if err != nil {
		return calendar.Page[Submission]{}, Query{}, err
	}
	q := Query{Waiting: f.Status.Or("waiting") == "waiting", Area: scope.Principal.Area}
	q.Page, q.PerPage = f.Pages(scope.Site)
	rows, err := s.store.Submissions().List(ctx, q)
	if err != nil {
		return calendar.Page[Submission]{}, q, fmt.Errorf("list submissions: %w", err)
	}
	page := calendar.Page[Submission]{Total: rows.Total, Version: rows.Version}
	ids := make([]int64, 0, len(rows.Items))
	for _, row := range rows.Items {
		ids = append(ids, row.Event)
	}
	events, _, err := s.store.Events().Several(ctx, ids)
	if err != nil {
		return page, q, fmt.Errorf("events of submissions: %w", err)
	}
	found := map[int64]*calendar.Event{}
	for _, e := range events {
		found[e.ID] = e
	}
	for _, row := range rows.Items {
		if e := found[row.Event]; e != nil {
			page.Items = append(page.Items, row.with(e))
		}
	}
	return page, q, nil
}

// Get returns the submission of an event, or ErrNotFound. It is restricted to principals who may decide on it: it returns ErrOutside if
// the event is outside their area.
func (s *Service) Get(ctx context.Context, event int64) (*Submission, error) {
	if _, err := tenancy.PermittedToRead(ctx, tenancy.ReadSubmissions, Right); err != nil {
		return nil, err
	}
	sub, err := s.get(ctx, event)
	if err != nil {
		return nil, err
	}
	outside, err := s.Events().Outside(ctx, []int64{event})
	if err == nil && outside[event] {
		err = tenancy.ErrOutside
	}
	return sub, err
}

func (s *Service) get(ctx context.Context, event int64) (*Submission, error) {
	row, err := s.store.Submissions().Get(ctx, event)
	if err != nil {
		return nil, fmt.Errorf("get submission: %w", err)
	}
	return s.whole(ctx, row)
}

// undecided returns the submission of an event to principals who may decide, or ErrSettled.
func (s *Service) undecided(ctx context.Context, event int64) (*Submission, error) {
	if _, err := tenancy.Permitted(ctx, tenancy.WriteSubmissions, Right); err != nil {
		return nil, err
	}
	sub, err := s.get(ctx, event)
	if err == nil && sub.Status != Waiting {
		err = ErrSettled
	}
	return sub, err
}

// Approve publishes a submitted event, or makes it a draft, together with its new venues. The sender is notified on
// publication. cond checks the version of the event. It returns ErrSettled if the submission is already decided.
func (s *Service) Approve(ctx context.Context, event int64, f *ApprovalFields, cond calendar.Condition) (*Submission, error) {
	sub, err := s.undecided(ctx, event)
	if err != nil {
		return nil, err
	}
	ctx = tenancy.Opening(ctx, tenancy.WriteContent) // the decision permits the write, so it needs no right of its own
	scope := tenancy.Current(ctx)
	status, now := f.Status.Or(string(calendar.Publish)), s.Now()
	settle := &Write{Settle: Accepted, By: scope.Principal.UserID}
	if status == string(calendar.Publish) {
		settle.Settle = Approved
		settle.LetterAt = now.Add(letterWait)
	}
	w, err := s.Events().Writing(ctx, &calendar.EventFields{Status: args.Some(status)})
	if err != nil {
		return nil, err
	}
	return s.settle(ctx, sub, settle, cond, func(e *calendar.Event) error { return w.Apply(ctx, e, false) })
}

// Refuse moves a submitted event to the trash, together with its new venues that nothing else uses, and notifies the sender unless the
// editor opts out. cond is about the version of the event. It returns ErrSettled if the submission is already decided.
func (s *Service) Refuse(ctx context.Context, event int64, f *RefusalFields, cond calendar.Condition) (*Submission, error) {
	sub, err := s.undecided(ctx, event)
	if err != nil {
		return nil, err
	}
	ctx = tenancy.Opening(ctx, tenancy.WriteContent) // as in Approve
	now := s.Now()
	settle := &Write{Settle: Refused, By: tenancy.Current(ctx).Principal.UserID, Message: wording.TidyLines(f.Message.Or(""))}
	if f.Tell.Or(true) {
		settle.LetterAt = now.Add(letterWait)
	}
	return s.settle(ctx, sub, settle, cond, func(e *calendar.Event) error { return e.MoveToTrash(now) })
}

// Return sends a waiting submission back to its sender: the event becomes a draft with a note, as one of an author does, and the sender is
// asked by e-mail to change it and send it again. cond is about the version of the event. It returns ErrSettled if the submission is
// already decided, and ErrLetter if the sender cannot be written to.
func (s *Service) Return(ctx context.Context, event int64, f *ReturnFields, cond calendar.Condition) (*Submission, error) {
	sub, err := s.undecided(ctx, event)
	if err != nil {
		return nil, err
	}
	note := wording.TidyLines(f.Note.Or(""))
	switch {
	case note == "":
		return nil, args.Invalid("review_note", "problem.blank", nil)
	case s.letters == nil || !sub.Proved:
		return nil, ErrLetter
	}
	ctx = tenancy.Opening(ctx, tenancy.WriteContent) // as in Approve
	w, err := s.Events().Writing(ctx, &calendar.EventFields{Status: args.Some(string(calendar.Draft)), ReviewNote: args.Some(note)})
	if err != nil {
		return nil, err
	}
	settle := &Write{Settle: Returned, By: tenancy.Current(ctx).Principal.UserID, LetterAt: s.Now().Add(letterWait)}
	return s.settle(ctx, sub, settle, cond, func(e *calendar.Event) error { return w.Apply(ctx, e, false) })
}

// settle stores a decision in the same transaction as the change of the event. The venues that came with it follow.
func (s *Service) settle(ctx context.Context, sub *Submission, to *Write, cond calendar.Condition, change func(*calendar.Event) error,
) (*Submission, error) {
	scope := tenancy.Current(ctx)
	e, err := s.store.Events().Update(besides(ctx, to), calendar.Key{ID: sub.event}, func(e *calendar.Event) (calendar.EventLinks, error) {
		if err := calendar.Editable(scope.Principal, &e.Post, nil); err != nil {
			return calendar.EventLinks{}, err
		}
		if e.Status != calendar.Pending {
			return calendar.EventLinks{}, ErrSettled
		}
		if err := cond.Check(e.Version); err != nil {
			return calendar.EventLinks{}, err
		}
		return calendar.EventLinks{}, change(e)
	})
	if err != nil {
		return nil, fmt.Errorf("decide submission: %w", err)
	}
	sub.Event, sub.Status, sub.Settled, sub.By, sub.Message = e, statusOf(to.Settle, e), s.Now(), to.By, to.Message
	_ = s.settlePlaces(ctx, sub, e.Venues) // only now, because someone else could have decided; the sweep tries again
	return sub, nil
}

// Sweep does the due work on all sites: it records decisions made elsewhere, has venues follow them, sends emails, and deletes expired
// submissions. Concurrent nodes process different sites. The context must be the provider's.
func (s *Service) Sweep(ctx context.Context) error {
	sites, err := s.store.Submissions().Due(ctx, s.Now())
	if err != nil {
		err = fmt.Errorf("sites with submissions: %w", err) // the others are due all the same
	}
	for _, site := range sites {
		within, entering := tenancy.Enter(ctx, site)
		if entering != nil {
			return entering
		}
		err = errors.Join(err, s.sweep(within))
	}
	return err
}

func (s *Service) sweep(ctx context.Context) error {
	due, err := s.store.Submissions().Settle(ctx, s.Now())
	if err != nil {
		return fmt.Errorf("settle submissions: %w", err)
	}
	for _, image := range due.Gone {
		_ = s.DropImage(ctx, image, nil) // as in Send
	}
	err = s.followEach(ctx, due.Reverted)
	for _, row := range due.Letters {
		found := s.follow(ctx, row)
		if found == nil || errors.Is(found, calendar.ErrNotFound) {
			found = s.store.Submissions().Told(ctx, row)
		}
		err = errors.Join(err, found)
	}
	return err
}

// follow does the work after a decision: venues follow it, and it sends the email. It is idempotent, but a second email about a return
// has a link of its own, and the first link ends.
func (s *Service) follow(ctx context.Context, row *Stored) error {
	sub, err := s.whole(ctx, row)
	if err != nil || sub.Status != Approved && sub.Status != Refused && sub.Status != Returned {
		return err
	}
	if err := s.settlePlaces(ctx, sub, sub.Event.Venues); err != nil {
		return err
	}
	if s.letters == nil || !sub.Proved || tenancy.Current(ctx).Site.State != tenancy.Active {
		return nil
	}
	if sub.Status != Returned {
		return s.letters.Settled(ctx, sub)
	}
	token := rand.Text() // only a digest of the first one is stored
	if err := s.store.Submissions().Link(ctx, row, hashOf(token)); err != nil {
		return fmt.Errorf("link for the sender: %w", err)
	}
	return s.letters.Returned(ctx, sub, token)
}
