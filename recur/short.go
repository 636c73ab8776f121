package recur

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Short is the form of a rule that people type:
//
//	{"every": "week", "interval": 2, "on": ["tu", "th"], "until": "2027-06-30"}
//	{"every": "month", "on": "last friday"}
//	{"every": "year", "on": "25 december", "count": 10}
type Short struct {
	Every    string   // day, weekday, week, month or year
	Interval int      // every so many of them; 0 is 1
	On       []string // weekdays, days of the month, dates of the year
	Until    string   // the last day, or moment
	Count    int
}

var everies = map[string]Freq{
	"day": Daily, "daily": Daily, "days": Daily,
	"week": Weekly, "weekly": Weekly, "weeks": Weekly, "weekday": Weekly, "weekdays": Weekly,
	"month": Monthly, "monthly": Monthly, "months": Monthly,
	"year": Yearly, "yearly": Yearly, "years": Yearly, "annually": Yearly,
}

// Rule returns what a short form says, and every problem of it. Parts of
// problems are the names of the short form.
func (s Short) Rule(c Clock) (Rule, []Problem) {
	p := &parser{clock: c}
	every := strings.ToLower(strings.TrimSpace(s.Every))
	r := Rule{Freq: everies[every], Interval: s.Interval, Count: s.Count, WeekStart: time.Monday}
	switch {
	case every == "":
		p.wrong("every", Missing, "")
	case r.Freq == 0:
		p.wrong("every", Unclear, s.Every)
	}
	if s.Interval < 0 || s.Interval > maxNumber {
		p.wrong("interval", OutOfRange, strconv.Itoa(s.Interval))
	}
	if s.Count < 0 || s.Count > maxNumber {
		p.wrong("count", OutOfRange, strconv.Itoa(s.Count))
	}
	if s.Until != "" {
		r.Until = p.shortUntil(s.Until)
		if s.Count > 0 {
			p.wrong("until", CountUntil, s.Until)
		}
	}
	if strings.HasPrefix(every, "weekday") {
		r.ByDay = workdays()
	}
	if r.Freq != 0 {
		p.on(&r, s.On)
	}
	return r, p.problems
}

func workdays() []Day {
	return []Day{{0, time.Monday}, {0, time.Tuesday}, {0, time.Wednesday}, {0, time.Thursday}, {0, time.Friday}}
}

// shortUntil reads a date as people write it, or as UNTIL has it.
func (p *parser) shortUntil(text string) time.Time {
	value := strings.NewReplacer("-", "", ":", "", " ", "T").Replace(strings.ToUpper(strings.TrimSpace(text)))
	if day, clock, timed := strings.Cut(value, "T"); timed && len(clock) == 4 {
		value = day + "T" + clock + "00"
	}
	before := len(p.problems)
	t := p.until(value)
	for i := range p.problems[before:] {
		p.problems[before+i].Part, p.problems[before+i].Value = "until", text
	}
	return t
}

// on reads where in its period the series happens.
func (p *parser) on(r *Rule, list []string) {
	for _, text := range list {
		words := shortWords(text)
		ok := len(words) > 0
		if ok {
			switch r.Freq {
			case Daily, Weekly:
				ok = onWeekdays(r, words)
			case Monthly:
				ok = onMonth(r, words)
			case Yearly:
				ok = onYear(r, words)
			}
		}
		if !ok {
			p.wrong("on", Unclear, text)
		}
	}
	slices.SortFunc(r.ByDay, compareDays)
	r.ByDay = slices.Compact(r.ByDay)
	r.ByMonthDay, r.ByMonth, r.BySetPos = order(r.ByMonthDay), order(r.ByMonth), order(r.BySetPos)
	dates, days := len(r.ByMonthDay) > 0, len(r.ByDay) > 0
	mixed := dates && days || r.Freq == Yearly && len(r.ByMonth) > 1 && len(list) > len(r.ByMonth)
	if mixed || len(r.BySetPos) > 0 && len(list) > 1 {
		p.wrong("on", Unclear, strings.Join(list, ", ")) // one rule can't say both
	}
}

// shortWords parts a text into small words, without "the", "on", "of", "every".
func shortWords(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,.\t", r) })
	return slices.DeleteFunc(words, func(w string) bool {
		return w == "the" || w == "on" || w == "of" || w == "in" || w == "every" || w == "and" || w == "day"
	})
}

func onWeekdays(r *Rule, words []string) bool {
	for _, word := range words {
		switch day, ok := shortWeekday(word); {
		case ok:
			r.ByDay = append(r.ByDay, Day{Weekday: day})
		case strings.HasPrefix(word, "weekday"):
			r.ByDay = append(r.ByDay, workdays()...)
		case strings.HasPrefix(word, "weekend"):
			r.ByDay = append(r.ByDay, Day{Weekday: time.Saturday}, Day{Weekday: time.Sunday})
		default:
			return false
		}
	}
	return true
}

// shortWeekday reads a weekday by at least two of its letters.
func shortWeekday(word string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		name := strings.ToLower(day.String())
		if len(word) >= 2 && strings.HasPrefix(name+"s", word) {
			return day, true
		}
	}
	return 0, false
}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1,
}

// shortNumber reads "first", "3rd", "15", "last", "-2".
func shortNumber(word string) (int, bool) {
	if n, ok := ordinals[word]; ok {
		return n, true
	}
	digits := word
	for _, end := range []string{"st", "nd", "rd", "th"} {
		if rest, ok := strings.CutSuffix(word, end); ok && rest != "" {
			digits = rest
		}
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n != 0 && n >= -31 && n <= 31
}

// onMonth reads "15", "last day", "third tuesday", "last weekday", "-1fr".
func onMonth(r *Rule, words []string) bool {
	if len(words) == 1 && len(words[0]) > 2 { // -1fr
		if day, ok := weekdays[strings.ToUpper(words[0][len(words[0])-2:])]; ok {
			if n, err := strconv.Atoi(words[0][:len(words[0])-2]); err == nil && n != 0 && n >= -5 && n <= 5 {
				r.ByDay = append(r.ByDay, Day{n, day})
				return true
			}
		}
	}
	n, ok := shortNumber(words[0])
	if rest := len(words) > 1 && words[1] == "last"; ok && rest && n > 0 { // second last
		n, words = -n, words[1:]
	}
	switch {
	case !ok:
		return onWeekdays(r, words)
	case len(words) == 1:
		r.ByMonthDay = append(r.ByMonthDay, n)
		return true
	case n < -5 || n > 5:
		return false
	case strings.HasPrefix(words[1], "week"): // a workday, a day of the weekend
		r.BySetPos = append(r.BySetPos, n)
		return len(words) == 2 && onWeekdays(r, words[1:])
	}
	for _, word := range words[1:] {
		day, ok := shortWeekday(word)
		if !ok {
			return false
		}
		r.ByDay = append(r.ByDay, Day{n, day})
	}
	return true
}

// onYear reads "25 december", "december 25", "12-25", "last sunday march",
// "march".
func onYear(r *Rule, words []string) bool {
	if month, day, ok := strings.Cut(words[0], "-"); ok && len(words) == 1 {
		m, err := strconv.Atoi(month)
		d, err2 := strconv.Atoi(day)
		if err != nil || err2 != nil || m < 1 || m > 12 || d < 1 || d > 31 {
			return false
		}
		r.ByMonth, r.ByMonthDay = append(r.ByMonth, m), append(r.ByMonthDay, d)
		return true
	}
	rest := words[:0:0]
	for _, word := range words {
		if month, ok := shortMonth(word); ok {
			r.ByMonth = append(r.ByMonth, month)
			continue
		}
		rest = append(rest, word)
	}
	if len(r.ByMonth) == 0 {
		return false
	}
	return len(rest) == 0 || onMonth(r, rest)
}

// shortMonth reads a month by at least three of its letters.
func shortMonth(word string) (int, bool) {
	for month := time.January; month <= time.December; month++ {
		if len(word) >= 3 && strings.HasPrefix(strings.ToLower(month.String()), word) {
			return int(month), true
		}
	}
	return 0, false
}
