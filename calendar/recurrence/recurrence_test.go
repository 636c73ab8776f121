package recurrence

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
)

// evening is the clock of a series in Berlin that begins on Tuesday 2 March 2027 at half past seven in the evening.
func evening(t *testing.T) recur.Clock {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return recur.Clock{Zone: zone, Start: time.Date(2027, 3, 2, 19, 30, 0, 0, time.UTC)}
}

// now is when the tests read recurrences.
var now = time.Date(2027, 1, 1, 12, 0, 0, 0, time.UTC)

// written returns rules and dates as "rules|dates|excluded dates".
func written(set *recur.Set, clock recur.Clock) string {
	if set == nil {
		return "none"
	}
	var rules []string
	for _, rule := range set.Rules {
		rules = append(rules, rule.Text(clock))
	}
	list := func(dates []time.Time) string {
		var texts []string
		for _, date := range dates {
			texts = append(texts, strings.TrimSuffix(date.Format("060102T1504"), "T1930"))
		}
		return strings.Join(texts, " ")
	}
	return strings.Join(rules, "+") + "|" + list(set.Dates) + "|" + list(set.Except)
}

// keys returns the keys of what is wrong, without what all have in common.
func keys(err error) (list []string) {
	found, ok := errors.AsType[*args.Problems](err)
	if !ok {
		return nil
	}
	for _, p := range found.Broken() {
		list = append(list, p.Arg+" "+strings.TrimPrefix(p.Key, "problem.recurrence."))
	}
	return list
}

type object = map[string]any

// A recurrence is an object with rules and dates, the short form, or lines of a calendar file.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		sent any
		want string
	}{
		{"null", nil, "none"},
		{"nothing", "", "none"},
		{"spaces", " \n ", "none"},
		{"an empty object", object{}, "none"},
		{"what an answer has besides", object{"text": "every day", "next": []any{"x"}, "exceptions": []any{}, "stored_until": "x"}, "none"},
		{"null within", object{"rrule": nil, "rdate": nil, "every": nil}, "none"},
		{"a rule alone", "FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3||"},
		{"lines", "RRULE:FREQ=DAILY;COUNT=3\r\nEXDATE:20270303T193000", "FREQ=DAILY;COUNT=3||270303"},
		{"a rule", object{"rrule": "FREQ=DAILY;COUNT=3"}, "FREQ=DAILY;COUNT=3||"},
		{"a rule with its name", object{"rrule": "RRULE:freq=daily;count=3"}, "FREQ=DAILY;COUNT=3||"},
		{"rules", object{"rrule": []any{"FREQ=DAILY;COUNT=3", "", "FREQ=WEEKLY"}}, "FREQ=DAILY;COUNT=3+FREQ=WEEKLY||"},
		{"the same rule twice", object{"rrule": []any{"FREQ=WEEKLY", "FREQ=WEEKLY;INTERVAL=1"}}, "FREQ=WEEKLY||"},
		{"the short form", object{"every": "week", "on": []any{"tue", "thu"}, "count": 4.0}, "FREQ=WEEKLY;COUNT=4;BYDAY=TU,TH||"},
		{"numbers with a point", object{"every": "week", "interval": json.Number("2.0"), "count": 3.0}, "FREQ=WEEKLY;INTERVAL=2;COUNT=3||"},
		{"the short form as text", object{"every": "week", "interval": "2", "on": "tue, thu", "until": "2027-06-01"}, "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270601T215959Z;BYDAY=TU,TH||"},
		{"both forms", object{"rrule": "FREQ=YEARLY", "every": "day", "count": "2"}, "FREQ=YEARLY+FREQ=DAILY;COUNT=2||"},
		{"dates alone", object{"rdate": []any{"2027-03-05", "2027-03-04T10:00:00", "2027-03-05 19:30"}}, "|270304T1000 270305|"},
		{"a date", object{"rdate": "2027-03-05"}, "|270305|"},
		{"dates with commas", object{"rdate": "2027-03-05, 2027-03-04 10:00,2027-03-06"}, "|270304T1000 270305 270306|"},
		{"a date that has a comma", object{"rdate": "March 5, 2027"}, "|270305|"},
		{"a list with commas within", object{"rdate": []any{"2027-03-05,2027-03-06", "March 7, 2027"}}, "|270305 270306 270307|"},
		{"an instant", object{"rdate": "2027-03-05T12:00:00Z"}, "|270305T1300|"},
		{"a date left out", object{"rrule": "FREQ=DAILY;COUNT=3", "exdate": []any{"2027-03-03 19:30"}}, "FREQ=DAILY;COUNT=3||270303"},
		{"a day left out", object{"rrule": "FREQ=DAILY;BYHOUR=8,19;COUNT=5", "exdate": "2027-03-03"}, "FREQ=DAILY;COUNT=5;BYHOUR=8,19||270303T0830 270303"},
		{"a day left out of several rules", object{"rrule": []any{"FREQ=DAILY", "FREQ=DAILY;BYHOUR=8"}, "exdate": "2027-03-04,2027-03-03,2027-03-03"},
			"FREQ=DAILY+FREQ=DAILY;BYHOUR=8||270303T0830 270303 270304T0830 270304"},
		{"a day without dates", object{"rrule": "FREQ=WEEKLY", "exdate": "2027-03-03"}, "FREQ=WEEKLY||270303"},
		{"an added date left out", object{"rrule": "FREQ=WEEKLY", "rdate": "2027-03-04 08:00", "exdate": "2027-03-04"}, "FREQ=WEEKLY|270304T0800|270304T0800"},
	} {
		clock := evening(t)
		set, err := Parse(c.sent, clock, now)
		if got := written(set, clock); err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, got, err, c.want)
		}
	}
	days := evening(t)
	days.AllDay, days.Start = true, args.DayOf(days.Start)
	set, err := Parse(object{"rrule": "FREQ=DAILY;COUNT=3", "rdate": "2027-03-09 10:00", "exdate": "2027-03-03T08:00:00"}, days, now)
	if got := written(set, days); err != nil || got != "FREQ=DAILY;COUNT=3|270309T0000|270303T0000" {
		t.Errorf("all day: %s, %v", got, err)
	}
}

// What is wrong is told of the argument that it came in.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		sent any
		want []string
	}{
		{"a number", 5.0, []string{"recurrence problem.type.object"}},
		{"a list", []any{"FREQ=DAILY"}, []string{"recurrence problem.type.object"}},
		{"a field that isn't there", object{"rule": "FREQ=DAILY"}, []string{"recurrence field"}},
		{"a rule that is no text", object{"rrule": 5.0}, []string{"recurrence text"}},
		{"the short form without its unit", object{"count": "3"}, []string{"recurrence every"}},
		{"numbers that are none", object{"every": "day", "count": "x", "interval": 0.0}, []string{"recurrence number"}},
		{"a half", object{"every": "day", "interval": json.Number("1.5")}, []string{"recurrence number"}},
		{"a number that is none", object{"every": "day", "interval": "NaN"}, []string{"recurrence number"}},
		{"a number too high", object{"every": "day", "interval": json.Number("1e99")}, []string{"recurrence out_of_range"}},
		{"dates that are none", object{"rrule": "FREQ=DAILY", "rdate": []any{"x", 5.0}, "exdate": "2027-02-30"}, []string{"recurrence date"}},
		{"dates that move with the day", object{"rdate": "tomorrow"}, []string{"recurrence date"}},
		{"a long rule", object{"rrule": "FREQ=DAILY;BYMONTH=" + strings.Repeat("1,", recur.MaxText)}, []string{"recurrence " + recur.TooLong}},
		{"a long rule in lines", "RRULE:FREQ=DAILY;BYMONTH=" + strings.Repeat("1,", recur.MaxText), []string{"recurrence " + recur.TooLong}},
		{"a long short form", object{"every": "week", "on": strings.Repeat("mo,", recur.MaxText)}, []string{"recurrence " + recur.TooLong}},
		{"a long end", object{"every": "week", "until": strings.Repeat("9", recur.MaxText+1)}, []string{"recurrence " + recur.TooLong}},
		{"many dates", object{"rdate": strings.Repeat("x,", recur.MaxDates+1)}, []string{"recurrence " + recur.TooManyDates}},
		{"many dates left out", object{"rrule": "FREQ=DAILY", "exdate": slices.Repeat([]any{"2027-03-04"}, recur.MaxDates+1)}, []string{"recurrence " + recur.TooManyDates}},
	} {
		set, err := Parse(c.sent, evening(t), now)
		if got := keys(err); set != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

// A start that no rule yields is refused with the dates beside it.
func TestCheckSuggests(t *testing.T) {
	t.Parallel()
	clock := evening(t)
	set, err := Parse("FREQ=WEEKLY;BYDAY=FR", clock, now)
	if err != nil {
		t.Fatal(err)
	}
	err = Check(set, clock)
	found, _ := errors.AsType[*args.Problems](err)
	if got := keys(err); !slices.Equal(got, []string{"start_date " + recur.StartMissed}) ||
		found.Broken()[0].Data["Nearest"] != "2027-02-26 19:30:00, 2027-03-05 19:30:00, 2027-03-12 19:30:00" {
		t.Errorf("%q, %v", got, err)
	}
	clock.Start = clock.Start.AddDate(0, 0, 3)
	if err := Check(set, clock); err != nil {
		t.Errorf("on a Friday: %v", err)
	}
}

// The start of a date is one date.
func TestStart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"2027-03-09": "2027-03-09 19:30:00", "2027-03-09 08:00": "2027-03-09 08:00:00", "2027-03-09T07:00:00Z": "2027-03-09 08:00:00",
		"March 9, 2027": "2027-03-09 19:30:00", "": "", "x": "", "tomorrow": "", "2027-03-09,2027-03-10": "", strings.Repeat("x,", recur.MaxDates+1): ""} {
		got := ""
		if at, is := Start(text, evening(t), now); is {
			got = at.Format(time.DateTime)
		}
		if got != want {
			t.Errorf("%.40s: %q, want %q", text, got, want)
		}
	}
}

// Many excluded days of a series that counts, far ahead, are found in one walk. With a walk for each, this test takes minutes.
func TestExcludedDaysOfCountedSeries(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: time.UTC, Start: time.Date(2, 1, 1, 10, 0, 0, 0, time.UTC)}
	first := time.Date(6000, 1, 1, 10, 0, 0, 0, time.UTC)
	var days []any
	for i := range recur.MaxDates {
		days = append(days, first.AddDate(0, 0, i).Format(time.DateOnly))
	}
	every := make([]string, 0, 31)
	for day := range 31 {
		every = append(every, fmt.Sprint(day+1))
	}
	set, err := Parse(object{"rrule": "FREQ=DAILY;BYMONTHDAY=" + strings.Join(every, ",") + ";COUNT=3000000", "exdate": days}, clock, now)
	if err != nil || len(set.Except) != recur.MaxDates || !set.Except[0].Equal(first) {
		t.Errorf("%d dates are left out, %v", len(set.Except), err)
	}
}
