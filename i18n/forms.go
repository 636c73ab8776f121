package i18n

import (
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// A language that bends its words has more keys than English: forms of a key, with
// what they are for behind an @. They stand beside the key itself, which is what is
// said wherever a language has no form.
//
//	date.weekday.3@on          what the third weekday is called in a rule; @each after "every", @nth after "the first"
//	date.weekday.3@quick       what people write for it in a hurry: wed|weds
//	date.month.1@jalali        the first month of another calendar, which a site can choose
//	date.pattern.day@british   how dates are written elsewhere, where a site chooses that
//	admin.field.color@british  British spelling on the pages of such a site
//	date.month.1@in            "in January"; @alone where no day stands before it
//	recurrence.nth.2@3         "the second Wednesday"; 0 is a workday
//	recurrence.nth.2@f         the same for each weekday that grammar.weekdays has an f for
//	recurrence.list.two@number "09:30 and 17:30", where a number is joined by other signs
//	recurrence.monthday@8      "the 8th", where its article is another
//	recurrence.monthday@a      the same for each day of the month that grammar.monthdays has an a for
const formSign = "@"

// has reports whether a language has its own text for a key.
func (s *set) has(lang, key string) bool {
	c := s.find(lang)
	return c != nil && c.all()[key] != nil
}

// formOf returns the first of the forms of a key that a language has, or else the key.
func (s *set) formOf(lang, key string, forms ...string) string {
	for _, form := range forms {
		if form != "" && s.has(lang, key+formSign+form) {
			return key + formSign + form
		}
	}
	return key
}

// As is Text for the first of the forms of a key that a language has, or else for the key.
func As(lang, key string, forms ...string) string {
	all := loaded()
	return all.text(lang, all.formOf(lang, key, forms...), nil)
}

// Has reports whether a language has a form of a key.
func Has(lang, key, form string) bool {
	c := loaded().byTag[lang]
	return c != nil && c.all()[key+formSign+form] != nil
}

// MonthAlone returns the name of a month for use without a day, abbreviated if short is set.
func MonthAlone(lang string, month int, short bool) string {
	key := "date.month."
	if short {
		key = "date.month.short."
	}
	return As(lang, key+strconv.Itoa(month), "alone")
}

// MonthOf returns the name of a month of another calendar, if the language has it.
func MonthOf(lang string, month int, calendar string) string {
	return As(lang, "date.month."+strconv.Itoa(month), calendar)
}

// Names returns all names of a weekday or month in a language: the text of the key, those of its forms, and informal
// abbreviations.
func Names(lang, key string) []string {
	all := loaded()
	names := []string{all.text(lang, key, nil)}
	for _, form := range []string{"each", "on", "nth", "alone", "in", "quick"} {
		if all.has(lang, key+formSign+form) {
			names = append(names, strings.Split(all.text(lang, key+formSign+form, nil), "|")...)
		}
	}
	return names
}

// DecimalComma reports whether a language uses a decimal comma.
func DecimalComma(lang string) bool { return Text(lang, "date.decimal", nil) == "," }

// class returns the nth letter of a grammar key, or "" if the language does not distinguish classes of days.
func (w words) class(key string, n int) string {
	if !w.texts.has(w.lang, key) {
		return ""
	}
	letters := []rune(w.text(key, nil))
	if n < 1 || n > len(letters) {
		return ""
	}
	return string(letters[n-1])
}

// aWorkday stands for the number of a weekday if any workday is meant. In grammar.weekdays it comes eighth.
const aWorkday = 0

// ofWeekday returns the forms of texts about a weekday.
func (w words) ofWeekday(n int) []string {
	at := n
	if n == aWorkday {
		at = 8
	}
	return []string{strconv.Itoa(n), w.class("grammar.weekdays", at)}
}

// ofMonthday returns the forms of texts about a day of the month.
func (w words) ofMonthday(n int) []string {
	return []string{strconv.Itoa(n), w.class("grammar.monthdays", n)}
}

// isoWeekday returns the number of a weekday in texts: 1 for Monday to 7 for Sunday.
func isoWeekday(d time.Weekday) int { return (int(d)+6)%7 + 1 }

// about returns a text about a weekday, which it names in the given forms.
func (w words) about(key, name string, d time.Weekday, forms ...string) string {
	return w.sayOf(key, w.ofWeekday(isoWeekday(d)), data{name: w.weekday(d, forms...)})
}

// weekday returns the name of a weekday in the first of the forms that the language has.
func (w words) weekday(d time.Weekday, forms ...string) string {
	return w.text(w.texts.formOf(w.lang, "date.weekday."+strconv.Itoa(isoWeekday(d)), forms...), nil)
}

// sayOf returns a text in the first of the forms that the language has.
func (w words) sayOf(key string, forms []string, d data) string {
	return w.text(w.texts.formOf(w.lang, "recurrence."+key, forms...), d)
}

// monthNames returns the names of months in one form.
func (w words) monthNames(months []int, form string) []string {
	var names []string
	for _, n := range months {
		names = append(names, w.text(w.texts.formOf(w.lang, "date.month."+strconv.Itoa(n), form), nil))
	}
	return names
}

// dayNames returns the names of the weekdays of an unusual rule.
func (w words) dayNames(days []recur.Day) []string {
	var names []string
	for _, d := range days {
		name := w.weekday(d.Weekday)
		if d.N != 0 {
			name = w.say("nth", data{"Day": name, "Number": w.digits(d.N)})
		}
		names = append(names, name)
	}
	return names
}
