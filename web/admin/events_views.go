package admin

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// view is one of the tabs of the list of events.
type view struct {
	name  string
	count int
}

// toConfirm is the tab of the events that need checking.
const toConfirm = "confirm"

// onShow is the tab of events that have been running for some time and last more than a few days. In the first tab they
// would hide the next events.
const onShow = "onshow"

// views are the tabs in their order.
var views = []string{"upcoming", onShow, "past", "draft", "pending", toConfirm, "all"}

// view returns the tab in the address. The default is "upcoming", or "all" if the list has a filter.
func (b *eventList) view() string {
	if name := b.form.Get("view"); slices.Contains(views, name) {
		return name
	}
	switch status := b.form.Get("status"); {
	case status == "draft" || status == "pending":
		return status
	case status != "" || b.series != nil || b.form.Get("series") != "" || b.filtered():
		return "all"
	}
	return "upcoming"
}

// within limits a filter to a tab.
func (b *eventList) within(ctx context.Context, f *calendar.EventFilter, name string) {
	switch name {
	case "upcoming":
		f.Ended = args.Some(false)
		if !b.filtered() { // a filter shows all that it finds
			f.Shown = calendar.ShownNot
		}
	case onShow:
		f.Ended, f.Shown = args.Some(false), calendar.ShownOnly
		if b.form.Get("sort") == "" {
			f.OrderBy = args.Some("end_date")
		}
	case "past":
		f.Ended = args.Some(true)
		if b.form.Get("sort") == "" && b.form.Get("order") == "" {
			f.Order = args.Some("desc")
		}
	case "draft", "pending":
		f.Status = args.Some(args.Texts{name})
	case toConfirm:
		f.Lacks.Check = calendar.Unchecked(tenancy.Current(ctx), b.now)
	}
}

// fillViews counts the events of each tab. The tabs of events to confirm and of what is on show appear only if there are any.
// Those to confirm are counted only if the number beside "Events", which the node remembers, is not zero.
func (w *Pages) fillViews(v *frame.Visit, b *eventList, f calendar.EventFilter) error {
	ctx := v.Ctx
	counts := func(name string) (map[calendar.Status]int, error) {
		one := f
		b.within(ctx, &one, name)
		found, err := w.calendar.Events().Counts(ctx, &one)
		maps.DeleteFunc(found, func(s calendar.Status, _ int) bool { return s == calendar.Trash })
		return found, err
	}
	waits, err := v.Waits()
	if err != nil {
		return err
	}
	if b.counts, err = w.calendar.Events().Counts(ctx, &f); err != nil {
		return err
	}
	for _, name := range views {
		one := view{name: name}
		if name == toConfirm && (!frame.May(ctx, tenancy.Publish) || b.view() != toConfirm && waits[attention.Stale] == 0) {
			continue
		}
		if name == onShow && b.filtered() && b.view() != onShow {
			continue
		}
		switch {
		case name == "upcoming", name == onShow, name == "past", name == toConfirm, name == "pending" && !v.Scope().Principal.Area.Whole():
			found, err := counts(name)
			if err != nil {
				return err
			}
			if one.count = sum(found); name == "pending" { // its filter has no status
				one.count = found[calendar.Pending]
			}
		case name == "all":
			one.count = b.all()
		default:
			one.count = b.counts[calendar.Status(name)]
		}
		if name != toConfirm && name != onShow || one.count > 0 || b.view() == name {
			b.views = append(b.views, one)
		}
	}
	return nil
}

func sum(counts map[calendar.Status]int) (n int) {
	for _, one := range counts {
		n += one
	}
	return n
}

// viewLink is the address of a tab with the current filter.
func (b *eventList) viewLink(name string) string {
	if name == "upcoming" && !b.filtered() {
		name = "" // the default list
	}
	return b.address("view", name, "status", "", "sort", "", "order", "")
}

// statusChoices are the statuses that the filter offers: all except trash, which has its own page.
func statusChoices(ctx context.Context) []frame.Pair {
	list := []frame.Pair{}
	for _, s := range calendar.Statuses() {
		if s != calendar.Trash {
			list = append(list, frame.Pair{Name: string(s), Value: frame.StatusOf(ctx, s)})
		}
	}
	return list
}

// weekLink is a link to the events of a week.
type weekLink struct {
	name, address string
	here          bool // the list shows this week
}

// current are the attributes of the link.
func (w weekLink) current() templ.Attributes {
	if !w.here {
		return nil
	}
	return templ.Attributes{"aria-current": "true"}
}

// weeks are links to this week and the next with the current filter. Unlike in the public calendar, the days of this week that are over
// count. The list of a series has none.
func (b *eventList) weeks(ctx context.Context) []weekLink {
	if b.series != nil {
		return nil
	}
	today := args.DayOf(ui.WallAt(b.now, ui.SiteOf(ctx).Location))
	first := ui.WeekOf(today, ui.DatesIn(ctx).WeekStart())
	tab := b.view()
	if tab != "draft" && tab != "pending" {
		tab = ""
	}
	list := make([]weekLink, 0, 2)
	for i, name := range []string{"week", "nextweek"} {
		from := first.AddDate(0, 0, 7*i)
		days := [2]string{from.Format(time.DateOnly), from.AddDate(0, 0, 6).Format(time.DateOnly)}
		list = append(list, weekLink{name, b.address("view", tab, "from", days[0], "to", days[1]),
			b.form.Get("from") == days[0] && b.form.Get("to") == days[1]})
	}
	return list
}
