package lists

import (
	"context"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// keepable reports whether visitors can keep an event. They cannot keep events that are not in public lists.
func keepable(e *calendar.Event) bool { return !e.Masked && !e.Protected() && !e.Hidden }

// plan is a page of kept events: the visitor's own, which a script fills in, or those in the address.
type plan struct {
	*Agenda
	found []string // events in the address that still exist and are not over
}

// Query is the query of an address with the events of the plan.
func (p *plan) query() string { return "?ids=" + strings.Join(p.found, ",") }

// kept shows the events in the address. If there are none, a script shows the events that this browser has kept.
func (w *Pages) kept(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	k, err := layout.ReadKept(a)
	if err != nil {
		return nil, err
	}
	p := &layout.Page{Title: ui.Say(ctx, "kept"), Path: services.KeptPath, Rest: "/events", Section: "kept", Robots: "noindex, nofollow"}
	if k.None() {
		return &layout.Shown{Page: p, Body: ownPlanPage()}, nil
	}
	found, err := w.calendar.Events().Kept(ctx, (&calendar.EventFilter{}).Coming(), k)
	if err != nil {
		return nil, err
	}
	l := &plan{Agenda: &Agenda{Page: 1, Pages: 1, total: found.Total}}
	l.Fill(ui.DatesIn(ctx), found.Items, w.layout.Today(ctx))
	for _, e := range found.Items {
		l.found = append(l.found, k.As(e))
	}
	p.Title, p.Query = ui.Say(ctx, "kept.shared"), l.query()
	p.Feeds = &layout.Subscription{Calendar: "/events/kept.ics" + l.query(), Title: ui.Say(ctx, "kept"), Single: true, Series: true}
	if len(l.found) == 0 {
		p.Feeds = nil
	}
	return w.Listed(ctx, p, planPage(p, l), found.Version, l.Agenda), nil
}

// keptCalendar returns the events in the address as an iCalendar file. It includes events of the last weeks, like
// other feeds.
func (w *Pages) keptCalendar(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	k, err := layout.ReadKept(a)
	if err != nil {
		return nil, err
	}
	f := &calendar.EventFilter{EndsAfter: args.DayArg(w.layout.Today(ctx).AddDate(0, 0, -services.FeedPast))}
	found, err := w.calendar.Events().Kept(ctx, f, services.Keeping{Events: k.Events})
	if err != nil {
		return nil, err
	}
	var series *calendar.FeedFilter
	if len(k.Series) > 0 {
		series = &calendar.FeedFilter{}
		series.Include = args.Some(args.IDs(k.Series))
	}
	doc, err := feeds.Kept(
		ctx,
		w.calendar.Events(),
		&found,
		series,
		feeds.About{Title: ui.Say(ctx, "kept"), Path: services.KeptPath, File: "kept", Said: w.inFeeds(ctx)},
	)
	return &layout.Shown{Feed: doc}, err
}
