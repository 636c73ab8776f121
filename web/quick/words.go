package quick

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/ui"
)

// madeWords are the words that were put together, by language and order of dates.
var madeWords sync.Map

// WordsIn returns the words of the language of the request, and those of English. They are shared.
func WordsIn(ctx context.Context) *Words { return wordsOf(ui.DatesIn(ctx), false) }

// SearchedIn is WordsIn for searches, where short names of weekdays are words like others.
func SearchedIn(ctx context.Context) *Words { return wordsOf(ui.DatesIn(ctx), true) }

func wordsOf(own ui.Dates, searched bool) *Words {
	sign, first := own.MonthFirst()
	key := own.Tag + " " + sign + strconv.FormatBool(first) + strconv.FormatBool(searched)
	if made, ok := madeWords.Load(key); ok {
		return made.(*Words) //nolint:forcetypeassert // nothing else is stored
	}
	w := makeWords(own, searched)
	if first {
		w.MonthFirst = sign
	}
	madeWords.Store(key, w)
	return w
}

// makeWords puts the words of a language and of English together.
func makeWords(own ui.Dates, searched bool) *Words {
	w := &Words{Weekdays: map[string]time.Weekday{}, Months: map[string]time.Month{}, Days: map[string]int{},
		Fillers: map[string]bool{}, Clock: map[string]bool{}, Until: map[string]bool{}, Morning: map[string]bool{}, Evening: map[string]bool{},
		Alone: map[string]time.Month{}, Periods: map[string]string{}, Free: map[string]bool{}, Online: map[string]bool{}}
	for _, dates := range []ui.Dates{{Tag: "en"}, own} {
		text := func(key string) []string { return strings.Split(i18n.Text(dates.Tag, key, nil), "|") }
		w.namesOfDays(dates, searched)
		for days, key := range []string{"admin.quick.today", "admin.quick.tomorrow", "admin.quick.after"} {
			for _, word := range text(key) {
				w.Days[Fold(word)] = days
			}
		}
		for key, list := range map[string]map[string]bool{"admin.quick.fillers": w.Fillers, "admin.quick.clock": w.Clock,
			"admin.quick.until": w.Until, "date.am": w.Morning, "date.pm": w.Evening, "public.free": w.Free, "public.free.typed": w.Free,
			"public.attendance.online": w.Online} {
			for _, word := range text(key) {
				list[Fold(word)] = true
			}
		}
		for key, period := range map[string]string{"public.filter.when.weekend": "weekend", "public.filter.weekend.typed": "weekend",
			"public.filter.when.tonight":  "tonight",
			"public.filter.tonight.typed": "tonight", "public.filter.when.week": "week", "public.filter.when.month": "month"} {
			for _, word := range text(key) {
				if w.Periods[Fold(word)] = period; period == "tonight" {
					w.Days[Fold(word)] = 0
				}
			}
		}
	}
	return w
}

// namesOfDays adds what a language calls weekdays and months, alone and in a date. What has
// one letter alone is a word of its own.
func (w *Words) namesOfDays(dates ui.Dates, searched bool) {
	weekdays := []string{"date.weekday.", "date.weekday.short."}
	if searched {
		weekdays = weekdays[:1]
	}
	for n := 1; n <= 7; n++ {
		for _, key := range weekdays {
			for _, name := range i18n.Names(dates.Tag, key+strconv.Itoa(n)) {
				if utf8.RuneCountInString(name) > 1 {
					w.Weekdays[Fold(name)] = time.Weekday(n % 7)
				}
			}
		}
	}
	for n := 1; n <= 12; n++ {
		month := time.Month(n)
		for _, key := range []string{"date.month.", "date.month.short."} {
			for _, name := range i18n.Names(dates.Tag, key+strconv.Itoa(n)) {
				w.Months[Fold(name)] = month
				if key == "date.month." {
					w.Alone[Fold(name)] = month
				}
				for word := range strings.FieldsSeq(dates.Day(time.Date(2027, month, 7, 0, 0, 0, 0, time.UTC))) {
					if before, found := strings.CutSuffix(word, name); found && before != "" && !strings.ContainsAny(before, "0123456789") {
						w.Months[Fold(word)] = month // with what is written before it: 7 במרץ
						w.Alone[Fold(word)] = month
					}
				}
			}
		}
	}
}
