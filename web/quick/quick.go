// Package quick parses a line such as "Choir Thu 19:30 Town hall" as an event.
package quick

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/kalends/kalends/calendar/wording"
)

// Words is the vocabulary of a language. All words are folded (see Fold); weekdays and days may consist of several
// words separated by one space.
type Words struct {
	Weekdays   map[string]time.Weekday
	Months     map[string]time.Month
	Days       map[string]int        // today, tomorrow: days from now
	Fillers    map[string]bool       // ignored before a date, time or place: on, at, in
	Clock      map[string]bool       // before or after a number that is a time: o’clock, Uhr
	Until      map[string]bool       // between two times
	Morning    map[string]bool       // am
	Evening    map[string]bool       // pm
	Alone      map[string]time.Month // names of months that stand for the whole month in a search
	Periods    map[string]string     // today, weekend, week, month: what is chosen by them in a search
	Free       map[string]bool       // costs nothing
	Online     map[string]bool
	MonthFirst string // separators of dates that begin with the month: / if 5/6 is May 6
}

// Event is a parsed line. Times are wall-clock times carried in time.UTC.
type Event struct {
	Title, Place string
	Start, End   time.Time
	AllDay       bool
	Understood   bool // it has a title and a date or time
}

// usual is the default duration of an event.
const usual = time.Hour

// longest is the maximum number of words parsed.
const longest = 100

var (
	between = regexp.MustCompile(`^(\d{1,2}(?:[:.h]\d{2})?(?:h|am|pm)?)[-–—〜~至到](\d{1,2}.*)$`)
	clock   = regexp.MustCompile(`^(\d{1,2})(?:[:.h](\d{2})|h)?(am|pm|a|p|uhr|h)?$`)
	hours   = regexp.MustCompile(`^(\d{1,2})[時时点點시](?:(\d{1,2})[分분]?|([半반]))?$`)
	minutes = regexp.MustCompile(`^(?:(\d{1,2})분|(반))$`)
	ymd     = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)
	numbers = regexp.MustCompile(`^(\d{1,2})([./])(\d{1,2})(?:[./](\d{2,4})?)?$`)
	kanji   = regexp.MustCompile(`^(\d{1,2})[月월](\d{1,2})[日号號일]$`)
	number  = regexp.MustCompile(`^(\d{1,2})(?:\.|st|nd|rd|th|er|º|日|号|號|일)?$`)
	year    = regexp.MustCompile(`^(20\d{2})[年년]?$`)
)

// reader parses the words of a line.
type reader struct {
	w     Words
	now   time.Time
	plain []string // as typed
	words []string // folded
	used  []bool
	day   time.Time // zero: none yet
	times []time.Duration
	named bool // the day was given without a year
	again bool // it was given as a weekday
	open  bool // the last time may be in the morning or in the evening
}

// Read parses a line relative to a wall-clock moment.
func Read(line string, w Words, now time.Time) Event {
	line = norm.NFKC.String(line)
	if strings.ContainsFunc(line, unblanked) {
		line = apart(w).ReplaceAllString(line, " $0 ")
	}
	r := &reader{w: w, now: now}
	for _, one := range strings.FieldsFunc(line, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(",،、;", c) }) {
		if m := between.FindStringSubmatch(wording.ASCIIDigits(one)); m != nil {
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

// Fold normalizes a word for comparison: as in searches, without apostrophes and trailing full stop.
func Fold(word string) string {
	return strings.TrimSuffix(wording.Fold(alike.Replace(wording.ASCIIDigits(word))), ".")
}

var alike = strings.NewReplacer("'", "", "’", "", "‘", "", "ʼ", "", "׳", "", "`", "")

// unblanked reports whether a letter belongs to a script without spaces between words.
func unblanked(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// apart matches what is recognized in text without spaces: dates and times, and words for days and "until" with at
// least two letters.
func apart(w Words) *regexp.Regexp {
	list := []string{`\d+[年년]`, `\d+[月월]\d+[日号號일]`, `\d+[時时点點시](?:\d+[分분]|[半반])?`, `\d{1,2}:\d{2}(?:[-–—〜~至到]\d{1,2}:\d{2})?`}
	halves := unblankedOf(w.Morning, w.Evening)
	if len(halves) > 0 {
		list[2] = `(?:` + strings.Join(halves, "|") + `)?` + list[2]
		list[3] = `(?:` + strings.Join(halves, "|") + `)?` + list[3]
	}
	days := map[string]bool{}
	for word := range w.Weekdays {
		days[word] = true
	}
	for word := range w.Days {
		days[word] = true
	}
	return regexp.MustCompile(strings.Join(append(list, unblankedOf(days, w.Until, w.Clock)...), "|"))
}

// unblankedOf returns the words in lists that need no space around them, longest first.
func unblankedOf(lists ...map[string]bool) []string {
	var words []string
	for _, list := range lists {
		for word := range list {
			letters := []rune(word)
			foreign := func(c rune) bool { return !unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana) }
			if len(letters) > 1 && !strings.ContainsFunc(word, foreign) {
				words = append(words, regexp.QuoteMeta(word))
			}
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return words
}

// add adds words as typed.
func (r *reader) add(words ...string) {
	for _, one := range words {
		if len(r.plain) == longest {
			return
		}
		folded := strings.TrimSuffix(Fold(one), ":") // "7pm: Film"
		switch folded {
		case "-", "—", "~":
			folded = "–"
		}
		r.plain, r.words = append(r.plain, one), append(r.words, folded)
	}
}

// word returns the word at an index, or "" if out of range.
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

// read parses what begins at a word if it is a date or time.
func (r *reader) read(i int) {
	if r.day.IsZero() && r.readDay(i) {
		return
	}
	if len(r.times) < 2 {
		if at, half, n, ok := r.clockAt(i); ok {
			r.addTime(i, at, half)
			r.use(i, n)
			return
		}
	}
	if m := year.FindStringSubmatch(r.word(i)); m != nil && !r.day.IsZero() && r.named {
		if day := dateOf(atoi(m[1]), r.day.Month(), r.day.Day()); !day.IsZero() {
			r.day, r.named = day, false
			r.use(i, 1)
		}
	}
}

// readDay parses a day that begins at a word.
func (r *reader) readDay(i int) bool {
	today := time.Date(r.now.Year(), r.now.Month(), r.now.Day(), 0, 0, 0, 0, time.UTC)
	if days, n := longestOf(r, r.w.Days, i); n > 0 {
		r.day = today.AddDate(0, 0, days)
		r.use(i, n)
		return true
	}
	if day, long := longestOf(r, r.w.Weekdays, i); long > 0 {
		next := i + long
		for r.w.Fillers[r.word(next)] {
			next++
		}
		if _, _, n := r.nextDate(next, today); n > 0 {
			r.use(i, long) // "Thu 5 Dec", "Donnerstag, den 5. Dezember": the date is more specific
			return true
		}
		r.day, r.again = today.AddDate(0, 0, (int(day)-int(today.Weekday())+7)%7), true
		r.use(i, long)
		return true
	}
	day, named, n := r.nextDate(i, today)
	if n == 0 {
		return false
	}
	r.day, r.named = day, named
	r.use(i, n)
	return true
}

// nextDate returns the date that begins at a word and its number of words, 0 for one that does not exist. Without a year,
// it is the next one from today on.
func (r *reader) nextDate(i int, today time.Time) (date time.Time, named bool, n int) {
	y, month, day, n := r.dateAt(i)
	if n == 0 {
		return date, false, 0
	}
	for _, beside := range []string{r.word(i - 1), r.word(i + n)} {
		if m := year.FindStringSubmatch(beside); y == 0 && m != nil && dateOf(atoi(m[1]), month, day).IsZero() {
			return date, false, 0 // 29 Feb 2027
		}
	}
	if y > 0 {
		date = dateOf(y, month, day)
	}
	for next := today.Year(); y == 0 && date.Before(today) && next <= today.Year()+mostYears; next++ {
		date = dateOf(next, month, day)
	}
	if date.IsZero() || y == 0 && date.Before(today) {
		return date, false, 0
	}
	return date, y == 0, n
}

// mostYears is the maximum number of years from one 29 February to the next.
const mostYears = 8

// mostWords is the maximum number of words in the name of a weekday or day.
const mostWords = 4

// longestOf finds the longest entry of a list that begins at a word, and its number of words.
func longestOf[T any](r *reader, list map[string]T, i int) (found T, n int) {
	for n = min(mostWords, len(r.words)-i); n > 0; n-- {
		if found, ok := list[strings.Join(r.words[i:i+n], " ")]; ok {
			return found, n
		}
	}
	return found, 0
}

// dateAt parses a date written with numbers or a month name, and returns its number of words. A year of 0 means that
// none is given.
func (r *reader) dateAt(i int) (y int, month time.Month, day, n int) {
	word := r.word(i)
	if m := ymd.FindStringSubmatch(word); m != nil {
		return atoi(m[1]), time.Month(atoi(m[2])), atoi(m[3]), 1
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
		if strings.Contains(r.w.MonthFirst, m[2]) {
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

// aTime reports whether two numbers separated by a point are a time, as in "19.30". A date has a point at its end.
func (r *reader) aTime(m []string, i int) bool {
	return m[2] == "." && m[4] == "" && len(m[3]) == 2 && !strings.HasSuffix(r.plain[i], ".")
}

// event returns the parsed event.
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
		case len(after) == 0 && (r.w.Fillers[r.words[i]] || word == "@"):
		default:
			after = append(after, word)
		}
	}
	e.Title = strings.Trim(e.Title, loose)
	if e.Place = strings.Trim(strings.Join(after, " "), loose); e.Title == "" {
		e.Title, e.Place = e.Place, ""
	}
	e.Understood = e.Title != "" && last >= 0 && (!r.day.IsZero() || len(r.times) > 0)
	r.settle(&e)
	return e
}

// loose are the characters that remain where a date or time has been taken out of a line.
const loose = " -–—|:"

// settle sets the times. A time without a day, or with a weekday, is its next occurrence; a day without a time is all-day.
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
	if r.again && day.Add(r.times[0]).Before(r.now) {
		day = day.AddDate(0, 0, 7)
	}
	e.Start = day.Add(r.times[0])
	e.End = e.Start.Add(usual)
	if len(r.times) == 2 {
		if e.End = day.Add(r.times[1]); !e.End.After(e.Start) {
			e.End = e.End.AddDate(0, 0, 1)
		}
	}
}

// dateOf returns a date, or the zero time if it does not exist.
func dateOf(y int, month time.Month, day int) time.Time {
	if date := time.Date(y, month, day, 0, 0, 0, 0, time.UTC); date.Month() == month && date.Day() == day {
		return date
	}
	return time.Time{}
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
