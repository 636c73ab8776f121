package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

func at(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestSpans(t *testing.T) {
	t.Parallel()
	type span struct {
		start, end string
		allDay     bool
		year       int
	}
	evening := span{"2027-03-14 19:30", "2027-03-14 21:30", false, 0}
	for _, one := range []struct {
		lang string
		span span
		want string
	}{
		{"en", evening, "Sunday, March 14, 2027, 7:30 PM – 9:30 PM"},
		{"de", evening, "Sonntag, 14. März 2027, 19:30–21:30 Uhr"},
		{"fr", evening, "dimanche 14 mars 2027, 19:30 – 21:30"},
		{"es", evening, "domingo, 14 de marzo de 2027, 19:30–21:30"},
		{"ar", evening, "الأحد، ١٤ مارس ٢٠٢٧، ٧:٣٠ م – ٩:٣٠ م"},
		{"ja", evening, "2027年3月14日日曜日 19:30～21:30"},
		{"fr", span{"2027-04-01 08:05", "2027-04-01 08:05", false, 2027}, "jeudi 1er avril, 08:05"},
		{"en", span{"2027-12-31 22:00", "2028-01-01 02:00", false, 0}, "Friday, December 31, 2027, 10:00 PM – 2:00 AM"},
		{"en", span{"2027-12-31 22:00", "2028-01-01 12:00", false, 0}, "Friday, December 31, 2027, 10:00 PM – Saturday, January 1, 2028, 12:00 PM"},
		{"de", span{"2027-03-14 00:00", "2027-03-16 23:59", true, 0}, "Sonntag, 14. – Dienstag, 16. März 2027"},
		{"ja", span{"2027-03-14 00:00", "2027-03-16 23:59", true, 0}, "2027年3月14日日曜日～3月16日火曜日"},
		{"ja", span{"2027-03-14 00:00", "2027-03-16 23:59", true, 2027}, "3月14日日曜日～3月16日火曜日"},
		{"ja", span{"2027-12-30 00:00", "2028-01-02 23:59", true, 0}, "2027年12月30日木曜日～2028年1月2日日曜日"},
		{"de", span{"2027-12-30 00:00", "2028-01-02 23:59", true, 0}, "Donnerstag, 30. Dezember 2027 – Sonntag, 2. Januar 2028"},
		{"en", span{"2027-03-14 20:00", "2027-03-15 00:00", false, 2027}, "Sunday, March 14, 8:00 PM – 12:00 AM"},
		{"en", span{"2027-03-14 00:00", "2027-03-14 23:59", true, 2027}, "Sunday, March 14"},
	} {
		got := Dates{Tag: one.lang}.Span(at(one.span.start), at(one.span.end), one.span.allDay, one.span.year)
		if got = broken(got); got != one.want {
			t.Errorf("%s: got %q, want %q", one.lang, got, one.want)
		}
	}
}

// TestPatterns checks that each language says all of what it has to, in every
// form a site can choose.
func TestPatterns(t *testing.T) {
	t.Parallel()
	for _, tag := range i18n.Languages() {
		l := Dates{Tag: tag}
		if n := len([]rune(l.text("digits"))); n != 10 {
			t.Errorf("%s has %d digits", tag, n)
		}
		if start := l.WeekStart(); start < 1 || start > 7 {
			t.Errorf("%s: the week starts on day %d", tag, start)
		}
		for _, l.Form = range []string{"long", "medium", "short", "iso"} {
			for _, write := range []func(time.Time) string{l.Full, l.Day, l.Short, func(t time.Time) string { return l.shortIn(t, t.Year()) }} {
				tellApart(t, l, write, 365, 24*time.Hour)
			}
		}
		for _, l.Hours = range []string{"language", "12", "24"} {
			tellApart(t, l, l.Clock, 24, time.Hour)
		}
	}
}

// TestPlannerName names a week and a list of days: one year is said once, where
// the language says it.
func TestPlannerName(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ lang, form, first, last, want string }{
		{"en", "", "2027-03-15 00:00", "2027-03-21 00:00", "Mar 15 – 21, 2027"},
		{"de", "medium", "2027-03-15 00:00", "2027-03-21 00:00", "15.–21. März 2027"},
		{"de", "short", "2027-03-15 00:00", "2027-03-21 00:00", "15.3. – 21.3.2027"},
		{"ja", "", "2027-03-15 00:00", "2027-03-21 00:00", "2027年3月15日～21日"},
		{"fr", "iso", "2027-03-15 00:00", "2027-03-21 00:00", "2027-03-15 – 03-21"},
		{"en", "", "2027-12-27 00:00", "2028-01-02 00:00", "Dec 27, 2027 – Jan 2, 2028"},
	} {
		got := Dates{Tag: one.lang, Form: one.form}.ShortSpan(at(one.first), at(one.last))
		if got = broken(got); got != one.want {
			t.Errorf("%s: got %q, want %q", one.lang, got, one.want)
		}
	}
}

// tellApart writes moments and wants each to be called something else.
func tellApart(t *testing.T, l Dates, write func(time.Time) string, n int, step time.Duration) {
	t.Helper()
	seen := map[string]bool{}
	for i := range n {
		text := write(at("2027-01-01 00:00").Add(time.Duration(i) * step))
		if seen[text] || strings.Contains(text, "date.") {
			t.Errorf("%+v: two are called %q", l, text)
		}
		seen[text] = true
	}
}

// TestChosenForms writes one evening in every form a site can choose.
func TestChosenForms(t *testing.T) {
	t.Parallel()
	start, end := at("2027-03-07 19:30"), at("2027-03-07 21:30")
	for _, one := range []struct {
		dates Dates
		want  string
	}{
		{Dates{Tag: "en", Form: "long", Hours: "language"}, "Sunday, March 7, 2027, 7:30 PM – 9:30 PM"},
		{Dates{Tag: "en", Form: "medium", Hours: "24"}, "Sun, Mar 7, 2027, 19:30 – 21:30"},
		{Dates{Tag: "en", Form: "short"}, "Sun, 3/7/2027, 7:30 PM – 9:30 PM"},
		{Dates{Tag: "en", Form: "iso"}, "Sun, 2027-03-07, 7:30 PM – 9:30 PM"},
		{Dates{Tag: "de", Form: "short"}, "So., 7.3.2027, 19:30–21:30 Uhr"},
		{Dates{Tag: "de", Form: "long", Hours: "12"}, "Sonntag, 7. März 2027, 7:30 PM – 9:30 PM"},
		{Dates{Tag: "ar", Form: "iso", Hours: "24"}, "الأحد، ٢٠٢٧-٠٣-٠٧، ١٩:٣٠ – ٢١:٣٠"},
		{Dates{Tag: "fr", Form: "short"}, "dim. 07/03/2027, 19:30 – 21:30"},
		{Dates{Tag: "ja", Form: "iso", Hours: "12"}, "2027-03-07(日) 午後7:30～午後9:30"},
	} {
		got := one.dates.Span(start, end, false, 0)
		if got = broken(got); got != one.want {
			t.Errorf("%+v: got %q, want %q", one.dates, got, one.want)
		}
	}
	if n := (Dates{Tag: "en", week: 1}).WeekStart(); n != 1 {
		t.Errorf("the week starts on day %d", n)
	}
}

// TestFormsOfCLDR writes one evening, and the first of a month in the morning, as
// CLDR has it for each language; where it differs on purpose, it says so.
func TestFormsOfCLDR(t *testing.T) {
	t.Parallel()
	evening, first := at("2027-03-07 19:30"), at("2027-04-01 08:05")
	for tag, want := range map[string][]string{
		"en": {
			"Sunday, March 7, 2027", "Sunday, March 7", "March 2027", "Sun, Mar 7, 2027", "Sun, 3/7/2027", "Mar 7, 2027", "3/7/2027",
			"7:30 PM", "7:30 PM", "19:30", "Thursday, April 1, 2027", "8:05 AM",
		},
		"de": {
			"Sonntag, 7. März 2027", "Sonntag, 7. März", "März 2027", "So., 7. März 2027", "So., 7.3.2027", "7. März 2027", "7.3.2027",
			"19:30", "7:30 PM", "19:30", "Donnerstag, 1. April 2027", "08:05",
		},
		"fr": { // 1er, as everybody writes; CLDR has 1
			"dimanche 7 mars 2027", "dimanche 7 mars", "mars 2027", "dim. 7 mars 2027", "dim. 07/03/2027", "7 mars 2027", "07/03/2027",
			"19:30", "7:30 PM", "19:30", "jeudi 1er avril 2027", "08:05",
		},
		"es": {
			"domingo, 7 de marzo de 2027", "domingo, 7 de marzo", "marzo de 2027", "dom, 7 mar 2027", "dom, 7/3/2027", "7 mar 2027", "7/3/2027",
			"19:30", "7:30 p. m.", "19:30", "jueves, 1 de abril de 2027", "8:05",
		},
		"ar": {
			"الأحد، ٧ مارس ٢٠٢٧", "الأحد، ٧ مارس", "مارس ٢٠٢٧", "الأحد، ٧ مارس ٢٠٢٧", "الأحد، ٧\u200f/٣\u200f/٢٠٢٧", "٧ مارس ٢٠٢٧", "٧\u200f/٣\u200f/٢٠٢٧",
			"٧:٣٠ م", "٧:٣٠ م", "١٩:٣٠", "الخميس، ١ أبريل ٢٠٢٧", "٨:٠٥ ص",
		},
		"ja": {
			"2027年3月7日日曜日", "3月7日日曜日", "2027年3月", "2027年3月7日(日)", "2027/3/7(日)", "2027年3月7日", "2027/3/7",
			"19:30", "午後7:30", "19:30", "2027年4月1日木曜日", "8:05",
		},
	} {
		l := Dates{Tag: tag}
		got := []string{
			l.Full(evening), l.Day(evening), l.Month(evening), Dates{Tag: tag, Form: "medium"}.Full(evening), Dates{Tag: tag, Form: "short"}.Full(evening),
			l.Short(evening), Dates{Tag: tag, Form: "short"}.Short(evening),
			l.Clock(evening), Dates{Tag: tag, Hours: "12"}.Clock(evening), Dates{Tag: tag, Hours: "24"}.Clock(evening), l.Full(first), l.Clock(first),
		}
		for i := range want {
			if text := strings.ReplaceAll(got[i], "\u00a0", " "); text != want[i] {
				t.Errorf("%s: got %q, want %q", tag, text, want[i])
			}
		}
	}
}

// A time of day is never broken at the end of a line.
func TestTimesHoldTogether(t *testing.T) {
	t.Parallel()
	for _, tag := range i18n.Languages() {
		for _, hours := range []string{"language", "12", "24"} {
			if text := (Dates{Tag: tag, Hours: hours}).Time(at("2027-03-07 19:30")); strings.Contains(text, " ") {
				t.Errorf("%s by %s: %q can be broken", tag, hours, text)
			}
		}
	}
}

// TestWeeksAndNumbers has the first days of weeks and the numbers of CLDR, for
// the country most readers of a language live in where it has several.
func TestWeeksAndNumbers(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]struct {
		week                                 int
		hundreds, thousand, thousands, plain string
	}{
		"en": {7, "999", "1,234", "1,234,567", "2027"},
		"de": {1, "999", "1.234", "1.234.567", "2027"},
		"fr": {1, "999", "1\u202f234", "1\u202f234\u202f567", "2027"},
		"es": {1, "999", "1234", "1.234.567", "2027"},
		"ar": {6, "٩٩٩", "١٬٢٣٤", "١٬٢٣٤٬٥٦٧", "٢٠٢٧"},
		"ja": {7, "999", "1,234", "1,234,567", "2027"},
	} {
		l := Dates{Tag: tag}
		if l.WeekStart() != want.week {
			t.Errorf("%s: the week starts on day %d", tag, l.WeekStart())
		}
		got := []string{l.Number(999), l.Number(1234), l.Number(1234567), l.Plain(2027)}
		for i, text := range []string{want.hundreds, want.thousand, want.thousands, want.plain} {
			if got[i] != text {
				t.Errorf("%s: got %q, want %q", tag, got[i], text)
			}
		}
	}
}

// TestVarieties writes an evening as a site has it that chose British dates, or the Jalali
// calendar; other languages stay as they are.
func TestVarieties(t *testing.T) {
	t.Parallel()
	site := &tenancy.Site{Settings: tenancy.Settings{English: "british", Calendar: "jalali"}}
	start, end := at("2027-03-20 19:30"), at("2027-03-21 21:30")
	for _, one := range []struct{ tag, form, full, short, month, span, day string }{
		{"en", "", "Saturday 20 March 2027", "20 Mar 2027", "March 2027", "Saturday 20 March 2027, 19:30 – Sunday 21 March 2027, 21:30", "20"},
		{"en", "short", "Sat 20/03/2027", "20/03/2027", "March 2027", "Sat 20/03/2027, 19:30 – Sun 21/03/2027, 21:30", "20"},
		{"en", "iso", "Sat, 2027-03-20", "2027-03-20", "March 2027", "Sat, 2027-03-20, 19:30 – Sun, 2027-03-21, 21:30", "20"},
		{"de", "", "Samstag, 20. März 2027", "20. März 2027", "März 2027", "Samstag, 20. März 2027, 19:30 Uhr – Sonntag, 21. März 2027, 21:30 Uhr", "20"},
		{"fa", "", "شنبه ۲۹ اسفند ۱۴۰۵", "۲۹ اسفند ۱۴۰۵", "اسفند ۱۴۰۵", "شنبه ۲۹ اسفند ۱۴۰۵، ۱۹:۳۰ تا یکشنبه ۱ فروردین ۱۴۰۶، ۲۱:۳۰", "۲۹"},
		{"fa", "iso", "شنبه ۲۰۲۷-۰۳-۲۰", "۲۰۲۷-۰۳-۲۰", "اسفند ۱۴۰۵", "", "۲۹"},
	} {
		l := DatesOf(one.tag, site)
		l.Form = one.form
		span := l.Span(start, end, false, 0)
		if one.span == "" {
			span = ""
		}
		got := []string{l.Full(start), l.Short(start), l.Month(start), span, l.DayNumber(start)}
		for i, want := range []string{one.full, one.short, one.month, one.span, one.day} {
			if text := strings.ReplaceAll(got[i], "\u00a0", " "); text != want {
				t.Errorf("%s %s: got %q, want %q", one.tag, one.form, text, want)
			}
		}
	}
	if l := DatesOf("en", site); l.WeekStart() != 1 || l.Clock(start) != "19:30" {
		t.Errorf("the week starts on day %d, at %s", l.WeekStart(), l.Clock(start))
	}
}

// TestMonthsOfACalendar: months begin and end as the calendar in use has them, are named by it in addresses, and a name from the
// other calendar leads to the month that has most of it.
func TestMonthsOfACalendar(t *testing.T) {
	t.Parallel()
	gregorian, persian := DatesOf("en", nil), DatesOf("fa", &tenancy.Site{Settings: tenancy.Settings{Calendar: "jalali"}})
	day := func(t time.Time) string { return t.Format(time.DateOnly) }
	for _, l := range []Dates{gregorian, persian} {
		first := l.MonthOf(at("1900-06-15 00:00"))
		for range 12 * 299 { // each month of all years that calendars show
			next := l.MonthFrom(first, 1)
			if _, _, d := l.date(next); d != 1 || !l.MonthFrom(next, -1).Equal(first) || !l.MonthOf(next.AddDate(0, 0, -1)).Equal(first) ||
				!l.MonthEnd(first.AddDate(0, 0, 9)).Equal(next.AddDate(0, 0, -1)) {
				t.Fatalf("%s: after %s comes %s", l.Tag, day(first), day(next))
			}
			if read, own, ok := l.ReadMonth(l.MonthText(first.AddDate(0, 0, 20))); !ok || !own || !read.Equal(first) {
				t.Fatalf("%s: %s is read as %s", l.Tag, l.MonthText(first), day(read))
			}
			first = next
		}
	}
	for _, c := range []struct {
		l     Dates
		text  string
		first string
		own   bool
	}{
		{persian, "1405-01", "2026-03-21", true}, {persian, "1405-12", "2027-02-20", true}, {persian, "2026-11", "2026-10-23", false},
		{gregorian, "2026-11", "2026-11-01", true}, {gregorian, "1405-08", "2026-11-01", false}, {persian, "1405-13", "", false},
		{persian, "1278-01", "", false}, {gregorian, "1899-12", "", false}, {persian, "1600-01", "", false}, {gregorian, "soon", "", false},
	} {
		first, own, ok := c.l.ReadMonth(c.text)
		if ok != (c.first != "") || ok && (day(first) != c.first || own != c.own) {
			t.Errorf("%s: %s is %s, %v, %v", c.l.Tag, c.text, day(first), own, ok)
		}
	}
}

// TestDecimal: numbers have the digits, the grouping and the decimal separator of the language.
func TestDecimal(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{"en": "0.66", "de": "0,66", "ar": "٠٫٦٦"} {
		if got := (Dates{Tag: tag}).Decimal(0.66); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

// TestJalali has days of the calendar of Iran, as it publishes them: of leap years and others.
func TestJalali(t *testing.T) {
	t.Parallel()
	for day, want := range map[string][3]int{
		"1850-01-01": {1228, 10, 11}, "1979-02-11": {1357, 11, 22}, "2000-03-20": {1379, 1, 1}, "2017-03-20": {1395, 12, 30}, "2021-03-20": {1399, 12, 30},
		"2021-03-21": {1400, 1, 1}, "2024-03-19": {1402, 12, 29}, "2024-03-20": {1403, 1, 1}, "2025-03-20": {1403, 12, 30}, "2025-03-21": {1404, 1, 1},
		"2026-09-22": {1405, 6, 31}, "2026-09-23": {1405, 7, 1}, "2027-03-20": {1405, 12, 29}, "2100-12-31": {1479, 10, 10},
	} {
		year, month, date := inJalali(at(day + " 00:00"))
		if got := [3]int{year, month, date}; got != want {
			t.Errorf("%s is %v, want %v", day, got, want)
		}
	}
}

// broken returns a text without what keeps it on one line.
func broken(text string) string {
	return strings.NewReplacer("\u00a0", " ", "\u2060", "").Replace(text)
}

// TestTimesStayOnOneLine: no line ends within what says from when to when, in any language and form.
func TestTimesStayOnOneLine(t *testing.T) {
	t.Parallel()
	for _, tag := range i18n.Languages() {
		for _, hours := range []string{"", "12", "24"} {
			l := Dates{Tag: tag, Hours: hours}
			for _, text := range []string{l.Times(at("2027-03-07 09:00"), at("2027-03-07 22:30")), l.Times(at("2027-03-07 09:00"), at("2027-03-07 09:00"))} {
				if strings.Contains(text, " ") {
					t.Errorf("%s %s: a line can end at a space of %q", tag, hours, text)
				}
				for _, sign := range []string{"–", "—", "～", "~", "-"} {
					if n := strings.Count(text, sign); n != strings.Count(text, "\u2060"+sign+"\u2060") {
						t.Errorf("%s %s: a line can end after the sign of %q", tag, hours, text)
					}
				}
			}
		}
	}
}

// TestRangesWithinAMonth: what the first and the last day have in common is said once where the language does so (CLDR's formats of
// intervals); other months, numeric dates and single days stay as they were.
func TestRangesWithinAMonth(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"ar": "٨–١٠ مارس ٢٠٢٧", "cs": "8.–10. 3. 2027", "da": "8.–10. mar. 2027", "de": "8.–10. März 2027", "el": "8–10 Μαρ 2027", "en": "Mar 8 – 10, 2027", "es": "8–10 mar 2027",
		"fa": "۸ تا ۱۰ مارس ۲۰۲۷", "fi": "8.–10.3.2027", "fr": "8–10 mars 2027", "he": "8–10 במרץ 2027", "hi": "8–10 मार्च 2027", "hu": "2027. márc. 8–10.", "id": "8–10 Mar 2027",
		"it": "8–10 mar 2027", "ja": "2027年3月8日～10日", "ko": "2027년 3월 8일~10일", "nl": "8–10 mrt 2027", "pl": "8–10 mar 2027", "pt-BR": "8 – 10 de mar. de 2027", "sv": "8–10 mars 2027",
		"tr": "8–10 Mar 2027", "uk": "8–10 бер. 2027", "zh-Hans": "2027年3月8日至10日",
	} {
		l := Dates{Tag: tag}
		if got := broken(l.ShortSpan(at("2027-03-08 00:00"), at("2027-03-10 00:00"))); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
		first, last := at("2027-03-08 00:00"), at("2027-03-10 23:59")
		for year, day := range map[int]func(time.Time) string{0: l.Full, 2027: l.Day} {
			text := l.Span(first, last, true, year)
			if !strings.Contains(text, l.Weekday(1)) || !strings.Contains(text, l.Weekday(3)) || len(text) > len(day(first))+len(day(last))+8 {
				t.Errorf("%s: %q", tag, text)
			}
		}
		if got, other := l.ShortSpan(at("2027-03-30 00:00"), at("2027-04-02 00:00")), l.Short(at("2027-04-02 00:00")); tag == "de" && !strings.HasSuffix(got, other) {
			t.Errorf("%s: %q", tag, got)
		}
	}
	for want, l := range map[string]Dates{"Montag, 8. – Mittwoch, 10. März 2027": {Tag: "de"}, "lundi 8 – mercredi 10 mars 2027": {Tag: "fr"}, "2027년 3월 8일 월요일 ~ 10일 수요일": {Tag: "ko"},
		"2027. március 8., hétfő – 10., szerda": {Tag: "hu"}, "Mon, Mar 8 – Wed, Mar 10, 2027": {Tag: "en", Form: "medium"}, "Mo., 8.3. – Mi., 10.3.2027": {Tag: "de", Form: "short"},
		"Monday 8 March – Wednesday 10 March 2027": {Tag: "en", variety: "british"}} {
		if got := broken(l.Span(at("2027-03-08 00:00"), at("2027-03-10 23:59"), true, 0)); got != want {
			t.Errorf("%+v: %q, want %q", l, got, want)
		}
	}
}

// TestDatesStayOnOneLine: no line breaks between day, month and year, in any language and form.
func TestDatesStayOnOneLine(t *testing.T) {
	t.Parallel()
	day := at("2027-03-31 19:30")
	for _, tag := range i18n.Languages() {
		for _, form := range []string{"", "medium", "short", "iso"} {
			l := Dates{Tag: tag, Form: form}
			for _, text := range []string{l.Short(day), l.Annual(day), l.Month(day)} {
				if strings.Contains(text, " ") {
					t.Errorf("%s %s: %q", tag, form, text)
				}
			}
			whole := func(part string) bool {
				return strings.Contains(part, l.Plain(2027)) && strings.Contains(part, l.Plain(31))
			}
			if text := l.Full(day); !slices.ContainsFunc(strings.Split(text, " "), whole) {
				t.Errorf("%s %s: %q", tag, form, text)
			}
		}
	}
}

// TestFromHolds: the word before a time whose end is unknown stays on its line.
func TestFromHolds(t *testing.T) {
	t.Parallel()
	site := &tenancy.Site{Language: "de", Settings: tenancy.DefaultSettings()}
	e := &calendar.Event{Start: time.Date(2026, 12, 12, 17, 0, 0, 0, time.UTC)}
	e.Facts.EndUnknown = true
	if got := DatesOf("de", site).Event(e, 2026); !strings.HasSuffix(got, ", ab\u00a017:00\u00a0Uhr") {
		t.Error(got)
	}
}
