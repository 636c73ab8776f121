package places

import (
	"errors"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
)

// placeEvents is a page of the upcoming or the past events of a place.
type placeEvents struct {
	base  string // address of the place
	past  bool
	items []*calendar.Event
	total int
	page  int
}

const placeEventsPerPage = 20

// eventsOf lists the upcoming or past events of a place, as the address requests.
func (w *Pages) eventsOf(v *frame.Visit, ed *placeEditor) (*placeEvents, error) {
	l := &placeEvents{base: ed.kind.address(ed.entry.ID), past: v.Query.Get("when") == "past", page: 1}
	if n, err := strconv.Atoi(v.Query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	now := instantArg(w.calendar.Now())
	f := &calendar.EventFilter{StrictDates: args.Some(args.Truthy(true))}
	f.Page = args.Some(l.page)
	if l.past {
		f.EndsBefore, f.Order = now, args.Some("desc")
	} else {
		f.EndsAfter = now
	}
	ed.kind.of(f, ed.entry.ID)
	page, err := w.calendar.Events().Board(v.Ctx, f, placeEventsPerPage)
	if err != nil && !errors.Is(err, calendar.ErrPage) {
		return nil, err
	}
	l.items, l.total = page.Items, page.Total
	return l, nil
}

func (l *placeEvents) pages() int { return (l.total + placeEventsPerPage - 1) / placeEventsPerPage }

// address is the address of a page of the list.
func (l *placeEvents) address(past bool, page int) string {
	address := l.base + "?page=" + strconv.Itoa(page)
	if past {
		address += "&when=past"
	}
	return address + "#events"
}

// instantArg makes an argument of an instant.
func instantArg(at time.Time) args.Opt[args.Date] {
	d, err := args.ParseDate(at.UTC().Format(time.RFC3339))
	if err != nil {
		return args.Opt[args.Date]{}
	}
	return args.Some(d)
}
