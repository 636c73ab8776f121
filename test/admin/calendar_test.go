package admin

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// calendarKit is a kit whose clock stands at a Wednesday noon in Berlin.
func calendarKit(t *testing.T) *kit.Kit {
	t.Helper()
	k := kit.New(t)
	k.Clock = time.Date(2030, 5, 15, 10, 0, 0, 0, time.UTC)
	return k
}

// planned makes an event from one time to another.
func planned(k *kit.Kit, title, start, end string, more ...any) int64 {
	k.T.Helper()
	fields := map[string]any{"title": title, "start_date": start, "end_date": end}
	for i := 0; i+1 < len(more); i += 2 {
		fields[fmt.Sprint(more[i])] = more[i+1]
	}
	return k.Event(fields)
}

// cellOf is what the month shows of a day.
func cellOf(p kit.Page, day string) string {
	_, rest, _ := strings.Cut(p.Body, `data-day="`+day+`"`)
	cell, _, _ := strings.Cut(rest, "</td>")
	return cell
}

func TestCalendarIsHome(t *testing.T) {
	t.Parallel()
	k := calendarKit(t)
	planned(k, "This month", "2030-05-20 10:00", "2030-05-20 11:00")
	b := k.Person("author")
	if p := b.Get("/admin"); p.Status != 200 || !p.Shows("May\u00a02030") || !strings.Contains(cellOf(p, "2030-05-20"), "This month") {
		t.Errorf("%d %s", p.Status, p.Body)
	}
	if p := k.Person("subscriber").Get("/admin"); p.Status != 303 || p.Header.Get("Location") != "/admin/profile" {
		t.Errorf("whoever may not edit: %d %s", p.Status, p.Header.Get("Location"))
	}
}

func TestCalendarRanges(t *testing.T) {
	t.Parallel()
	k := calendarKit(t)
	planned(k, "April end", "2030-04-29 10:00", "2030-04-29 11:00")
	planned(k, "June ninth", "2030-06-09 10:00", "2030-06-09 11:00")
	planned(k, "Around it all", "2030-03-01", "2030-08-01", "all_day", true)
	planned(k, "New York late", "2030-05-15 23:00", "2030-05-15 23:30", "timezone", "America/New_York")
	planned(k, "Nightly", "2030-05-18 22:00", "2030-05-19 04:00")
	planned(k, "In the trash", "2030-05-15 10:00", "2030-05-15 11:00", "status", "trash")
	planned(k, "A draft", "2030-05-15 10:00", "2030-05-15 11:00", "status", "draft")
	b := k.Person("editor")
	for query, want := range map[string]struct{ shown, left string }{
		"":                             {"April end|Around it all|New York late|Nightly|A draft", "June ninth|In the trash"},
		"?date=2030-06-15":             {"June ninth|Around it all", "April end|New York late"},
		"?view=week&date=2030-05-15":   {"New York late|Nightly|A draft|Around it all", "April end|In the trash"},
		"?view=week&date=2030-05-19":   {"Nightly|Around it all", "New York late"},
		"?view=list&date=2030-05-10":   {"New York late|Nightly|June ninth|Around it all", "April end"},
		"?view=list&date=2030-05-20":   {"June ninth|Around it all", "Nightly"},
		"?day=2030-05-15":              {"Wednesday, May\u00a015,\u00a02030", ""},
		"?view=month&date=1900-01-01":  {"January\u00a01900", ""},
		"?view=week&date=2200-12-31":   {"2200", ""},
		"?view=list&venue=&category=":  {"Nightly", ""},
		"?date=tomorrow&view=list":     {"Nightly", "New York late"},
		"?view=week&date=2030-05-27":   {"Around it all", "Nightly"},
		"?date=2030-05-01&view=nowise": {"Choose one of the values offered", "April end"},
		"?date=soon":                   {"Enter a date", "April end"},
		"?date=0001-01-01":             {"Enter a date", ""},
		"?day=9999-12-31":              {"Enter a date", ""},
		"?venue=x":                     {"Choose from the list", ""},
		"?venue=99999":                 {"This venue no longer exists", ""},
	} {
		p := b.Get("/admin" + query)
		for text := range strings.SplitSeq(want.shown, "|") {
			if !p.Shows(text) {
				t.Errorf("%s lacks %q (%d)", query, text, p.Status)
			}
		}
		for text := range strings.SplitSeq(want.left, "|") {
			if text != "" && p.Shows(text) {
				t.Errorf("%s shows %q", query, text)
			}
		}
		if wrong := strings.Contains(p.Body, `role="alert"`); p.Status != map[bool]int{false: 200, true: 422}[wrong] {
			t.Errorf("%s: %d", query, p.Status)
		}
	}
	if cell := cellOf(b.Get("/admin"), "2030-05-15"); !strings.Contains(cell, "New York late") || !strings.Contains(cell, `data-start="2030-05-15T23:00:00"`) {
		t.Errorf("an event stands where its own clock says: %s", cell)
	}
}

func TestCalendarTellsStates(t *testing.T) {
	t.Parallel()
	k := calendarKit(t)
	for i, status := range []string{"draft", "pending", "private"} {
		planned(k, "It is "+status, fmt.Sprintf("2030-05-%02d 10:00", i+1), fmt.Sprintf("2030-05-%02d 11:00", i+1), "status", status)
	}
	planned(k, "Later", "2030-05-04 10:00", "2030-05-04 11:00", "status", "future", "date", "2030-05-30 10:00")
	planned(k, "Locked", "2030-05-05 10:00", "2030-05-05 11:00", "post_password", "x")
	planned(k, "Open", "2030-05-06 10:00", "2030-05-06 11:00")
	p := k.Person("editor").Get("/admin")
	for day, want := range map[string]string{"01": "Draft", "02": "Pending review", "03": "Private", "04": "Scheduled", "05": "Password"} {
		cell := cellOf(p, "2030-05-"+day)
		if !strings.Contains(cell, `<span class="hidden">`+want+"</span>") || !strings.Contains(cell, "<svg") {
			t.Errorf("%s isn't told: %s", want, cell)
		}
	}
	if strings.Count(cellOf(p, "2030-05-06"), `class="hidden"`) > 1 { // one names the day
		t.Error("what is open has a mark")
	}
}

func TestCalendarBoundsADay(t *testing.T) {
	t.Parallel()
	k := calendarKit(t)
	for i := range 9 {
		planned(k, fmt.Sprintf("Talk %d", i), "2030-05-20 10:00", "2030-05-20 11:00")
	}
	b := k.Person("editor")
	cell := cellOf(b.Get("/admin"), "2030-05-20")
	if n := strings.Count(cell, "data-id="); n != 5 || !strings.Contains(cell, "4 more") {
		t.Errorf("%d events: %s", n, cell)
	}
	more := regexp.MustCompile(`class="more" href="([^"#]+)`).FindStringSubmatch(cell)[1]
	_, list, _ := strings.Cut(b.Get(kit.Unescape(more)).Body, `id="day"`)
	if n := strings.Count(list, "data-id="); n != 9 {
		t.Errorf("the day lists %d of 9", n)
	}
	p := b.Get("/admin?view=week&date=2030-05-20")
	if n := strings.Count(p.Body, " slot "); n != 4 || !p.Shows("5 more") {
		t.Errorf("the week shows %d beside each other", n)
	}
}

func TestCalendarFilters(t *testing.T) {
	t.Parallel()
	k := calendarKit(t)
	planned(k, "At the hall", "2030-05-20 10:00", "2030-05-20 11:00", "venue", map[string]any{"venue": "Hall"}, "categories", []any{"Music"})
	planned(k, "Elsewhere", "2030-05-20 10:00", "2030-05-20 11:00")
	b := k.Person("editor")
	venue := regexp.MustCompile(`<option value="(\d+)">Hall`).FindStringSubmatch(b.Get("/admin?filter=1").Body)[1]
	category := regexp.MustCompile(`<option value="(\d+)">Music`).FindStringSubmatch(b.Get("/admin?filter=1").Body)[1]
	for _, query := range []string{"venue=" + venue, "category=" + category} {
		p := b.Get("/admin?" + query)
		if !p.Shows("At the hall") || p.Shows("Elsewhere") {
			t.Errorf("%s isn't a filter", query)
		}
		if !p.Shows("/admin?" + query) {
			t.Errorf("%s is lost on the way", query)
		}
	}
}

func TestCalendarBeginsEvents(t *testing.T) {
	t.Parallel()
	b := calendarKit(t).Person("author")
	for query, want := range map[string][3]string{
		"start_date=2030-05-20":                               {"2030-05-20T10:00", "2030-05-20T11:00", "0"},
		"start_date=2030-05-20T16:15":                         {"2030-05-20T16:15", "2030-05-20T17:15", "0"},
		"start_date=2030-05-20T16:15&end_date=2030-05-20T20":  {"2030-05-20T16:15", "2030-05-20T17:15", "0"},
		"start_date=2030-05-20&end_date=2030-05-22&all_day=1": {"2030-05-20T00:00", "2030-05-22T00:00", "1"},
		"start_date=soon":                                     {"2030-05-15T13:00", "2030-05-15T14:00", "0"},
	} {
		form := kit.FormIn(b.Get("/admin/events/new?" + query))
		all := form["all_day"]
		if form.Get("start_date") != want[0] || form.Get("end_date") != want[1] || all[len(all)-1] != want[2] {
			t.Errorf("%s: %s %s %v", query, form.Get("start_date"), form.Get("end_date"), all)
		}
	}
}
