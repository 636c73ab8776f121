package moments

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/i18n"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2027-03-01": "2027-03-01", "2027/3/1": "2027-03-01", "2027.03.01": "2027-03-01", "20270301": "2027-03-01",
		"1.3.2027": "2027-03-01", "01.03.27": "2027-03-01", "1. 3. 2027": "2027-03-01", "13-3-2027": "2027-03-13", "1-3-2027": "unsure", "27-03-05": "unsure",
		"13/3/2027": "2027-03-13", "3/13/2027": "2027-03-13", "3/3/2027": "2027-03-03", "3/1/2027": "unsure", "31.2.2027": "?", "13/13/2027": "?",
		"2027-03-01 19:30": "2027-03-01 19:30", "2027-03-01T19:30:15": "2027-03-01 19:30:15", "1.3.2027, 19.30 Uhr": "2027-03-01 19:30",
		"1. März 2027": "2027-03-01", "1. Maerz 2027": "?", "Montag, 1. März 2027": "2027-03-01 Monday", "Mo., 1. März 2027, 19 Uhr": "2027-03-01 19:00 Monday",
		"March 1, 2027": "2027-03-01", "1st of March 2027": "2027-03-01", "1 Mar 27": "2027-03-01", "1-Mar-2027": "2027-03-01", "Mar 1st, 2027 7pm": "2027-03-01 19:00",
		"1er mars 2027 à 19h30": "2027-03-01 19:30", "1 de marzo de 2027": "2027-03-01", "2027. március 1.": "2027-03-01",
		"1 бер. 2027": "2027-03-01", "1 березня 2027 року": "2027-03-01", "1 במרץ 2027": "2027-03-01", "2027年3月1日": "2027-03-01",
		"2027/3/7(日)": "2027-03-07 Sunday", "7.3.2027 (So)": "2027-03-07 Sunday", "Sun, 7 Mar 2027": "2027-03-07 Sunday", "So, 6.3.2027": "2027-03-06 Saturday", "Fr, 7.3.2027": "2027-03-07 Sunday differs", "1. Mrz. 2027": "2027-03-01", "2027年3月8日(月) 19:30": "2027-03-08 19:30 Monday", "2027年3月8日（日）": "2027-03-08 Monday differs", "2027年3月1日 午後7時30分": "2027-03-01 19:30", "2027년 3월 1일 오후 7시": "2027-03-01 19:00", "١ مارس ٢٠٢٧": "2027-03-01",
		"19:30": "19:30", "19.30": "19:30", "19.30 Uhr": "19:30", "19 Uhr": "19:00", "7:30 PM": "19:30", "7:30pm": "19:30", "7 p.m.": "19:00", "7 p. m.": "19:00",
		"12 am": "0:00", "12 PM": "12:00", "19h30": "19:30", "19h": "19:00", "19 Uhr 30": "19:30", "19 Uhr 5": "?", "19 heures 30": "19:30", "1.3.2027, 19 Uhr 30": "2027-03-01 19:30", "kl. 19.30": "19:30", "klo 19.30": "19:30", "godz. 19:30": "19:30", "7.30 μ.μ.": "19:30",
		"1930": "19:30", "19": "19:00", "19:30:15": "19:30:15", "24:00": "24:00", "19:30 Uhr bis 21 Uhr": "19:30–21:00", "19:30-21:00": "19:30–21:00", "8 to 10 pm": "20:00–22:00", "11 to 1 pm": "11:00–13:00", "08 to 10 pm": "8:00–22:00", "7pm - 9": "19:00–21:00", "7 pm - 2": "19:00–2:00", "11am-1": "11:00–13:00", "午後7時～9時": "19:00–21:00", "8 am to 10": "8:00–10:00",
		"ab 19 Uhr": "19:00", "ganztägig": "all day", "ALL DAY": "all day", "Toute la journée": "all day",
		"25:00": "?", "19:60": "?", "13 am": "?", "tomorrow": "?", "1. März": "?", "soon": "?", "": "?", "2027": "20:27", "31.2.": "?", "3. Advent": "?", "Montag": "?", "12345": "?",
		"1.3.2027 sofort": "?", "März 2027": "?", "0/0/2027": "?",
	} {
		if got := said(Read(text, "")); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for order, want := range map[string]string{"dmy": "2027-01-03", "mdy": "2027-03-01"} {
		if got := said(Read("3/1/2027", order)); got != want {
			t.Errorf("in the order %s: %q, want %q", order, got, want)
		}
	}
}

func TestReadSpan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"6.3.2027 - 8.3.2027": "2027-03-06 to 2027-03-08", "06.03.2027–08.03.2027": "2027-03-06 to 2027-03-08", "6.–8. März 2027": "2027-03-06 to 2027-03-08",
		"6.-8.3.2027": "2027-03-06 to 2027-03-08", "6.3. bis 8.3.2027": "2027-03-06 to 2027-03-08", "6. März bis 8. April 2027": "2027-03-06 to 2027-04-08",
		"Sa., 6.3. – Mo., 8.3.2027": "2027-03-06 Saturday to 2027-03-08", "March 6-8, 2027": "2027-03-06 to 2027-03-08", "30.12.2027 - 2.1.2028": "2027-12-30 to 2028-01-02",
		"2027-03-06 - 2027-03-08": "2027-03-06 to 2027-03-08", "6.3.2027 10:00 - 8.3.2027 18 Uhr": "2027-03-06 10:00–18:00 to 2027-03-08", "6 au 8 mars 2027": "2027-03-06 to 2027-03-08",
		"1.3.2027": "2027-03-01", "1.3.2027 19:30-21:00": "2027-03-01 19:30–21:00", "1-3-2027": "unsure", "3-3-2027": "2027-03-03",
		"8.3.2027 - 6.3.2027": "?", "- 8.3.2027": "?", "6.3.-8.3.2027 10 Uhr": "?", "30.12. - 2.1.2028": "?", "3/1/2027 - 3/2/2027": "unsure",
	} {
		first, last, ok := ReadSpan(text, "")
		got := said(first, ok)
		if !last.IsZero() {
			got += " to " + last.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// said returns what a text was understood as.
func said(s Moment, ok bool) string {
	text := ""
	form := func(at time.Duration) string {
		text := strconv.Itoa(int(at/time.Hour)) + time.Time{}.Add(at).Format(":04")
		if at%time.Minute != 0 {
			text += time.Time{}.Add(at).Format(":05")
		}
		return text
	}
	switch {
	case s.Unsure:
		return "unsure"
	case !ok:
		return "?"
	case s.AllDay:
		return "all day"
	}
	if !s.Day.IsZero() {
		text = s.Day.Format(time.DateOnly)
	}
	if s.Timed {
		if text != "" {
			text += " "
		}
		text += form(s.At)
	}
	if s.Ends {
		text += "–" + form(s.End)
	}
	if s.named != 0 {
		text += " " + s.Day.Weekday().String()
	}
	if s.Differs() {
		text += " differs"
	}
	return text
}

// Dates that the interface itself writes are understood, in every language.
func TestMonthsOfAllLanguages(t *testing.T) {
	t.Parallel()
	for _, lang := range i18n.Languages() {
		for n := 1; n <= 12; n++ {
			for _, key := range []string{"date.month.", "date.month.short."} {
				for _, name := range i18n.Names(lang, key+strconv.Itoa(n)) {
					name = name[strings.LastIndexByte(name, ' ')+1:]
					text := "7 " + name + " 2027"
					want := time.Date(2027, time.Month(n), 7, 0, 0, 0, 0, time.UTC)
					if got, ok := Read(text, ""); (!ok || !got.Day.Equal(want)) && vocabularyOfAll().months[letters(name)] != 0 {
						t.Errorf("%s: %q is %v", lang, text, got.Day)
					}
					if month, known := vocabularyOfAll().months[letters(name)]; known && month == 0 {
						t.Logf("%s: %q is a month of several languages", lang, name)
					}
				}
			}
		}
	}
}
