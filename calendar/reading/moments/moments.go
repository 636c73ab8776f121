// Package moments reads dates and times: as people write them in tables, in all languages of the interface, and in the
// notation of ISO 8601 and of calendar files. It never guesses: what could be read in two ways is reported as unsure.
package moments

import (
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
)

// Moment is a date, a time of day or both, as written in tables.
type Moment struct {
	Day     time.Time // midnight in UTC; zero without a date
	At, End time.Duration
	Timed   bool // it has a time
	Ends    bool // it has the time of an end, too
	AllDay  bool // it says that it lasts all day

	Unsure bool // it is ambiguous whether day or month comes first
	named  days // the weekdays that it may name; languages differ about So
}

// Differs reports whether a date names another weekday than its own.
func (m Moment) Differs() bool { return m.named != 0 && m.named&(1<<m.Day.Weekday()) == 0 }

// reader reads the tokens of a date or time.
type reader struct {
	words  *vocabulary
	tokens []token
	order  string // "dmy", "mdy", Mixed, or "" if unknown
	found  Moment
	none   bool // the date does not exist
}

// Mixed is the order of The Events Calendar: the month comes first in dates with slashes, the day in dates with dashes.
const Mixed = "mixed"

// Read reads a text. order is the order of day and month: "dmy", "mdy", Mixed, or "" if it is unknown. Read reports whether
// all of the text was understood.
func Read(text, order string) (Moment, bool) {
	if vocabularyOfAll().allDay[letters(text)] {
		return Moment{AllDay: true}, true
	}
	if at, ok := ParseISO(text); ok && !at.UTC && strings.ContainsAny(text, "-T") {
		return Moment{Day: args.DayOf(at.Wall), At: at.Wall.Sub(args.DayOf(at.Wall)), Timed: !at.Day}, true
	}
	return readTokens(tokensOf(text), order)
}

// Impossible reports whether a text begins with a day that no year has, such as 31.2. or, if it names a year, that this one lacks.
func Impossible(text, order string) bool {
	const leap = "2024"
	for _, one := range []string{text, text + " " + leap, strings.TrimSuffix(text, ".") + "." + leap} {
		m := &reader{words: vocabularyOfAll(), tokens: tokensOf(one), order: order}
		if m.date(); m.none {
			return true
		}
	}
	return false
}

func readTokens(tokens []token, order string) (Moment, bool) {
	m := &reader{words: vocabularyOfAll(), tokens: tokens, order: order}
	if !m.date() {
		return m.found, false
	}
	m.skip(m.words.fillers, ",", "T", "t", "،", "-", "–", "|")
	if len(m.tokens) == 0 {
		return m.found, !m.found.Day.IsZero()
	}
	first := m.peek(0).text
	at, half, ok := m.clock()
	if !ok {
		return m.found, false
	}
	m.found.At, m.found.Timed = at, true
	if len(m.tokens) > 0 && m.words.until[m.tokens[0].text] {
		m.skip(m.words.until)
		second := m.peek(0).text
		end, endHalf, ok := m.clock()
		if m.found.Ends = ok; !ok {
			return m.found, false
		}
		switch open := func(text string) bool { return !strings.HasPrefix(text, "0") }; {
		case half == "" && endHalf == "pm" && open(first) && at+noon < end: // 7 to 9 pm
			m.found.At += noon
		case half != "" && endHalf == "" && open(second) && end < at && at < end+noon: // 7 pm to 9
			end += noon
		}
		m.found.End = end
	}
	return m.found, len(m.tokens) == 0
}

const noon = 12 * time.Hour

// peek returns the token n positions ahead, or a token without a kind if there is none.
func (m *reader) peek(n int) token {
	if n >= len(m.tokens) {
		return token{}
	}
	return m.tokens[n]
}

func (m *reader) drop(n int) { m.tokens = m.tokens[min(n, len(m.tokens)):] }

// skip drops tokens that are in a list or have one of the texts.
func (m *reader) skip(list map[string]bool, texts ...string) {
	for len(m.tokens) > 0 {
		text := m.tokens[0].text
		known := list[text]
		for _, one := range texts {
			known = known || text == one
		}
		if !known {
			return
		}
		m.drop(1)
	}
}

// date reads a date at the beginning. It reports false if the date does not exist or is ambiguous.
func (m *reader) date() bool {
	m.weekdays()
	for _, form := range []func() (int, int, int, int, bool){m.numbers, m.signs, m.named} {
		if y, month, day, n, ok := form(); ok {
			m.drop(n)
			m.found.Day = time.Date(y, time.Month(month), day, 0, 0, 0, 0, time.UTC)
			if m.found.Day.Day() != day || int(m.found.Day.Month()) != month {
				m.none = true
				return false
			}
			m.weekdays()
			return !m.found.Unsure
		}
	}
	return m.found.named == 0
}

// weekdays drops the names of weekdays and the punctuation around them.
func (m *reader) weekdays() {
	for {
		day := m.words.weekdays[m.peek(0).text]
		_, month := m.words.months[m.peek(0).text]
		switch text := m.peek(0).text; {
		case day != 0 && m.peek(0).kind == 'w' && !(month && m.peek(1).kind == 'n'):
			m.found.named = day
			m.drop(1)
		case m.found.named != 0 && strings.Contains(",.،()", text) && text != "":
			m.drop(1)
		case text == "(" && m.words.weekdays[m.peek(1).text] != 0:
			m.drop(1)
		default:
			return
		}
	}
}

// fullYear returns the year that two or four digits mean.
func fullYear(t token) (int, bool) {
	y, ok := t.number(4)
	switch {
	case !ok, len(t.text) != 2 && len(t.text) != 4:
		return 0, false
	case len(t.text) == 2 && y < 70:
		return 2000 + y, true
	case len(t.text) == 2:
		return 1900 + y, true
	}
	return y, true
}

// numbers reads a date in numbers: 2027-03-01, 1.3.2027, 3/1/2027, 20270301.
func (m *reader) numbers() (y, month, day, n int, ok bool) {
	if whole := m.peek(0); whole.kind == 'n' && len(whole.text) == 8 {
		date, err := time.Parse("20060102", whole.text)
		return date.Year(), int(date.Month()), date.Day(), 1, err == nil
	}
	sign := m.peek(1).text
	if sign == "" || !strings.Contains("-/.", sign) || m.peek(3).text != sign {
		return 0, 0, 0, 0, false
	}
	if first := m.peek(0); len(first.text) == 4 {
		y, ok = first.number(4)
		month, isMonth := m.peek(2).number(2)
		day, isDay := m.peek(4).number(2)
		n = 5
		if m.peek(5).text == "." {
			n++
		}
		return y, month, day, n, ok && isMonth && isDay
	}
	a, isA := m.peek(0).number(2)
	b, isB := m.peek(2).number(2)
	y, isYear := fullYear(m.peek(4))
	if !isA || !isB || !isYear {
		return 0, 0, 0, 0, false
	}
	short := sign == "-" && len(m.peek(4).text) == 2 // the year may come first
	switch {
	case sign == ".", m.order == "dmy", sign == "-" && m.order == Mixed && !short, b > 12 && a > 12:
		return y, b, a, 5, true
	case m.order == "mdy", sign == "/" && m.order == Mixed:
		return y, a, b, 5, true
	case short && b <= 12:
	case a > 12:
		return y, b, a, 5, true
	case b > 12, a == b:
		return y, a, b, 5, true
	}
	m.found.Unsure = true
	return y, a, b, 5, true
}

// signs reads a date in East Asian notation: 2027年3月1日.
func (m *reader) signs() (y, month, day, n int, ok bool) {
	for i, units := range []string{"年년", "月월", "日号號일"} {
		if unit := m.peek(2*i + 1).text; unit == "" || !strings.Contains(units, unit) {
			return 0, 0, 0, 0, false
		}
	}
	y, ok = m.peek(0).number(4)
	month, isMonth := m.peek(2).number(2)
	day, isDay := m.peek(4).number(2)
	return y, month, day, 6, ok && isMonth && isDay
}

// mostTokens is the maximum number of tokens of a date with the name of a month.
const mostTokens = 12

// named reads a date with the name of a month and a year.
func (m *reader) named() (y, month, day, n int, ok bool) {
	for n = range mostTokens {
		t := m.peek(n)
		switch name, isMonth := m.words.months[t.text]; {
		case t.kind == 0:
			return 0, 0, 0, 0, false
		case t.kind == 'w' && isMonth && month == 0 && name != 0:
			month = int(name)
		case t.kind == 'n' && len(t.text) <= 2 && day == 0:
			day, _ = t.number(2)
		case t.kind == 'n' && len(t.text) == 4, t.kind == 'n' && len(t.text) == 2 && month != 0:
			y, _ = fullYear(t)
		case t.kind == 'n':
			return 0, 0, 0, 0, false
		case t.kind == 'w' && !m.words.fillers[t.text] && m.words.weekdays[t.text] == 0:
			return 0, 0, 0, 0, false
		}
		if y != 0 && month != 0 && day != 0 {
			if next := m.peek(n + 1).text; next == "." {
				n++
			}
			return y, month, day, n + 1, true
		}
	}
	return 0, 0, 0, 0, false
}

// clock reads a time of day: 19:30, 19.30 Uhr, 7:30 PM, 19h, 午後7時30分.
// It also returns the half of the day, am or pm, or "" if it says none.
func (m *reader) clock() (at time.Duration, half string, ok bool) {
	half, written := m.half(), false
	m.skip(m.words.clock, "@", ".")
	if half == "" {
		half = m.half()
	}
	first := m.peek(0)
	hour, ok := first.number(2)
	minute, second := 0, 0
	if n, four := first.number(4); !ok && four && len(first.text) == 4 {
		hour, minute, ok, written = n/100, n%100, true, true
	}
	if !ok {
		return 0, "", false
	}
	m.drop(1)
	for _, part := range []*int{&minute, &second} {
		sign, next := m.peek(0).text, m.peek(1)
		if written || !m.separates() {
			break
		}
		n, isNumber := next.number(2)
		if !isNumber || len(next.text) != 2 && !strings.Contains("時时點点시", sign) {
			break
		}
		*part = n
		m.drop(2)
	}
	m.skip(nil, "分", "분", "時", "时", "點", "点", "시")
	if half == "" {
		half = m.half()
	}
	m.skip(m.words.clock, ".")
	switch {
	case half != "" && (hour > 12 || hour == 0 && half == "pm"):
		ok = hour < 24 && half == "pm" && hour > 12 // 19:30 PM says it twice
	case half == "pm" && hour < 12:
		hour += 12
	case half == "am" && hour == 12:
		hour = 0
	}
	at = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	return at, half, ok && at <= 24*time.Hour && minute < 60 && second < 60
}

// separates reports whether the next token is between the numbers of a time: a sign, or a word as in "19 Uhr 30" at the end.
func (m *reader) separates() bool {
	t := m.peek(0)
	if t.kind == 'w' && m.words.clock[t.text] && m.peek(2).kind == 0 {
		return true
	}
	return t.kind != 0 && strings.Contains(":.h時时點点시分분", t.text)
}

// half reads a half of the day, which may be written with full stops: PM, p. m., μ.μ.
func (m *reader) half() string {
	text, n := "", 0
	best, used := "", 0
	for ; n < 5; n++ {
		t := m.peek(n)
		if t.kind == 'w' {
			text += t.text
		} else if t.text != "." || n == 0 {
			break
		}
		if half := m.words.halves[text]; half != "" && t.kind == 'w' {
			best, used = half, n+1
			if m.peek(n+1).text == "." {
				used++
			}
		}
	}
	m.drop(used)
	return best
}

// Ordered returns the first two numbers of a date in numbers with slashes or dashes, which are its day and its month in the
// order of its author. It reports false if the text does not begin with such a date.
func Ordered(text string) (a, b int, ok bool) {
	m := &reader{words: vocabularyOfAll(), tokens: tokensOf(text)}
	m.weekdays()
	a, isA := m.peek(0).number(2)
	b, isB := m.peek(2).number(2)
	sign := m.peek(1).text
	return a, b, isA && isB && (sign == "/" || sign == "-" && m.peek(3).text == "-" && len(m.peek(4).text) == 4)
}
