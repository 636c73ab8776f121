package services

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// Others are events related to another one.
type Others struct {
	Venue, Organizer, Category []*calendar.Event
	Version                    int64 // version of the site when they were read; 0 if there are none
}

// Others returns up to each events per kind that are not over: at the venue, by the organizer and in the category
// of an event.
func (s Events) Others(ctx context.Context, e *calendar.Event, kin calendar.Kin, each int) (*Others, error) {
	q := calendar.OthersQuery{Kin: kin, After: s.Now().UTC().Truncate(time.Second), But: e.ID, Each: each}
	if e.Series != nil {
		q.But = e.Series.ID
	}
	found, err := s.store.Events().Others(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find related events: %w", err)
	}
	all := slices.Concat(found.Venue, found.Organizer, found.Category)
	if len(all) == 0 {
		return &Others{}, nil
	}
	f := &calendar.EventFilter{Include: args.Some(args.IDs(all))}
	f.PerPage = args.Some(len(all))
	page, _, err := s.List(ctx, f)
	if err != nil {
		return nil, err
	}
	return &Others{among(page.Items, found.Venue), among(page.Items, found.Organizer), among(page.Items, found.Category), page.Version}, nil
}

// among returns the events with one of the ids that are not masked.
func among(events []*calendar.Event, ids []int64) []*calendar.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e *calendar.Event) bool { return e.Masked || !slices.Contains(ids, e.ID) })
}
