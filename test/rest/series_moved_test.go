package rest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestSeriesMovedByADay: a series that ends on a day keeps all of its dates with their ids when it moves to another weekday,
// however its rule is written, as a whole or from one of its dates on (rule 13.2).
func TestSeriesMovedByADay(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	dates := func(series int64) []kit.Object {
		a := k.Get(fmt.Sprintf("/events/%d/occurrences?start_date=2030-03-01&end_date=2030-12-01&per_page=50", series), "").Want(t, 200, "")
		var list []kit.Object
		for _, one := range a.Body["events"].([]any) {
			list = append(list, one.(map[string]any))
		}
		return list
	}
	for name, rule := range map[string]kit.Object{
		"short":    {"every": "week", "until": "2030-04-01"},
		"weekday":  {"every": "week", "on": "mo", "until": "2030-04-01"},
		"rrule":    {"rrule": "FREQ=WEEKLY;UNTIL=20300401T235959"},
		"exactly":  {"rrule": "FREQ=WEEKLY;BYDAY=MO;UNTIL=20300401T100000"},
		"counted":  {"rrule": "FREQ=WEEKLY;BYDAY=MO;COUNT=5"},
		"skipping": {"rrule": "FREQ=WEEKLY;BYDAY=MO;UNTIL=20300408T235959", "exdate": []string{"2030-03-18"}},
	} {
		made := k.Made("/events", kit.Object{"title": name, "timezone": "Europe/Berlin", "start_date": "2030-03-04 10:00:00",
			"end_date": "2030-03-04 11:00:00", "recurrence": rule})
		before := dates(made)
		if len(before) != 5 {
			t.Fatalf("%s: %d dates", name, len(before))
		}
		k.Patch(kit.Item("events", made), "editor", kit.Object{"start_date": "2030-03-05 10:00:00", "end_date": "2030-03-05 11:00:00"}).Want(t, 200, "")
		after := dates(made)
		if !slices.Equal(kit.EachOf(before, "id"), kit.EachOf(after, "id")) {
			t.Errorf("%s: the dates %v became %v at %v", name, kit.EachOf(before, "id"), kit.EachOf(after, "id"), kit.EachOf(after, "start_date"))
		}
		days := slices.DeleteFunc([]string{"05", "12", "19", "26", "02", "09"}, func(day string) bool {
			return name == "skipping" && day == "19" || name != "skipping" && day == "09"
		})
		for i, at := range kit.EachOf(after, "start_date") {
			if at[8:10] != days[i] {
				t.Errorf("%s: date %d is at %s, not on the %s", name, i+1, at, days[i])
			}
		}

		one := fmt.Sprintf("/events/%v", after[2]["id"])
		day := fmt.Sprint(after[2]["start_date"])[:8] + map[bool]string{true: "27", false: "20"}[name == "skipping"]
		later := k.Patch(one+"?applies_to=following", "editor", kit.Object{"start_date": day + " 10:00:00", "end_date": day + " 11:00:00"}).
			Want(t, 200, "").ID()
		rest := dates(later)
		if want := kit.EachOf(after, "id")[2:]; !slices.Equal(kit.EachOf(rest, "id"), want) {
			t.Errorf("%s: from the third on %v became %v at %v", name, want, kit.EachOf(rest, "id"), kit.EachOf(rest, "start_date"))
		}
	}
}

// An update that names only the dates that a series leaves out keeps its rules and added dates, also while it moves.
func TestOnlyDatesLeftOut(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Post("/events", "editor", kit.Object{"title": "Choir", "start_date": "2030-01-03 19:30:00", "end_date": "2030-01-03 21:30:00",
		"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=4", "rdate": []string{"2030-01-05 19:30:00"}}}).Want(t, 201, "").ID()
	happens := func() string {
		var list []string
		for _, e := range kit.Happens(k, id, "") {
			list = append(list, fmt.Sprint(e["id"], " ", e["start_date"].(string)[5:16]))
		}
		return strings.Join(list, ", ")
	}
	before := happens()
	k.Del(kit.Item("events", int64(kit.Happens(k, id, "")[1]["id"].(float64))), "editor").Want(t, 200, "")
	if happens() == before {
		t.Error("nothing was left out")
	}
	for _, exdate := range []any{[]string{}, nil} {
		k.Patch(kit.Item("events", id), "editor", kit.Object{"recurrence": kit.Object{"exdate": []string{"2030-01-10"}}}).Want(t, 200, "")
		k.Patch(kit.Item("events", id), "editor", kit.Object{"recurrence": kit.Object{"exdate": exdate}}).Want(t, 200, "")
		if got := happens(); got != before {
			t.Errorf("%v: %s, before %s", exdate, got, before)
		}
	}
	k.Patch(kit.Item("events", id), "editor", kit.Object{"start_date": "2030-01-03 20:00:00", "end_date": "2030-01-03 22:00:00",
		"recurrence": kit.Object{"exdate": []string{"2030-01-17"}}}).Want(t, 200, "")
	if got := happens(); strings.Count(got, "20:00") != 4 || strings.Contains(got, "01-17") {
		t.Errorf("moved: %s", got)
	}
}
