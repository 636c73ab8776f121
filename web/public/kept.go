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

// keptPath is the path of the page with the events that a visitor has kept.
const keptPath = "/events/kept/"

// wholeSeries marks the id of a series that is kept as a whole.
const wholeSeries = "s"

// keepOf is the text with which a browser remembers a kept event.
func keepOf(e *calendar.Event) string {
	if e.Recurring() {
		return wholeSeries + strconv.FormatInt(e.ID, 10)
	}
	return strconv.FormatInt(e.ID, 10)
}

// keepable reports whether visitors can keep an event. They cannot if lists do not show it to everyone.
func keepable(e *calendar.Event) bool { return !e.Masked && !e.Protected() && !e.Hidden }

// keeping has the valid IDs in an address.
type keeping struct{ ids, series []int64 }

// readKept reads the IDs in an address. It returns calendar.ErrNotFound if there are more than a browser can keep.
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

// plan is a page of kept events: the visitor's own, which a script fills in, or those in the address.
type plan struct {
	*agenda
	found []string // events of the address that still exist and are not over
}

// query is the query of an address with the events of the plan.
func (p *plan) query() string { return "?ids=" + strings.Join(p.found, ",") }

// kept shows the events in the address. If there are none, a script shows the events that this browser has kept.
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

// keptCalendar returns the events in the address as an iCalendar file. It includes events of the last weeks, as other feeds
// do.
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
