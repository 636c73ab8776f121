package words

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/wording"
)

// longest is the maximum number of words of a line.
const longest = 100

var (
	between  = regexp.MustCompile(`^(\d{1,2}(?:[:.h]\d{2})?(?:h|am|pm)?|\d{1,2}\.(?:\d{1,2}\.?(?:\d{2,4})?)?|\d{1,2}/\d{1,2})[-–—〜~至到](\d{1,2}.*)$`)
	digital  = regexp.MustCompile(`^(0\d)([0-5]\d)[-–—]([01]\d|2[0-4])([0-5]\d)$`) // 0900-1700; 1830-1900 could be years
	clock    = regexp.MustCompile(`^(\d{1,2})(?:[:.h](\d{2})|h)?(am|pm|a|p|uhr|h)?$`)
	hours    = regexp.MustCompile(`^(\d{1,2})[時时点點시](?:(\d{1,2})[分분]?|([半반]))?$`)
	minutes  = regexp.MustCompile(`^(?:(\d{1,2})분|(반))$`)
	ymd      = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$`)
	dashed   = regexp.MustCompile(`^(\d{1,2})-(\d{1,2})-(\d{4})$`)
	numbers  = regexp.MustCompile(`^(\d{1,2})([./])(\d{1,2})(?:[./](\d{2,4})?)?$`)
	kanji    = regexp.MustCompile(`^(\d{1,2})[月월](\d{1,2})[日号號일]$`)
	number   = regexp.MustCompile(`^(\d{1,2})(?:\.|st|nd|rd|th|er|º|日|号|號|일)?$`)
	year     = regexp.MustCompile(`^(20\d{2})[年년]?$`)
	likeDate = regexp.MustCompile(`^(?:\d{1,2}[./-]\d{1,2}\.?(?:[./-]\d{2,4}\.?)?|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[月월]\d{1,2}[日号號일])$`)
	version  = regexp.MustCompile(`^\d{1,2}\.(?:0|\d)$`) // 2.0, 1.5
	likeTime = regexp.MustCompile(`^\d{1,2}(?::\d{2}|h\d{2}|h|am|pm|uhr)$`)
)

// reader reads the words of a line.
type reader struct {
	v     *Vocabulary
	now   Now
	today time.Time

	plain   []string // as typed
	words   []string // folded
	cuts    []bool   // a comma stands before the word
	glued   []bool   // no space stands before the word
	literal []bool   // it is in quotation marks
	field   []Field
	why     []string // of what was not understood
	long    bool     // the line has more words than are read

	day, last time.Time // zero: none yet; last: of a range of days
	dayAt     int       // the word after the day
	named     bool      // the day was given without a year
	again     bool      // it was given as a weekday
	times     []time.Duration
	timeAt    []int
	open      bool   // the last time may be in the morning or in the evening
	said      string // half of the day of the last time, am or pm; "" if the line does not say
	part      string // am or pm, beside the day
	partAt    int
	whole     bool
	search    bool

	rule  string
	days  []time.Weekday // of the rule
	until time.Time      // of the rule
	cost  string
	link  string

	beside string // text in a note that may be the place
}

// quotes maps opening to closing quotation marks. Quoted words are always text.
var quotes = map[rune]string{'"': `"`, '“': "”“", '„': "“”", '«': "»", '»': "«", '「': "」", '『': "』"}

// cut cuts a line into words.
func (r *reader) cut(line string) {
	line = norm.NFKC.String(line)
	var word strings.Builder
	comma, closing := false, ""
	runes := []rune(line)
	end := func(literal bool) {
		if text := word.String(); text != "" {
			r.word1(text, comma, literal)
			comma = false
		}
		word.Reset()
	}
	closed := func(i int, by string) bool {
		return slices.ContainsFunc(runes[i+1:], func(d rune) bool { return strings.ContainsRune(by, d) })
	}
	for i, c := range runes {
		switch {
		case closing != "":
			if strings.ContainsRune(closing, c) {
				closing = ""
				word.WriteRune(c)
				end(true)
				continue
			}
			word.WriteRune(c)
		case quotes[c] != "" && word.Len() == 0 && closed(i, quotes[c]):
			closing = quotes[c]
			word.WriteRune(c)
		case unicode.IsSpace(c):
			end(false)
			comma = comma || c == '\t'
		case strings.ContainsRune(",،、;", c) && !decimal(runes, i):
			end(false)
			comma = true
		default:
			word.WriteRune(c)
		}
	}
	end(closing != "")
}

// decimal reports whether a comma is part of a number.
func decimal(runes []rune, i int) bool {
	digit := func(k int) bool { return k >= 0 && k < len(runes) && unicode.IsDigit(runes[k]) }
	if runes[i] != ',' || !digit(i-1) {
		return false
	}
	n := 0
	for digit(i + 1 + n) {
		n++
	}
	next := ' '
	if i+1+n < len(runes) {
		next = runes[i+1+n]
	}
	return n > 0 && n < 4 && !strings.ContainsRune(":.hH/", next) || n == 0 && strings.ContainsRune("-–—", next)
}

// callsPhone reports whether word i says that a telephone number follows.
func (r *reader) callsPhone(i int) bool {
	return i >= 0 && r.v.Phone[strings.TrimRight(r.words[i], ".:")]
}

// word1 adds a piece of a line without spaces.
func (r *reader) word1(text string, comma, literal bool) {
	if m := digital.FindStringSubmatch(wording.ASCIIDigits(text)); m != nil && !literal && !r.callsPhone(len(r.words)-1) {
		text = m[1] + ":" + m[2] + "-" + m[3] + ":" + m[4]
	}
	switch m := between.FindStringSubmatch(wording.ASCIIDigits(text)); {
	case literal, phone.MatchString(wording.ASCIIDigits(text)):
		r.add(text, comma, false, literal)
	case strings.ContainsFunc(text, unblanked):
		spaced := text
		if r.v.apart != nil {
			spaced = r.v.apart.ReplaceAllString(text, " $0 ")
		}
		for k, one := range strings.Fields(spaced) {
			if m := between.FindStringSubmatch(wording.ASCIIDigits(one)); m != nil {
				r.add(m[1], comma && k == 0, k > 0, false)
				r.add("–", false, true, false)
				r.add(m[2], false, true, false)
				continue
			}
			r.add(one, comma && k == 0, k > 0, false)
		}
	case m != nil && !dashed.MatchString(wording.ASCIIDigits(text)):
		r.add(m[1], comma, false, false)
		r.add("–", false, true, false)
		r.add(m[2], false, true, false)
	default:
		if first, rest, joined := strings.Cut(text, "/"); joined && rest != "" && r.endsPrice(first) { // 15 €/10 €
			r.add(first, comma, false, false)
			r.add("/", false, true, false)
			r.add(rest, false, true, false)
			return
		}
		first, rest, joined := strings.Cut(text, "–")
		if !joined || first == "" || rest == "" || r.v.Weekdays[Fold(first)] == 0 && Fold(first) == "" {
			first, rest, joined = strings.Cut(text, "-")
		}
		_, one := r.v.Weekdays[Fold(first)]
		_, other := r.v.Weekdays[Fold(rest)]
		if joined && one && other { // Fri–Sun
			r.add(first, comma, false, false)
			r.add("–", false, true, false)
			r.add(rest, false, true, false)
			return
		}
		r.add(text, comma, false, false)
	}
}

// endsPrice reports whether a text is a currency, or an amount with its currency.
func (r *reader) endsPrice(text string) bool {
	return r.v.Currency[Fold(text)] || prices.IsCurrency(text) || prices.Priced(text)
}

// add adds a word as typed.
func (r *reader) add(text string, comma, glued, literal bool) {
	if len(r.plain) == longest {
		r.long = true
		return
	}
	folded := strings.TrimLeft(strings.TrimRight(text, "):]!"), "([")
	if folded = Fold(folded); folded == "" {
		folded = text
	}
	switch folded {
	case "-", "—", "~":
		folded = "–"
	}
	r.plain, r.words = append(r.plain, text), append(r.words, folded)
	r.cuts, r.glued, r.literal = append(r.cuts, comma), append(r.glued, glued), append(r.literal, literal)
}

// span returns some words as they were typed.
func (r *reader) span(from, n int) string {
	var b strings.Builder
	for i := from; i < from+n; i++ {
		switch {
		case i == from || r.glued[i]:
		case r.cuts[i]:
			b.WriteString(", ")
		default:
			b.WriteByte(' ')
		}
		b.WriteString(r.plain[i])
	}
	return b.String()
}

// word returns the word at an index, or "" if there is none.
func (r *reader) word(i int) string {
	if i < 0 || i >= len(r.words) || r.literal[i] {
		return ""
	}
	return r.words[i]
}

// use assigns a field to some words, and to the words before them that have no meaning of their own.
func (r *reader) use(from, n int, field Field) {
	for i := from; i < from+n; i++ {
		r.field[i] = field
	}
	for i := from - 1; i >= 0 && r.field[i] == "" && !r.literal[i] && !r.cuts[i+1] &&
		(r.filler(i) || r.v.Clock[r.words[i]] || r.v.Until[r.words[i]]); i-- {
		r.field[i] = field
	}
}

// filler reports whether a word, in its spelling, has no meaning of its own: "the", but not "thé".
func (r *reader) filler(i int) bool {
	return r.v.Fillers[r.words[i]] && (isASCII(r.plain[i]) || r.v.written[strings.ToLower(r.plain[i])])
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c > unicode.MaxASCII })
}

// mostWords is the maximum number of words in an entry of the vocabulary.
const mostWords = 5

// longestOf finds the longest entry of a list that begins at a word, and its number of words.
func longestOf[T any](r *reader, list map[string]T, i int) (found T, n int) {
	for n = min(mostWords, len(r.words)-i); n > 0; n-- {
		if found, ok := list[strings.Join(r.words[i:i+n], " ")]; ok && !slices.Contains(r.literal[i:i+n], true) {
			return found, n
		}
	}
	return found, 0
}

// unblanked reports whether a letter belongs to a script without spaces between words.
func unblanked(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// apart matches the words that are recognized in text without spaces: dates and times, and entries with at least two letters.
func apart(v *Vocabulary) *regexp.Regexp {
	list := []string{`\d+[年년]`, `\d+[月월]\d+[日号號일]`, `\d+[時时点點시](?:\d+[分분]|[半반])?`, `\d{1,2}:\d{2}(?:[-–—〜~至到]\d{1,2}:\d{2})?`}
	halves := unblankedOf(v.Morning, v.Evening)
	if len(halves) > 0 {
		list[2] = `(?:` + strings.Join(halves, "|") + `)?` + list[2]
		list[3] = `(?:` + strings.Join(halves, "|") + `)?` + list[3]
	}
	more := map[string]bool{}
	for word := range v.Weekdays {
		more[word] = true
	}
	for word := range v.Weekly {
		more[word] = true
	}
	for word := range v.Periods {
		more[word] = true
	}
	for word := range v.Days {
		more[word] = true
	}
	list = append(list, `\d[\d,.]*(?:`+strings.Join(append(unblankedOf(v.Currency), `[円元원]`), "|")+`)`)
	list = append(list, unblankedOf(more, v.Until, v.Clock, v.Every, v.Daily, v.Free, v.AllDay, v.Next, v.This, v.NextWeek)...)
	return regexp.MustCompile(strings.Join(list, "|"))
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

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
