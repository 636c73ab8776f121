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
	Interval int      // every Interval of them; 0 means 1
	On       []string // weekdays, days of the month, dates of the year
	Until    string   // the last day or moment
	Count    int
}

var shortFreqs = map[string]Freq{
	"day": Daily, "daily": Daily, "days": Daily,
	"week": Weekly, "weekly": Weekly, "weeks": Weekly, "weekday": Weekly, "weekdays": Weekly,
	"month": Monthly, "monthly": Monthly, "months": Monthly,
	"year": Yearly, "yearly": Yearly, "years": Yearly, "annually": Yearly,
}

// Rule converts a short form and returns every problem with it. Problem.Part names keys of the short form.
func (s Short) Rule(c Clock) (Rule, []Problem) {
	p := &parser{clock: c}
	every := strings.ToLower(strings.TrimSpace(s.Every))
	r := Rule{Freq: shortFreqs[every], Interval: s.Interval, Count: s.Count, WeekStart: time.Monday}
	switch {
	case every == "":
		p.wrong("every", Missing, "")
	case r.Freq == 0:
		p.wrong("every", Every, s.Every)
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

// shortUntil reads a date as people write it or in the syntax of UNTIL.
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

// on reads where in its period the series takes place.
func (p *parser) on(r *Rule, list []string) {
	var all []shortDays
	for _, text := range list {
		d, words := shortDays{}, shortWords(text)
		ok := len(words) > 0
		if ok {
			switch r.Freq {
			case Daily, Weekly:
				ok = d.weekdays(slices.DeleteFunc(words, func(w string) bool { return w == and }))
			case Monthly:
				ok = d.month(words)
			case Yearly:
				ok = d.year(words)
			}
		}
		if !ok {
			p.wrong("on", Unclear, text)
		}
		all = append(all, d)
	}
	whole := shortDays{days: r.ByDay}
	for _, d := range all {
		whole.add(d)
	}
	whole.order()
	r.ByMonth, r.ByMonthDay, r.ByDay, r.BySetPos = whole.months, whole.monthDays, whole.days, whole.positions
	mixed := len(r.ByMonthDay) > 0 && len(r.ByDay) > 0
	if mixed || len(r.BySetPos) > 0 && len(list) > 1 || !together(all) {
		p.wrong("on", Unclear, strings.Join(list, ", ")) // a single rule cannot express this combination
	}
}

// shortDays are the days in one text.
type shortDays struct {
	months, monthDays, positions []int
	days                         []Day
}

func (d *shortDays) add(more shortDays) {
	d.months = append(d.months, more.months...)
	d.monthDays = append(d.monthDays, more.monthDays...)
	d.positions = append(d.positions, more.positions...)
	d.days = append(d.days, more.days...)
}

func (d *shortDays) order() {
	slices.SortFunc(d.days, compareDays)
	d.days = slices.Compact(d.days)
	d.months, d.monthDays, d.positions = order(d.months), order(d.monthDays), order(d.positions)
}

// together reports whether a single rule, which combines every day with every month, can express all texts: they must
// name the same months or the same days.
func together(all []shortDays) bool {
	months, days := true, true
	for i := range all {
		all[i].order()
		months = months && slices.Equal(all[i].months, all[0].months)
		days = days && slices.Equal(all[i].days, all[0].days) && slices.Equal(all[i].monthDays, all[0].monthDays)
	}
	return months || days
}

// and separates the parts of a text.
const and = "and"

// shortWords splits a text into lowercase words and drops fillers such as "the", "on" and "every".
func shortWords(text string) []string {
	text = strings.NewReplacer(",", " and ", "&", " and ", ".", " ").Replace(strings.ToLower(text))
	words := slices.DeleteFunc(strings.Fields(text), func(w string) bool {
		return w == "the" || w == "on" || w == "of" || w == "in" || w == "every" || w == "day" || w == "days"
	})
	return slices.CompactFunc(words, func(a, b string) bool { return a == and && b == and })
}

// weekdays reads "tu", "tuesday", "weekdays", "weekend".
func (d *shortDays) weekdays(words []string) bool {
	for _, word := range words {
		switch day, ok := shortWeekday(word); {
		case ok:
			d.days = append(d.days, Day{Weekday: day})
		case strings.HasPrefix(word, "weekday"):
			d.days = append(d.days, workdays()...)
		case strings.HasPrefix(word, "weekend"):
			d.days = append(d.days, Day{Weekday: time.Saturday}, Day{Weekday: time.Sunday})
		default:
			return false
		}
	}
	return true
}

// shortWeekday reads a weekday from a prefix of at least two letters.
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

// month reads "15", "last day", "third tuesday", "first and third tuesday", "last weekday", "1st and 15th", "-1fr".
func (d *shortDays) month(words []string) bool {
	var before, numbers []int // numbers still without a weekday, and numbers of the last weekday
	for len(words) > 0 {
		piece := words
		if i := slices.Index(words, and); i >= 0 {
			piece, words = words[:i], words[i+1:]
			if len(words) == 0 {
				return false
			}
		} else {
			words = nil
		}
		if len(piece) == 0 {
			return false
		}
		if day, ok := shortDay(piece[0]); ok && len(piece) == 1 {
			d.days = append(d.days, day)
			continue
		}
		n, ok := shortNumber(piece[0])
		if !ok {
			if len(before) > 0 || !d.nth(numbers, piece) {
				return false
			}
			continue
		}
		piece = piece[1:]
		if len(piece) > 0 && piece[0] == "last" && n > 0 { // second last
			n, piece = -n, piece[1:]
		}
		before = append(before, n)
		if len(piece) == 0 {
			continue
		}
		numbers, before = before, nil
		if !d.nth(numbers, piece) {
			return false
		}
	}
	d.monthDays = append(d.monthDays, before...)
	return true
}

// nth adds weekdays with each of the numbers, or as they are if there are none.
func (d *shortDays) nth(numbers []int, words []string) bool {
	if len(numbers) == 0 {
		return d.weekdays(words)
	}
	if slices.ContainsFunc(numbers, func(n int) bool { return n < -5 || n > 5 }) {
		return false
	}
	if strings.HasPrefix(words[0], "week") { // a workday or a day of the weekend
		d.positions = append(d.positions, numbers...)
		return len(words) == 1 && d.weekdays(words)
	}
	for _, word := range words {
		day, ok := shortWeekday(word)
		if !ok {
			return false
		}
		for _, n := range numbers {
			d.days = append(d.days, Day{n, day})
		}
	}
	return true
}

// shortDay reads a weekday with its number in the syntax of BYDAY, such as "-1fr". It does not match "4th", which is
// a day of the month.
func shortDay(word string) (Day, bool) {
	if len(word) < 3 {
		return Day{}, false
	}
	number, name := word[:len(word)-2], word[len(word)-2:]
	day, ok := weekdays[strings.ToUpper(name)]
	n, err := strconv.Atoi(number)
	signed := number[0] == '-' || number[0] == '+'
	return Day{n, day}, ok && err == nil && n != 0 && n >= -5 && n <= 5 && (signed || name != "th")
}

// year reads "25 december", "december 25", "12-25", "last sunday march", "march".
func (d *shortDays) year(words []string) bool {
	if month, day, ok := strings.Cut(words[0], "-"); ok && len(words) == 1 {
		m, err := strconv.Atoi(month)
		n, err2 := strconv.Atoi(day)
		if err != nil || err2 != nil || m < 1 || m > 12 || n < 1 || n > 31 {
			return false
		}
		d.months, d.monthDays = append(d.months, m), append(d.monthDays, n)
		return true
	}
	from, to := len(words), 0 // the range that contains the months
	for i, word := range words {
		if month, ok := shortMonth(word); ok {
			d.months = append(d.months, month)
			from, to = min(from, i), i+1
		}
	}
	for i := from; i < to; i++ { // only months may stand between them
		if _, ok := shortMonth(words[i]); !ok && words[i] != and {
			return false
		}
	}
	if len(d.months) == 0 {
		return false
	}
	rest := append(slices.Clone(words[:from]), words[to:]...)
	return len(rest) == 0 || d.month(rest)
}

// shortMonth reads a month from a prefix of at least three letters.
func shortMonth(word string) (int, bool) {
	for month := time.January; month <= time.December; month++ {
		if len(word) >= 3 && strings.HasPrefix(strings.ToLower(month.String()), word) {
			return int(month), true
		}
	}
	return 0, false
}
