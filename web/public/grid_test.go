package public

import (
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

func clockAt(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

func event(start, end string, allDay bool) *calendar.Event {
	e := &calendar.Event{Start: clockAt(start), End: clockAt(end), AllDay: allDay, Timezone: "UTC"}
	e.StartUTC, e.EndUTC = e.Start, e.End
	return e
}

// weeksFrom are the dates of a site whose weeks begin on a day.
func weeksFrom(start int) ui.Dates {
	site := &tenancy.Site{}
	site.Settings.WeekStart = start
	return ui.DatesOf("en", site)
}

// TestGrid lays March 2027 out: its first day is a Monday.
func TestGrid(t *testing.T) {
	t.Parallel()
	fair := event("2027-02-27 00:00", "2027-03-02 23:59", true)
	trip := event("2027-03-02 09:00", "2027-03-09 18:00", false)
	night := event("2027-03-06 22:00", "2027-03-07 03:00", false)
	midnight := event("2027-03-30 20:00", "2027-03-31 00:00", false)
	g := newGrid(weeksFrom(7), clockAt("2027-03-01 00:00"), clockAt("2027-03-06 00:00"), []*calendar.Event{fair, trip, night, midnight})
	if len(g.weeks) != 5 || g.weekdays[0] != 7 || g.weeks[0][0].Day.Day() != 28 || g.weeks[0][1].Day.Day() != 1 {
		t.Fatalf("weeks: %v", g.weeks)
	}
	monday, tuesday := g.weeks[0][1], g.weeks[0][2]
	if len(monday.Bars) != 1 || monday.Bars[0].Event != fair || monday.Bars[0].Begins || g.weeks[0][0].Bars[0].Over != 3 {
		t.Errorf("Monday: %+v", monday.Bars)
	}
	if len(tuesday.Bars) != 2 || !tuesday.Bars[0].Ends || tuesday.Bars[1].Event != trip || !tuesday.Bars[1].Begins {
		t.Errorf("Tuesday: %+v", tuesday.Bars)
	}
	if wednesday := g.weeks[0][3]; wednesday.Bars[0].Event != nil || wednesday.Bars[1].Event != trip {
		t.Errorf("Wednesday: %+v", wednesday.Bars)
	}
	if saturday := g.weeks[0][6]; !saturday.Today || len(saturday.Items) != 1 || saturday.Items[0].Event != night {
		t.Errorf("Saturday: %+v", saturday)
	}
	if sunday := g.weeks[1][0]; len(sunday.Items) != 0 || sunday.Bars[0].Event != trip || sunday.Bars[0].Over != 3 {
		t.Errorf("Sunday: %+v", sunday)
	}
	if last := g.weeks[4][3]; last.Day.Day() != 31 || len(last.Items) != 0 || g.weeks[4][4].Day.Day() != 1 {
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
	for first := clockAt("2026-01-01 00:00"); first.Year() < 2029; first = first.AddDate(0, 1, 0) {
		for start := 1; start <= 7; start++ {
			n := 0
			for _, week := range newGrid(weeksFrom(start), first, first, nil).weeks {
				if len(week) != 7 {
					t.Fatalf("%s: a week of %d", first, len(week))
				}
				for i, cell := range week {
					if ui.ISOWeekday(cell.Day) != (start-1+i)%7+1 {
						t.Fatalf("%s: %s stands at %d", first, cell.Day, i)
					}
					if cell.Day.Month() != first.Month() {
						continue
					}
					n++
					if cell.Day.Day() != n || ui.ISOWeekday(cell.Day) != (start-1+i)%7+1 {
						t.Fatalf("%s: %s stands at %d", first, cell.Day, i)
					}
				}
			}
			if n != first.AddDate(0, 1, -1).Day() {
				t.Errorf("%s has %d days", first, n)
			}
		}
	}
}

func TestCellLimit(t *testing.T) {
	t.Parallel()
	var events []*calendar.Event
	for range 9 {
		events = append(events, event("2027-03-10 10:00", "2027-03-10 11:00", false))
	}
	events = append(events, event("2027-03-09 00:00", "2027-03-11 23:59", true))
	for _, week := range newGrid(weeksFrom(1), clockAt("2027-03-01 00:00"), clockAt("2027-03-01 00:00"), events).weeks {
		for _, c := range week {
			if c.Day.Day() == 10 && c.Day.Month() == 3 && (len(c.Bars) != 1 || len(c.Items) != ui.MostInCell-1 || c.More != 9-ui.MostInCell+1) {
				t.Errorf("%d bars, %d items, %d more", len(c.Bars), len(c.Items), c.More)
			}
		}
	}
}

// TestEveryDayWithAnEventIsShown: what runs for weeks is on each of its days, at every width. Where a narrow month lists it on another
// day, the day says how many there are.
func TestEveryDayWithAnEventIsShown(t *testing.T) {
	t.Parallel()
	var events []*calendar.Event
	for range ui.MostInCell + 3 {
		events = append(events, event("2026-11-20 00:00", "2027-01-10 23:59", true))
	}
	december := clockAt("2026-12-01 00:00")
	for _, n := range []int{1, 3, len(events)} {
		days := 0
		for _, week := range newGrid(weeksFrom(1), december, clockAt("2026-11-28 00:00"), events[:n]).weeks {
			for _, cell := range week {
				if cell.Day.Month() != december.Month() {
					continue
				}
				days++
				if want := n; cell.Free() || cell.Day.Day() > 1 && cell.MoreListed() != want {
					t.Errorf("%d run on %s: free %v, %d more", n, cell.Day.Format("Jan 2"), cell.Free(), cell.MoreListed())
				}
				if wide := len(cell.Bars) + cell.More; wide != n {
					t.Errorf("%d run on %s: the table has %d", n, cell.Day.Format("Jan 2"), wide)
				}
			}
		}
		if days != 31 {
			t.Errorf("%d days", days)
		}
	}
}
