package editing

import (
	"context"
	"errors"
	"maps"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// part undoes a merge of venues or organizers. It creates the removed items again, with their IDs and former values. It
// restores the fields of the kept item that nobody has changed since, and from which items they are told apart. It
// reports whether the write was a merge. The caller takes back their events afterwards.
func (s *Service) part(ctx context.Context, version int64) (parted bool, err error) {
	for _, kind := range []string{"venue", "organizer"} {
		list, err := s.written(ctx, kind, version)
		if err != nil {
			return false, err
		}
		var kept *tenancy.Entry
		var gone []tenancy.Entry
		for i := range list {
			if list[i].Action == "delete" {
				gone = append(gone, list[i])
			} else {
				kept = &list[i]
			}
		}
		if kept == nil || len(gone) == 0 {
			continue
		}
		parted = true
		for i := range gone {
			if err := s.returnPlace(ctx, &gone[i]); err != nil {
				return false, err
			}
		}
		if err := s.placeBefore(ctx, kept); err != nil {
			return false, err
		}
		ids := make([]int64, 0, len(gone))
		for i := range gone {
			ids = append(ids, gone[i].Position.ID)
		}
		if kind == "venue" {
			err = s.Venues().Parted(ctx, kept.Position.ID, ids)
		} else {
			err = s.Organizers().Parted(ctx, kept.Position.ID, ids)
		}
		if err != nil {
			return false, err
		}
	}
	return parted, nil
}

// unmake deletes the categories and tags that a write created. It keeps those that have since been changed, and
// those that events have. It returns calendar.ErrNotFound if there is nothing to delete.
func (s *Service) unmake(ctx context.Context, version int64) (*TakenBack, error) {
	became := &TakenBack{}
	for _, taxonomy := range []calendar.Taxonomy{calendar.Categories, calendar.Tags} {
		list, err := s.written(ctx, string(taxonomy), version)
		if err != nil {
			return nil, err
		}
		for i := range list {
			id := list[i].Position.ID
			if _, events, err := s.store.Terms(taxonomy).Linked(ctx, []int64{id}); err != nil {
				return nil, err
			} else if list[i].Action != "create" || events > 0 {
				continue
			}
			_, err := s.Terms(taxonomy).Delete(ctx, id, func(now int64) error {
				if now != version {
					return calendar.ErrPrecondition
				}
				return nil
			})
			switch {
			case errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrPrecondition):
			case err != nil:
				return nil, err
			default:
				became.Done++
			}
		}
	}
	if became.Done == 0 {
		return nil, calendar.ErrNotFound
	}
	return became, nil
}

// returnPlace creates a deleted venue or organizer again, as it was.
func (s *Service) returnPlace(ctx context.Context, e *tenancy.Entry) error {
	id := e.Position.ID
	_, now, err := s.store.History().Of(ctx, e.Position.Kind, id, tenancy.Now)
	if err != nil || now != nil { // it is there
		return err
	}
	then := maps.Clone(e.Before)
	if _, err := s.dropLost(ctx, then); err != nil {
		return err
	}
	author, _ := then["author"].(float64)
	staying := func(name string) bool { return name == "author" }
	then = apart(then, tenancy.Current(ctx).Site.Language)
	if e.Position.Kind == "venue" {
		return restore(staying, nil, then, func(f *calendar.VenueFields) error {
			return second(s.Venues().Return(ctx, id, int64(author), f))
		})
	}
	return restore(staying, nil, then, func(f *calendar.OrganizerFields) error {
		return second(s.Organizers().Return(ctx, id, int64(author), f))
	})
}

// placeBefore restores the fields of a venue or organizer that a write replaced, except those that someone has changed since.
func (s *Service) placeBefore(ctx context.Context, e *tenancy.Entry) error {
	id := e.Position.ID
	since, _, err := s.store.History().Since(ctx, e.Position.Kind, []int64{id}, e.Position.Version)
	if err != nil || since[id].Now == nil {
		return err
	}
	then, _ := unchanged(e.Before, changedAfter(e.Position.Version, since[id].Entries), since[id].Now)
	if _, err := s.dropLost(ctx, then); err != nil {
		return err
	}
	site := tenancy.Current(ctx).Site.Language
	now, key := apart(since[id].Now, site), calendar.Key{ID: id}
	then = apart(then, site)
	if e.Position.Kind == "venue" {
		return restore(staysBut(""), now, then, func(f *calendar.VenueFields) error { return second(s.Venues().Update(ctx, key, f, nil)) })
	}
	return restore(staysBut(""), now, then, func(f *calendar.OrganizerFields) error {
		return second(s.Organizers().Update(ctx, key, f, nil))
	})
}
