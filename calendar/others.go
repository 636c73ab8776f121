package calendar

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Kin are links by which other events are looked for; 0 is none.
type Kin struct{ Venue, Organizer, Category int64 }

// OthersQuery asks for what comes in public lists and has one of these links.
type OthersQuery struct {
	Kin
	After time.Time // on the wall clock; they end later
	But   int64     // a series, or what happens once, that is left out
	Each  int       // how many of each kind, at most
}

// OtherIDs are the first by start: each once, each series once, none that is masked. Those
// by organizer are not at the venue, those of the category neither.
type OtherIDs struct{ Venue, Organizer, Category []int64 }

// Others are events that have something of another.
type Others struct {
	Venue, Organizer, Category []*Event
	Version                    int64 // of the site, at the time of reading; 0: there are none
}

// Others returns up to each of what comes after a day at the venue, by the organizer and
// in the category of an event.
func (s Events) Others(ctx context.Context, e *Event, kin Kin, after args.Opt[args.Date], each int) (*Others, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	window, err := (&EventFilter{EndsAfter: after}).query(scope, s.Now())
	if err != nil || len(window.Edges) != 1 {
		return &Others{}, err
	}
	q := OthersQuery{Kin: kin, After: window.Edges[0].At, But: e.ID, Each: each}
	if e.Series != nil {
		q.But = e.Series.ID
	}
	found, err := s.store.Events().Others(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("look for other events: %w", err)
	}
	all := slices.Concat(found.Venue, found.Organizer, found.Category)
	if len(all) == 0 {
		return &Others{}, nil
	}
	f := &EventFilter{Include: args.Some(args.IDs(all))}
	f.PerPage = args.Some(len(all))
	page, _, err := s.List(ctx, f)
	if err != nil {
		return nil, err
	}
	return &Others{among(page.Items, found.Venue), among(page.Items, found.Organizer), among(page.Items, found.Category), page.Version}, nil
}

// among returns the events that have one of the ids and aren't masked.
func among(events []*Event, ids []int64) []*Event {
	return slices.DeleteFunc(slices.Clone(events), func(e *Event) bool { return e.Masked || !slices.Contains(ids, e.ID) })
}
