package lists

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/test/publictest"
	"github.com/kalends/kalends/web/ui"
)

// TestGrid lays March 2027 out: its first day is a Monday.
func TestGrid(t *testing.T) {
	t.Parallel()
	fair := publictest.Event("2027-02-28 00:00", "2027-03-02 23:59", true)
	trip := publictest.Event("2027-03-02 09:00", "2027-03-09 18:00", false)
	night := publictest.Event("2027-03-06 22:00", "2027-03-07 03:00", false)
	midnight := publictest.Event("2027-03-30 20:00", "2027-03-31 00:00", false)
	g := newGrid(publictest.WeeksFrom(7), publictest.ClockAt("2027-03-01 00:00"), publictest.ClockAt("2027-03-06 00:00"), []*calendar.Event{fair, trip, night, midnight})
	if len(g.weeks) != 5 || g.weekdays[0] != 7 || g.weeks[0][0].day.Day() != 28 || g.weeks[0][1].day.Day() != 1 {
		t.Fatalf("weeks: %v", g.weeks)
	}
	titles := func(c monthCell) (list []*calendar.Event) { return entered(c.items) }
	monday, tuesday := g.weeks[0][1], g.weeks[0][2]
	if got := titles(monday); len(got) != 1 || got[0] != fair || !monday.items[0].again || monday.onShow != 0 {
		t.Errorf("Monday: %+v", monday)
	}
	if got := titles(tuesday); len(got) != 1 || got[0] != fair || tuesday.onShow != 1 { // the trip takes a week: it is on show
		t.Errorf("Tuesday: %+v", tuesday)
	}
	if saturday := g.weeks[0][6]; !saturday.today || !saturday.chosen || len(saturday.items) != 1 || saturday.items[0].Event != night {
		t.Errorf("Saturday: %+v", saturday)
	}
	if sunday := g.weeks[1][0]; len(sunday.items) != 0 || sunday.onShow != 1 {
		t.Errorf("Sunday: %+v", sunday)
	}
	if last := g.weeks[4][3]; last.day.Day() != 31 || len(last.items) != 0 || g.weeks[4][4].day.Day() != 1 || !g.weeks[4][4].out {
		t.Errorf("the last day: %+v", last)
	}
	if g.previous != "/events/month/2027-02/" || g.next != "/events/month/2027-04/" {
		t.Errorf("neighbours: %s %s", g.previous, g.next)
	}
}

// TestMonthsOfEveryShape checks that each month has its days once, whatever day
// its week begins on.
func TestMonthsOfEveryShape(t *testing.T) {
	t.Parallel()
	for first := publictest.ClockAt("2026-01-01 00:00"); first.Year() < 2029; first = first.AddDate(0, 1, 0) {
		for start := 1; start <= 7; start++ {
			n := 0
			for _, week := range newGrid(publictest.WeeksFrom(start), first, first, nil).weeks {
				if len(week) != 7 {
					t.Fatalf("%s: a week of %d", first, len(week))
				}
				for i, cell := range week {
					if ui.ISOWeekday(cell.day) != (start-1+i)%7+1 {
						t.Fatalf("%s: %s stands at %d", first, cell.day, i)
					}
					if cell.day.Month() != first.Month() {
						continue
					}
					n++
					if cell.day.Day() != n || ui.ISOWeekday(cell.day) != (start-1+i)%7+1 {
						t.Fatalf("%s: %s stands at %d", first, cell.day, i)
					}
				}
			}
			if n != first.AddDate(0, 1, -1).Day() {
				t.Errorf("%s has %d days", first, n)
			}
		}
	}
}

// TestRoomOfADay: a month shows four events of a day and counts the rest, or five where the fifth would be the only one.
func TestRoomOfADay(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][2]int{0: {0, 0}, 4: {4, 0}, 5: {5, 0}, 6: {4, 2}, 9: {4, 5}} {
		var events []*calendar.Event
		for range n {
			events = append(events, publictest.Event("2027-03-10 10:00", "2027-03-10 11:00", false))
		}
		c := newGrid(publictest.WeeksFrom(1), publictest.ClockAt("2027-03-01 00:00"), publictest.ClockAt("2027-03-01 00:00"), events).weeks[1][2]
		if got := [2]int{len(c.first()), len(c.rest())}; got != want {
			t.Errorf("%d events: %v, not %v", n, got, want)
		}
	}
}

// TestAConcertOnEveryDay: however much is on show, what begins on a day is among the first that the month shows of it.
func TestAConcertOnEveryDay(t *testing.T) {
	t.Parallel()
	var events []*calendar.Event
	for range 24 {
		events = append(events, publictest.Event("2026-11-20 00:00", "2027-01-10 23:59", true))
	}
	december := publictest.ClockAt("2026-12-01 00:00")
	for n := range 31 {
		concert := publictest.Event("2026-12-01 20:00", "2026-12-01 22:00", false)
		concert.Title = "Concert"
		concert.Start, concert.End = concert.Start.AddDate(0, 0, n), concert.End.AddDate(0, 0, n)
		events = append(events, concert)
	}
	days := 0
	for _, week := range newGrid(publictest.WeeksFrom(1), december, publictest.ClockAt("2026-11-28 00:00"), events).weeks {
		for _, c := range week {
			if c.out {
				continue
			}
			days++
			if len(c.first()) != 1 || c.first()[0].Title != "Concert" || c.onShow != 24 {
				t.Errorf("%s: %d events, %d on show", c.day.Format("Jan 2"), len(c.first()), c.onShow)
			}
		}
	}
	if days != 31 {
		t.Errorf("%d days", days)
	}
}

// TestWeekHasAStrip: what takes a day or some stands above the days, as far as it is in the week; what takes longer is counted.
func TestWeekHasAStrip(t *testing.T) {
	t.Parallel()
	fair, show := publictest.Event("2027-03-07 10:00", "2027-03-09 10:00", false), publictest.Event("2027-02-01 00:00", "2027-04-01 23:59", true)
	holiday, concert := publictest.Event("2027-03-10 00:00", "2027-03-10 23:59", true), publictest.Event("2027-03-11 20:00", "2027-03-11 22:00", false)
	v := newWeekView(publictest.ClockAt("2027-03-08 00:00"), publictest.ClockAt("2027-03-09 00:00"), []*calendar.Event{show, fair, holiday, concert})
	if v.onShow != 1 || len(v.strip) != 2 {
		t.Fatalf("%d on show, strip %+v", v.onShow, v.strip)
	}
	if s := v.strip[0]; s.Event != fair || s.from != 1 || s.over != 2 || s.begins || !s.ends {
		t.Errorf("the fair: %+v", s)
	}
	if s := v.strip[1]; s.Event != holiday || s.from != 3 || s.over != 1 || !s.begins || !s.ends {
		t.Errorf("the holiday: %+v", s)
	}
	if len(v.days[3].events) != 1 || v.days[3].events[0].Event != concert || !v.days[1].today {
		t.Errorf("days: %+v", v.days)
	}
}

// TestEarlierToday: what is over of today stands apart, and of other days nothing does.
func TestEarlierToday(t *testing.T) {
	t.Parallel()
	day := publictest.ClockAt("2027-03-10 00:00")
	events := []*calendar.Event{publictest.Event("2027-03-10 09:00", "2027-03-10 10:00", false), publictest.Event("2027-03-10 11:00", "2027-03-10 13:00", false), publictest.Event("2027-02-10 00:00", "2027-04-10 23:59", true)}
	v := newDayView(events, day, day, publictest.ClockAt("2027-03-10 12:00"))
	if len(v.earlier) != 1 || len(v.entries) != 1 || v.shelf.total() != 1 {
		t.Errorf("today: %+v", v)
	}
	if v = newDayView(events, day, day.AddDate(0, 0, 1), publictest.ClockAt("2027-03-11 12:00")); len(v.earlier) != 0 || len(v.entries) != 2 {
		t.Errorf("yesterday: %+v", v)
	}
}

// The first picture of a shelf loads with priority if few events stand above it.
func TestShelfOnTheFirstScreen(t *testing.T) {
	t.Parallel()
	plain, one, other := &calendar.Event{}, &calendar.Event{}, &calendar.Event{}
	one.Image, other.Image = &calendar.Image{Width: 300, Height: 200}, &calendar.Image{Width: 300, Height: 200}
	s := &shelf{events: []*calendar.Event{plain, one, other}, soon: true}
	if s.eager(plain) || !s.eager(one) || s.eager(other) {
		t.Error("not exactly the first picture loads with priority")
	}
	if s.soon = false; s.eager(one) {
		t.Error("a picture far below loads with priority")
	}
}
