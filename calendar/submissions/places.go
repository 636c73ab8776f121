package submissions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Follow has the venues that came with an event follow its status, if the event was submitted, and returns the submission, or nil. left
// are venues that the event had before: they go if nothing else has them. The form of an event calls it, and undoing calls FollowAll;
// after other writes the sweep does the same some minutes later.
func (s *Service) Follow(ctx context.Context, event int64, left ...calendar.Venue) (sub *Submission, err error) {
	row, err := s.store.Submissions().Get(ctx, event)
	if err == nil {
		sub, err = s.followPlaces(ctx, row, left...)
	}
	if errors.Is(err, calendar.ErrNotFound) {
		return nil, nil //nolint:nilnil // most events were not submitted
	}
	return sub, err
}

// FollowAll is Follow for several events.
func (s *Service) FollowAll(ctx context.Context, events []int64) error {
	rows, err := s.store.Submissions().Among(ctx, events)
	if err != nil {
		return fmt.Errorf("submissions of events: %w", err)
	}
	return s.followEach(ctx, rows)
}

func (s *Service) followEach(ctx context.Context, rows []*Stored) (err error) {
	for _, row := range rows {
		if _, wrong := s.followPlaces(ctx, row); !errors.Is(wrong, calendar.ErrNotFound) {
			err = errors.Join(err, wrong)
		}
	}
	return err
}

func (s *Service) followPlaces(ctx context.Context, row *Stored, left ...calendar.Venue) (*Submission, error) {
	sub, err := s.whole(ctx, row)
	if err != nil {
		return nil, err
	}
	return sub, s.settlePlaces(ctx, sub, slices.Concat(sub.Event.Venues, left))
}

// settlePlaces gives the venues that came with a submission the status that their events imply: they are public while a published event
// has them, wait while any other has them, and are in the trash if none has. Venues that were public before or that a user has entered
// stay as they are.
func (s *Service) settlePlaces(ctx context.Context, sub *Submission, venues []calendar.Venue) error {
	ctx = settling(ctx)
	for i := range venues {
		v := &venues[i]
		if !sub.Brought(v) {
			continue
		}
		to, err := s.implied(ctx, v)
		if err == nil && to != v.Status {
			err = s.turnPlace(ctx, v, to)
			sub.Opened = sub.Opened || v.Status == calendar.Publish
		}
		if err != nil {
			return fmt.Errorf("venue of submission: %w", err)
		}
	}
	return nil
}

// Places returns the venues that will be published together with the event.
func (sub *Submission) Places() []calendar.Venue {
	return slices.DeleteFunc(slices.Clone(sub.Event.Venues), func(v calendar.Venue) bool {
		return v.Status == calendar.Publish || !sub.Brought(&v)
	})
}

// Brought reports whether a venue of the event came with the submission and was not public before.
func (sub *Submission) Brought(v *calendar.Venue) bool {
	switch {
	case v.Author != 0:
		return false
	case v.Status == calendar.Publish:
		return !v.Date.Before(sub.Created.Truncate(time.Second))
	}
	return v.Status == calendar.Pending || v.Status == calendar.Trash
}

// settling returns a context in which venues may follow a decision, whoever makes it: also the sender, or an editor in whose area the
// venues are not.
func settling(ctx context.Context) context.Context {
	scope := *tenancy.Current(tenancy.Opening(ctx, tenancy.WriteVenues))
	scope.Principal.Role, scope.Principal.Area = tenancy.Administrator, tenancy.Area{}
	return tenancy.With(ctx, scope)
}

// implied returns the status that the events of a venue imply.
func (s *Service) implied(ctx context.Context, v *calendar.Venue) (calendar.Status, error) {
	q := calendar.EventQuery{Venues: []int64{v.ID}, WithHidden: true, Viewer: calendar.Viewer{All: true}}
	counts, err := s.store.Events().Counts(ctx, q)
	delete(counts, calendar.Trash)
	switch {
	case err != nil || counts[calendar.Publish]+counts[calendar.Future] > 0:
		return calendar.Publish, err
	case len(counts) > 0:
		return calendar.Pending, nil
	}
	return calendar.Trash, nil
}

// turnPlace sets the status of a venue, if the venue still exists.
func (s *Service) turnPlace(ctx context.Context, v *calendar.Venue, to calendar.Status) error {
	var err error
	if to == calendar.Trash {
		_, err = s.Venues().Delete(ctx, calendar.Key{ID: v.ID}, false, nil)
	} else {
		_, err = s.Venues().Update(ctx, calendar.Key{ID: v.ID}, &calendar.VenueFields{Status: args.Some(string(to))}, nil)
	}
	switch {
	case err == nil:
		v.Status = to
	case errors.Is(err, calendar.ErrNotFound), errors.Is(err, calendar.ErrGone):
		return nil
	}
	return err
}
