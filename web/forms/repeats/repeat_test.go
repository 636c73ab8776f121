package repeats

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

func at(text string) time.Time {
	t, err := time.Parse(time.DateTime, text)
	if err != nil {
		panic(err)
	}
	return t
}

func atSite(t *testing.T) context.Context {
	t.Helper()
	site := &tenancy.Site{Language: "en"}
	site.SetTimezone("UTC")
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: "en"})
}

// setOf returns the rules of a text, one a line, for a start.
func setOf(t *testing.T, rules string, clock recur.Clock) recur.Set {
	t.Helper()
	set := recur.Set{}
	for line := range strings.Lines(rules) {
		rule, problems := recur.ParseRule(strings.TrimSpace(line), clock)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", rules, problems)
		}
		set.Rules = append(set.Rules, rule)
	}
	return set
}

// formOf returns the form of an event that repeats.
func formOf(set recur.Set, clock recur.Clock) *frame.Form {
	f := &frame.Form{Kind: "event", Values: url.Values{"start_date": {clock.Start.Format(time.DateTime)}, "timezone": {"UTC"}}}
	if clock.AllDay {
		f.Set("all_day", "1")
	}
	Fill(f, set, clock)
	return f
}

// firstDates returns some dates of a series.
func firstDates(set recur.Set, clock recur.Clock) (list []string) {
	for date := range set.All(clock, time.Time{}) {
		if len(list) == 30 {
			break
		}
		list = append(list, date.Format(time.DateTime))
	}
	return list
}

// Which choice says what a rule says; a form that nobody touched has the same dates, and the rule with all its details.
func TestFormOfRules(t *testing.T) {
	t.Parallel()
	const start = "2027-06-15 19:00:00" // the third Tuesday
	for rule, want := range map[string]string{
		"FREQ=DAILY":                                 everyDay,
		"FREQ=DAILY;INTERVAL=3;COUNT=5":              everyDay,
		"FREQ=DAILY;BYDAY=MO,TU,WE":                  byRule,
		"FREQ=WEEKLY":                                everyWeek,
		"FREQ=WEEKLY;BYDAY=TH,TU;WKST=SU;INTERVAL=2": everyWeek,
		"FREQ=WEEKLY;UNTIL=20270801T190000":          everyWeek,
		"FREQ=WEEKLY;UNTIL=20270801T120000":          everyWeek,
		"FREQ=WEEKLY;BYHOUR=19":                      byRule,
		"FREQ=WEEKLY;BYMONTH=6":                      byRule,
		"FREQ=MONTHLY":                               monthlyDay,
		"FREQ=MONTHLY;BYMONTHDAY=15":                 monthlyDay,
		"FREQ=MONTHLY;BYMONTHDAY=15,-1":              byRule,
		"FREQ=MONTHLY;BYDAY=3TU;COUNT=4":             monthlyPlace,
		"FREQ=MONTHLY;BYDAY=TU;BYSETPOS=3":           byRule,
		"FREQ=YEARLY":                                everyYear,
		"FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=15":        everyYear,
		"FREQ=YEARLY;BYMONTH=6,9":                    byRule,
		"FREQ=YEARLY;BYDAY=3TU;BYMONTH=6":            byRule,
		"FREQ=WEEKLY\nFREQ=MONTHLY;BYMONTHDAY=15":    byRule,
	} {
		for _, allDay := range []bool{false, true} {
			clock := recur.Clock{Zone: time.UTC, Start: at(start), AllDay: allDay}
			if allDay {
				clock.Start = at("2027-06-15 00:00:00")
				if strings.Contains(rule, "BYHOUR") || strings.Contains(rule, "UNTIL") {
					continue
				}
			}
			set := setOf(t, rule, clock)
			set.Dates = []time.Time{clock.Start.AddDate(0, 0, 2)}
			set.Except = []time.Time{clock.Start}
			f := formOf(set, clock)
			if got := f.Get(Choice); got != want {
				t.Errorf("%s is chosen as %q", rule, got)
			}
			r := In(atSite(t), f)
			if r.Wrong || !r.Timed || !sameDates(r.Set, set, clock) || !slices.Equal(firstDates(r.Set, clock), firstDates(set, clock)) {
				t.Errorf("%s is read as %+v: %v", rule, r.Set, f.Problems)
			}
			if len(r.Set.Rules) != len(set.Rules) || r.Set.Rules[0].Text(clock) != set.Rules[0].Text(clock) {
				t.Errorf("%s loses details: %s", rule, r.Set.Rules[0].Text(clock))
			}
			if Touched(atSite(t), f, formOf(set, clock)) {
				t.Errorf("%s: a form that nobody touched is touched", rule)
			}
		}
	}
}

// The choices of the last week and day of a month.
func TestChoicesAtEndOfMonth(t *testing.T) {
	t.Parallel()
	for start, want := range map[string][]string{
		"2027-06-15 19:00:00": {monthlyPlace},
		"2027-06-22 19:00:00": {monthlyPlace},                          // the fourth of five Tuesdays
		"2027-06-29 19:00:00": {monthlyLast},                           // the fifth Tuesday
		"2027-06-24 19:00:00": {monthlyPlace, monthlyLast},             // the fourth of four Thursdays
		"2027-06-30 19:00:00": {monthlyLast, monthlyEnd},               // the last day
		"2027-02-28 19:00:00": {monthlyPlace, monthlyLast, monthlyEnd}, // the fourth Sunday
		"2028-02-28 19:00:00": {monthlyPlace, monthlyLast},             // of a leap year
	} {
		choices := repeatChoices(at(start), never)
		for _, choice := range []string{monthlyPlace, monthlyLast, monthlyEnd} {
			if slices.Contains(choices, choice) != slices.Contains(want, choice) {
				t.Errorf("on %s one can choose %v", start, choices)
			}
		}
		clock := recur.Clock{Zone: time.UTC, Start: at(start)}
		for _, choice := range choices {
			if rule, known := choiceRule(choice, clock.Start); known && !(recur.Set{Rules: []recur.Rule{rule}}).Hits(clock) {
				t.Errorf("%s doesn't take place on %s", choice, start)
			}
		}
	}
	if !slices.Contains(repeatChoices(at("2027-06-29 19:00:00"), monthlyPlace), monthlyPlace) {
		t.Error("what is chosen isn't among the choices")
	}
}

// A choice follows the start to which the event was moved since the form was shown, as Follow does.
func TestChoiceFollowsTheStart(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: time.UTC, Start: at("2027-06-15 19:00:00")}
	for rule, want := range map[string]string{
		"FREQ=WEEKLY;BYDAY=TU":       "FREQ=WEEKLY;BYDAY=WE",
		"FREQ=MONTHLY;BYDAY=3TU":     "FREQ=MONTHLY;BYDAY=3WE",
		"FREQ=MONTHLY;BYMONTHDAY=15": "FREQ=MONTHLY;BYMONTHDAY=16",
		"FREQ=WEEKLY;BYDAY=TU,WE":    "FREQ=WEEKLY;BYDAY=TU,WE",
		"FREQ=DAILY;COUNT=3":         "FREQ=DAILY;COUNT=3",
	} {
		set := setOf(t, rule, clock)
		f, now := formOf(set, clock), formOf(set, clock)
		f.Set("start_date", "2027-06-16 20:00:00")
		r := In(atSite(t), f)
		if len(r.Set.Rules) != 1 || r.Set.Rules[0].Text(r.Clock) != want {
			t.Errorf("%s becomes %+v", rule, r.Set)
		}
		if Touched(atSite(t), f, now) {
			t.Errorf("%s: to follow the start is to touch the rule", rule)
		}
		if !slices.Equal(firstDates(recurrence.Follow(set, clock.Start, r.Clock), r.Clock), firstDates(r.Set, r.Clock)) {
			t.Errorf("%s: other dates than those of Follow", rule)
		}
	}
}

// What is changed in the form changes the rule, and is told beside its field where it makes no sense.
func TestChangedForm(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: time.UTC, Start: at("2027-06-15 19:00:00")}
	for name, c := range map[string]struct {
		fields url.Values
		want   string // the rule
		wrong  string // or the field
	}{
		"every other week":     {url.Values{repeatEvery: {"2"}}, "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", ""},
		"on two days":          {url.Values{repeatOn: {"7", "2"}}, "FREQ=WEEKLY;BYDAY=TU,SU", ""},
		"until a day, with it": {url.Values{repeatEnd: {endsOn}, repeatUntil: {"2027-07-06"}}, "FREQ=WEEKLY;UNTIL=20270706T235959Z;BYDAY=TU", ""},
		"three times":          {url.Values{repeatEnd: {endsAfter}, repeatCount: {"3"}}, "FREQ=WEEKLY;COUNT=3;BYDAY=TU", ""},
		"every day":            {url.Values{Choice: {everyDay}}, "FREQ=DAILY", ""},
		"by lines":             {url.Values{Choice: {byRule}, repeatRule: {"FREQ=MONTHLY;BYDAY=TU;BYSETPOS=3"}}, "FREQ=MONTHLY;BYDAY=TU;BYSETPOS=3", ""},
		"never":                {url.Values{Choice: {never}}, "", ""},
		"every no week":        {url.Values{repeatEvery: {"0"}}, "", repeatEvery},
		"no times":             {url.Values{repeatEnd: {endsAfter}, repeatCount: {""}}, "", repeatCount},
		"until nothing":        {url.Values{repeatEnd: {endsOn}, repeatUntil: {"soon"}}, "", repeatUntil},
		"by no lines":          {url.Values{Choice: {byRule}, repeatRule: {"FREQ=NEVER"}}, "", repeatRule},
		"what isn't a choice":  {url.Values{Choice: {"x"}}, "", "recurrence"},
	} {
		set := setOf(t, "FREQ=WEEKLY;BYDAY=TU", clock)
		f := formOf(set, clock)
		maps.Copy(f.Values, c.fields)
		r := In(atSite(t), f)
		text := ""
		if len(r.Set.Rules) == 1 {
			text = r.Set.Rules[0].Text(clock)
		}
		if text != c.want || r.Wrong != (c.wrong != "") || c.wrong != "" && f.Problem(c.wrong) == "" {
			t.Errorf("%s: %q, %v", name, text, f.Problems)
		}
		if !Touched(atSite(t), f, formOf(set, clock)) {
			t.Errorf("%s: isn't touched", name)
		}
	}
}

// Dates that were left out of another rule are forgotten with it.
func TestExceptionsOfAnotherRule(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: time.UTC, Start: at("2027-06-15 19:00:00")}
	set := setOf(t, "FREQ=WEEKLY", clock)
	set.Except = []time.Time{at("2027-06-22 19:00:00"), at("2027-07-15 19:00:00")}
	f := formOf(set, clock)
	f.Set(Choice, monthlyDay)
	if r := In(atSite(t), f); !slices.Equal(r.Set.Except, set.Except[1:]) {
		t.Errorf("left out are %v", r.Set.Except)
	}
}

// Picking a day leaves it out, or puts it in, and picking it again takes that back.
func TestPickedDays(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: time.UTC, Start: at("2027-06-15 19:00:00")}
	day := func(text string) time.Time { return at(text + " 00:00:00") }
	weekly := setOf(t, "FREQ=WEEKLY;COUNT=4", clock)
	extra := weekly
	extra.Dates = []time.Time{at("2027-06-17 12:00:00")}
	twice := setOf(t, "FREQ=WEEKLY;BYHOUR=9,19", clock)
	for name, c := range map[string]struct {
		set  recur.Set
		day  string
		out  []string
		more []string
		back bool // picked again, it is as before
	}{
		"a date of the rule":               {weekly, "2027-06-22", []string{"2027-06-22 19:00:00"}, nil, true},
		"a day between":                    {weekly, "2027-06-23", nil, []string{"2027-06-23 19:00:00"}, true},
		"a day before":                     {weekly, "2027-06-01", nil, []string{"2027-06-01 19:00:00"}, true},
		"a day after the last":             {weekly, "2027-08-03", nil, []string{"2027-08-03 19:00:00"}, true},
		"a date that was added":            {extra, "2027-06-17", nil, nil, false},
		"all dates of a day that has more": {twice, "2027-06-22", []string{"2027-06-22 09:00:00", "2027-06-22 19:00:00"}, nil, true},
	} {
		texts := func(list []time.Time) (all []string) {
			for _, one := range list {
				all = append(all, one.Format(time.DateTime))
			}
			return all
		}
		next := toggled(c.set, clock, day(c.day))
		if !slices.Equal(texts(next.Except), c.out) || !slices.Equal(texts(next.Dates), c.more) {
			t.Errorf("%s: without %v, with %v", name, texts(next.Except), texts(next.Dates))
		}
		if again := toggled(next, clock, day(c.day)); c.back && (len(again.Dates)+len(again.Except) > 0 || !slices.Equal(firstDates(again, clock), firstDates(c.set, clock))) {
			t.Errorf("%s, twice: %v", name, firstDates(again, clock))
		}
	}
}

// Dates are written as days where they are at the time of the series, and read as they were written.
func TestDaysInForm(t *testing.T) {
	t.Parallel()
	start := at("2027-06-15 19:00:00")
	list := []time.Time{at("2027-07-02 12:30:15"), at("2027-07-01 19:00:00"), at("2027-07-01 19:00:00")}
	text := writeDays(list, start)
	if text != "2027-07-01 2027-07-02T12:30:15" {
		t.Errorf("written as %q", text)
	}
	if got := readDays(text+" soon 2027-02-30 9999-01-01 9999-01-01T10:00:00", start); !slices.Equal(got, []time.Time{list[1], list[0]}) {
		t.Errorf("read as %v", got)
	}
}

// The form of one date of a series says how the series goes on from there; one that was moved or added has no choice.
func TestFormOfOneDate(t *testing.T) {
	t.Parallel()
	series := &calendar.Event{Post: calendar.Post{ID: 5}, Timezone: "UTC", Start: at("2027-06-15 19:00:00"), End: at("2027-06-15 22:00:00")}
	set := setOf(t, "FREQ=WEEKLY;COUNT=5", series.Clock())
	set.Dates = []time.Time{at("2027-06-17 19:00:00")}
	series.Recurrence = &set
	for name, c := range map[string]struct {
		original, start string
		choice          string
		count           string
	}{
		"the third":          {"2027-06-29 19:00:00", "2027-06-29 19:00:00", everyWeek, "3"},
		"one that was moved": {"2027-06-29 19:00:00", "2027-06-29 20:00:00", "", ""},
		"one that was added": {"2027-06-17 19:00:00", "2027-06-17 19:00:00", "", ""},
	} {
		e := *series
		e.Occur(9, at(c.original), at(c.start), at(c.start))
		f := &frame.Form{Values: url.Values{}}
		FillFrom(f, &e, series)
		if f.Get(Choice) != c.choice || f.Get(repeatCount) != c.count || f.Has(Choice) != (c.choice != "") {
			t.Errorf("%s: %v", name, f.Values)
		}
	}
	f := &frame.Form{Values: url.Values{}}
	if FillFrom(f, &calendar.Event{Timezone: "UTC", Start: series.Start}, nil); !f.Has(Choice) || f.Get(Choice) != never {
		t.Errorf("an event that happens once: %v", f.Values)
	}
}

// Another start by a button keeps the length of the event and its rule.
func TestAnotherStart(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: time.UTC, Start: at("2027-06-14 19:00:00")}
	f := formOf(setOf(t, "FREQ=WEEKLY;BYDAY=TU", clock), clock)
	f.Set("end_date", "2027-06-15T01:00")
	f.Set("do", buttonStart+"2027-06-15T19:00")
	pressButton(atSite(t), f)
	r := In(atSite(t), f)
	if f.Get("end_date") != "2027-06-16T01:00" || !r.Clock.Start.Equal(at("2027-06-15 19:00:00")) || r.Set.Rules[0].Text(r.Clock) != "FREQ=WEEKLY;BYDAY=TU" {
		t.Errorf("%v", f.Values)
	}
}

// Only what the API takes is an answer to which dates a change applies to, and what can't be chosen isn't offered.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"this": true, "following": true, "all": true, "": false, "ALL": false, "x": false} {
		f := &frame.Form{Values: url.Values{AppliesTo: {text}}}
		if scope, said := ScopeOf(f); said != want || said && scope != text || !said && scope != "" {
			t.Errorf("%q: %q, %t", text, scope, said)
		}
	}
	q := &Question{Without: []string{"this"}}
	if got := q.offered(); !slices.Equal(got, []string{"following", "all"}) || len(scopes) != 3 {
		t.Errorf("offered are %v", got)
	}
}

// The form names the last date of a series, unless it has no end or too many dates to count.
func TestLastDate(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: time.UTC, Start: at("2027-01-08 16:00:00")}
	skipping := setOf(t, "FREQ=WEEKLY;UNTIL=20270331T000000Z", clock)
	skipping.Except = []time.Time{at("2027-03-05 16:00:00")}
	for name, c := range map[string]struct {
		set    recur.Set
		number int
		last   string
	}{
		"an end, without a date": {skipping, 11, "2027-03-26 16:00:00"},
		"a number of times":      {setOf(t, "FREQ=DAILY;COUNT=1000", clock), 1000, "2029-10-03 16:00:00"},
		"too many":               {setOf(t, "FREQ=DAILY;COUNT=1001", clock), 0, "0001-01-01 00:00:00"},
		"no end, and few dates":  {setOf(t, "FREQ=YEARLY;INTERVAL=10", clock), 0, "0001-01-01 00:00:00"},
		"no end":                 {setOf(t, "FREQ=YEARLY", clock), 0, "0001-01-01 00:00:00"},
	} {
		number, last := (&Repeat{Clock: clock, Set: c.set}).end()
		if number != c.number || last.Format(time.DateTime) != c.last {
			t.Errorf("%s: %d, %s", name, number, last)
		}
	}
}
