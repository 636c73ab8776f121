package lists

import (
	"context"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// mostInMonth is the maximum number of events shown in a month or on a day.
const mostInMonth = 1000

// mostInCell is the number of events that a day of a month shows. The others can be expanded.
const mostInCell = 4

// monthGrid is a month as weeks of seven days.
type monthGrid struct {
	first    time.Time
	last     time.Time
	weekdays []int // beginning with the first day of the week
	weeks    [][]monthCell
	empty    bool
	none     *nothing // shown in an empty month, or nil
	previous string   // path, or "" at the limit
	next     string
}

// monthCell is a day of a month.
type monthCell struct {
	day        time.Time
	today, out bool // out: of another month
	chosen     bool // the day whose events a narrow screen shows first
	items      []Entry
	onShow     int
}

// first returns the events that a day shows without a click; rest returns the others.
func (c *monthCell) first() []Entry { return c.items[:min(len(c.items), c.most())] }
func (c *monthCell) rest() []Entry  { return c.items[min(len(c.items), c.most()):] }

// most returns the number of events that a day shows without a click. If only one more remains, it includes that
// one.
func (c *monthCell) most() int {
	if len(c.items) == mostInCell+1 {
		return mostInCell + 1
	}
	return mostInCell
}

// dots returns the first events of a day, which a narrow screen shows as dots.
func (c *monthCell) dots() []Entry { return c.items[:min(len(c.items), 3)] }

// anchor is the id of a day on the page of its month.
func (c *monthCell) anchor() string { return "d" + c.day.Format(time.DateOnly) }

// Month shows a month, by default the current one.
func (w *Pages) Month(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	l := ui.DatesIn(ctx)
	first := l.MonthOf(w.layout.Today(ctx))
	if text := a.Param("month"); text != "" {
		named, own, ok := l.ReadMonth(text)
		switch {
		case !ok:
			return nil, calendar.ErrNotFound
		case !own && !a.Calendar: // a subscription keeps its address
			return a.Lead(ctx, a.At(MonthPath(l, named))), nil
		}
		first = named
	}
	last := l.MonthEnd(first)
	if a.Calendar {
		return w.CalendarOf(ctx, a, feeds.About{Title: l.Month(first), Path: MonthPath(l, first)}, daysOf(first, last))
	}
	name, start := l.Month(first), l.WeekStart()
	p := &layout.Page{Title: name, Path: a.At(MonthPath(l, first)), In: monthIn(ctx, a, first), Section: "list", Sheet: "month.css",
		Rest:        "/events?start_date=" + first.Format(time.DateOnly) + "&end_date=" + last.Format(time.DateOnly),
		Description: layout.Describe(ctx, name)}
	from := ui.WeekOf(first, start)
	d, err := w.days(ctx, a, p, calendar.Days{First: from, Last: ui.WeekOf(last, start).AddDate(0, 0, 6)})
	if d.redirected() || err != nil {
		return d.answer, err
	}
	p.Feeds.Paper = d.choice.ProgrammeOf(calendar.Days{First: first, Last: last}) // not that of the weeks around it
	g := newGrid(l, first, w.layout.Today(ctx), d.events)
	f := &frame{view: "month", choice: d.choice, day: first, steps: &steps{label: "month", previous: "month.previous", next: "month.next",
		before: a.At(g.previous), after: a.At(g.next), now: a.At("/events/month/") + d.choice.Only(), within: a.Embedded}}
	if l.MonthOf(w.layout.Today(ctx)).Equal(first) {
		f.day = w.layout.Today(ctx)
	}
	f.steps.with(d.choice)
	if g.empty {
		if g.none, err = w.nothingOn(ctx, d, last); err != nil {
			return nil, err
		}
	}
	d.answer.Body = monthPage(p, f, g)
	if g.empty || d.choice.Any() {
		p.Robots = "noindex, nofollow" // months go on for ever
	}
	return d.answer, nil
}

// Week shows a week, by default the current one.
func (w *Pages) Week(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	day, err := w.dayAsked(ctx, a)
	if err != nil {
		return nil, err
	}
	first := ui.WeekOf(day, ui.DatesIn(ctx).WeekStart())
	last := first.AddDate(0, 0, 6)
	if a.Calendar {
		return w.CalendarOf(ctx, a, feeds.About{Title: ui.DatesIn(ctx).ShortSpan(first, last), Path: weekPath(first)}, daysOf(first, last))
	}
	name := ui.DatesIn(ctx).ShortSpan(first, last)
	p := &layout.Page{Title: name, Path: a.At(weekPath(first)), Section: "list", Sheet: "month.css",
		Rest:        "/events?start_date=" + first.Format(time.DateOnly) + "&end_date=" + last.Format(time.DateOnly),
		Description: layout.Describe(ctx, name)}
	d, err := w.days(ctx, a, p, calendar.Days{First: first, Last: last})
	if d.redirected() || err != nil {
		return d.answer, err
	}
	f := &frame{view: "week", choice: d.choice, day: day, steps: &steps{label: "week", previous: "week.previous", next: "week.next",
		before: a.At(stepTo(weekPath, first.AddDate(0, 0, -7))), after: a.At(stepTo(weekPath, first.AddDate(0, 0, 7))),
		now: a.At("/events/week/") + d.choice.Only(), within: a.Embedded}}
	f.steps.with(d.choice)
	v := newWeekView(first, w.layout.Today(ctx), d.events)
	if len(d.events) == 0 {
		if v.none, err = w.nothingOn(ctx, d, last); err != nil {
			return nil, err
		}
	}
	d.answer.Body = weekPage(p, f, v)
	if len(d.events) == 0 || d.choice.Any() {
		p.Robots = "noindex, nofollow"
	}
	return d.answer, nil
}

// dayAsked returns the day in the address, by default today.
func (w *Pages) dayAsked(ctx context.Context, a layout.Asked) (time.Time, error) {
	text := a.Param("day")
	if text == "" {
		return w.layout.Today(ctx), nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || !ui.Within(day) {
		return day, calendar.ErrNotFound
	}
	return day, nil
}

// day shows the events of a day, by default today.
func (w *Pages) day(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	day, err := w.dayAsked(ctx, a)
	if err != nil {
		return nil, err
	}
	if a.Calendar {
		return w.CalendarOf(ctx, a, feeds.About{Title: ui.DatesIn(ctx).Full(day), Path: DayPath(day)}, daysOf(day, day))
	}
	name := ui.DatesIn(ctx).Full(day)
	text := day.Format(time.DateOnly)
	p := &layout.Page{Title: name, Path: DayPath(day), Section: "list", Rest: "/events?start_date=" + text + "&end_date=" + text,
		Description: layout.Describe(ctx, name)}
	d, err := w.days(ctx, a, p, calendar.Days{First: day, Last: day})
	if d.redirected() || err != nil {
		return d.answer, err
	}
	f := &frame{view: "day", choice: d.choice, day: day, steps: &steps{label: "day", previous: "day.previous", next: "day.next",
		before: stepTo(DayPath, day.AddDate(0, 0, -1)), after: stepTo(DayPath, day.AddDate(0, 0, 1)),
		now: "/events/day/" + d.choice.Only()}}
	f.steps.with(d.choice)
	v := newDayView(d.events, day, w.layout.Today(ctx), w.calendar.Now())
	if day.Equal(w.layout.Today(ctx)) {
		d.answer.Until = Ends(entered(v.entries), d.answer.Until)
	}
	if len(v.entries)+len(v.shelf.events) == 0 {
		if v.none, err = w.nothingOn(ctx, d, day); err != nil {
			return nil, err
		}
		v.none.today = day.Equal(w.layout.Today(ctx))
	}
	d.answer.Body = dayPage(p, f, v)
	if len(d.events) == 0 || d.choice.Any() {
		p.Robots = "noindex, nofollow"
	}
	return d.answer, nil
}

// With makes the steps keep the choice.
func (s *steps) with(c *layout.Choice) {
	for _, path := range []*string{&s.before, &s.after} {
		if *path != "" {
			*path += c.Only()
		}
	}
}

// ofDays are the selected events on some days.
type ofDays struct {
	choice *layout.Choice
	events []*calendar.Event
	answer *layout.Shown
}

// redirected reports whether the response is a redirect.
func (d *ofDays) redirected() bool { return d.answer != nil && d.answer.Redirect != "" }

// days reads the selected events of the days of a page, and the values that can be selected for these days.
func (w *Pages) days(ctx context.Context, a layout.Asked, p *layout.Page, of calendar.Days) (*ofDays, error) {
	c, err := w.layout.ReadChoice(ctx, a, p.Path)
	if err != nil {
		return &ofDays{}, err
	}
	if to := c.Tidy(ctx, a); to != nil {
		return &ofDays{answer: to}, nil
	}
	for _, name := range []string{"when", "from", "to"} {
		c.Values.Del(name)
	}
	p.Tint(c.Values)
	c.Within(of)
	p.Searched(ctx, a)
	found, err := w.calendar.Events().Long(ctx, &c.Choice, mostInMonth)
	if err != nil {
		return &ofDays{}, err
	}
	if err := w.layout.Count(ctx, c, false); err != nil {
		return &ofDays{}, err
	}
	p.Choice, p.Query, p.Feeds = c, c.Query(1), c.Subscription()
	p.Feeds.Paper = c.ProgrammeOf(of)
	events := ui.Happening(found.Items, of.First, of.Last)
	c.Found, c.Counts = len(events), "?view=days&from="+of.First.Format(time.DateOnly)+"&to="+of.Last.Format(time.DateOnly)
	return &ofDays{c, events, &layout.Shown{Page: p, Version: found.Version, Until: w.layout.Midnight(ctx)}}, nil
}

// MonthPath is the path of a month.
func MonthPath(l ui.Dates, first time.Time) string {
	return "/events/month/" + l.MonthText(first) + "/"
}

// monthIn returns the path of a month in each language. If a language uses another calendar, it returns the month
// in that calendar with most of the days.
func monthIn(ctx context.Context, a layout.Asked, first time.Time) func(string) string {
	return func(language string) string {
		return a.At(MonthPath(ui.DatesOf(language, ui.SiteOf(ctx)), first.AddDate(0, 0, 14)))
	}
}

// DayPath is the path of a day.
func DayPath(day time.Time) string { return "/events/day/" + day.Format("2006-01-02") + "/" }

// stepTo returns the path of the page of a day, or "" beyond the years that calendars show.
func stepTo(path func(time.Time) string, day time.Time) string {
	if !ui.Within(day) {
		return ""
	}
	return path(day)
}

// chosenDay returns the address that shows the events of a day on a narrow screen: on the same page below the month
// or, for an embedded month, on the site, because a page in a frame cannot jump to a target.
func (f *frame) chosenDay(ctx context.Context, c monthCell) string {
	if f.choice.Embedded {
		return ui.Href(ctx, f.dayOf(c.day))
	}
	return "#" + c.anchor()
}

// newGrid lays out events in the weeks of a month, which include days of the adjacent months.
func newGrid(l ui.Dates, first, today time.Time, events []*calendar.Event) *monthGrid {
	start, last := l.WeekStart(), l.MonthEnd(first)
	g := &monthGrid{first: first, last: last}
	g.empty = len(ui.Happening(slices.Clone(events), first, last)) == 0
	g.weekdays = ui.WeekdaysFrom(start)
	after := l.MonthFrom(first, 1)
	path := func(first time.Time) string { return MonthPath(l, first) }
	g.previous, g.next = stepTo(path, l.MonthFrom(first, -1)), stepTo(path, after)
	ofDays, onShow := ui.ApartFromShown(events)
	for day := ui.WeekOf(first, start); day.Before(after); day = day.AddDate(0, 0, 7) {
		week := make([]monthCell, 7)
		for i := range week {
			at := day.AddDate(0, 0, i)
			week[i] = monthCell{
				day:    at,
				today:  at.Equal(today),
				out:    at.Before(first) || at.After(last),
				items:  entriesOn(ofDays, at),
				onShow: len(ui.Running(onShow, at)),
			}
		}
		g.weeks = append(g.weeks, week)
	}
	g.choose(today)
	return g
}

// choose marks the day whose events a narrow screen shows first: today or, in another month, the first with an event.
func (g *monthGrid) choose(today time.Time) {
	best := (*monthCell)(nil)
	for _, week := range g.weeks {
		for i := range week {
			c := &week[i]
			if !c.out && (c.day.Equal(today) || best == nil || len(best.items) == 0 && len(c.items) > 0 && !best.day.Equal(today)) {
				best = c
			}
		}
	}
	best.chosen = true
}

// entriesOn returns the events of a day: first those that begin on this day, then those that began earlier.
func entriesOn(events []*calendar.Event, day time.Time) []Entry {
	var list, going []Entry
	for _, e := range ui.Running(events, day) {
		if args.DayOf(e.Start).Equal(day) {
			list = append(list, Entry{Event: e, Day: day})
		} else {
			going = append(going, Entry{Event: e, Day: day, again: true})
		}
	}
	return append(list, going...)
}

// dayView is the content of the page of a day.
type dayView struct {
	day              time.Time
	earlier, entries []Entry // earlier: what is over already
	shelf            *shelf
	none             *nothing // shown on an empty day, or nil
}

// newDayView divides the events of a day. Today's events that are over are separate.
func newDayView(events []*calendar.Event, day, today time.Time, now time.Time) *dayView {
	ofDays, onShow := ui.ApartFromShown(events)
	v := &dayView{day: day, shelf: &shelf{events: onShow, all: len(onShow), today: day}}
	pictures := 0
	for _, e := range ofDays {
		entry := Entry{Event: e, Day: day, eager: pictures == 0}
		if day.Equal(today) && !now.Before(e.EndUTC) {
			v.earlier = append(v.earlier, entry)
			continue
		}
		v.entries = append(v.entries, entry)
		if pictured(e) {
			pictures++
		}
	}
	return v
}

// entered returns the events of entries.
func entered(entries []Entry) []*calendar.Event {
	list := make([]*calendar.Event, 0, len(entries))
	for _, e := range entries {
		list = append(list, e.Event)
	}
	return list
}

// weekView is a week with the events of each day. Events of several days and all-day events are above them.
type weekView struct {
	days   []weekDay
	strip  []stripEntry
	onShow int // number of events on show in the week
	first  time.Time
	none   *nothing // shown in an empty week, or nil
}

// weekDay is a day of a week with its events.
type weekDay struct {
	day    time.Time
	today  bool
	events []Entry
}

// stripEntry is an event above the days of a week. It covers one or more columns.
type stripEntry struct {
	*calendar.Event
	from, over   int
	begins, ends bool
}

// newWeekView lays out the events of seven days.
func newWeekView(first, today time.Time, events []*calendar.Event) *weekView {
	ofDays, onShow := ui.ApartFromShown(events)
	v := &weekView{days: make([]weekDay, 7), onShow: len(onShow), first: first}
	for i := range v.days {
		day := first.AddDate(0, 0, i)
		v.days[i].day, v.days[i].today = day, day.Equal(today)
	}
	last := first.AddDate(0, 0, 6)
	for _, e := range ofDays {
		begin, end := ui.ShownOn(e)
		if begin.Equal(end) && !e.AllDay {
			if i := int(begin.Sub(first).Hours() / 24); !begin.Before(first) && i < 7 {
				v.days[i].events = append(v.days[i].events, Entry{Event: e, Day: begin})
			}
			continue
		}
		from, to := begin, end
		if from.Before(first) {
			from = first
		}
		if to.After(last) {
			to = last
		}
		v.strip = append(v.strip, stripEntry{Event: e, from: int(from.Sub(first).Hours()/24) + 1, over: int(to.Sub(from).Hours()/24) + 1,
			begins: from.Equal(begin), ends: to.Equal(end)})
	}
	return v
}
