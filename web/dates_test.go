package web

import (
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
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
		{"de", span{"2027-03-14 00:00", "2027-03-16 23:59", true, 0}, "Sonntag, 14. März – Dienstag, 16. März 2027"},
		{"ja", span{"2027-03-14 00:00", "2027-03-16 23:59", true, 0}, "2027年3月14日日曜日～3月16日火曜日"},
		{"ja", span{"2027-03-14 00:00", "2027-03-16 23:59", true, 2027}, "3月14日日曜日～3月16日火曜日"},
		{"ja", span{"2027-12-30 00:00", "2028-01-02 23:59", true, 0}, "2027年12月30日木曜日～2028年1月2日日曜日"},
		{"de", span{"2027-12-30 00:00", "2028-01-02 23:59", true, 0}, "Donnerstag, 30. Dezember 2027 – Sonntag, 2. Januar 2028"},
		{"en", span{"2027-03-14 20:00", "2027-03-15 00:00", false, 2027}, "Sunday, March 14, 8:00 PM – 12:00 AM"},
		{"en", span{"2027-03-14 00:00", "2027-03-14 23:59", true, 2027}, "Sunday, March 14"},
	} {
		got := dates{tag: one.lang}.span(at(one.span.start), at(one.span.end), one.span.allDay, one.span.year)
		if got = strings.ReplaceAll(got, "\u00a0", " "); got != one.want {
			t.Errorf("%s: got %q, want %q", one.lang, got, one.want)
		}
	}
}

// TestPatterns checks that each language says all of what it has to, in every
// form a site can choose.
func TestPatterns(t *testing.T) {
	t.Parallel()
	for _, tag := range i18n.Languages() {
		l := dates{tag: tag}
		if n := len([]rune(l.text("digits"))); n != 10 {
			t.Errorf("%s has %d digits", tag, n)
		}
		if start := l.weekStart(); start < 1 || start > 7 {
			t.Errorf("%s: the week starts on day %d", tag, start)
		}
		for _, l.form = range []string{"long", "medium", "short", "iso"} {
			for _, write := range []func(time.Time) string{l.full, l.day, l.short, func(t time.Time) string { return l.shortIn(t, t.Year()) }} {
				tellApart(t, l, write, 365, 24*time.Hour)
			}
		}
		for _, l.hours = range []string{"language", "12", "24"} {
			tellApart(t, l, l.clock, 24, time.Hour)
		}
	}
}

// TestPlannerName names a week and a list of days: one year is said once, where
// the language says it.
func TestPlannerName(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ lang, form, first, last, want string }{
		{"en", "", "2027-03-15 00:00", "2027-03-21 00:00", "Mar 15 – Mar 21, 2027"},
		{"de", "medium", "2027-03-15 00:00", "2027-03-21 00:00", "15. März – 21. März 2027"},
		{"de", "short", "2027-03-15 00:00", "2027-03-21 00:00", "15.3. – 21.3.2027"},
		{"ja", "", "2027-03-15 00:00", "2027-03-21 00:00", "2027年3月15日～3月21日"},
		{"fr", "iso", "2027-03-15 00:00", "2027-03-21 00:00", "2027-03-15 – 03-21"},
		{"en", "", "2027-12-27 00:00", "2028-01-02 00:00", "Dec 27, 2027 – Jan 2, 2028"},
	} {
		got := dates{tag: one.lang, form: one.form}.shortSpan(at(one.first), at(one.last))
		if got = strings.ReplaceAll(got, "\u00a0", " "); got != one.want {
			t.Errorf("%s: got %q, want %q", one.lang, got, one.want)
		}
	}
}

// tellApart writes moments and wants each to be called something else.
func tellApart(t *testing.T, l dates, write func(time.Time) string, n int, step time.Duration) {
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

func event(start, end string, allDay bool) *calendar.Event {
	e := &calendar.Event{Start: at(start), End: at(end), AllDay: allDay, Timezone: "UTC"}
	e.StartUTC, e.EndUTC = e.Start, e.End
	return e
}

// TestGrid lays March 2027 out: its first day is a Monday.
func TestGrid(t *testing.T) {
	t.Parallel()
	fair := event("2027-02-27 00:00", "2027-03-02 23:59", true)
	trip := event("2027-03-02 09:00", "2027-03-09 18:00", false)
	night := event("2027-03-06 22:00", "2027-03-07 03:00", false)
	midnight := event("2027-03-30 20:00", "2027-03-31 00:00", false)
	g := newGrid(at("2027-03-01 00:00"), at("2027-03-06 00:00"), []*calendar.Event{fair, trip, night, midnight}, 7)
	if len(g.weeks) != 5 || g.weekdays[0] != 7 || !g.weeks[0][0].day.IsZero() || g.weeks[0][1].day.Day() != 1 {
		t.Fatalf("weeks: %v", g.weeks)
	}
	monday, tuesday := g.weeks[0][1], g.weeks[0][2]
	if len(monday.bars) != 1 || monday.bars[0].Event != fair || monday.bars[0].begins || monday.bars[0].over != 2 {
		t.Errorf("Monday: %+v", monday.bars)
	}
	if len(tuesday.bars) != 2 || !tuesday.bars[0].ends || tuesday.bars[1].Event != trip || !tuesday.bars[1].begins {
		t.Errorf("Tuesday: %+v", tuesday.bars)
	}
	if wednesday := g.weeks[0][3]; wednesday.bars[0].Event != nil || wednesday.bars[1].Event != trip {
		t.Errorf("Wednesday: %+v", wednesday.bars)
	}
	if saturday := g.weeks[0][6]; !saturday.today || len(saturday.items) != 1 || saturday.items[0].Event != night {
		t.Errorf("Saturday: %+v", saturday)
	}
	if sunday := g.weeks[1][0]; len(sunday.items) != 0 || sunday.bars[0].Event != trip || sunday.bars[0].over != 3 {
		t.Errorf("Sunday: %+v", sunday)
	}
	if last := g.weeks[4][3]; last.day.Day() != 31 || len(last.items) != 0 || !g.weeks[4][4].day.IsZero() {
		t.Errorf("the last day: %+v", last)
	}
	if g.previous != "/events/month/2027-02/" || g.next != "/events/month/2027-04/" {
		t.Errorf("neighbours: %s %s", g.previous, g.next)
	}
}

// TestMonthsOfEveryShape checks that each month has its days once, whatever day
// its week begins on.
func TestMonthsOfEveryShape(t *testing.T) {
	t.Parallel()
	for first := at("2026-01-01 00:00"); first.Year() < 2029; first = first.AddDate(0, 1, 0) {
		for start := 1; start <= 7; start++ {
			n := 0
			for _, week := range newGrid(first, first, nil, start).weeks {
				if len(week) != 7 {
					t.Fatalf("%s: a week of %d", first, len(week))
				}
				for i, cell := range week {
					if cell.day.IsZero() {
						continue
					}
					n++
					if cell.day.Day() != n || isoWeekday(cell.day) != (start-1+i)%7+1 {
						t.Fatalf("%s: %s stands at %d", first, cell.day, i)
					}
				}
			}
			if n != first.AddDate(0, 1, -1).Day() {
				t.Errorf("%s has %d days", first, n)
			}
		}
	}
}

func TestCellLimit(t *testing.T) {
	t.Parallel()
	var events []*calendar.Event
	for range 9 {
		events = append(events, event("2027-03-10 10:00", "2027-03-10 11:00", false))
	}
	events = append(events, event("2027-03-09 00:00", "2027-03-11 23:59", true))
	for _, week := range newGrid(at("2027-03-01 00:00"), at("2027-03-01 00:00"), events, 1).weeks {
		for _, c := range week {
			if c.day.Day() == 10 && c.day.Month() == 3 && (len(c.bars) != 1 || len(c.items) != mostInCell-1 || c.more != 9-mostInCell+1) {
				t.Errorf("%d bars, %d items, %d more", len(c.bars), len(c.items), c.more)
			}
		}
	}
}

// TestChosenForms writes one evening in every form a site can choose.
func TestChosenForms(t *testing.T) {
	t.Parallel()
	start, end := at("2027-03-07 19:30"), at("2027-03-07 21:30")
	for _, one := range []struct {
		dates dates
		want  string
	}{
		{dates{tag: "en", form: "long", hours: "language"}, "Sunday, March 7, 2027, 7:30 PM – 9:30 PM"},
		{dates{tag: "en", form: "medium", hours: "24"}, "Sun, Mar 7, 2027, 19:30 – 21:30"},
		{dates{tag: "en", form: "short"}, "Sun, 3/7/2027, 7:30 PM – 9:30 PM"},
		{dates{tag: "en", form: "iso"}, "Sun, 2027-03-07, 7:30 PM – 9:30 PM"},
		{dates{tag: "de", form: "short"}, "So., 7.3.2027, 19:30–21:30 Uhr"},
		{dates{tag: "de", form: "long", hours: "12"}, "Sonntag, 7. März 2027, 7:30 PM – 9:30 PM"},
		{dates{tag: "ar", form: "iso", hours: "24"}, "الأحد، ٢٠٢٧-٠٣-٠٧، ١٩:٣٠ – ٢١:٣٠"},
		{dates{tag: "fr", form: "short"}, "dim. 07/03/2027, 19:30 – 21:30"},
		{dates{tag: "ja", form: "iso", hours: "12"}, "2027-03-07(日) 午後7:30～午後9:30"},
	} {
		got := one.dates.span(start, end, false, 0)
		if got = strings.ReplaceAll(got, "\u00a0", " "); got != one.want {
			t.Errorf("%+v: got %q, want %q", one.dates, got, one.want)
		}
	}
	if n := (dates{tag: "en", week: 1}).weekStart(); n != 1 {
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
		l := dates{tag: tag}
		got := []string{
			l.full(evening), l.day(evening), l.month(evening), dates{tag: tag, form: "medium"}.full(evening), dates{tag: tag, form: "short"}.full(evening),
			l.short(evening), dates{tag: tag, form: "short"}.short(evening),
			l.clock(evening), dates{tag: tag, hours: "12"}.clock(evening), dates{tag: tag, hours: "24"}.clock(evening), l.full(first), l.clock(first),
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
			if text := (dates{tag: tag, hours: hours}).time(at("2027-03-07 19:30")); strings.Contains(text, " ") {
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
		l := dates{tag: tag}
		if l.weekStart() != want.week {
			t.Errorf("%s: the week starts on day %d", tag, l.weekStart())
		}
		got := []string{l.number(999), l.number(1234), l.number(1234567), l.plain(2027)}
		for i, text := range []string{want.hundreds, want.thousand, want.thousands, want.plain} {
			if got[i] != text {
				t.Errorf("%s: got %q, want %q", tag, got[i], text)
			}
		}
	}
}
