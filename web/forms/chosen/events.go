package chosen

import (
	"context"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/repeats"
)

// EventNames returns a function that returns the NamesOf events.
func EventNames(c *services.Calendar) func(v *frame.Visit, ids []int64) ([]frame.Pair, error) {
	return func(v *frame.Visit, ids []int64) ([]frame.Pair, error) {
		list, err := Events(v, c, ids)
		return NamesOf(v.Ctx, list), err
	}
}

// NamesOf returns the IDs and titles of events, occurrences with their dates and series with their rules.
func NamesOf(ctx context.Context, list []*calendar.Event) []frame.Pair {
	names := make([]frame.Pair, 0, len(list))
	for _, e := range list {
		text := e.Title
		switch {
		case e.Series != nil:
			text += ", " + frame.ShortSpan(ctx, e)
		case e.Recurring():
			text = frame.TellWith(ctx, "delete.series", "Name", e.Title, "Rule", repeats.RuleText(ctx, e))
		}
		names = append(names, frame.Pair{Name: frame.IDText(e.ID), Value: text})
	}
	return names
}

// Events returns the events, series and occurrences with these IDs. It leaves out those that no longer exist or
// that the user may not see.
func Events(v *frame.Visit, c *services.Calendar, ids []int64) ([]*calendar.Event, error) {
	ids = slices.Clone(ids)
	found := make([]*calendar.Event, 0, len(ids))
	for _, list := range []func(context.Context, *calendar.EventFilter, int) (calendar.Page[calendar.Event], error){
		c.Events().Shelf, c.Events().Board,
	} {
		if len(ids) == 0 {
			break
		}
		page, err := list(
			v.Ctx,
			&calendar.EventFilter{Include: args.Some(args.IDs(slices.Clone(ids))), Status: args.Some(allStatuses())},
			Most,
		)
		if err != nil {
			return nil, err
		}
		for _, e := range page.Items {
			if i := slices.Index(ids, e.ID); i >= 0 {
				found, ids = append(found, e), slices.Delete(ids, i, i+1)
			}
		}
	}
	return found, nil
}

func allStatuses() args.Texts {
	all := calendar.Statuses()
	list := make(args.Texts, 0, len(all))
	for _, s := range all {
		list = append(list, string(s))
	}
	return list
}
