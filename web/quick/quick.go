// Package quick reads a line like "Choir Thu 19:30 Town hall" as an event.
package quick

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/kalends/kalends/calendar"
)

// Words are the words of a language that a line may have. All are folded
// (calendar.Fold).
type Words struct {
	Weekdays map[string]time.Weekday
	Months   map[string]time.Month
	Days     map[string]int  // today, tomorrow: days from now
	Fillers  map[string]bool // that say nothing by themselves before a date, a time or a place: on, at, in
	Clock    map[string]bool // before or after a number they make a time of it: o’clock, Uhr
	Until    map[string]bool // between two times
	Morning  map[string]bool // am
	Evening  map[string]bool // pm
	MonthDay bool            // 5/6 is the sixth of May
}

// Event is what a line says. Times are wall clock carried in time.UTC.
type Event struct {
	Title, Place string
	Start, End   time.Time
	AllDay       bool
	Understood   bool // it has a title and a date or a time
}

// usual is how long an event is taken to be that has no end.
const usual = time.Hour

// longest bounds the words that are read.
const longest = 100

var (
	japanese = regexp.MustCompile(`\d+年|\d+月\d+日|[月火水木金土日]曜日?|(午前|午後)?\d+時(\d+分|半)?|今日|明日|明後日|から|まで`)
	between  = regexp.MustCompile(`^(\d{1,2}(?:[:.h]\d{2})?(?:h|am|pm)?)[-–—〜~](\d{1,2}.*)$`)
	clock    = regexp.MustCompile(`^(\d{1,2})(?:[:.h](\d{2})|h)?(am|pm|a|p|uhr|h)?$`)
	hours    = regexp.MustCompile(`^(午前|午後)?(\d{1,2})時(?:(\d{1,2})分|(半))?$`)
	ymd      = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)
	numbers  = regexp.MustCompile(`^(\d{1,2})([./])(\d{1,2})(?:[./](\d{2,4})?)?$`)
	kanji    = regexp.MustCompile(`^(\d{1,2})月(\d{1,2})日$`)
	number   = regexp.MustCompile(`^(\d{1,2})(?:\.|st|nd|rd|th|er|º)?$`)
	year     = regexp.MustCompile(`^(20\d{2})年?$`)
)

// reader goes through the words of a line.
type reader struct {
	w     Words
	now   time.Time
	plain []string // as they were typed
	words []string // folded
	used  []bool
	year  int
	day   time.Time // zero: none yet
	times []time.Duration
	named bool // the day was named by its weekday, or by no year
}

// Read reads a line at a moment of the wall clock.
func Read(line string, w Words, now time.Time) Event {
	line = norm.NFKC.String(line)
	if len(w.Weekdays) > 0 {
		line = japanese.ReplaceAllString(line, " $0 ")
	}
	r := &reader{w: w, now: now}
	for _, one := range strings.FieldsFunc(line, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(",،、;", c) }) {
		if m := between.FindStringSubmatch(digits(one)); m != nil {
			r.add(m[1], "–", m[2])
		} else {
			r.add(one)
		}
	}
	r.used = make([]bool, len(r.words))
	for i := range r.words {
		if !r.used[i] {
			r.read(i)
		}
	}
	return r.event()
}

// add adds words as they were typed.
func (r *reader) add(words ...string) {
	for _, one := range words {
		if len(r.plain) == longest {
			return
		}
		folded := strings.TrimSuffix(calendar.Fold(digits(one)), ".")
		if strings.Contains("-—~", folded) {
			folded = "–"
		}
		r.plain, r.words = append(r.plain, one), append(r.words, folded)
	}
}

// digits writes the digits of all scripts as those of ASCII.
func digits(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= '٠' && c <= '٩':
			return c - '٠' + '0'
		case c >= '۰' && c <= '۹':
			return c - '۰' + '0'
		}
		return c
	}, text)
}

// word is a word of the line, "" beyond its ends.
func (r *reader) word(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i]
}

func (r *reader) use(from, n int) {
	for i := from; i < from+n; i++ {
		r.used[i] = true
	}
	for i := from - 1; i >= 0 && !r.used[i] && (r.w.Fillers[r.words[i]] || r.w.Clock[r.words[i]] || r.w.Until[r.words[i]]); i-- {
		r.used[i] = true
	}
}

// read reads what begins with a word, if it is a date or a time.
func (r *reader) read(i int) {
	if r.day.IsZero() && r.readDay(i) {
		return
	}
	if len(r.times) < 2 {
		if at, n, ok := r.clockAt(i); ok {
			r.times = append(r.times, at)
			r.use(i, n)
			return
		}
	}
	if m := year.FindStringSubmatch(r.word(i)); m != nil && !r.day.IsZero() && r.named {
		r.year, r.named = atoi(m[1]), false
		r.day = time.Date(r.year, r.day.Month(), r.day.Day(), 0, 0, 0, 0, time.UTC)
		r.use(i, 1)
	}
}

// readDay reads a day that begins with a word.
func (r *reader) readDay(i int) bool {
	word := r.word(i)
	today := time.Date(r.now.Year(), r.now.Month(), r.now.Day(), 0, 0, 0, 0, time.UTC)
	if n, ok := r.w.Days[word]; ok {
		r.day = today.AddDate(0, 0, n)
		r.use(i, 1)
		return true
	}
	if day, ok := r.w.Weekdays[word]; ok {
		if _, month, day, n := r.dateAt(i + 1); n > 0 && possible(month, day) {
			r.use(i, 1) // "Thu 5 Dec": the date says more
			return true
		}
		r.day = today.AddDate(0, 0, (int(day)-int(today.Weekday())+7)%7)
		r.use(i, 1)
		return true
	}
	y, month, day, n := r.dateAt(i)
	if n == 0 || !possible(month, day) {
		return false
	}
	r.named = y == 0
	if y == 0 {
		if y = today.Year(); time.Date(y, month, day, 0, 0, 0, 0, time.UTC).Before(today) {
			y++
		}
	}
	r.day = time.Date(y, month, day, 0, 0, 0, 0, time.UTC)
	r.use(i, n)
	return true
}

// dateAt reads a date written with numbers or with a month's name, and of how many
// words it is; year 0: it says none.
func (r *reader) dateAt(i int) (y int, month time.Month, day, n int) {
	word := r.word(i)
	if m := ymd.FindStringSubmatch(word); m != nil {
		return atoi(m[1]), time.Month(atoi(m[2])), atoi(m[3]), 1
	}
	if m := kanji.FindStringSubmatch(word); m != nil {
		return 0, time.Month(atoi(m[1])), atoi(m[2]), 1
	}
	if m := numbers.FindStringSubmatch(word); m != nil && !r.aTime(m, i) {
		day, month = atoi(m[1]), time.Month(atoi(m[3]))
		if r.w.MonthDay && m[2] == "/" {
			day, month = atoi(m[3]), time.Month(atoi(m[1]))
		}
		if y = atoi(m[4]); y > 0 && y < 100 {
			y += 2000
		}
		return y, month, day, 1
	}
	first, second := word, r.word(i+1)
	if r.w.Fillers[second] && r.w.Months[r.word(i+2)] != 0 && number.MatchString(first) { // 5 de diciembre
		return 0, r.w.Months[r.word(i+2)], atoi(number.FindStringSubmatch(first)[1]), 3
	}
	if m := number.FindStringSubmatch(first); m != nil && r.w.Months[second] != 0 {
		return 0, r.w.Months[second], atoi(m[1]), 2
	}
	if m := number.FindStringSubmatch(second); m != nil && r.w.Months[first] != 0 {
		return 0, r.w.Months[first], atoi(m[1]), 2
	}
	return 0, 0, 0, 0
}

// aTime reports whether two numbers with a point between are a time, as in "19.30". A
// date has a point at its end.
func (r *reader) aTime(m []string, i int) bool {
	return m[2] == "." && m[4] == "" && len(m[3]) == 2 && !strings.HasSuffix(r.plain[i], ".")
}

// clockAt reads a time that begins with a word, and of how many words it is. A number
// alone is one when something beside it says so.
func (r *reader) clockAt(i int) (at time.Duration, n int, ok bool) {
	word := r.word(i)
	if m := hours.FindStringSubmatch(word); m != nil {
		minute := atoi(m[3])
		if m[4] != "" {
			minute = 30
		}
		at, ok = wall(atoi(m[2]), minute, map[string]string{"午前": "am", "午後": "pm"}[m[1]])
		return at, 1, ok
	}
	m := clock.FindStringSubmatch(word)
	if m == nil {
		return 0, 0, false
	}
	half, said, n := m[3], m[2] != "" || m[3] != "" || strings.HasSuffix(word, "h"), 1
	switch next := r.word(i + 1); {
	case r.w.Morning[next] && half == "":
		half, said, n = "am", true, 2
	case r.w.Evening[next] && half == "":
		half, said, n = "pm", true, 2
	case r.w.Clock[next]:
		said, n = true, 2
	}
	ranged := r.word(i-1) == "–" || r.w.Until[r.word(i-1)]
	if !said && !r.w.Clock[r.word(i-1)] && !(ranged && len(r.times) == 1) && !(r.word(i+1) == "–" && clock.MatchString(r.word(i+2))) {
		return 0, 0, false
	}
	at, ok = wall(atoi(m[1]), atoi(m[2]), half)
	if ok && i > 0 && r.words[i-1] == "–" {
		r.used[i-1] = true
	}
	return at, n, ok
}

func wall(hour, minute int, half string) (time.Duration, bool) {
	switch {
	case half != "" && half[0] == 'p' && hour < 12:
		hour += 12
	case half != "" && half[0] == 'a' && hour == 12:
		hour = 0
	}
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute, hour < 24 && minute < 60
}

// event puts together what was read.
func (r *reader) event() Event {
	first, last := len(r.used), -1
	for i, used := range r.used {
		if used {
			first, last = min(first, i), i
		}
	}
	e := Event{}
	var after []string
	for i, word := range r.plain {
		switch {
		case r.used[i]:
		case i < first:
			e.Title = strings.TrimSpace(e.Title + " " + word)
		case len(after) == 0 && i > last && (r.w.Fillers[r.words[i]] || word == "@"):
		default:
			after = append(after, word)
		}
	}
	if e.Place = strings.Join(after, " "); e.Title == "" {
		e.Title, e.Place = e.Place, ""
	}
	e.Understood = e.Title != "" && last >= 0 && (!r.day.IsZero() || len(r.times) > 0)
	r.settle(&e)
	return e
}

// settle sets the times. A time without a day is the next that comes; a day without a
// time is a whole one.
func (r *reader) settle(e *Event) {
	day, today := r.day, time.Date(r.now.Year(), r.now.Month(), r.now.Day(), 0, 0, 0, 0, time.UTC)
	if day.IsZero() {
		day = today
		if len(r.times) > 0 && today.Add(r.times[0]).Before(r.now) {
			day = day.AddDate(0, 0, 1)
		}
	}
	if len(r.times) == 0 {
		e.AllDay, e.Start, e.End = true, day, day
		return
	}
	e.Start = day.Add(r.times[0])
	e.End = e.Start.Add(usual)
	if len(r.times) == 2 {
		if e.End = day.Add(r.times[1]); !e.End.After(e.Start) {
			e.End = e.End.AddDate(0, 0, 1)
		}
	}
}

func possible(month time.Month, day int) bool {
	return month >= 1 && month <= 12 && day >= 1 && time.Date(2024, month, day, 0, 0, 0, 0, time.UTC).Day() == day
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
