package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// dateOf is the address of the form of a date of a series, counted from 0.
func dateOf(k *kit.Kit, series int64, n int) string {
	k.T.Helper()
	return fmt.Sprintf("/admin/events/%v", kit.Happens(k, series, "administrator")[n]["id"])
}

// TestAdminAsksWhichDates saves a date of a series as one, with what follows, and
// as the whole series: asked once, with everything typed carried along.
func TestAdminAsksWhichDates(t *testing.T) {
	t.Parallel()
	for scope, want := range map[string][]string{"this": {"Choir", "Concert", "Choir"}, "following": {"Choir", "Concert", "Concert"},
		"all": {"Concert", "Concert", "Concert"}} {
		t.Run(scope, func(t *testing.T) {
			t.Parallel()
			k := kit.New(t)
			b := k.Person("editor")
			path := dateOf(k, kit.Weekly(k, nil), 1)
			form := b.Fill(path, kit.EveryEditor, url.Values{"title": {"Concert"}, "description": {"<p>One</p>\r\n<p>Two</p>"}})
			before := k.Version("demo")
			p := b.Post(path, form)
			if p.Status != http.StatusOK || !p.Shows("Which dates?") || !p.Shows("every second Thursday") {
				t.Fatalf("not asked: %d %.2000s", p.Status, p.Body)
			}
			if k.Version("demo") != before {
				t.Error("something is stored before the answer")
			}
			again := kit.Answered(p, scope)
			if p := b.Post(path, again); p.Status != http.StatusSeeOther {
				t.Fatalf("answered: %d %.2000s", p.Status, p.Body)
			}
			if p := b.Follow(); !p.Shows("Saved.") || !p.Shows(`value="Concert"`) || p.Shows("Only this date was changed.") != (scope == "this") {
				t.Errorf("then: %d", p.Status)
			}
			list := k.Get("/events?start_date=2029-12-01&end_date=2030-02-01", "").Body["events"].([]any)
			titles := make([]string, 0, len(list))
			for _, one := range list {
				titles = append(titles, fmt.Sprint(one.(kit.Object)["title"]))
			}
			if len(titles) < 3 || !slices.Equal(titles[:3], want) {
				t.Errorf("%v, want %v", titles, want)
			}
		})
	}
}

// TestAdminAskedWhichDates: what can't be of one date isn't offered for one,
// nothing is asked where nothing changed, and the way back keeps what was typed.
func TestAdminAskedWhichDates(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	path := dateOf(k, kit.Weekly(k, nil), 1)
	p := b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"status": {"draft"}}))
	if strings.Contains(p.Body, `value="this"`) || !strings.Contains(p.Body, `value="following" checked`) {
		t.Errorf("status of one date: %.2000s", p.Body)
	}
	form := b.Fill(path, kit.EveryEditor, url.Values{"status": {"draft"}, "applies_to": {"this"}})
	if p := b.Post(path, form); p.Status != http.StatusUnprocessableEntity || !strings.Contains(p.Body, `id="p-status"`) {
		t.Errorf("the status of one date: %d", p.Status)
	}
	if p := b.Post(path, b.Fill(path, kit.EveryEditor, nil)); p.Status != http.StatusSeeOther {
		t.Errorf("nothing changed: %d", p.Status)
	}
	p = b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"title": {"Concert"}}))
	back := kit.Answered(p, "this")
	back.Set("do", "show")
	if p := b.Post(path, back); p.Status != http.StatusOK || !p.Shows(`value="Concert"`) {
		t.Errorf("back: %d", p.Status)
	}
	if p := b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"title": {"Concert"}, "applies_to": {"none"}})); !p.Shows("Which dates?") {
		t.Errorf("an answer there isn't: %d", p.Status)
	}
}

// TestAdminRemovesDates deletes a date of a series, what follows, and all.
func TestAdminRemovesDates(t *testing.T) {
	t.Parallel()
	for scope, left := range map[string]int{"this": -1, "following": 1, "all": 0} {
		t.Run(scope, func(t *testing.T) {
			t.Parallel()
			k := kit.New(t)
			b := k.Person("editor")
			series := kit.Weekly(k, nil)
			ids := kit.EachOf(kit.Happens(k, series, ""), "id")
			before := len(ids)
			path := dateOf(k, series, 1)
			p := b.Post(path+"/remove", b.Fill(path, `<form id="remove"`, url.Values{"do": {"remove"}}))
			if p.Status != http.StatusOK || !p.Shows("Which dates?") {
				t.Fatalf("not asked: %d", p.Status)
			}
			form := kit.Answered(p, scope)
			form.Set("do", "remove")
			if p := b.Post(path+"/remove", form); p.Status != http.StatusSeeOther || b.Follow().Status != http.StatusOK {
				t.Fatalf("%d %.1000s", p.Status, p.Body)
			}
			if left < 0 {
				left += before
			}
			if a := k.Get("/events?start_date=2029-12-01&end_date=2030-12-01&per_page=50", ""); fmt.Sprint(a.Body["total"]) != fmt.Sprint(left) {
				t.Errorf("%v are left, want %d", a.Body["total"], left)
			}
			if p := b.Post(kit.Undoing(b)); p.Status != http.StatusSeeOther || !b.Follow().Shows("Change undone") {
				t.Fatalf("undo: %d %.1000s", p.Status, p.Body)
			}
			if after := kit.EachOf(kit.Happens(k, series, "editor"), "id"); !slices.Equal(after, ids) {
				t.Errorf("after the undo %v, before %v", after, ids)
			}
		})
	}
}

// TestAdminDateIsGone: a form of a date that its series has lost loses nothing.
func TestAdminDateIsGone(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	series := kit.Weekly(k, nil)
	path := dateOf(k, series, 1)
	form := b.Fill(path, kit.EveryEditor, url.Values{"title": {"Carols"}, "description": {"<p>Typed for long</p>"}, "applies_to": {"this"}})
	k.Patch(kit.Item("events", series), "editor", kit.Object{"recurrence": "FREQ=WEEKLY;BYDAY=TH;COUNT=1"}).Want(t, 200, "")
	p := b.Post(path, form)
	if p.Status != http.StatusGone || !p.Shows("Carols") || !p.Shows("Typed for long") || !p.Shows(kit.Item("admin/events", series)) {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	own := kit.FormAt(p, `<form class="stack narrow late"`)
	own.Set("do", "show")
	if p = b.Post("/admin/events/new", own); !p.Shows(`value="Carols"`) || !p.Shows(`value="2029-12-20T19:30"`) {
		t.Fatalf("as a new event: %d %.2000s", p.Status, p.Body)
	}
	if p = b.Post("/admin/events/new", kit.FormIn(p)); p.Status != http.StatusSeeOther {
		t.Errorf("saved: %d %.2000s", p.Status, p.Body)
	}
	if p = b.Get(path); p.Status != http.StatusNotFound {
		t.Errorf("the form of a date that is gone: %d", p.Status)
	}
}

// TestAdminRuleFollowsTheStart moves the start of series in the form, without a
// script: the rule goes along, for new ones, whole ones and from one date on.
func TestAdminRuleFollowsTheStart(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"do": {"publish"}, "title": {"Chess"}, "start_date": {"2030-01-01T19:30"}, "end_date": {"2030-01-01T21:30"},
		"timezone": {"Europe/Berlin"}, "repeat": {"week"}, "repeat_end": {"after"}, "repeat_count": {"10"}})
	p := b.Post("/admin/events/new", form)
	m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if m == nil {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	rule := func(id, want string) {
		t.Helper()
		if got := k.Get("/events/"+id, "editor").Want(t, 200, "").Body["recurrence"].(kit.Object)["rrule"]; got != want {
			t.Errorf("the rule is %v, want %s", got, want)
		}
	}
	rule(m[1], "FREQ=WEEKLY;COUNT=10;BYDAY=TU")
	path := "/admin/events/" + m[1]
	p = b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"start_date": {"2030-01-02T19:30"}, "end_date": {"2030-01-02T21:30"}}))
	if p.Status != http.StatusSeeOther {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	rule(m[1], "FREQ=WEEKLY;COUNT=10;BYDAY=WE")
	p = b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"repeat_except": {"2030-01-09"}}))
	if p.Status != http.StatusSeeOther {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}

	occurrences := k.Get("/events/"+m[1]+"/occurrences?start_date=2030-01-01&end_date=2031-01-01", "editor").Want(t, 200, "").Body["events"].([]any)
	date := fmt.Sprintf("/admin/events/%v", occurrences[3].(kit.Object)["id"]) // 30 January
	p = b.Get(date)
	if !p.Shows(`name="repeat_count" type="number" min="1" inputmode="numeric" value="6"`) {
		t.Errorf("from here on it isn't six times: %.5000s", p.Body)
	}
	moved := url.Values{"start_date": {"2030-01-31T19:30"}, "end_date": {"2030-01-31T21:30"}, "repeat_every": {"2"}, "applies_to": {"following"}}
	if p = b.Post(date, b.Fill(date, kit.EveryEditor, moved)); p.Status != http.StatusSeeOther {
		t.Fatalf("following: %d %.3000s", p.Status, p.Body)
	}
	rule(m[1], "FREQ=WEEKLY;UNTIL=20300130T182959Z;BYDAY=WE")
	rest := k.Get(strings.TrimPrefix(date, "/admin"), "editor").Want(t, 200, "").Body["series"].(kit.Object)["id"]
	rule(fmt.Sprint(rest), "FREQ=WEEKLY;INTERVAL=2;COUNT=6;BYDAY=TH")
}

// TestAdminChangesTheWholeSeriesFromOneDate: another rule typed at one date, for all,
// keeps the number of dates and those left out before.
func TestAdminChangesTheWholeSeriesFromOneDate(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	series := kit.Weekly(k, kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=TH;COUNT=8", "exdate": []string{"2029-12-13"}}})
	date := dateOf(k, series, 2) // 27 December
	form := b.Fill(date, kit.EveryEditor, url.Values{"start_date": {"2029-12-28T19:30"}, "end_date": {"2029-12-28T21:30"}, "repeat_except": {"2030-01-03"}})
	p := b.Post(date, form)
	if !p.Shows("Which dates?") || strings.Contains(p.Body, `value="this"`) {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	if p = b.Post(date, kit.Answered(p, "all")); p.Status != http.StatusSeeOther || b.Follow().Status != http.StatusOK {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	rules := k.Get(kit.Item("events", series), "editor").Want(t, 200, "").Body["recurrence"].(kit.Object)
	if got := fmt.Sprintf("%v %v", rules["rrule"], rules["exdate"]); got != "FREQ=WEEKLY;COUNT=8;BYDAY=FR [2029-12-14 19:30:00 2030-01-04 19:30:00]" {
		t.Errorf("%s", got)
	}
}

// TestAdminKeepsRulesItCantSay: the form says a rule beyond its choices in words and
// leaves it as it is, whatever else is changed.
func TestAdminKeepsRulesItCantSay(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	for _, rules := range []string{"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY;BYWEEKNO=49;BYDAY=TH",
		"FREQ=WEEKLY;UNTIL=20300301T183000Z;BYDAY=TH;WKST=SU", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1"} {
		start := map[bool]string{true: "2029-12-31", false: "2029-12-06"}[strings.HasPrefix(rules, "FREQ=MONTHLY")]
		id := kit.Weekly(k, kit.Object{"start_date": start + " 19:30:00", "end_date": start + " 21:30:00", "recurrence": kit.Object{"rrule": rules}})
		path, title := kit.Item("admin/events", id), fmt.Sprint("Renamed ", id)
		p := b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"title": {title}}))
		got := k.Get(kit.Item("events", id), "editor").Want(t, 200, "").Body
		if text := got["recurrence"].(kit.Object)["rrule"]; p.Status != http.StatusSeeOther || got["title"] != title || text != rules {
			t.Errorf("%s: %d %v %v", rules, p.Status, got["title"], text)
		}
	}
	two := kit.Weekly(k, kit.Object{"recurrence": kit.Object{"rrule": []string{"FREQ=WEEKLY;BYDAY=TH", "FREQ=MONTHLY;BYMONTHDAY=1"}}})
	path := kit.Item("admin/events", two)
	if p := b.Get(path); !p.Shows(`<option value="rule" selected>`) || !p.Shows("RRULE:FREQ=WEEKLY;BYDAY=TH\nRRULE:FREQ=MONTHLY;BYMONTHDAY=1") || !p.Shows("every Thursday, and also") {
		t.Errorf("two rules: %.9000s", p.Body)
	}
}

// TestAdminDatesByButtons leaves a date out, adds one and takes another start, by
// buttons without a script.
func TestAdminDatesByButtons(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"do": {"publish"}, "title": {"Chess"}, "start_date": {"2030-11-28T19:30"}, "end_date": {"2030-11-28T21:30"},
		"timezone": {"Europe/Berlin"}, "repeat": {"week"}, "repeat_every": {"2"}, "repeat_end": {"on"}, "repeat_until": {"2031-06-30"}})
	press := func(do string) kit.Page {
		t.Helper()
		form.Set("do", do)
		p := b.Post("/admin/events/new", form)
		if p.Status != http.StatusOK {
			t.Fatalf("%s: %d", do, p.Status)
		}
		form = kit.FormIn(p)
		return p
	}
	if p := press("show"); !p.Shows("Every second Thursday until 30\u00a0June\u00a02031") || !p.Shows("every 2 weeks") || !p.Shows("Thursday, December\u00a026,\u00a02030") {
		t.Errorf("the rule isn't said: %.9000s", p.Body)
	}
	press("row_month_2030-12")
	if p := press("row_date_2030-12-26"); !p.Shows(`aria-pressed="false" aria-label="Thursday, December 26, 2030, skipped"`) {
		t.Errorf("it isn't left out: %v", form["repeat_except"])
	}
	if p := press("row_date_2030-12-27"); !p.Shows(`aria-pressed="true" aria-label="Friday, December 27, 2030, added"`) {
		t.Errorf("it isn't added: %v", form["repeat_dates"])
	}
	press("row_date_2030-12-12")
	press("row_date_2030-12-12")
	form.Set("repeat_on", "5")
	if p := press("show"); !p.Shows("The start date does not match this rule") || !p.Shows(`value="row_start_2030-11-29T19:30"`) {
		t.Errorf("the nearest days aren't offered: %.9000s", p.Body)
	}
	form.Set("do", "save")
	if p := b.Post("/admin/events/new", form); p.Status != http.StatusUnprocessableEntity || !strings.Contains(p.Body, `id="p-start_date"`) ||
		p.Shows("2030-11-29 19:30:00") || !p.Shows(`value="row_start_2030-11-29T19:30"`) {
		t.Errorf("saved on a day that isn't of the rule: %d", p.Status)
	}
	press("row_start_2030-11-29T19:30")
	if form.Get("start_date") != "2030-11-29T19:30" || form.Get("end_date") != "2030-11-29T21:30" {
		t.Errorf("from %s to %s", form.Get("start_date"), form.Get("end_date"))
	}
	form.Set("repeat_on", "4")
	press("row_start_2030-11-28T19:30")
	form.Set("repeat_except", "2030-12-26")
	form.Set("repeat_dates", "2030-12-27")
	form.Set("do", "save")
	p := b.Post("/admin/events/new", form)
	m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if m == nil {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	rules := k.Get("/events/"+m[1], "editor").Want(t, 200, "").Body["recurrence"].(kit.Object)
	if got := fmt.Sprintf("%v %v %v", rules["rrule"], rules["rdate"], rules["exdate"]); got != "FREQ=WEEKLY;INTERVAL=2;UNTIL=20310630T215959Z;BYDAY=TH [2030-12-27 19:30:00] [2030-12-26 19:30:00]" {
		t.Errorf("%s", got)
	}
}

// TestAdminConflictOverARule: two people change a series, one of them its rule.
func TestAdminConflictOverARule(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	series := kit.Weekly(k, nil)
	path := kit.Item("admin/events", series)
	form := b.Fill(path, kit.EveryEditor, url.Values{"repeat_every": {"3"}, "event_status": {"cancelled"}})
	k.Patch(kit.Item("events", series), "editor", kit.Object{"recurrence": "FREQ=DAILY;COUNT=3", "event_status": "postponed"}).Want(t, 200, "")
	p := b.Post(path, form)
	if p.Status != http.StatusConflict || !p.Shows("every third week") && !p.Shows("every 3 weeks") || !p.Shows("every day, 3 times") || !p.Shows("Cancelled") || !p.Shows("Postponed") {
		t.Fatalf("%d %.5000s", p.Status, p.Body)
	}
	choice := kit.FormAt(p, `<form class="conflict"`)
	choice.Set("choose.recurrence", "theirs")
	choice.Set("choose.event_status", "mine")
	choice.Set("do", "resolve")
	if p = b.Post(path, choice); p.Status != http.StatusSeeOther {
		t.Fatalf("resolved: %d %.3000s", p.Status, p.Body)
	}
	got := k.Get(kit.Item("events", series), "editor").Want(t, 200, "").Body
	if rule := got["recurrence"].(kit.Object)["rrule"]; rule != "FREQ=DAILY;COUNT=3" || got["event_status"] != "cancelled" {
		t.Errorf("%v, %v", rule, got["event_status"])
	}
}

// TestAdminResetsDates: the form of a series with dates of their own offers to change
// those, too.
func TestAdminResetsDates(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	series := kit.Weekly(k, nil)
	one := kit.Happens(k, series, "")[1]["id"]
	k.Patch(fmt.Sprintf("/events/%v", one), "editor", kit.Object{"title": "Carols"}).Want(t, 200, "")
	path := kit.Item("admin/events", series)
	if p := b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"title": {"Singers"}})); p.Status != http.StatusSeeOther {
		t.Fatalf("%d", p.Status)
	}
	if got := kit.Happens(k, series, "")[1]["title"]; got != "Carols" {
		t.Errorf("a date of its own is %v", got)
	}
	if p := b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"title": {"Choir"}, "exceptions": {"reset"}})); p.Status != http.StatusSeeOther {
		t.Fatalf("%d", p.Status)
	}
	if got := kit.Happens(k, series, "")[1]["title"]; got != "Choir" {
		t.Errorf("reset it is %v", got)
	}
}

// TestAdminStory makes what people ask for first: every second Thursday at half past
// seven, not on one of them, in the hall from May on, until June.
func TestAdminStory(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	k.Post("/venues", "administrator", kit.Object{"venue": "Club room"})
	hall := k.Post("/venues", "administrator", kit.Object{"venue": "Town hall"}).ID()
	form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"do": {"publish"}, "title": {"Chess"}, "start_date": {"2030-11-28T19:30"}, "end_date": {"2030-11-28T21:30"},
		"timezone": {"Europe/Berlin"}, "venue": {"Club room"}, "repeat": {"week"}, "repeat_every": {"2"}, "repeat_end": {"on"}, "repeat_until": {"2031-06-30"},
		"repeat_on": {"4"}, "repeat_from": {"2030-11-28T19:30:00"}, "repeat_except": {"2030-12-26"}})
	p := b.Post("/admin/events/new", form)
	m := kit.AdminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if m == nil {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	list := k.Get("/events?start_date=2031-05-01&end_date=2031-06-01", "").Body["events"].([]any)
	date := fmt.Sprintf("/admin/events/%v", list[0].(kit.Object)["id"])
	if p = b.Post(date, b.Fill(date, kit.EveryEditor, url.Values{"venue": {"Town hall"}, "applies_to": {"following"}})); p.Status != http.StatusSeeOther {
		t.Fatalf("the hall: %d %.3000s", p.Status, p.Body)
	}
	all := k.Get("/events?start_date=2030-11-01&end_date=2031-12-31&per_page=50", "").Body["events"].([]any)
	var dates []string
	for _, one := range all {
		at := fmt.Sprint(one.(kit.Object)["start_date"])
		if in := fmt.Sprint(one.(kit.Object)["venue"].(kit.Object)["id"]) == fmt.Sprint(hall); in != (at > "2031-05") {
			t.Errorf("%s is in the hall: %t", at, in)
		}
		dates = append(dates, strings.TrimSuffix(at, " 19:30:00"))
	}
	want := []string{"2030-11-28", "2030-12-12", "2031-01-09", "2031-01-23", "2031-02-06", "2031-02-20", "2031-03-06", "2031-03-20", "2031-04-03", "2031-04-17",
		"2031-05-01", "2031-05-15", "2031-05-29", "2031-06-12", "2031-06-26"}
	if !slices.Equal(dates, want) {
		t.Errorf("%v, want %v", dates, want)
	}
}

// TestAdminSkipsPublicHolidays: the form names the dates of a series that are public holidays, and skips them as ordinary exceptions.
func TestAdminSkipsPublicHolidays(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"do": {"publish"}, "title": {"Choir"}, "start_date": {"2030-12-02T19:30"}, "end_date": {"2030-12-02T21:30"},
		"timezone": {"Europe/Berlin"}, "repeat": {"week"}, "repeat_every": {"1"}, "repeat_end": {"on"}, "repeat_until": {"2031-12-31"}})
	press := func(do string) kit.Page {
		t.Helper()
		form.Set("do", do)
		p := b.Post("/admin/events/new", form)
		if p.Status != http.StatusOK {
			t.Fatalf("%s: %d", do, p.Status)
		}
		form = kit.FormIn(p)
		return p
	}
	if p := press("show"); !p.Shows(`<option value="DE" selected>Germany</option>`) || !p.Shows(`>Germany – Sachsen</option>`) || p.Shows("Pfingstmontag") {
		t.Errorf("the countries: %.9000s", p.Body)
	}
	press("row_holidays_skip")
	if form.Get("repeat_except") != "" {
		t.Errorf("skipped without being named: %s", form.Get("repeat_except"))
	}
	if p := press("row_holidays_name"); !p.Shows("Monday, April\u00a014,\u00a02031 · <bdi>Ostermontag</bdi>") || !p.Shows("Monday, June\u00a02,\u00a02031 · <bdi>Pfingstmontag</bdi>") || form.Get("repeat_except") != "" {
		t.Errorf("the dates aren't named: %.9000s", p.Body)
	}
	form.Set("repeat_holidays", "JP") // whose dates nobody has seen yet
	press("row_holidays_skip")
	if form.Get("repeat_except") != "" {
		t.Errorf("those of another country are skipped: %s", form.Get("repeat_except"))
	}
	form.Set("repeat_holidays", "DE")
	press("row_holidays_name")
	if p := press("row_holidays_skip"); p.Shows("Pfingstmontag") || form.Get("repeat_except") != "2031-04-14 2031-06-02" {
		t.Errorf("skipped: %s", form.Get("repeat_except"))
	}
	form.Set("do", "save")
	m := kit.AdminEvent.FindStringSubmatch(b.Post("/admin/events/new", form).Header.Get("Location"))
	if m == nil {
		t.Fatal("it isn't saved")
	}
	rules := k.Get("/events/"+m[1], "editor").Want(t, 200, "").Body["recurrence"].(kit.Object)
	if got := fmt.Sprint(rules["exdate"]); got != "[2031-04-14 19:30:00 2031-06-02 19:30:00]" {
		t.Errorf("%s", got)
	}
}
