package imports

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
)

// mostBeside is the maximum number of the site's events shown next to an entry.
const mostBeside = 3

// Beside returns, by the numbers of a dry run's entries, events of the site that are or may be the same: the event
// that an entry was recognized as, and events on the same day with the same title. It leaves out events that the
// principal may not see.
func (s *Service) Beside(ctx context.Context, entries []*Entry) (map[int][]*calendar.Event, error) {
	starts := startsOf(entries)
	days, err := s.byDay(ctx, slices.Collect(maps.Values(starts)))
	if err != nil {
		return nil, err
	}
	found, ids := map[int][]int64{}, map[int64]bool{}
	for _, e := range entries {
		if e.Event != 0 && e.Result != Created {
			found[e.Number] = append(found[e.Number], e.Event)
		}
		at := starts[e.Number]
		for _, a := range days[dayOf(at)] {
			if e.Title != "" && e.Result != Same && similar(e.Title, a.Title) && len(found[e.Number]) < mostBeside &&
				!slices.Contains(found[e.Number], a.ID) {
				found[e.Number] = append(found[e.Number], a.ID)
			}
		}
		for _, id := range found[e.Number] {
			ids[id] = true
		}
	}
	events, err := s.seen(ctx, ids)
	if err != nil {
		return nil, err
	}
	beside := map[int][]*calendar.Event{}
	for n, ids := range found {
		for _, id := range ids {
			if e := events[id]; e != nil {
				beside[n] = append(beside[n], e)
			}
		}
	}
	return beside, nil
}

// Written returns the events of a report's entries by their ids. It leaves out events that the principal may not see.
func (s *Service) Written(ctx context.Context, entries []*Entry) (map[int64]*calendar.Event, error) {
	ids := map[int64]bool{}
	for _, e := range entries {
		if e.Event != 0 {
			ids[e.Event] = true
		}
	}
	return s.seen(ctx, ids)
}

// seen returns the events with these ids that the principal may see.
func (s *Service) seen(ctx context.Context, ids map[int64]bool) (map[int64]*calendar.Event, error) {
	events := map[int64]*calendar.Event{}
	if len(ids) == 0 {
		return events, nil
	}
	list, _, err := s.events.Several(ctx, slices.Sorted(maps.Keys(ids)))
	if err != nil {
		return nil, tenancy.Wrap("list events beside an import", err)
	}
	p := tenancy.Current(ctx).Principal
	for _, e := range list {
		if e.Status == calendar.Publish && len(e.Password) == 0 || calendar.Editable(p, &e.Post, nil) == nil {
			events[e.ID] = e
		}
	}
	return events, nil
}

// startsOf returns when entries start, by their numbers. It leaves out entries without a valid start.
func startsOf(entries []*Entry) map[int]time.Time {
	starts := map[int]time.Time{}
	for _, e := range entries {
		if at, err := time.Parse(time.DateTime, e.Start); err == nil {
			starts[e.Number] = at
		}
	}
	return starts
}

// byDay returns the events of the site between the first and the last of some times, by the days on which they start.
func (s *Service) byDay(ctx context.Context, starts []time.Time) (map[time.Time][]*Alike, error) {
	days := map[time.Time][]*Alike{}
	if len(starts) == 0 {
		return days, nil
	}
	first, last := slices.MinFunc(starts, time.Time.Compare), slices.MaxFunc(starts, time.Time.Compare)
	alike, err := s.store.Alike(ctx, dayOf(first), dayOf(last).AddDate(0, 0, 1))
	if err != nil {
		return nil, tenancy.Wrap("list events beside an import", err)
	}
	for i := range alike {
		day := dayOf(alike[i].Start)
		days[day] = append(days[day], &alike[i])
	}
	return days, nil
}

// similar reports whether two titles differ only in case, accents and the like.
func similar(a, b string) bool { return wording.Fold(a) == wording.Fold(b) }

func dayOf(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
}
