package lists

import (
	"fmt"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/test/eventtest"
)

// TestBooked asks what takes place at venues during spans of time.
func TestBooked(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	at := func(venueName string, from, hours int, with ...func(*calendar.Event)) *calendar.Event {
		return k.Create(k.Sample(append(with, func(e *calendar.Event) {
			e.Start = eventtest.Monday.Add(time.Duration(from) * time.Hour)
			e.End = e.Start.Add(time.Duration(hours) * time.Hour)
			e.StartUTC, e.EndUTC = e.Start, e.End
		})...), eventtest.VenueLinks(eventtest.Venue(venueName)))
	}
	first := at("Hall", 0, 4)
	second := at("Hall", 4, 2)
	moment := at("Hall", 6, 0)
	park := at("Park", 1, 1)
	draft := at("Hall", 20, 2, eventtest.Status(calendar.Draft))
	for what, not := range map[string]func(*calendar.Event){
		"in the trash": eventtest.Status(calendar.Trash),
		"online":       func(e *calendar.Event) { e.Attendance.Mode = "online" },
		"cancelled":    func(e *calendar.Event) { e.Happening.Status = "cancelled" },
		"postponed":    func(e *calendar.Event) { e.Happening.Status = "postponed" },
	} {
		at("Hall", 0, 30, eventtest.Titled(what), not)
	}
	hall, elsewhere := first.Venues[0].ID, park.Venues[0].ID
	span := func(from, to int) calendar.Occurrence {
		return calendar.Occurrence{StartUTC: eventtest.Monday.Add(time.Duration(from) * time.Hour), EndUTC: eventtest.Monday.Add(time.Duration(to) * time.Hour)}
	}
	for what, c := range map[string]struct {
		venues []int64
		spans  []calendar.Occurrence
		but    int64
		most   int
		want   []any // venue, event, status and span of each
	}{
		"between":           {[]int64{hall}, []calendar.Occurrence{span(3, 5)}, 0, 9, []any{hall, first.ID, calendar.Publish, 0, hall, second.ID, calendar.Publish, 0}},
		"what touches":      {[]int64{hall}, []calendar.Occurrence{span(4, 6)}, 0, 9, []any{hall, second.ID, calendar.Publish, 0}},
		"nothing":           {[]int64{hall}, []calendar.Occurrence{span(7, 20)}, 0, 9, nil},
		"a moment":          {[]int64{hall}, []calendar.Occurrence{span(6, 7)}, 0, 9, []any{hall, moment.ID, calendar.Publish, 0}},
		"at a moment":       {[]int64{hall}, []calendar.Occurrence{span(2, 2)}, 0, 9, []any{hall, first.ID, calendar.Publish, 0}},
		"itself":            {[]int64{hall}, []calendar.Occurrence{span(0, 4)}, first.ID, 9, nil},
		"a draft":           {[]int64{hall}, []calendar.Occurrence{span(21, 22)}, 0, 9, []any{hall, draft.ID, calendar.Draft, 0}},
		"the second span":   {[]int64{hall}, []calendar.Occurrence{span(-9, -8), span(5, 6)}, 0, 9, []any{hall, second.ID, calendar.Publish, 1}},
		"two venues":        {[]int64{hall, elsewhere}, []calendar.Occurrence{span(1, 2)}, 0, 9, []any{hall, first.ID, calendar.Publish, 0, elsewhere, park.ID, calendar.Publish, 0}},
		"no more than most": {[]int64{hall}, []calendar.Occurrence{span(0, 9)}, 0, 1, []any{hall, first.ID, calendar.Publish, 0}},
	} {
		found, err := k.db.Events().Booked(k.Ctx, calendar.BookedQuery{Venues: c.venues, Spans: c.spans, But: c.but, Most: c.most})
		k.Must(err)
		var got []any
		for _, one := range found {
			got = append(got, one.Venue, one.Event, one.Status, one.Span)
		}
		k.Equal(what, fmt.Sprint(got), fmt.Sprint(c.want))
	}
	k.Ctx = k.As(k.NewSite("two"), 1)
	found, err := k.db.Events().Booked(k.Ctx, calendar.BookedQuery{Venues: []int64{hall}, Spans: []calendar.Occurrence{span(0, 9)}, Most: 9})
	k.Must(err)
	k.Equal("of another site", len(found), 0)
}
