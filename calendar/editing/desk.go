package editing

import (
	"context"
	"sync"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Desk is what needs attention in a calendar: upcoming events, pending events, and what is missing in events.
type Desk struct {
	Coming  calendar.Page[calendar.Event] // the next public events, each series once, without what is on show
	Waiting calendar.Page[calendar.Event] // pending events
	Lacking []Lacking
}

// Lacking has the numbers of upcoming events without an image, a venue, a confirmation that they are still right,
// or their texts in a language.
type Lacking struct {
	calendar.Lack
	Language string // "" if no texts are lacking
	Count    int
}

// Desk returns what needs attention, with up to most events per list, for principals who may edit. Its store calls
// share about one round trip.
func (c *Service) Desk(ctx context.Context, most int) (*Desk, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.ReadEvents, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	d := &Desk{Lacking: []Lacking{{Lack: calendar.Lack{Image: true}}, {Lack: calendar.Lack{Place: true}}}}
	if scope.Principal.May(tenancy.Publish) {
		d.Lacking = append(d.Lacking, Lacking{Lack: calendar.Lack{Check: calendar.Unchecked(scope, c.Now())}})
	}
	for _, language := range scope.Site.Written() {
		if language != scope.Site.Language {
			d.Lacking = append(d.Lacking, Lacking{Language: language})
		}
	}
	var all sync.WaitGroup
	failed := make([]error, 2+len(d.Lacking))
	all.Go(func() {
		f := &calendar.EventFilter{Ended: args.Some(false), Status: args.Some(args.Texts{string(calendar.Publish)}),
			Shown: calendar.ShownNot}
		d.Coming, failed[0] = c.Events().Shelf(ctx, f, most)
	})
	all.Go(func() {
		d.Waiting, failed[1] = c.Events().Shelf(ctx, &calendar.EventFilter{Status: args.Some(args.Texts{string(calendar.Pending)})}, most)
	})
	for i := range d.Lacking {
		all.Go(func() {
			one := &d.Lacking[i]
			f := &calendar.EventFilter{Ended: args.Some(false), Lacks: one.Lack, Speaking: calendar.Speaking{Lacking: one.Language}}
			counts, err := c.Events().Counts(ctx, f)
			for status, n := range counts {
				if status != calendar.Trash {
					one.Count += n
				}
			}
			failed[2+i] = err
		})
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}
