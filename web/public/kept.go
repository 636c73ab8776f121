package public

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// keptPath is the page of what a visitor has kept.
const keptPath = "/events/kept/"

// wholeSeries marks the id of a series that is kept as a whole.
const wholeSeries = "s"

// keepOf is what a browser remembers of an event that is kept.
func keepOf(e *calendar.Event) string {
	if e.Recurring() {
		return wholeSeries + strconv.FormatInt(e.ID, 10)
	}
	return strconv.FormatInt(e.ID, 10)
}

// keepable reports whether an event can be kept: not one that lists do not show to everybody.
func keepable(e *calendar.Event) bool { return !e.Masked && !e.Protected() && !e.Hidden }

// keeping are the ids of an address, without what is none.
type keeping struct{ ids, series []int64 }

// readKept reads the ids of an address. More than a browser keeps is no list of its.
func readKept(a asked) (keeping, error) {
	var k keeping
	text := a.query("ids")
	if text == "" {
		return k, nil
	}
	list := strings.SplitN(text, ",", calendar.MostKept+1)
	if len(list) > calendar.MostKept {
		return k, calendar.ErrNotFound
	}
	for _, one := range list {
		number, series := strings.CutPrefix(one, wholeSeries)
		id, err := strconv.ParseInt(number, 10, 64)
		switch {
		case err != nil || id < 1:
		case series:
			k.series = append(k.series, id)
		default:
			k.ids = append(k.ids, id)
		}
	}
	return k, nil
}

func (k keeping) none() bool { return len(k.ids)+len(k.series) == 0 }

// plan is a page of kept events: of one's own, which a script puts in, or of an address.
type plan struct {
	*agenda
	found []string // what of the address is still there and not over
}

// query is the part of an address that has the plan.
func (p *plan) query() string { return "?ids=" + strings.Join(p.found, ",") }

// kept shows the events of an address. Without any it is the page in which a script shows what this browser has kept.
func (w *Pages) kept(ctx context.Context, a asked) (*shown, error) {
	k, err := readKept(a)
	if err != nil {
		return nil, err
	}
	p := &page{title: ui.Say(ctx, "kept"), path: keptPath, rest: "/events", section: "kept", robots: "noindex, nofollow"}
	if k.none() {
		return &shown{page: p, body: ownPlanPage()}, nil
	}
	found, err := w.calendar.Events().Kept(ctx, (&calendar.EventFilter{}).Coming(), k.ids, k.series)
	if err != nil {
		return nil, err
	}
	l := &plan{agenda: &agenda{page: 1, pages: 1, total: found.Total}}
	l.fill(ui.DatesIn(ctx), found.Items, w.today(ctx))
	for _, e := range found.Items {
		if id := strconv.FormatInt(e.ID, 10); slices.Contains(k.ids, e.ID) {
			l.found = append(l.found, id)
		} else if e.Series != nil {
			l.found = append(l.found, wholeSeries+strconv.FormatInt(e.Series.ID, 10))
		}
	}
	p.title, p.query = ui.Say(ctx, "kept.shared"), l.query()
	p.feeds = &subscription{calendar: "/events/kept.ics" + l.query(), title: ui.Say(ctx, "kept"), single: true, series: true}
	if len(l.found) == 0 {
		p.feeds = nil
	}
	return w.listed(ctx, p, planPage(p, l), found.Version, l.agenda), nil
}

// keptCalendar returns the events of an address as an iCalendar file, also those of the last weeks, as other calendars have them.
func (w *Pages) keptCalendar(ctx context.Context, a asked) (*shown, error) {
	k, err := readKept(a)
	if err != nil {
		return nil, err
	}
	f := &calendar.EventFilter{EndsAfter: args.DayArg(w.today(ctx).AddDate(0, 0, -calendar.FeedPast))}
	found, err := w.calendar.Events().Kept(ctx, f, k.ids, nil)
	if err != nil {
		return nil, err
	}
	var series *calendar.FeedFilter
	if len(k.series) > 0 {
		series = &calendar.FeedFilter{}
		series.Include = args.Some(args.IDs(k.series))
	}
	doc, err := feeds.Kept(ctx, w.calendar.Events(), &found, series, feeds.About{Title: ui.Say(ctx, "kept"), Path: keptPath, File: "kept"})
	return &shown{feed: doc}, err
}
