package words

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Field is the meaning of a part of a line.
type Field string

// The fields. A part without a field is text that belongs to the title or the place.
const (
	Title   Field = "title"
	Day     Field = "day"
	Time    Field = "time"
	Whole   Field = "all_day"
	Repeats Field = "repeats"
	Place   Field = "place"
	Cost    Field = "cost"
	Website Field = "website"
	Note    Field = "note"
	Unclear Field = "unclear"
)

// Part is a part of a line. Each word of the line is in exactly one part.
type Part struct {
	Text  string
	Field Field
}

// Question is about a part that the line lacks, or that is unclear in it.
type Question struct {
	Why  string // its text is the key "import.finding." and this
	Text string // the part of the line; "" if the line lacks it
}

// Line is an event read from a line. Times are wall-clock times carried in time.UTC.
type Line struct {
	Title, Place, Cost, Website string

	Notes      string          // how to reach somebody, for the description
	Beside     string          // text in the notes that may be the place
	Start, End time.Time       // End is Start if the line has no end; both are zero without a day
	Times      []time.Duration // start and end, as far as the line has them, even without a day
	AllDay     bool
	From       bool // it says from when on the event takes place: from 19:00
	Online     bool
	Rule       string // how it repeats, as in RFC 5545; "" if it doesn't
	Parts      []Part
	Questions  []Question
}

// Understood reports whether everything in the line was understood, and nothing is missing.
func (l *Line) Understood() bool { return len(l.Questions) == 0 }

// Heading reports whether the line consists of a day alone.
func (l *Line) Heading() bool {
	for _, q := range l.Questions {
		if q.Why != "title-missing" {
			return false
		}
	}
	return l.Title+l.Place+l.Cost+l.Website+l.Notes+l.Rule == "" && l.AllDay && !l.Start.IsZero()
}

// EndUnknown reports whether the line says from when on the event takes place, but not until when.
func (l *Line) EndUnknown() bool {
	return l.From && !l.AllDay && !l.Start.IsZero() && l.End.Equal(l.Start)
}

// bracketed matches text in parentheses.
var bracketed = regexp.MustCompile(`\s*[(\[（]([^()\[\]（）]+)[)\]）]`)

// FindPlace moves the name of a known place from parentheses in the title to the place, if the line has no place elsewhere: "Reading
// (Town hall) Thu 19:30".
func (l *Line) FindPlace(known func(name string) bool) {
	if l.Place != "" || l.Online {
		return
	}
	for _, at := range bracketed.FindAllStringSubmatchIndex(l.Title, -1) {
		name, rest := strings.TrimSpace(l.Title[at[2]:at[3]]), strings.TrimSpace(l.Title[:at[0]]+l.Title[at[1]:])
		if rest != "" && known(name) {
			l.Title, l.Place = rest, name
			return
		}
	}
}

// Now is the moment relative to which a line is read, and the day of the heading above it; zero if there is none.
type Now struct {
	Wall time.Time
	Day  time.Time
}

func (n Now) today() time.Time {
	return time.Date(n.Wall.Year(), n.Wall.Month(), n.Wall.Day(), 0, 0, 0, 0, time.UTC)
}

// Read reads a line.
func (v *Vocabulary) Read(line string, now Now) *Line {
	r := &reader{v: v, now: now, today: now.today()}
	r.cut(line)
	r.why = make([]string, len(r.words))
	r.field = make([]Field, len(r.words))
	r.asides()
	for i := range r.words {
		if r.field[i] == "" && !r.literal[i] {
			r.read(i)
		}
	}
	r.readFree()
	r.notes()
	r.left()
	l := &Line{}
	r.text(l)
	r.settle(l)
	r.tell(l)
	return l
}

// read reads the words from a word on if they are more than text.
func (r *reader) read(i int) {
	for _, form := range []func(int) bool{
		r.readLink,
		r.readAllDay,
		r.readPrice,
		r.readRepeats,
		r.readRange,
		r.readDay,
		r.readTime,
		r.readYear,
	} {
		if form(i) {
			return
		}
	}
}

// longestAside is the maximum number of words in parentheses of which a number counts something.
const longestAside = 6

// asides makes text in parentheses literal that counts something, so that its numbers are no times: (from 6 years), (part 2 of 3).
func (r *reader) asides() {
	for i, word := range r.plain {
		if !strings.HasPrefix(word, "(") || r.literal[i] {
			continue
		}
		end := i
		for end < min(len(r.plain), i+longestAside)-1 && !strings.Contains(r.plain[end], ")") {
			end++
		}
		counts := false
		for k := i; k < end; k++ {
			counts = counts || number.MatchString(r.words[k]) && r.counted(k+1)
		}
		for k := i; counts && k <= end && strings.Contains(r.plain[end], ")"); k++ {
			r.literal[k] = true
		}
	}
}

// counted reports whether a word after a number says what is counted, and not that it is a time, a day or a price.
func (r *reader) counted(i int) bool {
	word := r.words[i]
	c, _ := utf8.DecodeRuneInString(word)
	_, weekday := r.v.Weekdays[word]
	for _, list := range []map[string]bool{r.v.Clock, r.v.Morning, r.v.Evening, r.v.Until, r.v.Fillers, r.v.And, r.v.Reduced, r.v.From} {
		if list[word] {
			return false
		}
	}
	return unicode.IsLetter(c) && utf8.RuneCountInString(word) > 2 && !weekday && r.v.Months[word] == 0 && !r.currency(i)
}

func (r *reader) readAllDay(i int) bool {
	_, n := longestOf(r, r.v.AllDay, i)
	if n > 0 {
		r.use(i, n, Whole)
		r.whole = true
	}
	return n > 0
}

// ask marks words as not understood.
func (r *reader) ask(i, n int, why string) bool {
	for k := i; k < i+n && k < len(r.words); k++ {
		r.field[k], r.why[k] = Unclear, why
	}
	for k := i - 1; k >= 0 && r.free(k) != "" && !r.cuts[k+1] && (r.filler(k) || r.v.Clock[r.words[k]]); k-- {
		r.field[k], r.why[k] = Unclear, why
	}
	return true
}

// left marks words as unclear that look like a date or a time but were not read as one. If the line has no day, this includes
// weekdays and months, which might mean one.
func (r *reader) left() {
	dated := !r.day.IsZero() || r.rule != ""
	for i, word := range r.words {
		if r.field[i] != "" || r.literal[i] {
			continue
		}
		_, weekday := r.v.Weekdays[word]
		month := r.v.Months[word] != 0
		before, after := number.MatchString(r.free(i-1)), number.MatchString(r.free(i+1))
		of := number.MatchString(r.free(i-2)) && r.v.Fillers[r.free(i-1)] // 31 de febrero
		switch {
		case month && (before || after || of):
			first, n := i, 1
			if before {
				first, n = i-1, 2
			} else if of {
				first, n = i-2, 3
			}
			if after {
				n++
			}
			if year.MatchString(r.free(first + n)) {
				n++
			}
			r.ask(first, n, "date-unreadable")
		case likeDate.MatchString(word) && !version.MatchString(r.plain[i]):
			r.ask(i, 1, "date-unreadable")
		case likeTime.MatchString(word), number.MatchString(word) && r.v.Clock[r.word(i+1)] && !r.v.Fillers[r.word(i+1)] &&
			r.free(i+1) != "" && !r.full(i+2):
			r.ask(i, 1, "date-unreadable")
		case !dated && weekday, !dated && r.v.Alone[word] != 0 && r.v.Fillers[r.word(i-1)]:
			r.ask(i, 1, "date-unreadable")
		}
	}
}

// free returns a word that has not been assigned a field yet, or "".
func (r *reader) free(i int) string {
	if i < 0 || i >= len(r.words) || r.field[i] != "" || r.literal[i] {
		return ""
	}
	return r.words[i]
}

// tell sets the parts of a line, and adds questions about the parts that were not understood.
func (r *reader) tell(l *Line) {
	var asked []Question
	for i := 0; i < len(r.words); {
		n := 1
		for i+n < len(r.words) && r.field[i+n] == r.field[i] && r.why[i+n] == r.why[i] {
			n++
		}
		l.Parts = append(l.Parts, Part{r.span(i, n), r.field[i]})
		if r.field[i] == Unclear {
			asked = append(asked, Question{r.why[i], r.span(i, n)})
		}
		i += n
	}
	if r.long {
		asked = append(asked, Question{Why: "line-long"})
	}
	l.Questions = append(asked, l.Questions...)
}

// text sets title and place. Text before the first part with a field is the title; text after it is the place. If no text
// comes before, commas separate the two, as in lists.
func (r *reader) text(l *Line) {
	first := len(r.words)
	for i, field := range r.field {
		if field != "" && field != Unclear {
			first = i
			break
		}
	}
	head, tail := r.segments(0, first), r.segments(first, len(r.words))
	if len(head) > 1 && (len(tail) == 0 && first < len(r.words) && r.cuts[first] || first == len(r.words)) {
		head, tail = head[:1], head[1:]
	}
	if len(head) == 0 && len(tail) > 0 {
		head, tail = tail[:1], tail[1:]
	}
	for k, s := range append(head, tail...) {
		if k >= len(head) && !r.v.Online[foldAll(r.span(s.from, s.n))] {
			for s.n > 1 && (r.v.Fillers[r.words[s.from]] || r.words[s.from] == "@") {
				r.field[s.from] = Place
				s.from, s.n = s.from+1, s.n-1
			}
		}
		text := strings.Trim(r.span(s.from, s.n), loose)
		field, to := Title, &l.Title
		if k >= len(head) {
			field, to = Place, &l.Place
		}
		for i := s.from; i < s.from+s.n; i++ {
			r.field[i] = field
		}
		if *to != "" && text != "" {
			*to += s.sign
		}
		*to += text
	}
	if m := bracketed.FindStringSubmatch(l.Place); m != nil && m[0] == l.Place {
		l.Place = strings.TrimSpace(m[1])
	}
	if text, whole := strings.CutPrefix(l.Place, `"`); whole && strings.Index(text, `"`) == len(text)-1 {
		l.Place = text[:len(text)-1]
	}
	if r.v.Online[foldAll(l.Place)] {
		l.Online, l.Place = true, ""
	}
	l.Cost, l.Website, l.Rule, l.Times, l.From = r.cost, r.link, r.rule, r.times, r.from()
	l.Notes, l.Beside = r.noted(), r.beside
}

// from reports whether a word before or after the time says that the event takes place from then on.
func (r *reader) from() bool {
	first := slices.Index(r.field, Time)
	if first < 0 {
		return false
	}
	next := first + 1
	for next < len(r.field) && r.field[next] == Time {
		next++
	}
	behind := next+1 >= len(r.words) || r.cuts[next+1] // else it belongs to what follows: from the station, from 12 €
	return r.v.From[r.word(first-1)] || r.v.From[r.word(first)] || r.v.From[r.word(next-1)] || behind && r.v.From[r.word(next)]
}

// loose are the characters that may remain around text after other parts of a line were taken out.
const loose = " -–—|:@"

// segment is a piece of text without commas.
type segment struct {
	from, n int
	sign    string // before it
}

// segments returns the pieces of text between two words.
func (r *reader) segments(from, to int) (list []segment) {
	open := false
	for i := from; i < to; i++ {
		sign := r.words[i] == "–" || r.words[i] == "|" || r.words[i] == "@"
		switch {
		case r.field[i] != "":
			open = false
		case sign && !r.literal[i]:
			r.field[i] = Place
			open = false
			if len(list) == 0 || i+1 >= to || r.field[i+1] != "" {
				continue
			}
			list = append(list, segment{i + 1, 1, " – "})
			i, open = i+1, true
		case open && !r.cuts[i]:
			list[len(list)-1].n++
		case i > 0 && r.field[i-1] == Unclear && !r.cuts[i]:
			list = append(list, segment{i, 1, " "})
			open = true
		default:
			list = append(list, segment{i, 1, ", "})
			open = true
		}
	}
	return list
}
