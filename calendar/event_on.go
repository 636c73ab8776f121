package calendar

import (
	"time"

	"github.com/kalends/kalends/internal/args"
)

// The hours of an evening, which begins in the afternoon and ends before the next morning.
const (
	eveningBegins = 17
	eveningEnds   = 5
)

// Period is a named period, such as the weekend. Its name refers to these times until the instant Until.
type Period struct{ From, To, Until time.Time }

// PeriodOf returns the period that a value of the argument "on" means at a time in a time zone: tonight from 17:00
// to 05:00, today, tomorrow, the weekend from Friday 17:00, and the week with today in it, which begins on
// weekStart (1 is Monday). Before 05:00, tonight is the night that has not ended (rule 5.11).
func PeriodOf(on string, now time.Time, place *time.Location, weekStart int) Period {
	wall := args.WallTime(now, place)
	today := args.DayOf(wall)
	at := func(days, hour int) time.Time {
		return args.Resolve(today.AddDate(0, 0, days).Add(time.Duration(hour)*time.Hour), place)
	}
	since := func(first int) int { return (int(today.Weekday()) - first + 7) % 7 } // days since the last such weekday
	switch on {
	case "tonight":
		day := 0
		if wall.Hour() < eveningEnds {
			day = -1
		}
		return Period{at(day, eveningBegins), at(day+1, eveningEnds), at(day+1, eveningEnds)}
	case "tomorrow":
		return Period{at(1, 0), at(2, 0), at(1, 0)}
	case "weekend":
		monday := -since(int(time.Monday))
		return Period{at(monday+4, eveningBegins), at(monday+7, 0), at(monday+7, 0)}
	case "week":
		first := -since(max(weekStart, 1) % 7)
		return Period{at(first, 0), at(first+7, 0), at(first+7, 0)}
	}
	return Period{at(0, 0), at(1, 0), at(1, 0)}
}

// Days returns the days of the period in a time zone. A night belongs to the day on which it begins.
func (p Period) Days(place *time.Location) Days {
	last := p.To.Add(-eveningEnds*time.Hour - time.Second)
	return Days{args.DayOf(args.WallTime(p.From, place)), args.DayOf(args.WallTime(last, place))}
}

// edges returns the conditions that an event takes place in the period: it starts before the period ends, and it ends after
// the period begins or starts with it.
func (p Period) edges(on string) []Edge {
	return []Edge{
		{End: true, Compare: After, At: p.From.UTC(), Instant: true, On: on},
		{Compare: Before, At: p.To.UTC(), Instant: true, On: on},
	}
}
