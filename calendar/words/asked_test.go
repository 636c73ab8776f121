package words

import (
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/i18n"
)

// asked reads a search on Monday, 23 November 2026.
func asked(t *testing.T, language, search string) Asked {
	t.Helper()
	v := SearchedIn(language)
	return v.Ask(search, time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC), false)
}

func (a Asked) String() string {
	text := a.Words + "|" + a.Period
	if !a.First.IsZero() {
		text += a.First.Format(time.DateOnly) + " " + a.Last.Format(time.DateOnly)
	}
	if a.Free {
		text += "|free"
	}
	if a.Online {
		text += "|online"
	}
	return text
}

// The words of a search for time and price are understood, and all others are left.
func TestAsk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, search, want string }{
		{"en", "jazz march", "jazz|2027-03-01 2027-03-31"}, {"en", "jazz in March 2028", "jazz|2028-03-01 2028-03-31"},
		{"en", "free this weekend", "|weekend|free"}, {"de", "heute Abend kostenlos", "|tonight|free"}, {"en", "27 January", "|2027-01-27 2027-01-27"},
		{"en", "January 27th choir", "choir|2027-01-27 2027-01-27"}, {"de", "Konzert am Samstag", "Konzert|2026-11-28 2026-11-28"},
		{"de", "Konzert im Dezember", "Konzert|2026-12-01 2026-12-31"}, {"de", "27. Januar", "|2027-01-27 2027-01-27"}, {"de", "Eintritt frei", "||free"},
		{"de", "umsonst und draußen", "und draußen||free"}, {"en", "November", "|2026-11-23 2026-11-30"}, {"fr", "concert ce week-end gratuit", "concert|weekend|free"},
		{"es", "concierto el 5 de diciembre", "concierto|2026-12-05 2026-12-05"}, {"ja", "今週末 無料", "|weekend|free"}, {"en", "yoga online", "yoga||online"},
		{"en", "jazz", "jazz|"}, {"en", `"march" of time`, `"march" of time|`}, {"en", "march -free", "march -free|"}, {"de", "do it so", "do it so|"}, {"en", "", "|"},
		{"pl", "koncert w grudniu", "koncert|2026-12-01 2026-12-31"}, {"tr", "konser bu hafta sonu", "konser|weekend"},
		{"en", "jazz tonight", "jazz|tonight"}, {"de", "heute kostenlos", "|today|free"}, {"ja", "今夜ジャズ", "ジャズ|tonight"}, {"zh-Hans", "今晚爵士", "爵士|tonight"},
		{"en", "jazz next week", "jazz|nextweek"}, {"de", "Konzert nächste Woche kostenlos", "Konzert|nextweek|free"}, {"ja", "来週ジャズ", "ジャズ|nextweek"},
		{"en", "Monday next week", "|2026-11-30 2026-11-30"}, {"de", "nächste Woche am Dienstag", "|2026-12-01 2026-12-01"}, {"fr", "mardi la semaine prochaine", "|2026-12-01 2026-12-01"},
		{"en", "jazz the day after tomorrow", "jazz|2026-11-25 2026-11-25"}, {"en", "tomorrow", "|2026-11-24 2026-11-24"}, {"fr", "après demain", "|2026-11-25 2026-11-25"},
	} {
		if got := asked(t, c.language, c.search).String(); got != c.want {
			t.Errorf("%s: %q is %s, want %s", c.language, c.search, got, c.want)
		}
	}
}

// Feasts are days of a search if they are asked for, years without a day are years, and amounts of money are no words.
func TestAskFeasts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, search, want string }{
		{"de", "Heiligabend", "|2026-12-24 2026-12-24"}, {"en", "new years eve", "|2026-12-31 2026-12-31"}, {"de", "Konzert Ostern", "Konzert|2027-03-26 2027-03-29"},
		{"de", "Rosenmontag 2028", "|2028-02-28 2028-02-28"}, {"en", "expo 2027", "expo|2027-01-01 2027-12-31"}, {"en", "expo 2026", "expo|2026-11-23 2026-12-31"},
		{"en", "expo 2019", "expo|2019-01-01 2019-12-31"}, {"de", "Yoga 10 Euro", "Yoga|"}, {"de", "Yoga 7,50 €", "Yoga|"}, {"en", "yoga £12", "yoga|"},
	} {
		v := SearchedIn(c.language)
		a := v.Ask(c.search, time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC), true)
		if got := a.String(); got != c.want {
			t.Errorf("%s: %q is %s, want %s", c.language, c.search, got, c.want)
		}
	}
	if got := asked(t, "de", "Heiligabend").String(); got != "Heiligabend|" {
		t.Errorf("a feast that nobody asked for is %s", got)
	}
}

// Every language has words for each period, for free and for months.
func TestAskInEachLanguage(t *testing.T) {
	t.Parallel()
	for _, language := range i18n.Languages() {
		say := func(key string) string { return i18n.Text(language, key, nil) }
		for search, want := range map[string]string{say("public.filter.when.weekend"): "|weekend", say("public.filter.when.week"): "|week",
			say("public.filter.when.nextweek"): "|nextweek", say("public.filter.when.month"): "|month", say("public.filter.when.today"): "|today",
			say("public.filter.when.tonight"): "|tonight", say("public.filter.when.tonight") + " " + say("public.free"): "|tonight|free", say("public.free"): "||free",
			"xyz " + say("public.free"): "xyz||free", say("date.month.3"): "|2027-03-01 2027-03-31", say("date.weekday.4"): "|2026-11-26 2026-11-26"} {
			if got := asked(t, language, search).String(); got != want {
				t.Errorf("%s: %q is %s, want %s", language, search, got, want)
			}
		}
		for words := range strings.SplitSeq(say("words.next.week"), "|") {
			if got := asked(t, language, "xyz "+words).String(); got != "xyz|nextweek" {
				t.Errorf("%s: %q is %s", language, words, got)
			}
		}
		for words := range strings.SplitSeq(say("admin.quick.after"), "|") {
			if got := asked(t, language, "xyz "+words).String(); got != "xyz|2026-11-25 2026-11-25" {
				t.Errorf("%s: %q is %s", language, words, got)
			}
		}
		for evening := range strings.SplitSeq(say("public.filter.tonight.typed"), "|") {
			if got := asked(t, language, "xyz "+evening).String(); got != "xyz|tonight" {
				t.Errorf("%s: %q is %s", language, evening, got)
			}
		}
	}
}

// Words for time and price are recognized with a mistake.
func TestCorrected(t *testing.T) {
	t.Parallel()
	v := SearchedIn("de")
	for search, want := range map[string]string{"27 Januray": "27 january", "Konzert Dezemeber": "Konzert dezember", "kostenloss": "kostenlos", "Jazz": "", "": "",
		"wochenende": ""} {
		if got := v.Corrected(search).Text; got != want {
			t.Errorf("%q becomes %q, want %q", search, got, want)
		}
	}
}
