package words

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/i18n"
)

var update = flag.Bool("update", false, "write what lines give into testdata")

// said is a line as the tables of the tests have it.
func said(l *Line) string {
	list := []string{l.Title}
	when := l.Start.Format("2006-01-02 15:04")
	switch {
	case l.Start.IsZero():
		when = ""
	case l.AllDay && l.End.Equal(l.Start):
		when = l.Start.Format(time.DateOnly)
	case l.AllDay:
		when = l.Start.Format(time.DateOnly) + " – " + l.End.Format(time.DateOnly)
	case l.End.Equal(l.Start):
	case l.End.Sub(l.Start) < 24*time.Hour:
		when += l.End.Format("–15:04")
	default:
		when += l.End.Format(" – 2006-01-02 15:04")
	}
	list = append(list, when)
	for sign, text := range map[string]string{"@": l.Place} {
		if text != "" {
			list = append(list, sign+text)
		}
	}
	if l.Cost != "" {
		list = append(list, "$"+l.Cost)
	}
	if l.Website != "" {
		list = append(list, l.Website)
	}
	if l.Online {
		list = append(list, "online")
	}
	if l.Rule != "" {
		list = append(list, l.Rule)
	}
	if l.Notes != "" {
		list = append(list, "!"+l.Notes)
	}
	if l.Beside != "" {
		list = append(list, "beside "+l.Beside)
	}
	for _, q := range l.Questions {
		list = append(list, strings.TrimSpace("?"+q.Why+" "+q.Text))
	}
	return strings.Join(list, " | ")
}

// afternoon is Monday, 23 November 2026, at three in the afternoon.
var afternoon = Now{Wall: time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC)}

// Lines as people of each language write them, with what each gives or what is asked. Every word of a line is in exactly one part.
func TestLines(t *testing.T) {
	t.Parallel()
	least := map[string]int{"de": 40, "en": 40, "fr": 40, "es": 40, "it": 40}
	for _, language := range i18n.Languages() {
		path := filepath.Join("testdata", "lines", language+".txt")
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		v := In(language)
		if slices.Contains([]string{"en", "ja", "ko", "zh-Hans"}, language) {
			v.MonthFirst = "/"
		}
		n, written := 0, strings.Builder{}
		for s := bufio.NewScanner(strings.NewReader(string(content))); s.Scan(); {
			line, want, _ := strings.Cut(s.Text(), " => ")
			l := v.Read(line, afternoon)
			n++
			fmt.Fprintf(&written, "%s => %s\n", line, said(l))
			if got := said(l); got != want && !*update {
				t.Errorf("%s: %q\n gives %s\n  want %s", language, line, got, want)
			}
			together := ""
			for _, p := range l.Parts {
				if together += " " + p.Text; p.Field == "" {
					t.Errorf("%s: %q: nothing is said about %q", language, line, p.Text)
				}
			}
			if bare(together) != bare(line) {
				t.Errorf("%s: %q has the parts %q", language, line, together)
			}
		}
		if n < max(12, least[language]) {
			t.Errorf("%s has %d lines", language, n)
		}
		if *update {
			if err := os.WriteFile(path, []byte(written.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// bare is a line without spaces and signs.
func bare(line string) string {
	r := &reader{v: &Vocabulary{}}
	r.cut(line)
	text := strings.Join(r.plain, "")
	return strings.NewReplacer(" ", "", ",", "", ";", "", "–", "", "-", "", "~", "", "—", "", "至", "", "到", "", "、", "", "〜", "").Replace(text)
}

// A known place in parentheses is where the event is; what nobody knows stays in the title. A place in nothing but parentheses loses them.
func TestPlaceInParentheses(t *testing.T) {
	t.Parallel()
	v := In("de")
	known := func(name string) bool { return name == "Stadtbücherei" }
	for line, want := range map[string]string{
		"Lesung mit Max (Stadtbücherei), Do 20:00, Eintritt frei": "Lesung mit Max | 2026-11-26 20:00 | @Stadtbücherei | $Eintritt frei",
		"Do 20 Uhr Lesung (Stadtbücherei) mit Max":                "Lesung mit Max | 2026-11-26 20:00 | @Stadtbücherei",
		"Lesung (mit Max) Do 20 Uhr":                              "Lesung (mit Max) | 2026-11-26 20:00",
		"Lesung (Stadtbücherei) Do 20 Uhr, Rathaus":               "Lesung (Stadtbücherei) | 2026-11-26 20:00 | @Rathaus",
		"Lesung Do 20 Uhr (Rathaus)":                              "Lesung | 2026-11-26 20:00 | @Rathaus",
		"(Stadtbücherei) Do 20 Uhr":                               "(Stadtbücherei) | 2026-11-26 20:00",
	} {
		l := v.Read(line, afternoon)
		if l.FindPlace(known); said(l) != want {
			t.Errorf("%q\n gives %s\n  want %s", line, said(l), want)
		}
	}
	for line, want := range map[string]bool{
		"Chor Do ab 20 Uhr": true, "Wandern Do 9 Uhr ab Bahnhof": false, "Ball Do 19 Uhr ab 12 €": false, "Ab 20 Uhr Chor Do": true,
		"Chor Do 20 Uhr": false, "Chor Do ab 20 bis 21 Uhr": false, "Chor Do 20–21 Uhr": false, "Chor Do": false, "Chor": false,
	} {
		if v.Read(line, afternoon).EndUnknown() != want {
			t.Errorf("%s: the end is unknown: %t", line, !want)
		}
	}
}

// What stands in parentheses at the end of a title may be the place if it looks like a name.
func TestMaybePlace(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Reparaturcafé (Mehrgenerationenhaus)": "Mehrgenerationenhaus", "Chor [Alte Post]": "Alte Post", "音楽会（市民会館）": "市民会館",
		"Fest (ab 6 Jahren)": "", "Fest (ausverkauft)": "", "Yoga (2. Teil)": "", "Kurs (Teil 2)": "", "Lesung (mit Max)": "", "(Alte Post)": "",
		"Lesung (Alte Post) mit Max": "", "Lesung": "",
	} {
		if got := MaybePlace(title); got != want {
			t.Errorf("%s: %q", title, got)
		}
	}
}
