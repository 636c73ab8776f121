package planner

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	for _, form := range []string{time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if moment, err := time.Parse(form, text); err == nil {
			return moment
		}
	}
	t.Fatal(text)
	return time.Time{}
}

// happens is an event from and to a time, published and not all-day.
func happens(t *testing.T, start, end string) *calendar.Event {
	t.Helper()
	return &calendar.Event{Post: calendar.Post{Status: calendar.Publish}, Start: at(t, start), End: at(t, end), Timezone: "UTC"}
}

// asks is a context in which somebody with a role asks.
func asks(t *testing.T, role tenancy.Role) context.Context {
	t.Helper()
	site := &tenancy.Site{Language: "en"}
	site.SetTimezone("UTC")
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: "en", Principal: tenancy.Principal{UserID: 1, Role: role}})
}

// opened is the calendar at an address, on 14 March 2027, a Sunday.
func opened(t *testing.T, query string) (*planner, error) {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	p := &planner{form: &frame.Form{Values: values}, start: 1, now: at(t, "2027-03-14 15:00"), today: at(t, "2027-03-14")}
	asked := plannerArgs{}
	if err := p.read(&asked); err != nil {
		return p, err
	}
	p.place(ui.DatesOf("en", nil), &asked)
	return p, nil
}

// An address says which days are shown and where it goes from there: whole weeks of a month, a week, or a month from a day on.
func TestDaysOfTheCalendar(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                                "month 2027-03-01 2027-04-04, before 2027-02-01, after 2027-04-01",
		"date=2027-02-10":                 "month 2027-02-01 2027-02-28, before 2027-01-01, after 2027-03-01",
		"date=2027-01-31":                 "month 2026-12-28 2027-01-31, before 2026-12-01, after 2027-02-01",
		"view=week":                       "week 2027-03-08 2027-03-14, before 2027-03-07, after 2027-03-21",
		"view=week&date=2027-12-31":       "week 2027-12-27 2028-01-02, before 2027-12-24, after 2028-01-07",
		"view=list":                       "list 2027-03-14 2027-04-13, before 2027-02-14, after 2027-04-14",
		"view=list&date=2027-01-01":       "list 2027-01-01 2027-01-31, before 2026-12-01, after 2027-02-01",
		"day=2027-02-10":                  "month 2027-02-01 2027-02-28, before 2027-01-01, after 2027-03-01",
		"day=2027-02-10&date=2027-03-01":  "month 2027-03-01 2027-04-04, before 2027-02-01, after 2027-04-01",
		"view=year":                       "wrong",
		"date=2027-02-30":                 "wrong",
		"date=1899-12-31":                 "wrong",
		"day=2201-01-01":                  "wrong",
		"date=&view=":                     "month 2027-03-01 2027-04-04, before 2027-02-01, after 2027-04-01",
		"date=2027-02-10&date=2027-05-10": "month 2027-04-26 2027-06-06, before 2027-04-01, after 2027-06-01",
	} {
		p, err := opened(t, query)
		got := "wrong"
		if err == nil {
			day := func(d time.Time) string { return d.Format(time.DateOnly) }
			got = p.view + " " + day(p.first) + " " + day(p.last) + ", before " + day(p.previous) + ", after " + day(p.next)
		} else if found := (*args.Problems)(nil); !errors.As(err, &found) {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
}

// Links of the calendar keep view and filter, and lead to the day, the time or the view that they name.
func TestAddressesOfTheCalendar(t *testing.T) {
	t.Parallel()
	open := func(query string) *planner {
		p, err := opened(t, query)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	month, week := open("venue=7&day=2027-03-20&other=x"), open("view=week&venue=7")
	for got, want := range map[string]string{
		month.at(at(t, "2027-04-01")): "/admin?date=2027-04-01&venue=7", month.of(at(t, "2027-03-21")): "/admin?day=2027-03-21&venue=7#day",
		month.of(at(t, "2027-04-02")): "/admin?date=2027-03-20&day=2027-04-02&venue=7#day", month.seen("week"): "/admin?venue=7&view=week", month.seen("month"): "/admin?venue=7",
		week.of(at(t, "2027-03-10")): "/admin?day=2027-03-10&venue=7&view=month#day", week.at(at(t, "2027-03-07")): "/admin?date=2027-03-07&venue=7&view=week",
		open("").seen("month"): "/admin", open("").address("filter", "1"): "/admin?filter=1",
		newAddress(at(t, "2027-03-10"), -1): "/admin/events/new?start_date=2027-03-10", newAddress(at(t, "2027-03-10"), 0): "/admin/events/new?start_date=2027-03-10T00:00",
		newAddress(at(t, "2027-03-10"), 23): "/admin/events/new?start_date=2027-03-10T23:00", moveLink(&calendar.Event{Post: calendar.Post{ID: 7}}, "/admin?a=1&b=2"): "/admin/events/7/move?to=%2Fadmin%3Fa%3D1%26b%3D2",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for query, want := range map[string]string{"": "", "filter=1": "open", "venue=7": "open less", "category=music": "open less", "date=2027-03-01": ""} {
		p := open(query)
		if got := strings.TrimSpace(map[bool]string{true: "open"}[p.filtering()] + map[bool]string{true: " less"}[p.filtered()]); got != want {
			t.Errorf("%q: %q", query, got)
		}
	}
}

// The part of an event that is on a day has rows of quarters of an hour: at least two, and none beyond midnight.
func TestSlotsOfADay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ start, end, day, want string }{
		{"2027-03-10 19:30", "2027-03-10 21:00", "2027-03-10", "78+6 begins ends"},
		{"2027-03-10 19:30", "2027-03-10 19:40", "2027-03-10", "78+2 begins ends"},
		{"2027-03-10 19:30", "2027-03-10 19:30", "2027-03-10", "78+2 begins ends"},
		{"2027-03-10 23:50", "2027-03-10 23:55", "2027-03-10", "94+2 begins ends"},
		{"2027-03-10 22:00", "2027-03-11 02:00", "2027-03-10", "88+8 begins"},
		{"2027-03-10 22:00", "2027-03-11 02:00", "2027-03-11", "0+8 ends"},
		{"2027-03-10 22:00", "2027-03-11 00:00", "2027-03-10", "88+8 begins ends"},
		{"2027-03-10 22:00", "2027-03-11 00:00", "2027-03-11", ""},
		{"2027-03-11 00:00", "2027-03-11 00:00", "2027-03-11", "0+2 begins ends"},
		{"2027-03-10 19:37", "2027-03-10 20:16", "2027-03-10", "78+4 begins ends"},
		{"2027-03-10 19:30", "2027-03-10 21:00", "2027-03-09", ""},
		{"2027-03-10 19:30", "2027-03-10 21:00", "2027-03-11", ""},
		{"2027-03-10 10:00", "2027-03-12 10:00", "2027-03-11", "0+96"},
	} {
		s, there := slotOn(happens(t, c.start, c.end), at(t, c.day))
		got := ""
		if there {
			got = frame.IDText(int64(s.from)) + "+" + frame.IDText(int64(s.rows)) + map[bool]string{true: " begins"}[s.begins] + map[bool]string{true: " ends"}[s.ends]
		}
		if got != c.want {
			t.Errorf("%s to %s on %s: %q, want %q", c.start, c.end, c.day, got, c.want)
		}
	}
}

// Events at the same time stand beside each other, as many as there is room for; the others are counted. What lasts a day or longer
// stands above the hours.
func TestEventsBesideEachOther(t *testing.T) {
	t.Parallel()
	p := &planner{first: at(t, "2027-03-08"), today: at(t, "2027-03-10"), now: at(t, "2027-03-10 15:20")}
	for _, times := range [][2]string{{"10:00", "12:00"}, {"11:00", "13:00"}, {"12:00", "14:00"}, {"14:00", "15:00"}} {
		p.events = append(p.events, happens(t, "2027-03-10 "+times[0], "2027-03-10 "+times[1]))
	}
	for range 6 {
		p.events = append(p.events, happens(t, "2027-03-10 20:00", "2027-03-10 21:00"))
	}
	p.events = append(p.events, happens(t, "2027-03-10 08:00", "2027-03-11 08:00"))
	days := p.weekHours()
	if len(days) != 7 || len(days[1].slots) != 0 || days[1].now != -1 || days[2].now != 61 || p.opensAt() != 2 {
		t.Fatalf("%d days, now at %d, open at %d", len(days), days[2].now, p.opensAt())
	}
	var lanes []string
	for _, s := range days[2].slots {
		lanes = append(lanes, frame.IDText(int64(s.lane))+"/"+frame.IDText(int64(s.of)))
	}
	if got := strings.Join(lanes, " "); got != "0/2 1/2 0/2 0/1 0/4 1/4 2/4 3/4" || days[2].more != 2 {
		t.Errorf("%s, and %d more", got, days[2].more)
	}
	above := p.weekAbove()
	if len(above[2].Bars) != 1 || len(above[2].Items) != 0 || len(above[1].Bars) != 0 {
		t.Errorf("above: %+v", above[2])
	}
	if p.first = at(t, "2027-03-01"); p.opensAt() != 0 {
		t.Error("another week opens at its first day")
	}
}

// What must be told apart at a glance: what isn't public, before a password, before what is in no list.
func TestStatesAtAGlance(t *testing.T) {
	t.Parallel()
	ctx := asks(t, tenancy.Editor)
	for want, change := range map[string]func(*calendar.Event){
		"": func(*calendar.Event) {}, "draft": func(e *calendar.Event) { e.Status, e.Hidden = calendar.Draft, true }, "pending": func(e *calendar.Event) { e.Status = calendar.Pending },
		"protected": func(e *calendar.Event) { e.Password, e.Hidden = []byte("x"), true }, "hidden": func(e *calendar.Event) { e.Hidden = true },
		"private": func(e *calendar.Event) { e.Status = calendar.Private }, "future": func(e *calendar.Event) { e.Status = calendar.Future },
	} {
		e := happens(t, "2027-03-10 10:00", "2027-03-10 11:00")
		change(e)
		if got := state(e); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if want != "" && (strings.Contains(stateText(ctx, want), ".") || !strings.Contains(look(e), " is-"+want) || !strings.Contains(whole(ctx, e), stateText(ctx, want))) {
			t.Errorf("%s: %s, %s, %s", want, stateText(ctx, want), look(e), whole(ctx, e))
		}
	}
	e := happens(t, "2027-03-10 10:00", "2027-03-10 11:00")
	e.Happening.Status = "cancelled"
	if !strings.Contains(look(e, "bar"), "bar") || !strings.Contains(look(e), "is-cancelled") || !strings.Contains(whole(ctx, e), frame.Tell(ctx, "mark.cancelled")) {
		t.Errorf("%s, %s", look(e), whole(ctx, e))
	}
	hidden := happens(t, "2027-03-10 10:00", "2027-03-10 11:00")
	hidden.Hidden, hidden.Series = true, &calendar.Series{ID: 3}
	p := &planner{events: []*calendar.Event{e, hidden}}
	if got := strings.Join(p.states(), " "); got != "hidden" || !p.repeating() || (&planner{events: p.events[:1]}).repeating() {
		t.Errorf("legend %q", got)
	}
}

// The legend has each category once that gives an event its colour.
func TestLegend(t *testing.T) {
	t.Parallel()
	p := &planner{}
	for i := range 40 {
		e := happens(t, "2027-03-10 10:00", "2027-03-10 11:00")
		for _, id := range []int64{int64(40 - i/2), 99} {
			c := calendar.Term{}
			c.ID = id
			e.Categories = append(e.Categories, c)
		}
		p.events = append(p.events, e)
	}
	list := p.legend()
	if len(list) != mostInLegend || list[0].ID != 21 || list[1].ID != 22 {
		t.Errorf("%d, from %d", len(list), list[0].ID)
	}
}

// The title of an event leads to its form for those who may change it, to its page where that is public, and else nowhere.
func TestWhereATitleLeads(t *testing.T) {
	t.Parallel()
	e := happens(t, "2027-03-10 10:00", "2027-03-10 11:00")
	e.ID, e.Slug, e.Author = 7, "choir", 2
	for role, want := range map[tenancy.Role]string{tenancy.Editor: "/admin/events/7", tenancy.Author: "/event/choir/", tenancy.Contributor: "/event/choir/"} {
		if got := planAddress(asks(t, role), e); got != want {
			t.Errorf("%s: %q", role, got)
		}
	}
	if e.Status = calendar.Private; planAddress(asks(t, tenancy.Author), e) != "" {
		t.Error("what somebody may not see has an address")
	}
	if e.Author = 1; planAddress(asks(t, tenancy.Author), e) != "/admin/events/7" {
		t.Error("one's own")
	}
}

// Without an end an event keeps its length on the clock; a day alone keeps whole days.
func TestMovesKeepTheLength(t *testing.T) {
	t.Parallel()
	now := at(t, "2027-03-01 12:00")
	for _, c := range []struct {
		start, end      string // of the event
		allDay          bool
		to, until, want string
	}{
		{"2027-03-10 19:30", "2027-03-10 21:00", false, "2027-03-11T20:00", "", "2027-03-11 20:00:00 to 2027-03-11 21:30:00"},
		{"2027-03-10 19:30", "2027-03-10 21:00", false, "2027-03-11T20:00", "2027-03-11T23:00", "2027-03-11 20:00:00 to 2027-03-11 23:00:00"},
		{"2027-03-10 19:30", "2027-03-10 21:00", false, "2027-03-27T23:30", " ", "2027-03-27 23:30:00 to 2027-03-28 01:00:00"},
		{"2027-03-10 00:00:00", "2027-03-12 23:59:59", true, "2027-03-20", "", "2027-03-20 00:00:00 to 2027-03-22 23:59:59"},
		{"2027-03-10 19:30", "2027-03-10 21:00", false, "", "", "wrong start_date"},
		{"2027-03-10 19:30", "2027-03-10 21:00", false, "2027-02-30T10:00", "", "wrong start_date"},
		{"2027-03-10 19:30", "2027-03-10 21:00", false, "2027-03-11T20:00", "never", "wrong end_date"},
	} {
		e := happens(t, c.start, c.end)
		e.AllDay = c.allDay
		m := &mover{event: e, form: &frame.Form{Values: url.Values{"start_date": {c.to}, "end_date": {c.until}}}}
		fields, err := m.fields(now)
		got := ""
		if found := (*args.Problems)(nil); errors.As(err, &found) {
			got = "wrong " + append(found.Absent(), append(brokenOf(found), "")...)[0]
		} else if err != nil {
			t.Fatal(err)
		} else {
			wall := func(d args.Opt[args.Date]) string {
				date, _ := d.Get()
				return date.Wall(ui.ZoneOf(e), now).Format(time.DateTime)
			}
			got = wall(fields.Start) + " to " + wall(fields.End)
		}
		if got != c.want {
			t.Errorf("%s to %q, %q: %s, want %s", c.start, c.to, c.until, got, c.want)
		}
		if kind := m.dateType(); (kind == "date") != c.allDay || (len(moveText(e, e.Start)) == len(time.DateOnly)) != c.allDay {
			t.Errorf("%s: a field of %s with %s", c.start, kind, moveText(e, e.Start))
		}
	}
}

// brokenOf are the arguments that are wrong.
func brokenOf(found *args.Problems) (names []string) {
	for _, one := range found.Broken() {
		names = append(names, one.Arg)
	}
	return names
}

// The list below the month is of the day that was asked for, else of today, else of the first of the month.
func TestDayBelowTheMonth(t *testing.T) {
	t.Parallel()
	night := happens(t, "2027-03-13 22:00", "2027-03-14 03:00")
	fair := happens(t, "2027-02-27 00:00:00", "2027-03-20 23:59:59")
	fair.AllDay = true
	for query, want := range map[string]string{"": "2027-03-14 1", "day=2027-03-13": "2027-03-13 2", "date=2027-04-10": "2027-04-01 0", "day=2027-03-25&date=2027-03-01": "2027-03-25 0"} {
		p, err := opened(t, query)
		if err != nil {
			t.Fatal(err)
		}
		p.events = []*calendar.Event{fair, night}
		d := p.shownDay()
		if got := d.day.Format(time.DateOnly) + " " + frame.IDText(int64(len(d.events))); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	p, _ := opened(t, "view=list")
	p.events = []*calendar.Event{happens(t, "2027-03-20 10:00", "2027-03-20 11:00"), fair, happens(t, "2027-03-20 09:00", "2027-03-20 11:00")}
	list := p.agenda()
	if len(list) != 2 || !list[0].day.Equal(p.first) || len(list[1].events) != 2 {
		t.Errorf("what goes on stands under the first day: %+v", list)
	}
}

// Exhibitions have bars while they leave room for others. If there are more, they are above the month, and each day counts them.
func TestExhibitionsLeaveRoom(t *testing.T) {
	t.Parallel()
	p, err := opened(t, "")
	if err != nil {
		t.Fatal(err)
	}
	concert, trip := happens(t, "2027-03-10 20:00", "2027-03-10 22:00"), happens(t, "2027-03-09 08:00", "2027-03-11 18:00")
	p.picked, p.events = at(t, "2027-03-10"), []*calendar.Event{trip, concert}
	for range mostShown {
		p.events = append([]*calendar.Event{happens(t, "2027-01-01 10:00", "2027-12-31 18:00")}, p.events...)
	}
	day := func() ui.MonthCell { return p.weeks()[1][2] }
	if c := day(); len(c.Bars) != mostShown+1 || len(c.Items) != 1 || c.Shown != 0 || countOf(c) != mostShown+2 {
		t.Errorf("with few: %d bars, %d events, %d on show", len(c.Bars), len(c.Items), c.Shown)
	}
	for range 20 {
		p.events = append([]*calendar.Event{happens(t, "2027-03-08 10:00", "2027-03-20 18:00")}, p.events...)
	}
	c := day()
	if len(c.Bars) != 1 || len(c.Items) != 1 || c.More != 0 || c.Shown != 20+mostShown || countOf(c) != c.Shown+2 {
		t.Errorf("with many: %d bars, %d events, %d more, %d on show", len(c.Bars), len(c.Items), c.More, c.Shown)
	}
	if dots := dotsOf(c); len(dots) != 2 || dots[0] != concert {
		t.Errorf("%d dots", len(dots))
	}
	if d := p.shownDay(); len(d.events) != c.Shown+2 || d.events[0] != trip || d.events[1] != concert {
		t.Errorf("the day begins with what is on show")
	}
	if c := p.weeks()[4][0]; c.Shown != mostShown {
		t.Errorf("%d on show at the end of the month", c.Shown)
	}
}
