// Package planner is the calendar of the administration: months, weeks and lists of events, and the form that moves an event
// to another time.
package planner

import (
	"context"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/ui"
)

// Pages are the calendar and the form that moves an event.
type Pages struct {
	calendar *services.Calendar
	editing  *editing.Service
	editable func(*frame.Visit) (*calendar.Event, *frame.Reply, error)
}

// New returns the pages. editable returns the event of a visit if the user may edit it, or a reply if the event is in the
// trash.
func New(c *services.Calendar, e *editing.Service, editable func(*frame.Visit) (*calendar.Event, *frame.Reply, error)) *Pages {
	return &Pages{calendar: c, editing: e, editable: editable}
}

// Routes are the routes of these pages, for the administration to add to its own. The calendar itself is not among them: the
// administration shows it as its home page.
func (w *Pages) Routes() []frame.Route {
	return []frame.Route{
		frame.GetPage("/events/#/move", tenancy.EditOwn, w.askMove),
		frame.FormPage("/events/#/move", tenancy.EditOwn, w.moveEvent),
	}
}

// StartOfDay is the start of a new event if only its day is known.
const StartOfDay = 10 * time.Hour

// mostPlanned is how many events the calendar shows on one page. If there are more, it says so.
const mostPlanned = 1000

// planner is a page of the calendar: the parameters in its address, and the events of the period.
//
// An event is shown on the day and at the hour in its own time zone, as on the public pages: an event at eight in
// another zone is shown at eight. If its zone is not the site's, the zone is shown as well. Today and the present
// moment are in the site's zone.
type planner struct {
	form             *frame.Form // the address
	view             string      // month, week or list
	day              time.Time
	picked           time.Time // the day whose events are listed; zero: none
	today, now       time.Time
	first, last      time.Time // days shown
	month, monthEnd  time.Time // first and last day of the month shown
	previous, next   time.Time // days in the previous and the next period
	start            int       // first day of the week
	events           []*calendar.Event
	left             int // number of events that did not fit
	venues, branches []frame.Pair
	undo             *undo
	fresh            bool // the site has no events yet
}

// plannerArgs are the parameters in the calendar's address.
type plannerArgs struct {
	View     args.Opt[string]    `arg:"view,nonempty,enum=month|week|list"`
	Date     args.Opt[args.Date] `arg:"date,nonempty"`
	Day      args.Opt[args.Date] `arg:"day,nonempty"`
	Category args.Opt[args.Refs] `arg:"category"`
	Venue    args.Opt[args.IDs]  `arg:"venue"`
}

var plannerTable = args.TableOf(reflect.TypeFor[plannerArgs]())

// plannerFields are the fields that the calendar's address can have.
var plannerFields = []string{"view", "date", "day", "category", "venue", "filter"}

// Show shows the calendar for the parameters in the address.
func (w *Pages) Show(v *frame.Visit) (*frame.Reply, error) {
	p := &planner{form: &frame.Form{Kind: "calendar", Values: v.Query}, start: ui.DatesIn(v.Ctx).WeekStart()}
	p.now = ui.WallAt(w.calendar.Now(), ui.SiteOf(v.Ctx).Location)
	p.today = args.DayOf(p.now)
	asked, status := plannerArgs{}, 0
	err := p.read(&asked)
	if err == nil {
		p.place(ui.DatesIn(v.Ctx), &asked)
		err = w.fillPlanner(v.Ctx, p, &asked)
	}
	if err != nil {
		if !p.form.Refuse(v.Ctx, err) {
			return nil, err
		}
		status = 422
		p.place(ui.DatesIn(v.Ctx), &plannerArgs{})
	}
	if p.filtering() {
		if err := w.plannerChoices(v.Ctx, p); err != nil {
			return nil, err
		}
	}
	if p.undo, err = w.undoable(v); err != nil {
		return nil, err
	}
	if p.fresh, err = offers.Fresh(v.Ctx, w.calendar); err != nil {
		return nil, err
	}
	return &frame.Reply{Status: status, Title: p.name(v.Ctx), Section: "calendar", Body: page(p), Script: "board.js"}, nil
}

// read reads the address. Its errors are problems of the form.
func (p *planner) read(asked *plannerArgs) error {
	values := args.Values{}
	for _, name := range plannerFields {
		if text := strings.TrimSpace(p.form.Get(name)); text != "" && name != "filter" {
			values[name] = text
		}
	}
	if err := plannerTable.Parse(values, args.Reading, asked); err != nil {
		return err
	}
	for name, date := range map[string]args.Opt[args.Date]{"date": asked.Date, "day": asked.Day} {
		if d, ok := date.Get(); ok && !ui.Within(d.Day(time.UTC, p.now)) {
			return args.Invalid(name, "problem.date", nil)
		}
	}
	return nil
}

// place finds the days to show.
func (p *planner) place(l ui.Dates, asked *plannerArgs) {
	p.view, p.day = asked.View.Or("month"), p.today
	if d, ok := asked.Day.Get(); ok {
		p.picked = d.Day(time.UTC, p.now)
		p.day = p.picked
	}
	if d, ok := asked.Date.Get(); ok {
		p.day = d.Day(time.UTC, p.now)
	}
	switch p.view {
	case "week":
		p.first = ui.WeekOf(p.day, p.start)
		p.last = p.first.AddDate(0, 0, 6)
		p.previous, p.next = p.day.AddDate(0, 0, -7), p.day.AddDate(0, 0, 7)
	case "list":
		p.first, p.last = p.day, p.day.AddDate(0, 1, -1)
		p.previous, p.next = p.day.AddDate(0, -1, 0), p.day.AddDate(0, 1, 0)
	default:
		p.month, p.monthEnd = l.MonthOf(p.day), l.MonthEnd(p.day)
		p.first = ui.WeekOf(p.month, p.start)
		p.last = ui.WeekOf(p.monthEnd, p.start).AddDate(0, 0, 6)
		p.previous, p.next = l.MonthFrom(p.day, -1), l.MonthFrom(p.day, 1)
	}
}

// fillPlanner finds the events of the days shown, with one query.
func (w *Pages) fillPlanner(ctx context.Context, p *planner, asked *plannerArgs) error {
	f := ui.DaysFilter(p.first, p.last)
	f.Categories, f.Venue = asked.Category, asked.Venue
	page, err := w.calendar.Events().Board(ctx, f, mostPlanned)
	if err != nil {
		return err
	}
	p.left = max(0, page.Total-len(page.Items))
	p.events = ui.Happening(page.Items, p.first, p.last)
	return nil
}

// plannerChoices adds the choices of the filter.
func (w *Pages) plannerChoices(ctx context.Context, p *planner) error {
	o, err := offers.Of(ctx, w.calendar, calendar.OfferQuery{Venues: offers.Longest, Categories: offers.MostTerms})
	if err != nil {
		return err
	}
	p.venues, p.branches = offers.Named(ctx, o.Venues), offers.Indented(ctx, offers.Tree(o.Categories))
	return nil
}

// address returns the calendar's address with some fields changed. pairs alternates names and values.
func (p *planner) address(pairs ...string) string {
	q := url.Values{}
	for _, name := range plannerFields {
		if text := p.form.Get(name); text != "" {
			q.Set(name, text)
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if q.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			q.Del(pairs[i])
		}
	}
	if len(q) == 0 {
		return frame.AdminRoot
	}
	return frame.AdminRoot + "?" + q.Encode()
}

// at is the address of the calendar around a day.
func (p *planner) at(day time.Time) string {
	return p.address("date", day.Format(time.DateOnly), "day", "")
}

// of is the address of the list of a day.
func (p *planner) of(day time.Time) string {
	if p.view == "week" {
		return p.address("view", "month", "date", "", "day", day.Format(time.DateOnly)) + "#day"
	}
	if p.view == "month" && !p.inMonth(day) {
		return p.address("date", p.day.Format(time.DateOnly), "day", day.Format(time.DateOnly)) + "#day"
	}
	return p.address("date", "", "day", day.Format(time.DateOnly)) + "#day"
}

// seen is the address of another view of the same days.
func (p *planner) seen(view string) string {
	if view == "month" {
		view = ""
	}
	return p.address("view", view, "day", "")
}

// filtering reports whether the filter is open. Only then are its choices read.
func (p *planner) filtering() bool { return p.filtered() || p.form.Get("filter") == "1" }

// filtered reports whether the calendar has a filter.
func (p *planner) filtered() bool { return p.form.Get("category") != "" || p.form.Get("venue") != "" }

// name is the title of the page: the month or days shown.
func (p *planner) name(ctx context.Context) string {
	l := ui.DatesIn(ctx)
	if p.view == "month" {
		return l.Month(p.month)
	}
	return l.ShortSpan(p.first, p.last)
}
