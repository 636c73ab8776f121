package words

import (
	"strings"
	"time"
)

// mostYears is the maximum number of years from one 29 February to the next.
const mostYears = 8

// readDay reads a day that begins at a word. A second day is the end of a range; if it cannot be, it is marked as unclear.
func (r *reader) readDay(i int) bool {
	day, named, again, n := r.dayFrom(i)
	if n == 0 {
		return false
	}
	switch {
	case n < 0:
		return r.ask(i, -n, "weekday-differs")
	case named && !r.search && day.AddDate(-1, 0, past).After(r.today):
		return r.ask(i, n, "date-past")
	}
	before := r.word(i - 1)
	if r.v.Fillers[before] && !r.v.Until[before] { // bis zum 5.12.
		before = r.word(i - 2)
	}
	to := before == "–" || r.v.Until[before]
	switch {
	case r.rule != "" && to && r.until.IsZero():
		r.until = day
		r.usedDay(i, n, Repeats)
	case r.day.IsZero():
		r.day, r.named, r.again = day, named, again
		r.usedDay(i, n, Day)
	case to && r.last.IsZero() && day.After(r.day):
		r.last = day
		r.usedDay(i, n, Day)
	case day.Equal(r.day) && !again: // said twice
		r.usedDay(i, n, Day)
	case r.search:
		return false
	default:
		if r.v.And[r.free(i-1)] {
			i, n = i-1, n+1
		}
		return r.ask(i, n, "day-second")
	}
	return true
}

// past is the number of days within which a past date without a year is unclear: it may mean this year or the next.
const past = 60

// usedDay marks words as a day, together with the sign of a range before them.
func (r *reader) usedDay(i, n int, field Field) {
	r.use(i, n, field)
	for k := i - 1; k >= 0 && r.field[k] == "" && (r.words[k] == "–" || r.v.This[r.words[k]] || r.v.Next[r.words[k]]); k-- {
		r.field[k] = field
	}
	r.dayAt = i + n
	r.readPart(i + n)
}

// readPart reads a half of the day after a day: "Friday evening".
func (r *reader) readPart(i int) {
	part, n := r.partAfter(i)
	if n == 0 {
		return
	}
	r.use(i, n, Time)
	r.part, r.partAt = part, i
}

func (r *reader) partAfter(i int) (string, int) {
	if i >= len(r.words) || r.cuts[i] {
		return "", 0
	}
	if _, n := longestOf(r, r.v.Evening, i); n > 0 {
		return "pm", n
	}
	if _, n := longestOf(r, r.v.Morning, i); n > 0 {
		return "am", n
	}
	return "", 0
}

// dayFrom returns the day that begins at a word and its number of words. The number is 0 if there is no day, and negative if
// the weekday contradicts the date.
func (r *reader) dayFrom(i int) (day time.Time, named, again bool, n int) {
	if days, n := longestOf(r, r.v.Days, i); n > 0 {
		if said := strings.Join(r.words[i:i+n], " "); r.v.Periods[said] == tonight && !r.search {
			r.part, r.partAt = "pm", i
		}
		return r.today.AddDate(0, 0, days), false, false, n
	}
	if _, n := longestOf(r, r.v.NextWeek, i); n > 0 {
		if at := r.weekdayAfter(i + n); at > 0 {
			weekday, more := longestOf(r, r.v.Weekdays, at)
			return r.inNextWeek(weekday), false, false, at + more - i
		}
	}
	_, plain := longestOf(r, r.v.Weekdays, i)
	if _, n := longestOf(r, r.v.Feasts, i); n > plain && plain > 0 && !r.search { // Lundi de Pâques
		if day, n := r.feast(i); n > 0 {
			return day, false, false, n
		}
	}
	start := i
	if _, n := longestOf(r, r.v.This, i); n > 0 {
		start = i + n
	}
	_, next := longestOf(r, r.v.Next, i)
	if next > 0 {
		start = i + next
	}
	if weekday, long := longestOf(r, r.v.Weekdays, start); long > 0 {
		return r.weekdayFrom(i, start+long-i, weekday, next > 0)
	}
	if part, weekday, ok := r.compound(i); ok {
		day, named, again, n := r.weekdayFrom(i, 1, weekday, false)
		r.part, r.partAt = part, i
		return day, named, again, n
	}
	day, named, n = r.nextDate(i)
	if n > 0 {
		return r.withWeekday(i, day, named, n)
	}
	if !r.search {
		day, n = r.feast(i)
	}
	return day, false, false, n
}

// compound reads a weekday with a half of the day in one word: Freitagabend.
func (r *reader) compound(i int) (part string, day time.Weekday, ok bool) {
	word := r.word(i)
	for cut := 3; cut < len(word); cut++ {
		if day, is := r.v.Weekdays[word[:cut]]; is {
			switch rest := word[cut:]; {
			case r.v.Evening[rest]:
				return "pm", day, true
			case r.v.Morning[rest]:
				return "am", day, true
			}
		}
	}
	return "", 0, false
}

// weekdayAfter returns where a weekday begins at a word or after fillers, or 0 if there is none.
func (r *reader) weekdayAfter(at int) int {
	for r.v.Fillers[r.word(at)] {
		at++
	}
	if _, n := longestOf(r, r.v.Weekdays, at); n == 0 {
		return 0
	}
	return at
}

// inNextWeek returns the day of a weekday in next week, which begins on the site's first day of the week.
func (r *reader) inNextWeek(weekday time.Weekday) time.Time {
	since := (int(r.today.Weekday()) - int(r.v.First) + 7) % 7
	return r.today.AddDate(0, 0, 7-since+(int(weekday)-int(r.v.First)+7)%7)
}

// weekdayFrom returns the day that a weekday means: the date that follows it, otherwise the next such weekday. The
// weekday takes up long words; after excludes today.
func (r *reader) weekdayFrom(i, long int, weekday time.Weekday, after bool) (day time.Time, named, again bool, n int) {
	next := i + long
	for r.v.Fillers[r.word(next)] {
		next++
	}
	date, named, more := r.nextDate(next)
	if more == 0 && !r.search {
		var strong bool
		if date, more = r.feast(next); more > 0 {
			strong = date.Weekday() == weekday
			if !strong {
				more = 0
			}
		}
	}
	if more > 0 {
		n = next + more - i
		if date.Weekday() != weekday && !r.search {
			return date, named, false, -n
		}
		return date, named, false, n
	}
	if _, n := longestOf(r, r.v.NextWeek, i+long); n > 0 {
		return r.inNextWeek(weekday), false, false, long + n
	}
	if _, n := longestOf(r, r.v.Next, i+long); n > 0 { // samedi prochain
		after, long = true, long+n
	}
	day = r.today.AddDate(0, 0, (int(weekday)-int(r.today.Weekday())+7)%7)
	if after && day.Equal(r.today) {
		day = day.AddDate(0, 0, 7)
	}
	return day, false, !after, long
}

// withWeekday includes a weekday after a date, as in "5.12. (Sa)". The number of words becomes negative if the weekday
// contradicts the date.
func (r *reader) withWeekday(i int, day time.Time, named bool, n int) (time.Time, bool, bool, int) {
	if i+n >= len(r.words) || r.search {
		return day, named, false, n
	}
	weekday, more := longestOf(r, r.v.Weekdays, i+n)
	switch {
	case more == 0:
	case weekday == day.Weekday():
		n += more
	default:
		n = -n - more
	}
	return day, named, false, n
}

// nextDate returns the date that begins at a word and its number of words, which is 0 if the date does not exist. A date
// without a year is the next one from today on.
func (r *reader) nextDate(i int) (date time.Time, named bool, n int) {
	y, month, day, n := r.dateAt(i)
	if n == 0 {
		return date, false, 0
	}
	if y == 0 {
		for _, at := range []int{i + n, i - 1} {
			if m := year.FindStringSubmatch(r.word(at)); m != nil && !r.cutAt(max(at, i)) && (at > i || r.field[at] == "") {
				if date = dateOf(atoi(m[1]), month, day); date.IsZero() {
					return date, false, 0 // 29 Feb 2027
				}
				if at > i {
					return date, false, n + 1
				}
			}
		}
	}
	if y > 0 {
		date = dateOf(y, month, day)
	}
	for next := r.today.Year(); y == 0 && date.Before(r.today) && next <= r.today.Year()+mostYears; next++ {
		date = dateOf(next, month, day)
	}
	if date.IsZero() || y == 0 && date.Before(r.today) {
		return date, false, 0
	}
	return date, y == 0, n
}

// feast returns the day of a feast that begins at a word, in the year that follows it, otherwise its next day.
func (r *reader) feast(i int) (time.Time, int) {
	f, n := longestOf(r, r.v.Feasts, i)
	if n == 0 {
		return time.Time{}, 0
	}
	day, to := f.Next(r.today), i+n
	if m := year.FindStringSubmatch(r.word(to)); m != nil {
		day, to = f.In(atoi(m[1])), to+1
	} else if m := year.FindStringSubmatch(r.word(to + 1)); m != nil && r.v.Fillers[r.word(to)] { // Pascua de 2027
		day, to = f.In(atoi(m[1])), to+2
	}
	if !r.day.IsZero() && !r.again || r.dated(to) {
		return time.Time{}, 0 // a date is more precise than a feast, whose name then counts as text
	}
	alone := to == len(r.words) || r.cuts[to] || r.word(to) == "–" || r.v.Clock[r.word(to)] || r.v.Fillers[r.word(to)] ||
		r.v.AllDay[r.word(to)] || startsWithDigit(r.word(to))
	switch {
	case !f.known, f.weak && !alone:
		if to == i+n && f.weak && i > 0 && !r.v.Fillers[r.word(i-1)] && r.field[i-1] == "" {
			return time.Time{}, 0
		}
		r.ask(i, to-i, "feast-unclear")
		return time.Time{}, 0
	}
	return day, to - i
}

// dated reports whether a date follows at or after a word.
func (r *reader) dated(from int) bool {
	for k := from; k < len(r.words); k++ {
		if r.literal[k] {
			continue
		}
		if _, _, n := r.nextDate(k); n > 0 {
			return true
		}
		if _, n := longestOf(r, r.v.Weekdays, k); n > 0 {
			return true
		}
		if _, n := longestOf(r, r.v.Days, k); n > 0 {
			return true
		}
	}
	return false
}

// dateAt parses a date written with numbers or a month name, and returns its number of words. A year of 0 means that
// none is given.
func (r *reader) dateAt(i int) (y int, month time.Month, day, n int) {
	word := r.word(i)
	if m := ymd.FindStringSubmatch(word); m != nil {
		return atoi(m[1]), time.Month(atoi(m[2])), atoi(m[3]), 1
	}
	if m := dashed.FindStringSubmatch(word); m != nil {
		return atoi(m[3]), time.Month(atoi(m[2])), atoi(m[1]), 1
	}
	if m := year.FindStringSubmatch(word); m != nil { // 2027. március 5.
		if y, month, day, n := r.dateAt(i + 1); n > 0 && y == 0 {
			return atoi(m[1]), month, day, n + 1
		}
		return 0, 0, 0, 0
	}
	if m := kanji.FindStringSubmatch(word); m != nil {
		return 0, time.Month(atoi(m[1])), atoi(m[2]), 1
	}
	if m := numbers.FindStringSubmatch(word); m != nil && !r.aTime(m, i) {
		day, month = atoi(m[1]), time.Month(atoi(m[3]))
		if r.v.MonthFirst != "" && strings.Contains(r.v.MonthFirst, m[2]) {
			day, month = atoi(m[3]), time.Month(atoi(m[1]))
		}
		if y = atoi(m[4]); y > 0 && y < 100 {
			y += 2000
		}
		return y, month, day, 1
	}
	first, second := word, r.word(i+1)
	if r.v.Fillers[second] && r.v.Months[r.word(i+2)] != 0 && number.MatchString(first) { // 5 de diciembre
		day, n := atoi(number.FindStringSubmatch(first)[1]), 3
		if m := year.FindStringSubmatch(r.word(i + 4)); m != nil && r.v.Fillers[r.word(i+3)] { // de 2027
			return atoi(m[1]), r.v.Months[r.word(i+2)], day, 5
		}
		return 0, r.v.Months[r.word(i+2)], day, n
	}
	if m := number.FindStringSubmatch(first); m != nil && r.v.Months[second] != 0 {
		return 0, r.v.Months[second], atoi(m[1]), 2
	}
	if m := number.FindStringSubmatch(second); m != nil && r.v.Months[first] != 0 && !r.cutAt(i+1) && !r.full(i+1) {
		return 0, r.v.Months[first], atoi(m[1]), 2
	}
	return 0, 0, 0, 0
}

// aTime reports whether two numbers separated by a point are a time, as in "19.30". Dates end with a point.
func (r *reader) aTime(m []string, i int) bool {
	if m[2] != "." || m[4] != "" || len(m[3]) != 2 || strings.HasSuffix(strings.TrimRight(r.plain[i], "):!"), ".") {
		return false
	}
	clock := r.v.Clock[r.word(i+1)] || r.v.Clock[r.word(i-1)]
	return clock || atoi(m[3]) > 12 || atoi(m[3]) == 0 || !r.day.IsZero() || r.rule != ""
}

// readRange reads two days of one month: "5.–7.12.", "5 to 7 December", "December 5–7".
func (r *reader) readRange(i int) bool {
	if !r.day.IsZero() || r.search {
		return false
	}
	joins := func(k int) bool { return r.word(k) == "–" || r.v.Until[r.word(k)] }
	from, last, to := 0, time.Time{}, 0
	if m := number.FindStringSubmatch(r.word(i)); m != nil && joins(i+1) {
		if date, _, n := r.nextDate(i + 2); n > 0 {
			from, last, to = atoi(m[1]), date, i+2+n
		}
	} else if _, _, _, n := r.dateAt(i); n == 2 && r.v.Months[r.word(i)] != 0 && joins(i+2) && !r.full(i+3) {
		first := number.FindStringSubmatch(r.word(i + 1))
		end := number.FindStringSubmatch(r.word(i + 3))
		if end != nil && r.v.Months[r.word(i+4)] == 0 {
			y, to2 := 0, i+4
			if m := year.FindStringSubmatch(r.word(i + 4)); m != nil {
				y, to2 = atoi(m[1]), i+5
			}
			for next := r.today.Year(); next <= r.today.Year()+mostYears; next++ {
				if last = dateOf(max(y, next), r.v.Months[r.word(i)], atoi(end[1])); !last.IsZero() && (y > 0 || !last.Before(r.today)) {
					break
				}
			}
			from, to = atoi(first[1]), to2
		}
	}
	if last.IsZero() || from == 0 || from >= last.Day() {
		return false
	}
	r.day, r.last = last.AddDate(0, 0, from-last.Day()), last
	r.usedDay(i, to-i, Day)
	return true
}

// readYear reads a year that directly follows a date.
func (r *reader) readYear(i int) bool {
	m := year.FindStringSubmatch(r.word(i))
	if m == nil || !r.named || r.dayAt != i {
		return false
	}
	day := dateOf(atoi(m[1]), r.day.Month(), r.day.Day())
	if day.IsZero() {
		return false
	}
	r.day, r.named = day, false
	r.use(i, 1, Day)
	return true
}

// dateOf returns a date, or the zero time if it does not exist.
func dateOf(y int, month time.Month, day int) time.Time {
	if date := time.Date(y, month, day, 0, 0, 0, 0, time.UTC); date.Month() == month && date.Day() == day {
		return date
	}
	return time.Time{}
}
