package recur_test

import (
	"testing"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// Each rule is refused; the table has the first problem.
func TestRefused(t *testing.T) {
	t.Parallel()
	timed := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-01-05 19:30")}
	for _, c := range []struct{ rule, part, code string }{
		{"", "RRULE", recur.Missing},
		{"RRULE:", "RRULE", recur.Missing},
		{"weekly", "RRULE", recur.Syntax},
		{"INTERVAL=2", "FREQ", recur.Missing},
		{"FREQ=", "FREQ", recur.Empty},
		{"FREQ=FORTNIGHTLY", "FREQ", recur.Syntax},
		{"FREQ=HOURLY", "FREQ", recur.Unsupported},
		{"FREQ=MINUTELY", "FREQ", recur.Unsupported},
		{"freq=secondly", "FREQ", recur.Unsupported},
		{"FREQ=DAILY;BYSECOND=0", "BYSECOND", recur.PartRefused},
		{"FREQ=DAILY;RSCALE=GREGORIAN", "RSCALE", recur.PartRefused},
		{"FREQ=MONTHLY;SKIP=OMIT", "SKIP", recur.PartRefused},
		{" FREQ=DAILY", "RRULE", recur.Blank},
		{"RRULE: FREQ=DAILY", "RRULE", recur.Blank},
		{"FREQ=DAILY; COUNT=3", "RRULE", recur.Blank},
		{"FREQ=YEARLY;BYMONTH=1, 2", "RRULE", recur.Blank},
		{"FREQ=DAILY;X-THING=1", "X-THING", recur.Unknown},
		{"FREQ=DAILY;BYEASTER=0", "BYEASTER", recur.Unknown},
		{"FREQ=DAILY;;", "RRULE", recur.Syntax},
		{"FREQ=DAILY;;COUNT=2", "RRULE", recur.Syntax},
		{"FREQ=DAILY;FREQ=WEEKLY", "FREQ", recur.Duplicate},
		{"FREQ=DAILY;COUNT=2;count=3", "COUNT", recur.Duplicate},
		{"FREQ=DAILY;INTERVAL=0", "INTERVAL", recur.OutOfRange},
		{"FREQ=DAILY;INTERVAL=-1", "INTERVAL", recur.Syntax},
		{"FREQ=DAILY;INTERVAL=1.5", "INTERVAL", recur.Syntax},
		{"FREQ=DAILY;COUNT=0", "COUNT", recur.OutOfRange},
		{"FREQ=DAILY;COUNT=+3", "COUNT", recur.Syntax},
		{"FREQ=DAILY;COUNT=99999999999999999999", "COUNT", recur.OutOfRange},
		{"FREQ=DAILY;COUNT=3;UNTIL=20280101T000000Z", "UNTIL", recur.CountUntil},
		{"FREQ=DAILY;UNTIL=tomorrow", "UNTIL", recur.Syntax},
		{"FREQ=DAILY;UNTIL=2027-06-30", "UNTIL", recur.Syntax},
		{"FREQ=DAILY;UNTIL=20270230", "UNTIL", recur.OutOfRange},
		{"FREQ=DAILY;UNTIL=00010101", "UNTIL", recur.OutOfRange},
		{"FREQ=DAILY;UNTIL=20270630T250000Z", "UNTIL", recur.OutOfRange},
		{"FREQ=DAILY;UNTIL=20270630Z", "UNTIL", recur.OutOfRange},
		{"FREQ=YEARLY;BYMONTH=0", "BYMONTH", recur.OutOfRange},
		{"FREQ=YEARLY;BYMONTH=13", "BYMONTH", recur.OutOfRange},
		{"FREQ=YEARLY;BYMONTH=-1", "BYMONTH", recur.Syntax},
		{"FREQ=YEARLY;BYMONTH=5L", "BYMONTH", recur.Syntax},
		{"FREQ=YEARLY;BYMONTH=1,,2", "BYMONTH", recur.Empty},
		{"FREQ=YEARLY;BYMONTH=", "BYMONTH", recur.Empty},
		{"FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY", recur.OutOfRange},
		{"FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY", recur.OutOfRange},
		{"FREQ=MONTHLY;BYMONTHDAY=-32", "BYMONTHDAY", recur.OutOfRange},
		{"FREQ=WEEKLY;BYMONTHDAY=5", "BYMONTHDAY", recur.NotWithFreq},
		{"FREQ=YEARLY;BYYEARDAY=0", "BYYEARDAY", recur.OutOfRange},
		{"FREQ=YEARLY;BYYEARDAY=367", "BYYEARDAY", recur.OutOfRange},
		{"FREQ=DAILY;BYYEARDAY=5", "BYYEARDAY", recur.NotWithFreq},
		{"FREQ=WEEKLY;BYYEARDAY=5", "BYYEARDAY", recur.NotWithFreq},
		{"FREQ=MONTHLY;BYYEARDAY=5", "BYYEARDAY", recur.NotWithFreq},
		{"FREQ=YEARLY;BYWEEKNO=0", "BYWEEKNO", recur.OutOfRange},
		{"FREQ=YEARLY;BYWEEKNO=54", "BYWEEKNO", recur.OutOfRange},
		{"FREQ=MONTHLY;BYWEEKNO=5", "BYWEEKNO", recur.NotWithFreq},
		{"FREQ=WEEKLY;BYWEEKNO=5", "BYWEEKNO", recur.NotWithFreq},
		{"FREQ=DAILY;BYWEEKNO=5", "BYWEEKNO", recur.NotWithFreq},
		{"FREQ=WEEKLY;BYDAY=XX", "BYDAY", recur.Syntax},
		{"FREQ=WEEKLY;BYDAY=MO,", "BYDAY", recur.Empty},
		{"FREQ=WEEKLY;BYDAY=1MO", "BYDAY", recur.Numbered},
		{"FREQ=DAILY;BYDAY=-1FR", "BYDAY", recur.Numbered},
		{"FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO", "BYDAY", recur.Numbered},
		{"FREQ=MONTHLY;BYDAY=0MO", "BYDAY", recur.OutOfRange},
		{"FREQ=MONTHLY;BYDAY=54MO", "BYDAY", recur.OutOfRange},
		{"FREQ=MONTHLY;BYDAY=--1MO", "BYDAY", recur.Syntax},
		{"FREQ=MONTHLY;BYDAY=+MO", "BYDAY", recur.Syntax},
		{"FREQ=DAILY;BYHOUR=24", "BYHOUR", recur.OutOfRange},
		{"FREQ=DAILY;BYHOUR=-1", "BYHOUR", recur.Syntax},
		{"FREQ=DAILY;BYMINUTE=60", "BYMINUTE", recur.OutOfRange},
		{"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", "BYSETPOS", recur.OutOfRange},
		{"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367", "BYSETPOS", recur.OutOfRange},
		{"FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS", recur.SetPosAlone},
		{"FREQ=WEEKLY;WKST=1MO", "WKST", recur.Syntax},
		{"FREQ=WEEKLY;WKST=", "WKST", recur.Empty},
	} {
		_, problems := recur.ParseRule(c.rule, timed)
		if len(problems) == 0 || problems[0].Part != c.part || problems[0].Code != c.code {
			t.Errorf("%q: %+v, want %s of %s", c.rule, problems, c.code, c.part)
		}
	}
}

// All problems are reported at once.
func TestEveryProblem(t *testing.T) {
	t.Parallel()
	_, problems := recur.ParseRule("FREQ=HOURLY;COUNT=0;BYDAY=XX,0MO;FOO=1", recur.Clock{})
	if len(problems) != 5 {
		t.Errorf("%d: %+v", len(problems), problems)
	}
}

// Every spelling of a rule has one canonical text, which parses to itself.
func TestText(t *testing.T) {
	t.Parallel()
	timed := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-01-05 19:30")}
	days := recur.Clock{Zone: timed.Zone, Start: at(t, "2027-01-05"), AllDay: true}
	for _, c := range []struct {
		clock      recur.Clock
		rule, want string
	}{
		{timed, " rrule:freq=weekly;interval=1;byday=th,TU,tu ", "FREQ=WEEKLY;BYDAY=TU,TH"},
		{timed, "FREQ=DAILY;COUNT=3;", "FREQ=DAILY;COUNT=3"},
		{timed, "WKST=MO;BYDAY=FR;COUNT=007;FREQ=WEEKLY", "FREQ=WEEKLY;COUNT=7;BYDAY=FR"},
		{timed, "FREQ=WEEKLY;INTERVAL=2;WKST=SU", "FREQ=WEEKLY;INTERVAL=2;WKST=SU"},
		{timed, "FREQ=MONTHLY;BYMONTHDAY=-1,+15,1", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1"},
		{timed, "FREQ=MONTHLY;BYDAY=-1FR,+1MO,1FR", "FREQ=MONTHLY;BYDAY=1MO,1FR,-1FR"},
		{timed, "FREQ=DAILY;UNTIL=20270630T173000Z", "FREQ=DAILY;UNTIL=20270630T173000Z"},
		{timed, "FREQ=DAILY;UNTIL=20270630T193000", "FREQ=DAILY;UNTIL=20270630T173000Z"},
		{timed, "FREQ=DAILY;UNTIL=20270630", "FREQ=DAILY;UNTIL=20270630T215959Z"},
		{timed, "FREQ=DAILY;UNTIL=20271231T235960Z", "FREQ=DAILY;UNTIL=20271231T235959Z"},
		{days, "FREQ=DAILY;UNTIL=20270630", "FREQ=DAILY;UNTIL=20270630"},
		{days, "FREQ=DAILY;UNTIL=20270630T173000Z", "FREQ=DAILY;UNTIL=20270630"},
		{days, "FREQ=DAILY;BYHOUR=9;BYMINUTE=30", "FREQ=DAILY"},
		{timed, "FREQ=YEARLY;BYMONTHDAY=5", "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=5"},
		{timed, "FREQ=YEARLY;BYMONTHDAY=5;BYDAY=1TU", "FREQ=YEARLY;BYMONTHDAY=5;BYDAY=1TU"},
		{timed, "FREQ=YEARLY;BYMONTHDAY=5;BYYEARDAY=5", "FREQ=YEARLY;BYYEARDAY=5;BYMONTHDAY=5"},
		{timed, "FREQ=YEARLY;BYMONTHDAY=5;BYWEEKNO=1", "FREQ=YEARLY;BYWEEKNO=1;BYMONTHDAY=5"},
		{timed, "FREQ=YEARLY;BYWEEKNO=20", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=TU"},
		{timed, "FREQ=YEARLY;BYWEEKNO=20;BYYEARDAY=140", "FREQ=YEARLY;BYWEEKNO=20;BYYEARDAY=140"},
	} {
		rule, problems := recur.ParseRule(c.rule, c.clock)
		if got := rule.Text(c.clock); len(problems) > 0 || got != c.want {
			t.Errorf("%q: %s %+v, want %s", c.rule, got, problems, c.want)
		}
		again, problems := recur.ParseRule(c.want, c.clock)
		if got := again.Text(c.clock); len(problems) > 0 || got != c.want {
			t.Errorf("%q reads as %q %+v", c.want, got, problems)
		}
	}
}

// Text can be parsed again at either end of the range of years, in every zone.
func TestTextOfFirstAndLastYears(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"America/New_York", "Europe/Berlin", "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"} {
		for _, allDay := range []bool{false, true} {
			for _, until := range []string{
				"99991231", "99991231T235959", "99991231T235959Z", "99991231T000000Z", "00020101", "00020101T000000", "00020101T000000Z",
			} {
				c := recur.Clock{Zone: zone(t, name), Start: at(t, "0001-12-30 12:00"), AllDay: allDay}
				rule, problems := recur.ParseRule("FREQ=WEEKLY;UNTIL="+until, c)
				if len(problems) > 0 || rule.Until.Year() > 9999 {
					t.Errorf("%s %s: %v %+v", name, until, rule.Until, problems)
				}
				for _, clock := range []recur.Clock{c, {Zone: time.UTC, Start: c.Start}} {
					text := rule.Text(clock)
					again, problems := recur.ParseRule(text, clock)
					if len(problems) > 0 || again.Text(clock) != text {
						t.Errorf("%s %s: %s reads as %s %+v", name, until, text, again.Text(clock), problems)
					}
				}
			}
		}
	}
}

// The short form covers what people type.
func TestShort(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-01-05 19:30")}
	on := func(s ...string) []string { return s }
	for _, c := range []struct {
		short recur.Short
		want  string
	}{
		{recur.Short{Every: "week", Interval: 2, On: on("tu", "th"), Until: "2027-06-30"}, "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630T215959Z;BYDAY=TU,TH"},
		{recur.Short{Every: "month", On: on("last friday")}, "FREQ=MONTHLY;BYDAY=-1FR"},
		{recur.Short{Every: "day", Count: 10}, "FREQ=DAILY;COUNT=10"},
		{recur.Short{Every: "weekday"}, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"},
		{recur.Short{Every: "week", On: on("weekdays")}, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"},
		{recur.Short{Every: "week", On: on("Saturday and Sunday")}, "FREQ=WEEKLY;BYDAY=SA,SU"},
		{recur.Short{Every: "month", On: on("15")}, "FREQ=MONTHLY;BYMONTHDAY=15"},
		{recur.Short{Every: "month", On: on("the 1st", "15th")}, "FREQ=MONTHLY;BYMONTHDAY=1,15"},
		{recur.Short{Every: "month", On: on("last day")}, "FREQ=MONTHLY;BYMONTHDAY=-1"},
		{recur.Short{Every: "month", On: on("third Tuesday")}, "FREQ=MONTHLY;BYDAY=3TU"},
		{recur.Short{Every: "month", On: on("second last monday")}, "FREQ=MONTHLY;BYDAY=-2MO"},
		{recur.Short{Every: "month", On: on("first monday", "third monday")}, "FREQ=MONTHLY;BYDAY=1MO,3MO"},
		{recur.Short{Every: "month", On: on("last weekday")}, "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"},
		{recur.Short{Every: "month", On: on("-1FR")}, "FREQ=MONTHLY;BYDAY=-1FR"},
		{recur.Short{Every: "month", On: on("2nd mo", "-1th")}, "FREQ=MONTHLY;BYDAY=2MO,-1TH"},
		{recur.Short{Every: "month", On: on("4th")}, "FREQ=MONTHLY;BYMONTHDAY=4"},
		{recur.Short{Every: "month", On: on("the 5th")}, "FREQ=MONTHLY;BYMONTHDAY=5"},
		{recur.Short{Every: "month", On: on("4th thursday")}, "FREQ=MONTHLY;BYDAY=4TH"},
		{recur.Short{Every: "month", On: on("1st and 15th")}, "FREQ=MONTHLY;BYMONTHDAY=1,15"},
		{recur.Short{Every: "month", On: on("first and last day")}, "FREQ=MONTHLY;BYMONTHDAY=1,-1"},
		{recur.Short{Every: "month", On: on("first and third Tuesday")}, "FREQ=MONTHLY;BYDAY=1TU,3TU"},
		{recur.Short{Every: "month", On: on("1st, 3rd & last tuesday")}, "FREQ=MONTHLY;BYDAY=1TU,3TU,-1TU"},
		{recur.Short{Every: "month", On: on("first and last friday")}, "FREQ=MONTHLY;BYDAY=1FR,-1FR"},
		{recur.Short{Every: "month", On: on("first monday and third friday")}, "FREQ=MONTHLY;BYDAY=1MO,3FR"},
		{recur.Short{Every: "month", On: on("second tuesday and thursday")}, "FREQ=MONTHLY;BYDAY=2TU,2TH"},
		{recur.Short{Every: "month", On: on("tuesday and thursday")}, "FREQ=MONTHLY;BYDAY=TU,TH"},
		{recur.Short{Every: "month", On: on("first and last weekday")}, "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1"},
		{recur.Short{Every: "year", On: on("25 December")}, "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25"},
		{recur.Short{Every: "year", On: on("12-25")}, "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25"},
		{recur.Short{Every: "year", On: on("last sunday of march")}, "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"},
		{recur.Short{Every: "year", On: on("first and last Sunday of March and October")}, "FREQ=YEARLY;BYMONTH=3,10;BYDAY=1SU,-1SU"},
		{recur.Short{Every: "year", On: on("6 january", "6 july")}, "FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=6"},
		{recur.Short{Every: "year", On: on("december 24th", "26 december")}, "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24,26"},
		{recur.Short{Every: "year", On: on("4th of july")}, "FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4"},
	} {
		rule, problems := c.short.Rule(clock)
		if got := rule.Text(clock); len(problems) > 0 || got != c.want {
			t.Errorf("%+v: %s %+v, want %s", c.short, got, problems, c.want)
		}
	}
	for _, c := range []struct {
		short      recur.Short
		part, code string
	}{
		{recur.Short{}, "every", recur.Missing},
		{recur.Short{Every: "moon"}, "every", recur.Every},
		{recur.Short{Every: "2 weeks"}, "every", recur.Every},
		{recur.Short{Every: "day", Interval: -1}, "interval", recur.OutOfRange},
		{recur.Short{Every: "day", Count: -1}, "count", recur.OutOfRange},
		{recur.Short{Every: "day", Count: 2, Until: "2027-06-30"}, "until", recur.CountUntil},
		{recur.Short{Every: "day", Until: "soon"}, "until", recur.Syntax},
		{recur.Short{Every: "day", Until: "2027-02-30"}, "until", recur.OutOfRange},
		{recur.Short{Every: "week", On: on("15")}, "on", recur.Unclear},
		{recur.Short{Every: "week", On: on("t")}, "on", recur.Unclear},
		{recur.Short{Every: "month", On: on("")}, "on", recur.Unclear},
		{recur.Short{Every: "month", On: on("15", "last friday")}, "on", recur.Unclear},
		{recur.Short{Every: "month", On: on("tenth friday")}, "on", recur.Unclear},
		{recur.Short{Every: "year", On: on("15")}, "on", recur.Unclear},
		{recur.Short{Every: "year", On: on("25 december and 1 january")}, "on", recur.Unclear},
		{recur.Short{Every: "year", On: on("1 january", "2 february")}, "on", recur.Unclear},
		{recur.Short{Every: "month", On: on("15 and tuesday")}, "on", recur.Unclear},
		{recur.Short{Every: "month", On: on("and")}, "on", recur.Unclear},
		{recur.Short{Every: "month", On: on("first and")}, "on", recur.Unclear},
		{recur.Short{Every: "year", On: on("13-25")}, "on", recur.Unclear},
	} {
		if _, problems := c.short.Rule(clock); len(problems) == 0 || problems[0].Part != c.part || problems[0].Code != c.code {
			t.Errorf("%+v: %+v, want %s of %s", c.short, problems, c.code, c.part)
		}
	}
}
