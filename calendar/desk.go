package calendar

import (
	"context"
	"sync"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Lack is what events don't have that a list is narrowed to. The zero value narrows
// nothing.
type Lack struct {
	Image bool
	Place bool // no venue, though people come
}

// Desk is what there is to do in a calendar.
type Desk struct {
	Coming  Page[Event] // what is public and happens next, each series once
	Waiting Page[Event] // what waits for somebody who may publish
	Lacking []Lacking
}

// Lacking is how many events to come lack something, or texts in a language of the site.
type Lacking struct {
	Lack
	Language string // "": it is no texts
	Count    int
}

// Desk returns what there is to do, with so many events of each list, to those who may
// edit. What it asks the store goes together, so it costs about one round trip.
func (c *Calendar) Desk(ctx context.Context, most int) (*Desk, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return nil, err
	}
	d := &Desk{Lacking: []Lacking{{Lack: Lack{Image: true}}, {Lack: Lack{Place: true}}}}
	for _, language := range scope.Site.Written() {
		if language != scope.Site.Language {
			d.Lacking = append(d.Lacking, Lacking{Language: language})
		}
	}
	coming, err := dayArg(day(wall(c.Now(), scope.Site.Location)).AddDate(0, 0, -1)) // ends after that
	if err != nil {
		return nil, err
	}
	var all sync.WaitGroup
	failed := make([]error, 2+len(d.Lacking))
	all.Go(func() {
		f := &EventFilter{EndsAfter: coming, Status: args.Some(args.Texts{string(Publish)})}
		d.Coming, failed[0] = c.Events().Shelf(ctx, f, most)
	})
	all.Go(func() {
		d.Waiting, failed[1] = c.Events().Shelf(ctx, &EventFilter{Status: args.Some(args.Texts{string(Pending)})}, most)
	})
	for i := range d.Lacking {
		all.Go(func() {
			one := &d.Lacking[i]
			f := &EventFilter{EndsAfter: coming, Lacks: one.Lack, Speaking: Speaking{Lacking: one.Language}}
			counts, err := c.Events().Counts(ctx, f)
			for status, n := range counts {
				if status != Trash {
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

// dayArg is a day as an argument.
func dayArg(at time.Time) (args.Opt[args.Date], error) {
	date, err := args.ParseDate(at.Format(time.DateOnly))
	return args.Some(date), err
}
