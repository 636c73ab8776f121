package i18n

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"github.com/kalends/kalends/internal/recur"
)

// Recurrence describes in words when a series takes place: "every second Tuesday until 30 June 2027". Usual rules
// become a natural sentence; for others every part is listed. One or two added or excluded dates are named, more are counted.
func Recurrence(lang string, s recur.Set, c recur.Clock) string {
	return words{texts: loaded(), lang: lang, clock: c}.set(s)
}

// RecurrenceOnPage is Recurrence for pages: no line breaks within a date, and the times of day are behind the rules and before single
// dates, unless they are "".
func RecurrenceOnPage(lang string, s recur.Set, c recur.Clock, hours string) string {
	return words{texts: loaded(), lang: lang, clock: c, hours: hours, page: true}.set(s)
}

// Held returns a text in which no line breaks at a space.
func Held(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

type data = map[string]any

// words describes the rules of a series in a language.
type words struct {
	texts *set
	lang  string
	clock recur.Clock
	hours string // or ""
	page  bool   // whether dates hold together
}

// set describes a whole series.
func (w words) set(s recur.Set) string {
	text := ""
	for _, r := range s.Rules {
		if rule := w.rule(r); text == "" {
			text = rule
		} else {
			text = w.say("also", data{"Rule": text, "Other": rule})
		}
	}
	single := slices.DeleteFunc(slices.Clone(s.Dates), w.clock.Start.Equal)
	if text == "" {
		text, single = w.number("dates", len(single)+1), nil
	}
	if w.hours != "" {
		text = w.text("date.join", data{"Day": text, "Time": w.hours})
	}
	if len(single) > 0 {
		text = w.say("more", data{"Rule": text, "More": w.particular("extra", single, s)})
	}
	if len(s.Except) > 0 {
		text = w.say("more", data{"Rule": text, "More": w.particular("except", s.Except, s)})
	}
	return text
}

func (w words) text(key string, d data) string { return w.texts.text(w.lang, key, d) }

func (w words) say(key string, d data) string { return w.text("recurrence."+key, d) }

// dated returns a text with a date, of which everything in d is a part but the rule. On pages, no line breaks between these parts.
func (w words) dated(key string, forms []string, d data) string {
	if !w.page {
		return w.sayOf(key, forms, d)
	}
	const mark = "\x00"
	marked := maps.Clone(d)
	for name, part := range d {
		if name != "Rule" {
			marked[name] = fmt.Sprint(mark, part, mark)
		}
	}
	parts := strings.Split(w.sayOf(key, forms, marked), mark)
	for i := 2; i < len(parts)-1; i += 2 { // parts of the date have odd indexes
		parts[i] = Held(parts[i])
	}
	return strings.Join(parts, "")
}

// number returns a text about a number of things.
func (w words) number(key string, n int) string {
	return w.say(key+".number", data{"Count": n, "Number": w.grouped(n)})
}

// digits formats a number with the digits of the language.
func (w words) digits(n int) string { return w.inDigits(strconv.Itoa(n)) }

// grouped formats a number with the digits and the grouping of the language.
func (w words) grouped(n int) string { return w.inDigits(Grouped(n, w.text("date.grouped", nil))) }

// Number writes a number with the digits and the grouping of a language, for pages and mail. Texts of the API keep 0123456789.
func Number(lang string, n int) string { return words{texts: loaded(), lang: lang}.grouped(n) }

// Decimal writes a decimal number with a point, such as 1234.5, with the digits, the grouping and the decimal separator of a language. It
// keeps the decimals that there are.
func Decimal(lang, number string) string {
	w := words{texts: loaded(), lang: lang}
	whole, decimals, fraction := strings.Cut(number, ".")
	text := w.inDigits(whole)
	if n, err := strconv.Atoi(whole); err == nil {
		text = w.grouped(n)
	}
	if fraction {
		text += w.text("date.decimal", nil) + w.inDigits(decimals)
	}
	return text
}

// Grouped writes a number with separators, in the digits 0 to 9. The example is the smallest number that a language groups: 1,234; in
// Spanish 12.345, because 1234 is not grouped; in Hindi 1,23,456, where only the last group has three digits.
func Grouped(n int, example string) string {
	isNoDigit := func(r rune) bool { return r < '0' || r > '9' }
	groups := strings.FieldsFunc(example, isNoDigit)
	text := strconv.Itoa(n)
	if len(groups) < 2 || n < 0 || len(text) < len(groups[0])+3 {
		return text
	}
	sign, size := strings.Trim(example, "0123456789"), 3
	if len(groups) > 2 {
		sign, size = sign[:strings.IndexFunc(sign, func(r rune) bool { return !isNoDigit(r) })], len(groups[1])
	}
	for i := len(text) - 3; i > 0; i -= size {
		text = text[:i] + sign + text[i:]
	}
	return text
}

func (w words) inDigits(s string) string {
	own := []rune(w.text("date.digits", nil))
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' && len(own) == 10 {
			return own[r-'0']
		}
		if r == '-' {
			return '−'
		}
		return r
	}, s)
}

// rule describes one rule: its days, times of day and end.
func (w words) rule(r recur.Rule) string {
	r = w.plain(r)
	text, ok := w.days(r)
	if !ok {
		text = w.parts(r)
	}
	times := w.times(r)
	if times != "" {
		text = w.say("times", data{"Rule": text, "Times": times})
	}
	switch {
	case r.Count > 0:
		return w.say("more", data{"Rule": text, "More": w.number("count", r.Count)})
	case !r.Until.IsZero():
		last, key := w.lastDay(r), "until"
		if times != "" || strings.ContainsAny(text, ",،(") || slices.Equal(r.ByDay, workdays) {
			key = "until.after"
		}
		return w.dated(key, w.ofMonthday(last.Day()),
			data{"Rule": text, "Day": w.day(last.Day()), "Month": w.month(int(last.Month())), "Year": w.digits(last.Year())})
	}
	return text
}

// plain returns an equivalent rule with fewer parts, for example a list of days instead of a filter.
func (w words) plain(r recur.Rule) recur.Rule {
	if r.ByMonth = r.Months(w.clock); len(r.ByMonth) == 12 {
		r = allMonths(r)
	}
	if r.Interval = max(r.Interval, 1); r.Interval > 1 || len(r.BySetPos)+len(r.ByYearDay)+len(r.ByWeekNo) > 0 {
		return r
	}
	numbered := slices.ContainsFunc(r.ByDay, func(d recur.Day) bool { return d.N != 0 })
	switch {
	case len(r.ByDay) > 0 && len(r.ByMonthDay) == 0 && !numbered:
		r.Freq = recur.Weekly
	case !numbered && len(r.ByMonthDay) > 0 && r.Freq == recur.Daily:
		r.Freq = recur.Monthly
	}
	return r
}

// allMonths returns an equivalent rule without a list of all twelve months.
func allMonths(r recur.Rule) recur.Rule {
	if r.Freq != recur.Yearly {
		r.ByMonth = nil
	} else if max(r.Interval, 1) == 1 && len(r.BySetPos)+len(r.ByYearDay)+len(r.ByWeekNo) == 0 {
		r.ByMonth, r.Freq = nil, recur.Monthly
	}
	return r
}

// lastDay returns the last day that UNTIL allows.
func (w words) lastDay(r recur.Rule) time.Time {
	first := w.clock.Start
	if w.clock.AllDay || len(r.ByHour)+len(r.ByMinute) > 0 {
		return r.Until
	}
	if r.Until.Hour()*60+r.Until.Minute() < first.Hour()*60+first.Minute() {
		return r.Until.AddDate(0, 0, -1)
	}
	return r.Until
}

// period describes how often: every day, every second week, every 3 months.
func (w words) period(r recur.Rule) string {
	unit := map[recur.Freq]string{recur.Daily: "day", recur.Weekly: "week", recur.Monthly: "month", recur.Yearly: "year"}[r.Freq]
	switch r.Interval {
	case 1:
		return w.say("each."+unit, nil)
	case 2:
		return w.say("second."+unit, nil)
	}
	return w.say("period."+unit, data{"Count": r.Interval, "Number": w.digits(r.Interval)})
}

// times lists the times of day in BYHOUR and BYMINUTE.
func (w words) times(r recur.Rule) string {
	if w.clock.AllDay || len(r.ByHour)+len(r.ByMinute) == 0 {
		return ""
	}
	hours, minutes := r.ByHour, r.ByMinute
	if len(hours) == 0 {
		hours = []int{w.clock.Start.Hour()}
	}
	if len(minutes) == 0 {
		minutes = []int{w.clock.Start.Minute()}
	}
	var list []string
	for _, hour := range hours {
		for _, minute := range minutes {
			if len(list) == mostTimes {
				return w.list(list) + " …"
			}
			list = append(list, w.inDigits(time.Date(2000, 1, 1, hour, minute, 0, 0, time.UTC).Format("15"+w.timeSign()+"04")))
		}
	}
	return w.list(list)
}

// mostTimes is the maximum number of times of day listed. A series has no more per day, but a rule may name every
// minute and select a few with BYSETPOS.
const mostTimes = recur.MaxPerDay

// timeSign returns the separator of hours and minutes.
func (w words) timeSign() string {
	if strings.Contains(w.text("date.pattern.time.24", nil), "H.mm") {
		return "."
	}
	return ":"
}

// list joins items: "A", "A and B", "A, B and C".
func (w words) list(items []string) string {
	switch n := len(items); n {
	case 0:
		return ""
	case 1:
		return items[0]
	case 2:
		return w.sayOf("list.two", beginning(items[1]), data{"First": items[0], "Second": items[1]})
	default:
		text := items[0]
		for _, item := range items[1 : n-1] {
			text = w.say("list.more", data{"First": text, "Second": item})
		}
		return w.sayOf("list.last", beginning(items[n-1]), data{"First": text, "Second": items[n-1]})
	}
}

// beginning returns the forms of texts that end with another text. Some languages join numbers with other characters
// than words.
func beginning(text string) []string {
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsDigit(first) {
		return []string{"number"}
	}
	return nil
}

// day formats a day of the month as in dates. Some languages have a special form for the first.
func (w words) day(n int) string {
	if n == 1 {
		return w.text("date.first", nil)
	}
	return w.digits(n)
}

func (w words) month(n int) string { return w.text("date.month."+strconv.Itoa(n), nil) }

// ordinal formats an ordinal number such as 1st or 22nd, using the CLDR form.
func (w words) ordinal(n int) string {
	ordinal := plural.Ordinal.MatchPlural(language.Make(w.lang), n, 0, 0, 0, 0)
	key := "ordinal." + formNames[ordinal]
	if !w.texts.has(w.lang, "recurrence."+key) {
		key = "ordinal.other"
	}
	return w.sayOf(key, w.ofMonthday(n), data{"Number": w.digits(n)})
}

// formNames are the CLDR names of plural and ordinal forms.
var formNames = map[plural.Form]string{plural.Other: "other", plural.Zero: "zero", plural.One: "one",
	plural.Two: "two", plural.Few: "few", plural.Many: "many"}
