// Package words has the vocabulary of dates, times, prices and places in all languages of the interface. With it,
// the package reads a line such as "Choir Thu 19:30 Town hall" as an event, and finds times, prices and places in a
// search. It reports what it does not understand; it never guesses.
package words

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
)

// Vocabulary holds the words of some languages. All are folded (see Fold). An entry may consist of several words, separated by
// single spaces.
type Vocabulary struct {
	Weekdays   map[string]time.Weekday
	Weekly     map[string]time.Weekday // what happens every week on a day: Mondays, montags
	Months     map[string]time.Month   // 0 if languages use the name for different months
	Alone      map[string]time.Month   // names of months that mean the whole month in a search
	Days       map[string]int          // today, tomorrow: days from now
	Feasts     map[string]Feast
	Periods    map[string]string // tonight, weekend, week, nextweek, month: what is chosen by them in a search
	Fillers    map[string]bool   // ignored before a date, time or place: on, at, in
	Clock      map[string]bool   // before or after a number that is a time: o’clock, Uhr
	Until      map[string]bool   // between two times or days
	Morning    map[string]bool   // am, in the morning
	Evening    map[string]bool   // pm, in the evening
	Noon       map[string]bool
	Unsure     map[string]bool // times that may be two: midnight, halb
	This       map[string]bool // this Saturday
	Next       map[string]bool // next Saturday
	NextWeek   map[string]bool
	Every      map[string]bool
	Daily      map[string]bool
	Otherwise  map[string]bool // repeats in a way that a line cannot say
	And        map[string]bool // between weekdays
	AllDay     map[string]bool
	Free       map[string]bool // costs nothing
	Children   map[string]bool // for children
	Donation   map[string]bool // the price is a donation
	Price      map[string]bool // before a price: admission, Eintritt
	Currency   map[string]bool // after an amount, as words: euros
	Reduced    map[string]bool // beside a second price
	Phone      map[string]bool // before a telephone number
	Contact    map[string]bool // before how to reach somebody: registration, information
	From       map[string]bool // before or after the time of an event whose end is open
	Online     map[string]bool
	MonthFirst string       // separators of dates that begin with the month: / if 5/6 is May 6
	First      time.Weekday // of a week

	written map[string]bool     // fillers as they are written, in lower case
	apart   *regexp.Regexp      // what is recognized in text without spaces
	near    *wording.Vocabulary // what a search may mean that is written almost so, of searches
	strict  bool                // a month that languages name differently is none
}

var made sync.Map // cache of combined vocabularies, by their languages and whether they are for searches

// In returns the words of some languages and of English. If languages differ, the first has priority. The caller
// may set MonthFirst and First of the result, and must not change anything else.
func In(languages ...string) Vocabulary { return *madeOf("line", languages) }

// SearchedIn is In for searches, in which short names of weekdays are ordinary words.
func SearchedIn(languages ...string) Vocabulary { return *madeOf("search", languages) }

// All returns the words of all languages of the interface. A name that languages use for different months is excluded.
func All() Vocabulary { return *madeOf("all", i18n.Languages()) }

func madeOf(use string, languages []string) *Vocabulary {
	key := use + " " + strings.Join(languages, " ")
	if v, ok := made.Load(key); ok {
		return v.(*Vocabulary) //nolint:forcetypeassert // nothing else is stored
	}
	v := &Vocabulary{
		Weekdays: map[string]time.Weekday{},
		Weekly:   map[string]time.Weekday{},
		Months:   map[string]time.Month{},
		Alone:    map[string]time.Month{},
		Days:     map[string]int{},
		Feasts:   map[string]Feast{},
		Periods:  map[string]string{},
		written:  map[string]bool{},
		First:    time.Monday,
		strict:   use == "all",
	}
	for _, list := range v.lists() {
		*list.to = map[string]bool{}
	}
	for _, language := range slices.Concat(languages, []string{"en"}) {
		v.learn(language, use == "search")
	}
	if v.apart = apart(v); use == "search" {
		v.near = v.nearby()
	}
	made.Store(key, v)
	return v
}

// listed is a list of words, and the keys of the texts that contain them.
type listed struct {
	to   *map[string]bool
	keys []string
}

func (v *Vocabulary) lists() []listed {
	return []listed{
		{&v.Fillers, []string{"admin.quick.fillers"}}, {&v.Clock, []string{"admin.quick.clock"}}, {&v.Until, []string{"admin.quick.until"}},
		{&v.Morning, []string{"date.am", "words.morning"}}, {&v.Evening, []string{"date.pm", "words.evening"}},
		{&v.Noon, []string{"words.noon"}}, {&v.Unsure, []string{"words.unsure"}}, {&v.This, []string{"words.this"}},
		{&v.Next, []string{"words.next"}}, {&v.NextWeek, []string{"words.next.week"}}, {&v.Every, []string{"words.every"}},
		{&v.Daily, []string{"words.daily"}}, {&v.Otherwise, []string{"words.otherwise"}}, {&v.And, []string{"words.and"}},
		{&v.AllDay, []string{"public.all_day", "words.all_day"}}, {&v.Free, []string{"public.free", "public.free.typed"}},
		{&v.Donation, []string{"words.donation"}}, {&v.Price, []string{"words.price"}}, {&v.Currency, []string{"words.currency"}},
		{&v.Reduced, []string{"words.reduced"}}, {&v.Phone, []string{"words.phone"}}, {&v.Contact, []string{"words.contact"}},
		{&v.From, []string{"words.from"}}, {&v.Online, []string{"public.attendance.online"}},
		{&v.Children, []string{"public.near.children.typed"}},
	}
}

// phrases returns the entries of a text of a language, folded. They are separated by "|".
func phrases(language, key string) (list []string) {
	for text := range strings.SplitSeq(i18n.Text(language, key, nil), "|") {
		if text = Fold(text); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// learn adds the words of a language. Entries of earlier languages have priority.
func (v *Vocabulary) learn(language string, searched bool) {
	v.names(language, searched)
	for days, key := range []string{"admin.quick.today", "admin.quick.tomorrow", "admin.quick.after"} {
		for _, word := range phrases(language, key) {
			once(v.Days, word, days)
		}
	}
	for text := range strings.SplitSeq(i18n.Text(language, "admin.quick.fillers", nil), "|") {
		v.written[norm.NFKC.String(strings.ToLower(text))] = true
	}
	for _, list := range v.lists() {
		for _, key := range list.keys {
			for _, word := range phrases(language, key) {
				(*list.to)[word] = true
			}
		}
	}
	for key, period := range map[string]string{"public.filter.when.weekend": "weekend", "public.filter.weekend.typed": "weekend",
		"public.filter.when.tonight": tonight, "public.filter.tonight.typed": tonight,
		"public.filter.when.week": "week", "public.filter.when.month": "month"} {
		for _, word := range phrases(language, key) {
			once(v.Periods, word, period)
			if period == tonight {
				once(v.Days, word, 0)
			}
		}
	}
	for _, key := range []string{"public.filter.when.nextweek", "words.next.week"} {
		for _, word := range phrases(language, key) {
			once(v.Periods, word, nextWeek)
		}
	}
	for text := range strings.SplitSeq(i18n.Text(language, "words.weekly", nil), "|") {
		if name, day, ok := strings.Cut(text, "="); ok {
			n, _ := strconv.Atoi(day)
			once(v.Weekly, Fold(name), time.Weekday(n%7))
		}
	}
	for text := range strings.SplitSeq(i18n.Text(language, "words.feasts", nil), "|") {
		if name, when, ok := strings.Cut(text, "="); ok {
			once(v.Feasts, foldAll(name), feastOf(when))
		}
	}
}

// The periods that are read in their own way.
const (
	tonight  = "tonight"
	nextWeek = "nextweek"
)

// once adds an entry. It reports false, and changes nothing, if the name has one already.
func once[T any](list map[string]T, name string, value T) bool {
	_, there := list[name]
	if !there {
		list[name] = value
	}
	return !there
}

// beside finds letters that a language's date pattern puts before the month without a space: 7 במרץ.
var beside = regexp.MustCompile(`(\p{Hebrew}+)MMM`)

// names adds a language's names of weekdays and months, alone and as in a date. Weekday names of a single letter are skipped:
// those are ordinary words.
func (v *Vocabulary) names(language string, searched bool) {
	weekdays := []string{"date.weekday.", "date.weekday.short."}
	if searched {
		weekdays = weekdays[:1]
	}
	for n := 1; n <= 7; n++ {
		for _, key := range weekdays {
			for _, name := range i18n.Names(language, key+strconv.Itoa(n)) {
				if utf8.RuneCountInString(name) > 1 {
					once(v.Weekdays, Fold(name), time.Weekday(n%7))
				}
			}
		}
	}
	before := ""
	if found := beside.FindStringSubmatch(i18n.Text(language, "date.pattern.full", nil)); found != nil {
		before = found[1]
	}
	for n := 1; n <= 12; n++ {
		for _, key := range []string{"date.month.", "date.month.short."} {
			for _, name := range i18n.Names(language, key+strconv.Itoa(n)) {
				v.month(name, time.Month(n), key == "date.month.")
				v.month(before+name, time.Month(n), key == "date.month.")
			}
		}
	}
}

// month adds a name of a month. whole says that the name is not an abbreviation, so it may be used without a day.
func (v *Vocabulary) month(name string, month time.Month, whole bool) {
	if !once(v.Months, Fold(name), month) && v.strict && v.Months[Fold(name)] != month {
		v.Months[Fold(name)] = 0
	}
	if whole {
		once(v.Alone, Fold(name), month)
	}
}

// Fold normalizes words for comparison: as in searches, without apostrophes and trailing full stop.
func Fold(text string) string {
	return strings.TrimSuffix(wording.Fold(alike.Replace(wording.ASCIIDigits(text))), ".")
}

// foldAll folds each word of a text.
func foldAll(text string) string {
	list := strings.Fields(text)
	for i := range list {
		list[i] = Fold(list[i])
	}
	return strings.Join(list, " ")
}

var alike = strings.NewReplacer("'", "", "’", "", "‘", "", "ʼ", "", "׳", "", "`", "")
