package quick

import (
	"testing"
	"time"
)

// words are English and German ones, as the pages give them.
func words() Words {
	set := func(list ...string) map[string]bool {
		m := map[string]bool{}
		for _, one := range list {
			m[one] = true
		}
		return m
	}
	return Words{
		Weekdays: map[string]time.Weekday{"thu": 4, "thursday": 4, "fri": 5, "mon": 1, "do": 4, "donnerstag": 4, "木曜": 4},
		Months:   map[string]time.Month{"dec": 12, "feb": 2, "december": 12, "dezember": 12, "diciembre": 12},
		Days:     map[string]int{"today": 0, "tomorrow": 1, "morgen": 1},
		Fillers:  set("on", "at", "in", "next", "am", "im", "den", "de", "from", "a"), Clock: set("at", "um", "uhr", "from", "a"), Until: set("to", "bis", "a"),
		Morning: set("am", "午前", "上午"), Evening: set("pm", "午後", "오후", "下午"), MonthFirst: "",
	}
}

// TestRead reads lines on Monday, 23 November 2026, at three in the afternoon.
func TestRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC)
	for line, want := range map[string]string{
		"Choir Thu 19:30 Town hall":                     "Choir|2026-11-26 19:30 20:30|Town hall",
		"Choir on Thursday at 7pm in Town hall":         "Choir|2026-11-26 19:00 20:00|Town hall",
		"Choir rehearsal tomorrow 7:30 pm":              "Choir rehearsal|2026-11-24 19:30 20:30|",
		"Chor Do 19:30 Rathaus":                         "Chor|2026-11-26 19:30 20:30|Rathaus",
		"Chor am Donnerstag um 19 Uhr im Rathaus":       "Chor|2026-11-26 19:00 20:00|Rathaus",
		"Chor Do 19.30 bis 21.00 Rathaus":               "Chor|2026-11-26 19:30 21:00|Rathaus",
		"Chor Do 19:30-21:00 Rathaus":                   "Chor|2026-11-26 19:30 21:00|Rathaus",
		"Party Fri 22:00–02:00":                         "Party|2026-11-27 22:00 02:00|",
		"Market 5 December":                             "Market|2026-12-05 all day|",
		"Market 5 Dec 2027 10:00 Square":                "Market|2027-12-05 10:00 11:00|Square",
		"Market December 5 10:00":                       "Market|2026-12-05 10:00 11:00|",
		"Markt 5.12. 10:00":                             "Markt|2026-12-05 10:00 11:00|",
		"Markt 5.12.27":                                 "Markt|2027-12-05 all day|",
		"Market 2026-12-05 10:00":                       "Market|2026-12-05 10:00 11:00|",
		"Feria 5 de diciembre a 10:00 Plaza":            "Feria|2026-12-05 10:00 11:00|Plaza",
		"合唱 木曜 19:30 市民会館":                              "合唱|2026-11-26 19:30 20:30|市民会館",
		"合唱 12月5日19時30分 市民会館":                           "合唱|2026-12-05 19:30 20:30|市民会館",
		"جوقة ٢٠٢٦-١٢-٠٥ ١٩:٣٠ الدار":                   "جوقة|2026-12-05 19:30 20:30|الدار",
		"Sitzung am Donnerstag, den 3.12.2026 um 14:00": "Sitzung|2026-12-03 14:00 15:00|",
		"Sitzung Mon, den 7. Dezember, im Rathaus":      "Sitzung|2026-12-07 all day|Rathaus",
		"Fri, 4.12., 19 Uhr: Kino":                      "Kino|2026-12-04 19:00 20:00|",
		"Fri 4 Dec 7pm: Film: the sequel":               "Film: the sequel|2026-12-04 19:00 20:00|",
		"Vernissage – Fri, 4. Dezember 2026, 18.30 Uhr": "Vernissage|2026-12-04 18:30 19:30|",
		"Kino: Fri 20:00 – Saal 2":                      "Kino|2026-11-27 20:00 21:00|Saal 2",
		"Markt Fri 8 bis 13 Uhr Marktplatz":             "Markt|2026-11-27 08:00 13:00|Marktplatz",
		"Market Fri 8 to 1pm":                           "Market|2026-11-27 08:00 13:00|",
		"Film Fri 7 to 9 pm":                            "Film|2026-11-27 19:00 21:00|",
		"Film Fri 7:30-9pm":                             "Film|2026-11-27 19:30 21:00|",
		"Work Fri 9-5pm":                                "Work|2026-11-27 09:00 17:00|",
		"Swim Fri 11-12pm":                              "Swim|2026-11-27 11:00 12:00|",
		"Watch Fri 07:00-9pm":                           "Watch|2026-11-27 07:00 21:00|",
		"Film Fri 7am to 9pm":                           "Film|2026-11-27 07:00 21:00|",
		"Concierto Fri Sala 3 a 20:00":                  "Concierto|2026-11-27 20:00 21:00|Sala 3",
		"Choir Thu Room 3 at 19:30":                     "Choir|2026-11-26 19:30 20:30|Room 3",
		"Bus 7 to 9 Fri":                                "Bus 7 to 9|2026-11-27 all day|",
		"Tea 14:00":                                     "Tea|2026-11-24 14:00 15:00|", // three is past two
		"Tea 16:00":                                     "Tea|2026-11-23 16:00 17:00|",
		"Tea Mon 14:00":                                 "Tea|2026-11-30 14:00 15:00|", // as well
		"Tea Mon 16:00":                                 "Tea|2026-11-23 16:00 17:00|",
		"Tea Mon":                                       "Tea|2026-11-23 all day|",
		"Tea today 14:00":                               "Tea|2026-11-23 14:00 15:00|", // what is said is meant
		"Thu 19:30 Choir":                               "Choir|2026-11-26 19:30 20:30|",
		"New year 1 Dec 25:99":                          "New year|2026-12-01 all day|25:99",
		"Run 10 km":                                     "nothing",
		"Choir":                                         "nothing",
		"":                                              "nothing",
		"19:30":                                         "nothing",
		"31.2. 10:00":                                   "31.2.|2026-11-24 10:00 11:00|",
		"Ball 29 Feb 20:00 Hall":                        "Ball|2028-02-29 20:00 21:00|Hall", // the next there is
		"Ball 29.2.":                                    "Ball|2028-02-29 all day|",
		"Ball 29 Feb 2028":                              "Ball|2028-02-29 all day|",
		"Ball Tue 29 Feb 20:00":                         "Ball Tue|2028-02-29 20:00 21:00|",
		"Ball 29 Feb 2027":                              "nothing",
		"Ball 2027-02-29":                               "nothing",
		"Ball 29.2.2027 20:00":                          "Ball 29.2.2027|2026-11-23 20:00 21:00|",
		"Ball 2027 Feb 29 20:00":                        "Ball 2027 Feb 29|2026-11-23 20:00 21:00|",
		"Ball Thu 29.2.2027 20:00 Hall":                 "Ball|2026-11-26 20:00 21:00|29.2.2027 Hall",
		"Ball 29 Feb 20:00 2027":                        "Ball|2028-02-29 20:00 21:00|2027",
		"Ball 22.11.":                                   "Ball|2027-11-22 all day|", // yesterday
		"Ball 23.11.":                                   "Ball|2026-11-23 all day|", // today
		"Choir Mon–Fri \x00 99999999999999999999:99 –":  "nothing",
	} {
		e := Read(line, words(), now)
		got := "nothing"
		if e.Understood {
			got = e.Title + "|" + e.Start.Format("2006-01-02 15:04") + e.End.Format(" 15:04") + "|" + e.Place
			if e.AllDay {
				got = e.Title + "|" + e.Start.Format("2006-01-02") + " all day|" + e.Place
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}
